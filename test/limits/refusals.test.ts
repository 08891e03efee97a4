import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listRoutes } from '../../src/app.ts'
import { hashContent } from '../../src/documents/block-check.ts'
import { checkedUntil } from '../../src/documents/refusals.ts'
import { mayCreate } from '../../src/http/paths.ts'
import { addBlock } from '../../src/moderation/desk.ts'
import { Database } from '../../src/platform/database.ts'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, createAnonymous, edit, ORIGIN, read, send } from '../support/client.ts'
import { startBeforeMidnight } from '../support/day.ts'
import { toPath } from '../support/routes.ts'
import { createHistory, type HistoryScene } from '../support/site/history.ts'
import { from, newAddress, repeat } from './support.ts'

/** Who sends a request, on the API or the site, and what. */
interface Message {
  readonly headers: Record<string, string>
  readonly text: string
  readonly settings?: Record<string, unknown>
  /** The document to change. */
  readonly id: string
  readonly version?: string
  readonly password?: string
  readonly type?: string
}

interface Route {
  /** As the app has them. */
  readonly names: readonly string[]
  readonly kind: 'create' | 'edit' | 'restore'
  readonly isPage?: boolean
  readonly request: (message: Message) => readonly [path: string, init: RequestInit]
}

const json = (
  method: string,
  { headers, type = 'application/json' }: Message,
  body: object,
): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'Content-Type': type, ...headers },
})

const text = (method: string, { headers, text }: Message): RequestInit => ({ method, headers, body: text })

function form({ headers }: Message, fields: Record<string, string>): RequestInit {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return { method: 'POST', body, headers: { Accept: 'text/html', ...headers } }
}

const pageFields = ({ text, settings = {}, password }: Message): Record<string, string> => ({
  content: text,
  ...(settings.editors !== undefined && { editors: String(settings.editors) }),
  ...(password !== undefined && { password }),
})

const both = (method: string, rest = ''): string[] =>
  ['/v1/document', '/v1/documents'].map((path) => `${method} ${path}${rest}`)

const ifMatch = ({ version }: Message): Record<string, string> => (version ? { 'If-Match': version } : {})

/** Every route that stores content. */
const ROUTES: readonly Route[] = [
  {
    names: both('POST'),
    kind: 'create',
    request: (m) => ['/v1/document', json('POST', m, { content: m.text, settings: m.settings })],
  },
  { names: ['POST /'], kind: 'create', request: (m) => ['/', text('POST', m)] },
  {
    names: ['POST /'],
    kind: 'create',
    request: (m) => ['/', { ...form(m, { f: m.text }), headers: m.headers }],
  },
  {
    names: ['POST /'],
    kind: 'create',
    isPage: true,
    request: (m) => ['/', form(m, { visibility: 'unlisted', ...pageFields(m) })],
  },
  { names: ['PUT /'], kind: 'create', request: (m) => ['/', text('PUT', m)] },
  { names: ['PUT /:name'], kind: 'create', request: (m) => ['/notes.txt', text('PUT', m)] },
  { names: ['POST /documents'], kind: 'create', request: (m) => ['/documents', text('POST', m)] },
  {
    names: both('PATCH'),
    kind: 'edit',
    request: (m) => {
      const { id, password, settings, text: content } = m
      const headers = { ...m.headers, ...ifMatch(m) }
      return ['/v1/document', json('PATCH', { ...m, headers }, { id, content, password, settings })]
    },
  },
  {
    names: ['PUT /:id'],
    kind: 'edit',
    request: (m) => {
      const password: Record<string, string> = m.password ? { 'X-Document-Password': m.password } : {}
      return [`/${m.id}`, text('PUT', { ...m, headers: { ...m.headers, ...ifMatch(m), ...password } })]
    },
  },
  {
    names: ['POST /:id/edit'],
    kind: 'edit',
    isPage: true,
    request: (m) => [`/${m.id}/edit`, form(m, { version: m.version ?? '*', ...pageFields(m) })],
  },
  {
    names: both('POST', '/:id/revisions/:number/restore'),
    kind: 'restore',
    request: (m) => {
      const password: Record<string, string> = m.password ? { 'X-Document-Password': m.password } : {}
      const headers = { ...m.headers, ...ifMatch(m), ...password }
      return [`/v1/document/${m.id}/revisions/1/restore`, { method: 'POST', headers }]
    },
  },
  {
    names: ['POST /:id/history/:number/restore'],
    kind: 'restore',
    isPage: true,
    request: (m) => [`/${m.id}/history/1/restore`, form(m, { version: m.version ?? '*' })],
  },
]

