import { deriveClaimToken, parseJweHeader } from '../../src/shared/jwe.ts'
import type { KillableService } from './killable-service.ts'

/** A request whose process is killed. */
interface KilledRequest {
  readonly path: string
  readonly init: RequestInit
  /**
   * Returns the promises that are broken after the process was started again.
   *
   * @param answer null if the process died before it answered.
   */
  readonly check: (answer: Response | null) => Promise<readonly (string | false)[]>
}

/** Prepares one run of an operation. */
export type KillOperation = (service: KillableService) => Promise<KilledRequest>

interface Body {
  readonly data: {
    readonly id: string
    readonly content: string
    readonly password?: string
    readonly header?: string
    readonly api_token?: string
  }
}

const readJson = async (response: Response): Promise<Body> => (await response.json()) as Body

const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function createDocument(service: KillableService, settings: object = {}) {
  const { id: account, key } = await service.createAccount()
  const response = await service.send(
    '/v1/document',
    post({ content: 'before', settings }, { Authorization: key }),
  )
  const { id, password = '' } = (await readJson(response)).data
  return { account, key, id, password }
}

/** Returns the content of a document for its creator; null if it's gone. */
async function findContent(service: KillableService, id: string, key?: string): Promise<string | null> {
  const response = await service.send(
    `/v1/document/${id}`,
    key === undefined ? {} : { headers: { Authorization: key } },
  )
  return response.status === 404 ? null : (await readJson(response)).data.content
}

const isSuccess = (answer: Response | null): answer is Response => answer?.ok === true

const create =
  (settings: object): KillOperation =>
  async (service) => {
    const { id: account, key } = await service.createAccount()
    return {
      path: '/v1/document',
      init: post({ content: 'new', settings }, { Authorization: key }),
      check: async (answer) => {
        const made = await service.queryNumber(
          'SELECT count(*) AS n FROM documents WHERE creator_id = ?1',
          account,
        )
        const counted = await service.queryNumber(
          'SELECT documents_made AS n FROM users WHERE id = ?1',
          account,
        )
        if (!isSuccess(answer))
          return [made > 1 && `${made} documents`, made !== counted && 'counted wrongly']
        const { id, password } = (await readJson(answer)).data
        const path = password === undefined ? id : `${id}?password=${password}`
        return [(await findContent(service, path)) !== 'new' && 'the acknowledged document is lost']
      },
    }
  }

const createKeyed: KillOperation = async (service) => {
  const { id: account, key } = await service.createAccount()
  const init = post({ content: 'new' }, { Authorization: key, 'Idempotency-Key': crypto.randomUUID() })
  return {
    path: '/v1/document',
    init,
    check: async (answer) => {
      const repeated = await service.send('/v1/document', init)
      const { id } = (await readJson(repeated)).data
      const made = await service.queryNumber(
        'SELECT count(*) AS n FROM documents WHERE creator_id = ?1',
        account,
      )
      return [
        made !== 1 && `${made} documents`,
        isSuccess(answer) && (await readJson(answer)).data.id !== id && 'the repeat got another document',
        (await findContent(service, id)) !== 'new' && 'the document is lost',
      ]
    },
  }
}

const burn: KillOperation = async (service) => {
  const { id } = await createDocument(service, { instant_delete: true })
  return {
    path: `/v1/document/${id}`,
    init: {},
    check: async (answer) => {
      const delivered = isSuccess(answer) ? (await readJson(answer)).data.content : null
      return [
        delivered !== null && delivered !== 'before' && 'other content',
        delivered !== null && (await findContent(service, id)) !== null && 'delivered twice',
      ]
    },
  }
}

const claim: KillOperation = async (service) => {
  const { id, password } = await createDocument(service, { instant_delete: true, encrypted: true })
  const path = `/v1/document/${id}/claim`
  const { header = '' } = (await readJson(await service.send(path))).data
  const init = post({ token: await deriveClaimToken(password, parseJweHeader(header)) })
  return {
    path,
    init,
    check: async (answer) => [
      isSuccess(answer) && (await service.send(path, init)).status !== 404 && 'delivered twice',
    ],
  }
}

