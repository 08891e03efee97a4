import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { insertDocument } from '../../src/documents/write.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { call, read, remove, send } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'
import type { Failure } from '../support/fake-github/control.ts'
import {
  controlGitHub,
  createAuthor,
  findGistRow,
  gitHubBindings,
  HOUR_MS,
  linkGitHub,
  MINUTE_MS,
  runDueGists,
} from '../support/github/publishing.ts'
import { findDocument, NO_QUOTAS } from '../support/storage/contents.ts'

const post = (settings: Record<string, unknown>, key?: string, bindings: Env = gitHubBindings) =>
  call('POST', '/v1/document', { content: 'x', settings }, { key, bindings })

const countDocuments = (userId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM documents WHERE creator_id = ?1').bind(userId).first('n')

describe('create_gist', () => {
  it("creates a secret gist with the document's language, title and link, and returns its URL", async () => {
    const { create: publish, gist, key } = await createAuthor()
    const { id, gist_url } = await publish('\n# Hello 🌍\n\n…', { language: 'markdown' })
    const created = await gist()
    expect(gist_url).toBe(created.url)
    expect(created).toMatchObject({
      public: false,
      description: `Hello 🌍 – https://paste.example/${id} – Regent document ${id}`,
      files: { [`${id}.md`]: '\n# Hello 🌍\n\n…' },
    })
    expect((await read(id)).body.data.gist_url).toBe(created.url)
    const listed = await call('GET', '/v1/users/@me/documents', undefined, { key })
    expect(JSON.stringify(listed.body)).toContain(created.url)
  })

  it('creates a public gist for a public document', async () => {
    const { create: publish, gist } = await createAuthor()
    await publish('x', { public: true })
    expect((await gist()).public).toBe(true)
  })

  it('stores the text without a gist for an account that is not linked to GitHub', async () => {
    expectError(await post({ create_gist: true }), 401, 'Unauthorized')
    const unconfirmed = await account({ confirmed: false })
    await linkGitHub(unconfirmed.id, { token: 'gho_x', scopes: ['gist'] })
    expectError(await post({ create_gist: true }, unconfirmed.key), 403, 'Your account is not confirmed')
    const unlinked = await account()
    const answer = await post({ create_gist: true }, unlinked.key)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ content: 'x', gist_url: null })
    expect((await read(answer.body.data.id)).body.data.gist_url).toBeNull()
    expect(await countDocuments(unconfirmed.id)).toBe(0)
  })

  it("stores the text without a gist when the GitHub link doesn't allow gists", async () => {
    const without = await createAuthor({ scopes: ['read:user', 'gists:not', 'user:email'] })
    const otherwiseEncrypted = await createAuthor()
    const noSecret = { ...gitHubBindings, AUTH_SECRET: '' } as Env
    const otherSecret = { ...gitHubBindings, AUTH_SECRET: 'another secret, just as long as the first' } as Env
    for (const answer of [
      await post({ create_gist: true }, without.key),
      await post({ create_gist: true }, otherwiseEncrypted.key, noSecret),
      await post({ create_gist: true }, otherwiseEncrypted.key, otherSecret),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ content: 'x', gist_url: null })
    }
    for (const { state } of [without, otherwiseEncrypted]) expect((await state()).requests).toEqual([])
  })

  it("can't be combined with encryption or burn after reading", async () => {
    const { key, state } = await createAuthor()
    for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
      expectInvalid(await post({ create_gist: true, ...settings }, key), ['settings', 'create_gist'])
    }
    expect((await state()).requests).toEqual([])
  })

  it('makes no request when false or null', async () => {
    const { id, key, state } = await createAuthor()
    for (const create_gist of [false, null]) {
      expect((await post({ create_gist }, key)).body.data.gist_url).toBeNull()
    }
    expect((await state()).requests).toEqual([])
    const rows = env.DB.prepare('SELECT count(*) AS n FROM gists WHERE user_id = ?1').bind(id)
    expect(await rows.first('n')).toBe(0)
  })
})

const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes.'

interface Case {
  readonly failure: Omit<Failure, 'on'>
  /** Bounds of the milliseconds until the gist is due again. */
  readonly dueAfterMs: readonly [min: number, max: number]
  /** True if GitHub created the gist all the same. */
  readonly created?: boolean
}

