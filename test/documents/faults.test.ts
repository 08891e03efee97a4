import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../src/documents/content/content-cache.ts'
import { type Account, account } from '../support/accounts.ts'
import { countCalls, type StorageCall } from '../support/bindings.ts'
import {
  type Answer,
  type CallOptions,
  call,
  create,
  createAnonymous,
  edit,
  read,
  remove,
  withVars,
} from '../support/client.ts'
import { listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'
import { FAULTS, faultyBindings, HOUR_MS, runCleanup, setUpFaults } from '../support/storage/faults.ts'

setUpFaults()

interface Scene {
  readonly owner: Account
  readonly id: string
  /** What proves the creator of the document: a key, or a document token. */
  readonly creator: CallOptions
}

interface Operation {
  readonly settings: Record<string, unknown>
  readonly anonymous?: true
  readonly run: (scene: Scene, bindings: Env) => Promise<Answer>
  /** The content that a read returns before and after the operation; null is 404. */
  readonly before: string | null
  readonly after: string | null
}

const OPERATIONS: Record<string, Operation> = {
  create: {
    settings: {},
    run: ({ owner }, bindings) =>
      call(
        'POST',
        '/v1/document',
        { content: 'new', settings: { language: 'json', expiration: null } },
        {
          key: owner.key,
          bindings,
          settle: true,
        },
      ),
    before: 'text',
    after: 'text',
  },
  'edit of content': {
    settings: {},
    run: ({ creator, id }, bindings) =>
      edit({ id, content: 'edited' }, { ...creator, bindings, settle: true }),
    before: 'text',
    after: 'edited',
  },
  'edit of the expiry': {
    settings: { expiration: 1 },
    run: ({ owner, id }, bindings) =>
      edit({ id, settings: { expiration: null } }, { key: owner.key, bindings, settle: true }),
    before: 'text',
    after: 'text',
  },
  read: {
    settings: {},
    run: ({ id }, bindings) => read(id, { bindings, settle: true }),
    before: 'text',
    after: 'text',
  },
  'read that burns': {
    settings: { instant_delete: true },
    run: ({ id }, bindings) => read(id, { bindings, settle: true }),
    before: 'text',
    after: null,
  },
  delete: {
    settings: {},
    run: ({ creator, id }, bindings) => remove(id, { ...creator, bindings, settle: true }),
    before: 'text',
    after: null,
  },
  'anonymous create': {
    settings: {},
    run: (_, bindings) => call('POST', '/v1/document', { content: 'new' }, { bindings, settle: true }),
    before: 'text',
    after: 'text',
  },
  'edit of content with a token': {
    settings: {},
    anonymous: true,
    run: ({ creator, id }, bindings) =>
      edit({ id, content: 'edited' }, { ...creator, bindings, settle: true }),
    before: 'text',
    after: 'edited',
  },
  'delete with a token': {
    settings: {},
    anonymous: true,
    run: ({ creator, id }, bindings) => remove(id, { ...creator, bindings, settle: true }),
    before: 'text',
    after: null,
  },
  'delete of a burn-after-reading document with a token': {
    settings: { instant_delete: true },
    anonymous: true,
    run: ({ creator, id }, bindings) => remove(id, { ...creator, bindings, settle: true }),
    before: 'text',
    after: null,
  },
}

/** Creates the document of an operation. */
async function setScene({ settings, anonymous }: Operation, owner: Account): Promise<Scene> {
  if (anonymous) {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const { id, headers } = await createAnonymous('text', settings, { bindings })
    return { owner, id, creator: { headers } }
  }
  const { id } = await create('text', settings, { key: owner.key })
  return { owner, id, creator: { key: owner.key } }
}

/** Returns the storage calls of an operation without faults, including those after its response. */
async function recordCalls(operation: Operation): Promise<StorageCall[]> {
  const owner = await account()
  const scene = await setScene(operation, owner)
  contentCache.clear()
  const { bindings, calls } = countCalls()
  expect((await operation.run(scene, bindings)).status).toBeLessThan(300)
  return calls
}

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  it.each(FAULTS.flatMap((fault) => [true, false].map((permanent) => ({ fault, permanent }))))(
    'loses nothing acknowledged when a storage call $fault (permanently: $permanent)',
    async ({ fault, permanent }) => {
      const count = (await recordCalls(operation)).length
      const owner = await account()
      const bystander = await create('bystander', { expiration: null }, { key: owner.key })
      for (let nth = 1; nth <= count; nth++) {
        const scene = await setScene(operation, owner)
        contentCache.clear()
        const { bindings, hasStruck } = faultyBindings(nth, fault, { permanent })
        const answer = await operation.run(scene, bindings)
        expect(hasStruck()).toBe(true)

        const acknowledged = answer.status < 300
        if (!acknowledged) {
          expect([500, 503]).toContain(answer.status)
          expect(answer.body).toEqual({
            success: false,
            error: { code: expect.any(String), message: 'Internal server error' },
          })
        }
        contentCache.clear()
        const found = await read(scene.id, scene.creator)
        const text = found.status === 404 ? null : found.body.data.content
        // An operation that wasn't acknowledged may have taken effect or not.
        if (acknowledged) expect(text).toBe(operation.after)
        else expect([operation.before, operation.after]).toContain(text)
        if (acknowledged && answer.body?.data.content === 'new') {
          expect((await read(answer.body.data.id)).body.data.content).toBe('new')
        }
        expect((await read(bystander.id)).body.data.content).toBe('bystander')

        const stored = new Set(await listStoredKeys())
        for (const key of await listReferencedKeys()) expect(stored).toContain(key)
      }
      await runCleanup(env, Date.now() + 2 * HOUR_MS)
      expect(await listStoredKeys()).toEqual(await listReferencedKeys())
    },
  )
})

describe('cleanup', () => {
  it.each(FAULTS)(
    'leaves work for the next run, not garbage, when any of its storage calls %s',
    async (fault) => {
      const { key } = await account()
      const later = Date.now() + 2 * HOUR_MS
      const prepare = async () => {
        const expiring = await create('x', { expiration: 1 / 24 }, { key })
        const edited = await create('x', { expiration: null }, { key })
        await edit({ id: edited.id, content: 'y' }, { key })
        await env.CONTENTS.put(`content/orphan${Math.random()}`, 'x', {
          metadata: { document: 'gone', putAt: Date.now() },
        })
        return { expiring, edited }
      }
      await runCleanup(env, later)
      await prepare()
      const { bindings, calls } = countCalls()
      expect(await runCleanup(bindings, later)).toMatchObject({ orphaned: 1, complete: true })
      expect(await listStoredKeys()).toEqual(await listReferencedKeys())
      for (let nth = 1; nth <= calls.length; nth++) {
        const { edited } = await prepare()
        await expect(
          runCleanup(faultyBindings(nth, fault, { permanent: true }).bindings, later),
        ).rejects.toThrow()
        contentCache.clear()
        expect((await read(edited.id)).body.data.content).toBe('y')
        await runCleanup(env, later)
        expect(await listStoredKeys()).toEqual(await listReferencedKeys())
      }
    },
  )
})
