import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { findDocument, insertDocument } from '../../src/documents/sql/documents.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { call, read, remove, send } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'
import { author, gitHubBindings, HOUR_MS, link, MINUTE_MS, rowOf, runDue, tell } from '../support/gists.ts'
import type { Failure } from '../support/github/control.ts'

const post = (settings: Record<string, unknown>, key?: string, bindings: Env = gitHubBindings) =>
  call('POST', '/v1/document', { content: 'x', settings }, { key, bindings })

const documentsOf = (userId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM documents WHERE creator_id = ?1').bind(userId).first('n')

describe('create_gist', () => {
  it('makes a secret gist that is named by language, says where the document is, and answers its address', async () => {
    const { create: publish, gist, key } = await author()
    const { id, gist_url } = await publish('\n# Hello 🌍\n\n…', { language: 'markdown' })
    const made = await gist()
    expect(gist_url).toBe(made.url)
    expect(made).toMatchObject({
      public: false,
      description: `# Hello 🌍 – https://paste.example/${id} – Regent document ${id}`,
      files: { [`${id}.md`]: '\n# Hello 🌍\n\n…' },
    })
    expect((await read(id)).body.data.gist_url).toBe(made.url)
    const listed = await call('GET', '/v1/users/@me/documents', undefined, { key })
    expect(JSON.stringify(listed.body)).toContain(made.url)
  })

  it('makes a public gist of a public document', async () => {
    const { create: publish, gist } = await author()
    await publish('x', { public: true })
    expect((await gist()).public).toBe(true)
  })

  it('is refused without an account, without a confirmed one, and without one that is linked', async () => {
    expectError(await post({ create_gist: true }), 401, 'Unauthorized')
    const unconfirmed = await account({ confirmed: false })
    await link(unconfirmed.id, { token: 'gho_x', scopes: ['gist'] })
    expectError(await post({ create_gist: true }, unconfirmed.key), 403, 'Your account is not confirmed')
    const unlinked = await account()
    const answer = await post({ create_gist: true }, unlinked.key)
    expectInvalid(answer, ['settings', 'create_gist'])
    expect(answer.body.error.errors?.[0]?.message).toContain('linked to GitHub. Connect')
    for (const { id } of [unconfirmed, unlinked]) expect(await documentsOf(id)).toBe(0)
  })

  it('is refused with words that say what to do where the link does not suffice', async () => {
    const without = await author({ scopes: ['read:user', 'gists:not', 'user:email'] })
    const sealedOtherwise = await author()
    const noSecret = { ...gitHubBindings, AUTH_SECRET: '' } as Env
    const otherSecret = { ...gitHubBindings, AUTH_SECRET: 'another secret, just as long as the first' } as Env
    for (const answer of [
      await post({ create_gist: true }, without.key),
      await post({ create_gist: true }, sealedOtherwise.key, noSecret),
      await post({ create_gist: true }, sealedOtherwise.key, otherSecret),
    ]) {
      expectInvalid(answer, ['settings', 'create_gist'])
      expect(answer.body.error.errors?.[0]?.message).toContain('connect it anew')
    }
    for (const { id, state } of [without, sealedOtherwise]) {
      expect(await documentsOf(id)).toBe(0)
      expect((await state()).requests).toEqual([])
    }
  })

  it('is refused with encrypted and with instant_delete', async () => {
    const { key, state } = await author()
    for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
      expectInvalid(await post({ create_gist: true, ...settings }, key), ['settings', 'create_gist'])
    }
    expect((await state()).requests).toEqual([])
  })

  it('that is false or null costs nothing and asks nothing', async () => {
    const { id, key, state } = await author()
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
  /** How many milliseconds later the trigger finds the gist due. */
  readonly dueAfterMs: readonly [least: number, most: number]
  /** Whether a gist was made all the same. */
  readonly made?: boolean
}

const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3_600)

const PASSING: Record<string, Case> = {
  'asks for a pause of two minutes': {
    failure: { answer: { status: 403, headers: { 'Retry-After': '120' }, message: SECONDARY } },
    dueAfterMs: [115_000, 120_000],
  },
  'asks for a pause without saying how long': {
    failure: { answer: { status: 403, message: SECONDARY } },
    dueAfterMs: [55_000, 60_000],
  },
  'has had enough of the account for this hour': {
    failure: {
      answer: {
        status: 403,
        headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inAnHour() },
        message: 'API rate limit exceeded',
      },
    },
    dueAfterMs: [HOUR_MS - 10 * MINUTE_MS, HOUR_MS],
  },
  'answers 429': { failure: { answer: { status: 429 } }, dueAfterMs: [55_000, 60_000] },
  'asks for a pause that makes no sense': {
    failure: { answer: { status: 429, headers: { 'Retry-After': 'soon' } } },
    dueAfterMs: [55_000, 60_000],
  },
  'asks for a pause of a century': {
    failure: { answer: { status: 429, headers: { 'Retry-After': '3153600000' } } },
    dueAfterMs: [23 * HOUR_MS, 24 * HOUR_MS],
  },
  'answers 500': { failure: { answer: { status: 500 } }, dueAfterMs: [55_000, 60_000] },
  'answers 502': { failure: { answer: { status: 502 } }, dueAfterMs: [55_000, 60_000] },
  'leads elsewhere': {
    failure: { answer: { status: 301, headers: { Location: 'https://example.org/' } } },
    dueAfterMs: [55_000, 60_000],
  },
  'closes the connection': { failure: { answer: 'drop' }, dueAfterMs: [55_000, 60_000] },
  'makes the gist and closes the connection': {
    failure: { answer: 'drop', takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    made: true,
  },
  'makes the gist and answers 500': {
    failure: { answer: { status: 500 }, takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    made: true,
  },
  'makes the gist and answers nonsense': {
    failure: { answer: { status: 201 }, takesEffect: true },
    dueAfterMs: [55_000, 60_000],
    made: true,
  },
}

describe('when GitHub', () => {
  it.each(Object.entries(PASSING))(
    '%s, the document is there, and the trigger makes the one gist',
    async (_, { failure, dueAfterMs: [least, most], made = false }) => {
      const { create: publish, fail, gist, state } = await author()
      await fail({ ...failure, on: 'POST /gists' })
      const before = Date.now()
      const { id, gist_url } = await publish('text')
      expect(gist_url).toBeNull()
      expect((await read(id)).body.data).toMatchObject({ content: 'text', gist_url: null })
      expect((await state()).made).toBe(Number(made))
      const due = ((await rowOf(id))?.due_at ?? 0) - before
      expect(due).toBeGreaterThanOrEqual(least)
      expect(due).toBeLessThanOrEqual(most + 30_000)

      await runDue(least - MINUTE_MS)
      expect((await state()).made).toBe(Number(made))
      await runDue(due)
      expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
      expect((await state()).made).toBe(1)
      expect(await rowOf(id)).toMatchObject({ attempts: 0, refusal: null, leased_until: 0 })
    },
  )

  it.each([
    ['does not know the token', 401, 'bad_credentials'],
    ['forbids it', 403, 'forbidden'],
    ['does not allow it to the token', 404, 'no_rights'],
    ['does not take the text', 422, 'not_accepted'],
    ['finds the text too large', 413, 'not_accepted'],
  ] as const)('%s, it is not asked again until the document changes', async (_, status, refusal) => {
    const { create: publish, fail, gist, state, key } = await author()
    await fail({ on: 'POST /gists', answer: { status } })
    const { id, gist_url } = await publish('text')
    expect(gist_url).toBeNull()
    expect(await rowOf(id)).toMatchObject({ due_at: null, refusal })
    const { requests } = await state()
    await runDue(1_000 * HOUR_MS)
    expect((await state()).requests).toEqual(requests)
    const bindings = gitHubBindings
    await call('PATCH', '/v1/document', { id, content: 'better' }, { key, bindings, settle: true })
    await runDue(MINUTE_MS)
    expect(Object.values((await gist()).files)).toEqual(['better'])
    expect((await state()).made).toBe(1)
  })

  it.each([false, true])(
    'hangs, the answer waits ten seconds and not longer (the gist is made: %s)',
    async (takesEffect) => {
      const { create: publish, fail, gist, state } = await author()
      await fail({ on: 'POST /gists', answer: 'hang', takesEffect })
      const limits: number[] = []
      // So that the test does not wait as long.
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
        limits.push(milliseconds)
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 300)
        return controller.signal
      })
      const { id, gist_url } = await publish('text')
      timeout.mockRestore()
      expect({ gist_url, limits }).toEqual({ gist_url: null, limits: [10_000] })
      await runDue(30_000)
      expect((await state()).made).toBe(Number(takesEffect))
      await runDue(2 * MINUTE_MS)
      expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
      expect((await state()).made).toBe(1)
    },
  )

  it('fails for days, it is asked ever less often, and at last makes the gist', async () => {
    const { create: publish, fail, gist, gitHub, state } = await author()
    await fail({ times: 1_000, answer: { status: 503 } })
    const { id } = await publish('text', { expiration: null })
    const dues: number[] = []
    let later = 0
    for (let attempt = 0; attempt < 12; attempt++) {
      const due = ((await rowOf(id))?.due_at ?? 0) - Date.now()
      dues.push(Math.round((due - later) / MINUTE_MS))
      later = due + 1_000
      await runDue(later)
    }
    expect(dues).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
    expect((await state()).requests.length).toBe(13)
    await tell({ do: 'work again', login: gitHub.login })
    await runDue(later + 6 * HOUR_MS)
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
  })
})