const edit: KillOperation = async (service) => {
  const { id, key } = await createDocument(service)
  return {
    path: '/v1/document',
    init: { ...post({ id, content: 'after' }, { Authorization: key }), method: 'PATCH' },
    check: async (answer) => {
      const content = await findContent(service, id)
      return [
        isSuccess(answer) && content !== 'after' && 'the acknowledged edit is lost',
        content !== 'before' && content !== 'after' && `the content is ${content}`,
      ]
    },
  }
}

const remove =
  (settings: object): KillOperation =>
  async (service) => {
    const { id, key } = await createDocument(service, settings)
    return {
      path: `/v1/document/${id}`,
      init: { method: 'DELETE', headers: { Authorization: key } },
      check: async (answer) => {
        const content = await findContent(service, id, key)
        return [
          isSuccess(answer) && content !== null && 'the deleted document is still there',
          content !== null && content !== 'before' && 'the content is damaged',
        ]
      },
    }
  }

const replaceKey: KillOperation = async (service) => {
  const { id, key } = await service.createAccount()
  const works = async (tried: string) =>
    (await service.send('/v1/users/@me', { headers: { Authorization: tried } })).status === 200
  return {
    path: '/v1/users/@me/regenerate_api_token',
    init: { method: 'POST', headers: { Authorization: key } },
    check: async (answer) => {
      const keys = await service.queryNumber('SELECT count(*) AS n FROM api_keys WHERE user_id = ?1', id)
      if (!isSuccess(answer)) return [keys !== 1 && `${keys} keys`]
      const { api_token = '' } = (await readJson(answer)).data
      return [!(await works(api_token)) && 'the new key is lost', (await works(key)) && 'the old key works']
    },
  }
}

const deleteAccount: KillOperation = async (service) => {
  const { account, id, key } = await createDocument(service)
  const left = () => service.queryNumber('SELECT count(*) AS n FROM users WHERE id = ?1', account)
  return {
    path: `/faults/delete-account?account=${account}`,
    init: { method: 'POST' },
    check: async (answer) => {
      const started = await service.queryNumber(
        'SELECT count(*) AS n FROM users WHERE id = ?1 AND leaving IS NULL',
        account,
      )
      if (started === 1)
        return [
          isSuccess(answer) && 'never started',
          (await findContent(service, id, key)) !== 'before' && 'the document is lost',
        ]
      await service.send('/faults/delete-account', { method: 'POST' })
      return [
        (await left()) !== 0 && 'the account is left',
        (await findContent(service, id)) !== null && 'its document is left',
      ]
    },
  }
}

const cleanUp: KillOperation = async (service) => {
  // What earlier kills left behind takes calls of its own.
  for (const hours of [2, 3]) await service.send(`/faults/cleanup?hours=${hours}`, { method: 'POST' })
  const { id, key } = await createDocument(service, { expiration: null })
  await service.send('/v1/document', {
    ...post({ id, content: 'after' }, { Authorization: key }),
    method: 'PATCH',
  })
  return {
    path: '/faults/cleanup',
    init: { method: 'POST' },
    check: async () => [(await findContent(service, id)) !== 'after' && 'a document is damaged'],
  }
}

export const KILL_OPERATIONS: Readonly<Record<string, KillOperation>> = {
  create: create({ expiration: null }),
  'create, encrypted': create({ encrypted: true }),
  'create with Idempotency-Key': createKeyed,
  burn,
  claim,
  edit,
  delete: remove({}),
  'delete, burn after reading': remove({ instant_delete: true }),
  'key replacement': replaceKey,
  'account deletion': deleteAccount,
  cleanup: cleanUp,
}
