import { afterAll, it, type TestContext } from 'vitest'
import type { DocumentBody } from './answer.ts'
import { Api, findServer, type Server } from './api.ts'
import { type Credential, optionFor } from './target.ts'

let turns = 0

/** The API, with methods that skip a clause if the run can't check it. */
export class ClauseApi extends Api {
  readonly #context: TestContext
  readonly #server: Server

  constructor(context: TestContext, server: Server) {
    super(server)
    this.#context = context
    this.#server = server
  }

  /** Another one, which has its own documents to delete. */
  fork(): ClauseApi {
    return new ClauseApi(this.#context, this.#server)
  }

  /** Returns a key. Skips the clause if the run doesn't have that key. */
  need(credential: Credential): string {
    const value = this.target[credential]
    if (value === '') this.#context.skip(`needs ${optionFor(credential)}`)
    return value
  }

  /**
   * Returns the key of an account, for a clause that needs only one. The accounts take turns: servers limit the writes of
   * each.
   */
  needAccount(): string {
    turns += 1
    return turns % 2 === 0 && this.target.secondKey !== '' ? this.target.secondKey : this.need('key')
  }

  /** Returns the key for creating without settings, or an empty one: servers take fewer documents without a key. */
  needCreator(): string {
    if (this.target.key !== '') return this.needAccount()
    this.needAnonymousDocuments()
    return ''
  }

  /** Skips the clause unless the server is configured as the clause needs. */
  needServer(matches: boolean, condition: string): void {
    if (!matches) this.#context.skip(`needs ${condition}`)
  }

  /** Skips the clause unless anyone may create documents. */
  needAnonymousDocuments(): void {
    this.needServer(this.target.anonymousDocuments, 'a server that lets anyone create documents')
  }
}

/**
 * Registers the test of one clause: something that the API promises.
 *
 * @param id identifies the clause, such as `create.id`. It never changes.
 * @param statement says what must be true, in one sentence.
 */
export function clause(id: string, statement: string, check: (api: ClauseApi) => Promise<void>): void {
  it(`${id}: ${statement}`, async (context) => {
    const api = new ClauseApi(context, await findServer())
    try {
      await check(api)
    } finally {
      await api.cleanUp()
    }
  })
}

/**
 * Returns a document that the clauses of a file only read, so that they need one create in all. The first of them makes it;
 * it's deleted after the last.
 */
export function shareDocument<Shared extends DocumentBody>(
  create: (api: ClauseApi) => Promise<Shared>,
): (api: ClauseApi) => Promise<Shared> {
  let shared: Promise<Shared> | null = null
  const owners: ClauseApi[] = []
  afterAll(() => Promise.all(owners.map((owner) => owner.cleanUp())))
  const start = (owner: ClauseApi) => {
    owners.push(owner)
    return create(owner)
  }
  return (api) => {
    // Another clause tries again, and is skipped for the same reason.
    shared ??= start(api.fork()).catch((error: unknown) => {
      shared = null
      throw error
    })
    return shared
  }
}