it('a gist appears under a new tag, and an edit for the tag before passes', async () => {
  const { create: publish, fail, key } = await author()
  await fail({ on: 'POST /gists', answer: { status: 500 } })
  const { id } = await publish('text')
  const etag = async () => (await send(`/v1/document/${id}`)).headers.get('ETag') ?? ''
  const [before, rawBefore] = [await etag(), (await send(`/r/${id}`)).headers.get('ETag')]
  await runDue(2 * MINUTE_MS)
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

it('a document never takes the id of one whose gist is still to be deleted', async () => {
  const { create: publish, fail, key, state } = await author()
  const db = new Database(env.DB, 5_000)
  const { id } = await publish('text')
  const document = await findDocument(db, id, Date.now())
  if (!document) throw new Error('there is no document')
  const row = { ...document, creatorId: document.creator?.id ?? null, editorIds: [], lastEditedById: null }
  await fail({ on: 'DELETE', answer: { status: 500 } })
  await remove(id, { key, bindings: gitHubBindings, settle: true })
  expect(await insertDocument(db, row, { withGist: false })).toBeNull()
  await runDue(2 * MINUTE_MS)
  expect((await state()).gists).toEqual([])
  expect((await insertDocument(db, row, { withGist: false }))?.id).toBe(id)
})