const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3_600)

const TEMPORARY_FAILURES: Record<string, Case> = {
  'limits the rate for two minutes': {
    failure: { answer: { status: 403, headers: { 'Retry-After': '120' }, message: SECONDARY } },
    dueAfterMs: [115_000, 120_000],
  },
  'limits the rate without saying how long': {
    failure: { answer: { status: 403, message: SECONDARY } },
    dueAfterMs: [55_000, 60_000],
  },
  'has reached its limit for this hour': {
    failure: {
      answer: {
        status: 403,
        headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inAnHour() },
        message: 'API rate limit exceeded',
      },
    },
    dueAfterMs: [HOUR_MS - 10 * MINUTE_MS, HOUR_MS],
  },
  'responds with 429': { failure: { answer: { status: 429 } }, dueAfterMs: [55_000, 60_000] },
  'sends an invalid Retry-After': {
    failure: { answer: { status: 429, headers: { 'Retry-After': 'soon' } } },
    dueAfterMs: [55_000, 60_000],
  },
  'asks to wait for a century': {
    failure: { answer: { status: 429, headers: { 'Retry-After': '3153600000' } } },
    dueAfterMs: [23 * HOUR_MS, 24 * HOUR_MS],
  },
  'responds with 500': { failure: { answer: { status: 500 } }, dueAfterMs: [55_000, 60_000] },
  'responds with 502': { failure: { answer: { status: 502 } }, dueAfterMs: [55_000, 60_000] },
  'redirects elsewhere': {
    failure: { answer: { status: 301, headers: { Location: 'https://example.org/' } } },
    dueAfterMs: [55_000, 60_000],
  },
  'closes the connection': { failure: { answer: 'drop' }, dueAfterMs: [55_000, 60_000] },
  'creates the gist and closes the connection': {
    failure: { answer: 'drop', takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    created: true,
  },
  'creates the gist and responds with 500': {
    failure: { answer: { status: 500 }, takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    created: true,
  },
  'creates the gist and responds with invalid JSON': {
    failure: { answer: { status: 201 }, takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    created: true,
  },
}

describe('when GitHub', () => {
  it.each(Object.entries(TEMPORARY_FAILURES))(
    '%s, the document is created, and the scheduled trigger creates one gist',
    async (_, { failure, dueAfterMs: [min, max], created = false }) => {
      const { create: publish, fail, gist, state } = await createAuthor()
      await fail({ ...failure, on: 'POST /gists' })
      const before = Date.now()
      const { id, gist_url } = await publish('text')
      expect(gist_url).toBeNull()
      expect((await read(id)).body.data).toMatchObject({ content: 'text', gist_url: null })
      expect((await state()).created).toBe(Number(created))
      const due = ((await findGistRow(id))?.due_at ?? 0) - before
      expect(due).toBeGreaterThanOrEqual(min)
      expect(due).toBeLessThanOrEqual(max + 30_000)

      await runDueGists(min - MINUTE_MS)
      expect((await state()).created).toBe(Number(created))
      await runDueGists(due)
      expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
      expect((await state()).created).toBe(1)
      expect(await findGistRow(id)).toMatchObject({ attempts: 0, refusal: null, leased_until: 0 })
    },
  )

  it.each([
    ['rejects the token', 401, 'bad_credentials'],
    ['forbids the request', 403, 'forbidden'],
    ['denies the token access', 404, 'no_rights'],
    ['rejects the content', 422, 'not_accepted'],
    ['finds the content too large', 413, 'not_accepted'],
  ] as const)('%s, no request is made until the document changes', async (_, status, refusal) => {
    const { create: publish, fail, gist, state, key } = await createAuthor()
    await fail({ on: 'POST /gists', answer: { status } })
    const { id, gist_url } = await publish('text')
    expect(gist_url).toBeNull()
    expect(await findGistRow(id)).toMatchObject({ due_at: null, refusal })
    const { requests } = await state()
    await runDueGists(1_000 * HOUR_MS)
    expect((await state()).requests).toEqual(requests)
    const bindings = gitHubBindings
    await call('PATCH', '/v1/document', { id, content: 'better' }, { key, bindings, settle: true })
    await runDueGists(MINUTE_MS)
    expect(Object.values((await gist()).files)).toEqual(['better'])
    expect((await state()).created).toBe(1)
  })

  it.each([false, true])(
    "doesn't respond, the request waits for ten seconds at most (gist created: %s)",
    async (takesEffect) => {
      const { create: publish, fail, gist, state } = await createAuthor()
      await fail({ on: 'POST /gists', answer: 'hang', takesEffect })
      const limits: number[] = []
      // Shortens the timeout for the test.
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
        limits.push(milliseconds)
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 300)
        return controller.signal
      })
      const { id, gist_url } = await publish('text')
      timeout.mockRestore()
      expect({ gist_url, limits }).toEqual({ gist_url: null, limits: [10_000] })
      await runDueGists(30_000)
      expect((await state()).created).toBe(Number(takesEffect))
      await runDueGists(2 * MINUTE_MS)
      expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
      expect((await state()).created).toBe(1)
    },
  )

  it('fails for days, retries back off, and the gist is created in the end', async () => {
    const { create: publish, fail, gist, gitHub, state } = await createAuthor()
    await fail({ times: 1_000, answer: { status: 503 } })
    const { id } = await publish('text', { expiration: null })
    const dues: number[] = []
    let later = 0
    for (let attempt = 0; attempt < 12; attempt++) {
      const due = ((await findGistRow(id))?.due_at ?? 0) - Date.now()
      dues.push(Math.round((due - later) / MINUTE_MS))
      later = due + 1_000
      await runDueGists(later)
    }
    expect(dues).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
    expect((await state()).requests.length).toBe(13)
    await controlGitHub({ do: 'stop failing', login: gitHub.login })
    await runDueGists(later + 6 * HOUR_MS)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })
})