/** Routes that change something else, or nothing. */
const OTHERS = [
  ...both('DELETE', '/:id'),
  ...both('POST', '/:id/claim'),
  ...both('DELETE', '/:id/revisions'),
  'POST /v1/users/@me/regenerate_api_token',
  'POST /v1/user/@me/regenerate_api_token',
  ...['share', 'r/:id', 'raw/:id', 'theme', 'device', 'device/download', 'device/download/zip', ':address'],
  ...['sign-in', 'sign-up', 'sign-in/link', 'sign-in/github', 'sign-in/oidc', 'sign-out'],
  ...[
    'keys',
    'keys/:id/revoke',
    'defaults',
    'github/connect',
    'github/disconnect',
    'single-sign-on/connect',
    'single-sign-on/disconnect',
    'sign-out-everywhere',
    'invitations',
    'invitations/:id/revoke',
  ].map((path) => `account/${path}`),
  ...['delete', 'profile', 'picture', 'username', 'email', 'email/leave-email', 'email/take-email'].map(
    (path) => `account/${path}`,
  ),
  'account/documents/delete',
  ...['blocks', 'blocks/lift', 'remove-all', 'accounts/suspend', 'accounts/restore', ':id/remove'].map(
    (path) => `moderation/${path}`,
  ),
  'moderation/:id/dismiss',
  'moderation/:id/restore',
  ...['report', 'editors/add', 'editors/remove', 'editors/leave', 'delete', 'manage'].map(
    (path) => `:id/${path}`,
  ),
  ...['history/delete', 'history/keep', 'history/stop'].map((path) => `:id/${path}`),
  'DELETE /:id/manage',
  'DELETE /:address',
  // Its status says nothing of what a tool did: test/mcp/mcp.test.ts.
  'mcp',
].map((name) => (name.includes(' ') ? name : `POST /${name}`))

