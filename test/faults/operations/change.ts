import { env } from 'cloudflare:workers'
import { account } from '../../support/accounts.ts'
import {
  type CallOptions,
  call,
  create,
  createAnonymous,
  edit,
  read,
  remove,
  withVars,
} from '../../support/client.ts'
import { acceptAnswer, operation } from '../operation.ts'

interface Scene {
  readonly id: string
  /** What proves the creator. */
  readonly creator: CallOptions
}

interface Start {
  readonly settings?: Record<string, unknown>
  /** Whether the creator has a document token instead of an account. */
  readonly anonymous?: boolean
}

const arrange =
  ({ settings = {}, anonymous = false }: Start) =>
  async (): Promise<Scene> => {
    if (anonymous) {
      const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
      const { id, headers } = await createAnonymous('before', settings, { bindings })
      return { id, creator: { headers } }
    }
    const { key } = await account()
    return { id: (await create('before', settings, { key })).id, creator: { key } }
  }

/** Returns the content of a document for its creator; null if there is none. */
async function findContent({ id, creator }: Scene): Promise<string | null> {
  const { status, body } = await read(id, creator)
  if (status !== 200 && status !== 404) throw new Error(`a read answered ${status}`)
  return status === 404 ? null : body.data.content
}

const editContent = (name: string, start: Start) =>
  operation({
    name,
    isVariant: start.anonymous === true && start.settings === undefined,
    arrange: arrange(start),
    run: async ({ id, creator }, bindings) =>
      acceptAnswer(await edit({ id, content: 'after' }, { ...creator, bindings, settle: true })),
    check: async (scene, outcome) => {
      const content = await findContent(scene)
      return [
        outcome.kind === 'acknowledged' && content !== 'after' && 'the acknowledged edit is lost',
        content !== 'before' && content !== 'after' && `the content is ${content}`,
        content === 'after' &&
          (await findHistory(scene)).join() !== 'before,after' &&
          'the old content is lost',
      ]
    },
  })

interface Revisions {
  readonly revisions: readonly { readonly number: number; readonly current: boolean }[]
}

/** Returns the contents that a document has and had, oldest first; null for content that is gone. */
async function findHistory({ id, creator }: Scene): Promise<(string | null)[]> {
  const path = `/v1/document/${id}/revisions`
  const { body } = await call<Revisions>('GET', path, undefined, creator)
  const contents = body.data.revisions.map(async ({ number }) => {
    const answer = await call('GET', `${path}/${number}`, undefined, creator)
    return answer.status === 200 ? answer.body.data.content : null
  })
  return (await Promise.all(contents)).reverse()
}

const arrangeEdited = async (): Promise<Scene> => {
  const scene = await arrange({})()
  await edit({ id: scene.id, content: 'after' }, { ...scene.creator, settle: true })
  return scene
}

const restoreRevision = operation({
  name: 'restore a revision',
  arrange: arrangeEdited,
  run: async ({ id, creator }, bindings) =>
    acceptAnswer(
      await call('POST', `/v1/document/${id}/revisions/1/restore`, undefined, {
        ...creator,
        bindings,
        settle: true,
      }),
    ),
  check: async (scene, outcome) => {
    const history = (await findHistory(scene)).join()
    const restored = history === 'before,after,before'
    return [
      outcome.kind === 'acknowledged' && !restored && 'the acknowledged restore is lost',
      !restored && history !== 'before,after' && `the history is ${history}`,
    ]
  },
})

const deleteRevisions = operation({
  name: 'delete the revisions',
  arrange: arrangeEdited,
  run: async ({ id, creator }, bindings) =>
    acceptAnswer(
      await call('DELETE', `/v1/document/${id}/revisions`, undefined, { ...creator, bindings, settle: true }),
    ),
  check: async (scene, outcome) => {
    const history = (await findHistory(scene)).join()
    return [
      outcome.kind === 'acknowledged' && history !== 'after' && 'the deleted revisions are still there',
      history !== 'after' && history !== 'before,after' && `the history is ${history}`,
    ]
  },
})

/** The content moves to a new key, because KV would delete it too early. */
const editExpiry = operation({
  name: 'edit of the expiry',
  arrange: arrange({ settings: { expiration: 1 } }),
  run: async ({ id, creator }, bindings) =>
    acceptAnswer(await edit({ id, settings: { expiration: null } }, { ...creator, bindings, settle: true })),
  check: async (scene, outcome) => {
    const until = await env.DB.prepare(
      'SELECT expires_at > 253402300000000 AS never, content_until > 253402300000000 AS kept FROM documents WHERE id = ?1',
    )
      .bind(scene.id)
      .first<{ never: number; kept: number }>()
    return [
      (await findContent(scene)) !== 'before' && 'the content is damaged',
      outcome.kind === 'acknowledged' && until?.never !== 1 && 'the acknowledged edit is lost',
      until?.never !== until?.kept && 'KV deletes the content before it expires',
    ]
  },
})

const deleteDocument = (name: string, start: Start) =>
  operation({
    name,
    isVariant: start.anonymous === true && start.settings === undefined,
    arrange: arrange(start),
    run: async ({ id, creator }, bindings) =>
      acceptAnswer(await remove(id, { ...creator, bindings, settle: true })),
    check: async (scene, outcome) => {
      const content = await findContent(scene)
      return [
        outcome.kind === 'acknowledged' && content !== null && 'the deleted document is still there',
        content !== null && content !== 'before' && 'the content is damaged',
      ]
    },
  })

export const CHANGES = [
  editContent('edit', {}),
  editContent('edit with a document token', { anonymous: true }),
  editExpiry,
  restoreRevision,
  deleteRevisions,
  deleteDocument('delete', {}),
  deleteDocument('delete with a document token', { anonymous: true }),
  deleteDocument('delete, burn after reading', { anonymous: true, settings: { instant_delete: true } }),
]