it('a published gist changes the ETag, but an edit with the previous one still succeeds', async () => {
  const { create: publish, fail, key } = await createAuthor()
  await fail({ on: 'POST /gists', answer: { status: 500 } })
  const { id } = await publish('text')
  const etag = async () => (await send(`/v1/document/${id}`)).headers.get('ETag') ?? ''
  const [before, rawBefore] = [await etag(), (await send(`/r/${id}`)).headers.get('ETag')]
  await runDueGists(2 * MINUTE_MS)
  const after = await etag()
  expect(after).not.toBe(before)
  expect((await send(`/r/${id}`)).headers.get('ETag')).toBe(rawBefore)
  const answer = await send(`/v1/document/${id}`, { headers: { 'If-None-Match': before } })
  expect(answer.status).toBe(200)
  const edit = (tag: string, content: string) =>
    call(
      'PATCH',
      '/v1/document',
      { id, content },
      { key, bindings: gitHubBindings, headers: { 'If-Match': tag }, settle: true },
    )
  const edited = await edit(before, 'two')
  expect(edited.status).toBe(200)
  expectError(await edit(after, 'three'), 412, 'The document has changed since you read it')
  expect((await edit(edited.headers.get('ETag') ?? '', 'three')).status).toBe(200)
})

it("a document can't reuse an id whose gist is still to be deleted", async () => {
  const { create: publish, fail, key, state } = await createAuthor()
  const db = new Database(env.DB, 5_000)
  const { id } = await publish('text')
  const document = await findDocument(id)
  if (!document) throw new Error('there is no document')
  const row = {
    ...document,
    creatorId: document.creator?.id ?? null,
    editorIds: [],
    lastEditedById: null,
    contentHash: null,
    blockCheck: { address: null, contentHash: null, domains: [] },
  }
  await fail({ on: 'DELETE', answer: { status: 500 } })
  await remove(id, { key, bindings: gitHubBindings, settle: true })
  const insert = () =>
    insertDocument(db, row, { editors: [], withGist: false, idempotent: null, quotas: NO_QUOTAS })
  expect(await insert()).toEqual({ kind: 'id-taken' })
  await runDueGists(2 * MINUTE_MS)
  expect((await state()).gists).toEqual([])
  expect(await insert()).toMatchObject({ kind: 'inserted', document: { id } })
})
