import { describe, expect, expectTypeOf, it } from 'vitest'
import { type CreatedDocument, RegentClient } from '../../cli/src/client/client.ts'
import type * as client from '../../cli/src/client/types.ts'
import { OPERATIONS } from '../../src/api/openapi/document.ts'
import type * as responses from '../../src/api/response-schemas.ts'
import type { createBody, editBody, listQuery } from '../../src/api/schemas.lazy.ts'
import type { EditableSetting, RequestSettings } from '../../src/shared/settings.ts'

interface Inferring {
  readonly _zod: { readonly input: unknown; readonly output: unknown }
}
type Input<Schema extends Inferring> = Schema['_zod']['input']
type Output<Schema extends Inferring> = Schema['_zod']['output']

/** Makes arrays and fields read-only, as the client declares them. Zod declares them writable. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value

type Answer<Schema extends Inferring> = Frozen<Output<Schema>>

/** The same members, all present, so that only their names and values count. */
type Members<Value> = { readonly [Name in keyof Value]-?: Exclude<Value[Name], undefined> }

/** Stands for the number of a revision in a path. */
const NUMBER = 1

const CALLS: readonly ((client: RegentClient) => Promise<unknown>)[] = [
  (client) => client.greet(),
  (client) => client.createDocument({ content: 'x' }),
  (client) => client.readDocument('{id}'),
  (client) => client.checkDocument('{id}'),
  (client) => client.editDocument({ id: 'abcdefgh' }),
  (client) => client.deleteDocument('{id}'),
  (client) => client.getClaimHeader('{id}'),
  (client) => client.claimDocument('{id}', 'token'),
  (client) => client.listRevisions('{id}'),
  (client) => client.readRevision('{id}', NUMBER),
  (client) => client.restoreRevision('{id}', NUMBER),
  (client) => client.deleteRevisions('{id}'),
  (client) => client.getAccount(),
  (client) => client.listRecentDocuments(),
  (client) => client.listDocuments(),
  (client) => client.listPublicDocuments(),
  (client) => client.regenerateKey(),
  (client) => client.searchUsers('{prefix}'),
  (client) => client.getUser('{username}'),
]

describe('the typed client', () => {
  it('has a method for every operation of the API', async () => {
    const sent: string[] = []
    const recorder = new RegentClient({
      server: 'https://paste.example.org',
      fetch: async (input, init) => {
        sent.push(
          `${init?.method} ${decodeURIComponent(new URL(String(input)).pathname).replace(`/revisions/${NUMBER}`, '/revisions/{number}')}`,
        )
        return Response.json({ success: true, data: {} })
      },
    })
    for (const call of CALLS) await call(recorder)
    expect(sent.sort()).toEqual(
      OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort(),
    )
  })

  it('has the types of the API’s responses', () => {
    expectTypeOf<client.Document>().branded.toEqualTypeOf<Answer<typeof responses.documentBody>>()
    expectTypeOf<client.ListedDocument>().branded.toEqualTypeOf<Answer<typeof responses.listedBody>>()
    expectTypeOf<client.DocumentPage>().branded.toEqualTypeOf<Answer<typeof responses.listBody>>()
    expectTypeOf<client.ListedRevision>().branded.toEqualTypeOf<Answer<typeof responses.revisionBody>>()
    expectTypeOf<client.Revision>().branded.toEqualTypeOf<Answer<typeof responses.fullRevisionBody>>()
    expectTypeOf<client.Creator>().branded.toEqualTypeOf<Answer<typeof responses.creatorBody>>()
    expectTypeOf<client.Account>().branded.toEqualTypeOf<Answer<typeof responses.accountBody>>()
    expectTypeOf<client.Greeting>().branded.toEqualTypeOf<Answer<typeof responses.greetingBody>>()
    expectTypeOf<CreatedDocument['password']>().toEqualTypeOf<NonNullable<
      Answer<typeof responses.createdBody>['password']
    > | null>()
  })

  it('has the types of the API’s requests', () => {
    expectTypeOf<Members<client.CreateSettings>>().toEqualTypeOf<Members<RequestSettings>>()
    expectTypeOf<Members<client.EditSettings>>().toEqualTypeOf<Members<RequestSettings<EditableSetting>>>()
    expectTypeOf<keyof client.CreateRequest>().toEqualTypeOf<keyof Input<typeof createBody>>()
    expectTypeOf<keyof client.EditRequest>().toEqualTypeOf<keyof Input<typeof editBody>>()
    expectTypeOf<keyof client.ListQuery>().toEqualTypeOf<keyof Input<typeof listQuery>>()
    expectTypeOf<Members<client.ListQuery>['sort']>().toEqualTypeOf<Output<typeof listQuery>['sort']>()
  })
})