it('is tested for every route that stores content', async () => {
  const names = (await listRoutes())
    .filter(({ method }) => method !== 'GET' && method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`)
  const known = [...ROUTES.flatMap((route) => route.names), ...OTHERS]
  expect([...new Set(names)].sort()).toEqual([...new Set(known)].sort())
})

it('tells creates from everything else by their paths', () => {
  const creates = ROUTES.filter(({ kind }) => kind === 'create').flatMap(({ names }) => names)
  for (const name of [...ROUTES.flatMap(({ names }) => names), ...OTHERS]) {
    const [method = '', pattern = ''] = name.split(' ')
    const path = toPath(pattern, { id: 'bcdfghjk', username: 'somebody' })
    // Where there is no document, a program that puts a text creates one.
    const isCreate = creates.includes(name) || method === 'PUT'
    expect(`${name} ${mayCreate({ method, path })}`).toBe(`${name} ${isCreate}`)
  }
})

const db = new Database(env.DB, 5_000)

const block = (kind: 'address' | 'content' | 'domain', value: string) =>
  addBlock(db, { kind, value, reason: 'why', by: 'operator', now: Date.now() })

/** What a signed-in person or the holder of a key sends. */
const asUser = async (user: Account, { isPage = false }: Route): Promise<Record<string, string>> =>
  isPage ? session(user) : { Authorization: user.key }

/** Somebody without an account: on the site, with what a browser sends. */
const asNobody = ({ isPage = false }: Route): Record<string, string> => ({
  ...from(newAddress()),
  ...(isPage && { Origin: ORIGIN }),
})

interface Attempt {
  readonly status: number
  readonly puts: number
  readonly deletes: number
}

async function attempt(
  route: Route,
  message: Message,
  vars: Record<string, string>,
  bindings: object = {},
): Promise<Attempt> {
  const { bindings: counting, calls } = countCalls(vars)
  const [path, init] = route.request(message)
  const { status } = await send(path, init, { bindings: { ...counting, ...bindings }, settle: true })
  const count = (name: string) => calls.filter((call) => call === name).length
  return { status, puts: count('CONTENTS.put'), deletes: count('CONTENTS.delete') }
}

interface Refusal {
  readonly name: string
  readonly statuses: readonly number[]
  readonly appliesTo?: (route: Route) => boolean
  readonly vars?: Record<string, string>
  readonly bindings?: object
  readonly prepare: (route: Route) => Promise<Partial<Message>>
}

const isCreate = ({ kind }: Route) => kind === 'create'
const isChange = ({ kind }: Route) => kind !== 'create'
const sendsContent = ({ kind }: Route) => kind !== 'restore'
const isJson = ({ names }: Route) => names.some((name) => name.endsWith('/v1/document'))
const hasEditors = (route: Route) => isJson(route) || (route.isPage === true && isCreate(route))
const TURNSTILE = { TURNSTILE_SITE_KEY: 'key', TURNSTILE_SECRET: 'secret' }
const EXHAUSTED = { limit: async () => ({ success: false }) }

/** Refused requests change nothing, so one scene is enough for them. */
let shared: Promise<HistoryScene> | undefined

const openShared = () => {
  shared ??= createHistory(['first', 'second'])
  return shared
}

const byOwner =
  (message: Partial<Message> = {}) =>
  async (route: Route): Promise<Partial<Message>> => {
    const { creator, id } = await openShared()
    return { headers: await asUser(creator, route), id, ...message }
  }

const byOther = (make: () => Promise<Account>) => async (route: Route) => {
  const { id } = await openShared()
  return { id, headers: await asUser(await make(), route) }
}

let sharedSecret: Promise<HistoryScene> | undefined

const encrypted = (password?: string) => async (route: Route) => {
  sharedSecret ??= (async () => {
    const scene = await createHistory(['first'], { encrypted: true, password: 'right' })
    await edit({ id: scene.id, content: 'second', password: 'right' }, { key: scene.creator.key })
    return scene
  })()
  const { creator, editor, id } = await sharedSecret
  const user = route.kind === 'restore' ? editor : creator
  return { id, headers: await asUser(user, route), ...(password && { password }) }
}

/** For refusals by triggers, which are remembered for each account. */
const byNewOwner =
  (message: Partial<Message> = {}, first = 'first') =>
  async (route: Route): Promise<Partial<Message> & { readonly creator: Account }> => {
    if (!isCreate(route)) {
      const { creator, id } = await createHistory([first, 'second'])
      return { creator, headers: await asUser(creator, route), ...message, id }
    }
    const creator = await account()
    await create(first, {}, { key: creator.key })
    return { creator, headers: await asUser(creator, route), ...message }
  }

/** What is known before anything is stored. */
const KNOWN: readonly Refusal[] = [
  {
    name: 'a made-up key',
    statuses: [401],
    appliesTo: ({ isPage }) => !isPage,
    prepare: async (route) => ({
      ...(await byOwner()(route)),
      headers: { ...asNobody(route), Authorization: `imperial_${'x'.repeat(40)}` },
    }),
  },
  {
    name: 'a made-up key on the site',
    statuses: [401],
    appliesTo: (route) => route.isPage === true && isCreate(route),
    prepare: async (route) => ({ headers: { ...asNobody(route), Authorization: 'imperial_x' } }),
  },
  {
    name: 'a key that may only read',
    statuses: [403],
    appliesTo: ({ isPage }) => !isPage,
    prepare: byOther(() => account({ scope: 'read' })),
  },
  {
    name: 'the key or the session of a suspended account',
    statuses: [401, 404],
    appliesTo: (route) => !route.isPage || isChange(route),
    prepare: byOther(async () => {
      const user = await account()
      await suspend(user)
      return user
    }),
  },
  {
    name: 'settings from an unconfirmed account',
    statuses: [403],
    appliesTo: (route) => isJson(route) && sendsContent(route),
    prepare: async () => {
      const user = await account({ confirmed: false })
      const { id } = await create('x', {}, { key: user.key })
      return { id, headers: { Authorization: user.key }, settings: { image_embed: true } }
    },
  },
  {
    name: 'settings without an account',
    statuses: [401],
    appliesTo: (route) => isJson(route) && isCreate(route),
    prepare: async (route) => ({ headers: asNobody(route), settings: { image_embed: true } }),
  },
  {
    name: 'nobody, where only accounts create documents',
    statuses: [401],
    appliesTo: isCreate,
    vars: { ANONYMOUS_DOCUMENTS: 'refuse' },
    prepare: async (route) => ({ headers: asNobody(route) }),
  },
  {
    name: 'a made-up key, where only accounts create documents',
    statuses: [401],
    appliesTo: isCreate,
    vars: { ANONYMOUS_DOCUMENTS: 'refuse', ...TURNSTILE },
    prepare: async (route) => ({ headers: { ...asNobody(route), Authorization: 'imperial_x' } }),
  },
  {
    name: 'nobody, where people show that they are human',
    statuses: [401, 403],
    appliesTo: isCreate,
    vars: TURNSTILE,
    prepare: async (route) => ({ headers: asNobody(route) }),
  },
  {
    name: 'a network over the limit of creates',
    statuses: [429],
    appliesTo: isCreate,
    bindings: { RATE_LIMITS: 'on', CREATE_LIMIT: EXHAUSTED },
    prepare: async (route) => ({ headers: asNobody(route) }),
  },
  {
    name: 'a made-up key from a network over the limit of creates',
    statuses: [429],
    appliesTo: isCreate,
    bindings: { RATE_LIMITS: 'on', CREATE_LIMIT: EXHAUSTED },
    prepare: async (route) => ({ headers: { ...asNobody(route), Authorization: 'imperial_x' } }),
  },
  {
    name: 'an account over the limit of writes',
    statuses: [429],
    bindings: { RATE_LIMITS: 'on', WRITE_LIMIT: EXHAUSTED },
    prepare: byOwner(),
  },
  {
    name: 'an unknown editor',
    statuses: [400],
    appliesTo: hasEditors,
    prepare: byOwner({ settings: { editors: ['nobody'] } }),
  },
  { name: 'no text', statuses: [400], appliesTo: sendsContent, prepare: byOwner({ text: '' }) },
  {
    name: 'too much text',
    statuses: [413],
    appliesTo: sendsContent,
    vars: { MAX_CONTENT_BYTES: '8' },
    prepare: byOwner({ text: 'more than that' }),
  },
  {
    name: 'another type than JSON',
    statuses: [415],
    appliesTo: (route) => isJson(route) && sendsContent(route),
    prepare: byOwner({ type: 'text/plain' }),
  },
  {
    name: 'invalid settings',
    statuses: [400],
    appliesTo: (route) => isJson(route) && sendsContent(route),
    prepare: byOwner({ settings: { expiration: 'soon' } }),
  },
  {
    name: 'somebody without permission',
    statuses: [403, 404],
    appliesTo: isChange,
    prepare: byOther(account),
  },
  { name: 'an unknown document', statuses: [404], appliesTo: isChange, prepare: byOwner({ id: 'bcdfghjk' }) },
  {
    name: 'an outdated version',
    statuses: [412],
    appliesTo: isChange,
    prepare: byOwner({ version: '"json-other"' }),
  },
  {
    name: 'an encrypted document, without its password',
    statuses: [400, 403],
    appliesTo: isChange,
    prepare: encrypted(),
  },
  { name: 'a wrong password', statuses: [400, 403], appliesTo: isChange, prepare: encrypted('wrong') },
]

const FULL_BYTES = { ACCOUNT_MAX_BYTES: '11' }
const LONG = 'longer than there is room for'

/** Uses up what an account or the server may write today. */
const useUp = (accountId: string) =>
  env.DB.prepare('UPDATE usage SET day = ?2, created = 1000 WHERE account_id = ?1')
    .bind(accountId, Math.floor(Date.now() / 86_400_000))
    .run()

/** What only D1's triggers know. Those of the server come last: they concern everybody for a minute. */
const BY_TRIGGERS: readonly Refusal[] = [
  {
    name: 'a blocked network',
    statuses: [403],
    prepare: async (route) => {
      const address = newAddress()
      await block('address', address)
      const message = await byNewOwner()(route)
      return { ...message, headers: { ...message.headers, ...from(address) } }
    },
  },
  {
    name: 'a blocked network, without an account',
    statuses: [403],
    appliesTo: isCreate,
    prepare: async (route) => {
      const { 'CF-Connecting-IP': address = '', ...headers } = asNobody(route)
      await block('address', address)
      return { headers: { ...headers, ...from(address) } }
    },
  },
  {
    name: 'a blocked text',
    statuses: [403],
    prepare: async (route) => {
      const text = `blocked ${crypto.randomUUID()}`
      const message = await byNewOwner({ text }, text)(route)
      await block('content', await hashContent(new TextEncoder().encode(text)))
      return message
    },
  },
  {
    name: 'a link to a blocked domain',
    statuses: [403],
    appliesTo: sendsContent,
    prepare: async (route) => {
      const domain = `${crypto.randomUUID()}.example`
      await block('domain', domain)
      return byNewOwner({ text: `see https://${domain}/` })(route)
    },
  },
  {
    name: 'an account with too many documents',
    statuses: [403],
    appliesTo: isCreate,
    vars: { ACCOUNT_MAX_DOCUMENTS: '1' },
    prepare: byNewOwner(),
  },
  {
    name: 'an account with too much text',
    statuses: [403],
    appliesTo: sendsContent,
    vars: FULL_BYTES,
    prepare: byNewOwner({ text: LONG }),
  },
  {
    name: 'a new account with more text than it may have',
    statuses: [403],
    appliesTo: isCreate,
    vars: FULL_BYTES,
    prepare: async (route) => ({ headers: await asUser(await account(), route), text: LONG }),
  },
  {
    name: 'an account that has written enough today',
    statuses: [429],
    vars: { ACCOUNT_MAX_WRITES_PER_DAY: '1000' },
    prepare: async (route) => {
      const message = await byNewOwner()(route)
      await useUp(message.creator.id)
      return message
    },
  },
  {
    name: 'an editor who has written enough today',
    statuses: [429],
    appliesTo: isChange,
    vars: { ACCOUNT_MAX_WRITES_PER_DAY: '1000' },
    prepare: async (route) => {
      const { editor, id } = await createHistory(['first', 'second'])
      await create('x', {}, { key: editor.key })
      await useUp(editor.id)
      return { id, headers: await asUser(editor, route) }
    },
  },
  {
    name: 'nobody, once the operator takes no more documents without an account',
    statuses: [403],
    appliesTo: isCreate,
    prepare: async (route) => {
      await env.DB.exec("INSERT OR REPLACE INTO switches VALUES ('anonymous_documents', 'refuse', 0)")
      return { headers: asNobody(route) }
    },
  },
  {
    name: 'a server that has written enough today',
    statuses: [429],
    vars: { SERVER_MAX_WRITES_PER_DAY: '1000' },
    prepare: async (route) => {
      const scene = await byNewOwner()(route)
      await useUp('')
      return scene
    },
  },
  {
    name: 'a server with too much text',
    statuses: [503],
    appliesTo: sendsContent,
    vars: { SERVER_MAX_BYTES: '20' },
    prepare: byNewOwner({ text: LONG }),
  },
]

afterEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM blocks'),
    env.DB.prepare('DELETE FROM switches'),
    env.DB.prepare("UPDATE usage SET created = 0 WHERE account_id = ''"),
  ])
})

async function attemptTwice(refusal: Refusal) {
  vi.spyOn(console, 'error').mockReturnValue()
  const routes = ROUTES.filter(refusal.appliesTo ?? (() => true))
  const attempts: { route: string; first: Attempt; second: Attempt }[] = []
  for (const [index, route] of routes.entries()) {
    const message: Message = { headers: {}, text: 'new text', id: '', ...(await refusal.prepare(route)) }
    const once = () => attempt(route, message, refusal.vars ?? {}, refusal.bindings)
    attempts.push({ route: `${index}: ${route.names[0]}`, first: await once(), second: await once() })
  }
  return attempts
}

const nothing = ({ statuses }: Refusal) => ({
  status: expect.toSatisfy((status: number) => statuses.includes(status)),
  puts: 0,
  deletes: 0,
})

beforeEach(startBeforeMidnight)

describe('a refused request stores and deletes nothing', () => {
  it.each(KNOWN)('from or with $name', async (refusal) => {
    const attempts = await attemptTwice(refusal)
    const [first, second] = [nothing(refusal), nothing(refusal)]
    expect(attempts.length).toBeGreaterThan(0)
    expect(attempts).toEqual(attempts.map(({ route }) => ({ route, first, second })))
  })
})

describe('a request that only D1’s triggers refuse stores at most once a minute', () => {
  it('however many are sent at once', async () => {
    const address = newAddress()
    await block('address', address)
    const { bindings, calls } = countCalls()
    const init = { method: 'POST', body: 'x', headers: from(address) }
    const answers = await repeat(20, () => send('/', init, { bindings, settle: true }))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect(calls.filter((call) => call === 'CONTENTS.put')).toHaveLength(1)
  })

  it.each(BY_TRIGGERS)('from or with $name', async (refusal) => {
    const attempts = await attemptTwice(refusal)
    for (const { first } of attempts) {
      expect(first).toMatchObject({ ...nothing(refusal), puts: first.puts, deletes: first.puts })
      expect(first.puts).toBeLessThanOrEqual(1)
    }
    const second = nothing(refusal)
    expect(attempts).toEqual(attempts.map(({ route, first }) => ({ route, first, second })))
  })

  it('and what a quota of the server refuses to one writer, no other stores', async () => {
    checkedUntil.clear()
    const vars = { SERVER_MAX_WRITES_PER_DAY: '1000' }
    const { bindings, calls } = countCalls(vars)
    await useUp('')
    for (let writer = 0; writer < 5; writer++) {
      const init = { method: 'POST', body: 'x', headers: from(newAddress()) }
      expect((await send('/', init, { bindings, settle: true })).status).toBe(429)
    }
    expect(calls.filter((call) => call === 'CONTENTS.put')).toHaveLength(1)
  })

  it('and serves the same person once they send something else or have room', async () => {
    const { key } = await account()
    const { bindings } = countCalls({ ACCOUNT_MAX_BYTES: '10' })
    const { id } = await create('12345', {}, { key, bindings })
    expect((await edit({ id, content: LONG }, { key, bindings })).status).toBe(403)
    expect((await edit({ id, content: '123' }, { key, bindings })).status).toBe(200)
    await expect(create('123456', {}, { key, bindings })).rejects.toThrow('account is full')
    expect(await create('1', {}, { key, bindings })).toMatchObject({ content: '1' })
  })
})

describe('edits of one document at once', () => {
  it('store each text once, however often they have to be tried', async () => {
    const { id, headers } = await createAnonymous('x')
    const { bindings, calls } = countCalls()
    const answers = await repeat(10, (index) =>
      edit({ id, content: `text ${index}` }, { headers, bindings, settle: true }),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const count = (name: string) => calls.filter((call) => call === name).length
    expect({ puts: count('CONTENTS.put'), deletes: count('CONTENTS.delete') }).toEqual({
      puts: 10,
      deletes: 0,
    })
    expect((await read(id)).body.data.content).toMatch(/^text \d$/)
  })
})
