import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../../support/accounts.ts'
import { type Answer, call, create, edit, read, remove } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

type Caller = 'no key' | 'bad key' | 'suspended' | 'unconfirmed' | 'stranger' | 'editor' | 'creator'

const CALLERS: Caller[] = ['no key', 'bad key', 'suspended', 'unconfirmed', 'stranger', 'editor', 'creator']

const expectAnswer = (answer: Answer, status: number, message: string) =>
  status < 300 ? expect(answer.status).toBe(status) : expectError(answer, status, message)

async function cast() {
  const creator = await account()
  const editor = await account()
  const stranger = await account()
  const unconfirmed = await account({ confirmed: false })
  const suspended = await account()
  const accounts = { creator, editor, stranger, unconfirmed, suspended }
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  await suspend(suspended)
  const keyOf = (caller: Caller) => {
    if (caller === 'no key') return undefined
    return caller === 'bad key' ? `imperial_${'x'.repeat(40)}` : accounts[caller].key
  }
  return { id, keyOf, creator, accounts }
}

const EDIT_403 = 'You are not allowed to edit this document'
const DELETE_403 = 'You do not own this document'

describe.each(CALLERS)('%s', (caller) => {
  const identified = !['no key', 'bad key', 'suspended'].includes(caller)

  it('creates without settings unless the key is invalid', async () => {
    const { keyOf } = await cast()
    const answer = await call('POST', '/v1/document', { content: 'x' }, { key: keyOf(caller) })
    expectAnswer(answer, identified || caller === 'no key' ? 200 : 401, 'Unauthorized')
  })

  it('creates with settings only with a confirmed account', async () => {
    const { keyOf } = await cast()
    const body = { content: 'x', settings: { language: 'json' } }
    const answer = await call('POST', '/v1/document', body, { key: keyOf(caller) })
    if (caller === 'unconfirmed') expectAnswer(answer, 403, 'Your account is not confirmed')
    else expectAnswer(answer, identified ? 200 : 401, 'Unauthorized')
  })

  it('reads a document', async () => {
    const { id, keyOf } = await cast()
    expect((await read(id, { key: keyOf(caller) })).status).toBe(200)
  })

  it('edits only as the creator or an editor', async () => {
    const { id, keyOf } = await cast()
    const answer = await edit({ id, content: 'y' }, { key: keyOf(caller) })
    if (!identified) expectAnswer(answer, 401, 'Unauthorized')
    else expectAnswer(answer, caller === 'creator' || caller === 'editor' ? 200 : 403, EDIT_403)
  })

  it('deletes only as the creator', async () => {
    const { id, keyOf } = await cast()
    const answer = await remove(id, { key: keyOf(caller) })
    if (!identified) expectAnswer(answer, 401, 'Unauthorized')
    else expectAnswer(answer, caller === 'creator' ? 204 : 403, DELETE_403)
    expect((await read(id)).status).toBe(caller === 'creator' ? 404 : 200)
  })

  it('neither edits nor deletes an anonymous document', async () => {
    const { keyOf } = await cast()
    const { id } = await create('x')
    const key = keyOf(caller)
    expectAnswer(
      await edit({ id, content: 'y' }, { key }),
      identified ? 403 : 401,
      identified ? EDIT_403 : 'Unauthorized',
    )
    expectAnswer(await remove(id, { key }), identified ? 403 : 401, identified ? DELETE_403 : 'Unauthorized')
    expect((await read(id)).body.data.content).toBe('x')
  })
})

describe('a credential', () => {
  it('counts as absent if it is empty', async () => {
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: '' })).status).toBe(200)
    expect((await edit({ id: 'xxxx' }, { key: ' ' })).status).toBe(401)
  })

  it.each(['Bearer x', 'imperial_', 'x', `imperial_${'ä'.repeat(40)}`, "' OR 1=1 --"])(
    'is refused before the body is read if it is not a key: %s',
    async (key) => {
      const answer = await call('POST', '/v1/document', 'not json', {
        headers: { Authorization: encodeURI(key) },
      })
      expectError(answer, 401, 'Unauthorized')
    },
  )

  it('is missed before the body is read, on edit', async () => {
    expectError(await call('PATCH', '/v1/document', 'not json'), 401, 'Unauthorized')
  })

  it('lets an unconfirmed editor use no settings', async () => {
    const { creator } = await cast()
    const editor = await account({ confirmed: false })
    const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
    const present = { settings: { encrypted: false, long_urls: false } }
    expect((await edit({ id, content: 'y', ...present }, { key: editor.key })).status).toBe(200)
    const answer = await edit({ id, settings: { public: true } }, { key: editor.key })
    expectError(answer, 403, 'Your account is not confirmed')
  })
})

describe('DELETE /v1/document/:id', () => {
  it('returns 204 without a body, then 404', async () => {
    const { id, creator } = await cast()
    const answer = await remove(id, { key: creator.key, headers: { 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(204)
    expect(answer.body).toBeNull()
    expectError(await remove(id, { key: creator.key }), 404, 'Document not found')
    expectError(await edit({ id, content: 'y' }, { key: creator.key }), 404, 'Document not found')
  })
})

describe('a session', () => {
  const edited = { content: 'by a session' }

  it('acts for its account when a page of this site sends the request', async () => {
    const { id, accounts } = await cast()
    const asCreator = { headers: { ...(await session(accounts.creator)) } }
    const asEditor = { headers: { ...(await session(accounts.editor)) } }
    const asStranger = { headers: { ...(await session(accounts.stranger)) } }
    const body = { content: 'x', settings: { language: 'json' } }
    const made = await call('POST', '/v1/document', body, asCreator)
    expect(made.body.data.creator).toMatchObject({ username: accounts.creator.username })
    expect((await edit({ id, ...edited }, asEditor)).status).toBe(200)
    expectError(await edit({ id, ...edited }, asStranger), 403, EDIT_403)
    expectError(await remove(id, asEditor), 403, DELETE_403)
    expect((await remove(id, asCreator)).status).toBe(204)
  })

  it.each([
    ['no origin', {}],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a null origin', { Origin: 'null' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is ignored with %s', async (_, origin) => {
    const { id, accounts } = await cast()
    const { Cookie } = await session(accounts.creator)
    const options = { headers: { Cookie, ...origin } as Record<string, string> }
    const made = await call('POST', '/v1/document', { content: 'x' }, options)
    expect(made.body.data.creator).toBeNull()
    const body = { content: 'x', settings: { language: 'json' } }
    expectError(await call('POST', '/v1/document', body, options), 401, 'Unauthorized')
    expectError(await edit({ id, ...edited }, options), 401, 'Unauthorized')
    expectError(await remove(id, options), 401, 'Unauthorized')
  })

  it('allows no settings for an unconfirmed account and nothing for a suspended one', async () => {
    const { id, accounts } = await cast()
    const body = { content: 'x', settings: { language: 'json' } }
    const unconfirmed = { headers: { ...(await session(accounts.unconfirmed)) } }
    expectError(await call('POST', '/v1/document', body, unconfirmed), 403, 'Your account is not confirmed')
    const suspended = { headers: { ...(await session(accounts.suspended)) } }
    expectError(await call('POST', '/v1/document', body, suspended), 401, 'Unauthorized')
    expectError(await edit({ id, ...edited }, suspended), 401, 'Unauthorized')
  })

  it('lets only the creator and editors read without burning', async () => {
    const { accounts } = await cast()
    const settings = { instant_delete: true, editors: [accounts.editor.username] }
    const { id } = await create('secret', settings, { key: accounts.creator.key })
    for (const who of [accounts.creator, accounts.editor]) {
      const { Cookie } = await session(who)
      expect((await read(id, { headers: { Cookie } })).body.data.content).toBe('secret')
    }
    const { Cookie } = await session(accounts.stranger)
    expect((await read(id, { headers: { Cookie } })).body.data.content).toBe('secret')
    expect((await read(id)).status).toBe(404)
  })

  it('is ignored if the request has a key, even an invalid one', async () => {
    const { id, accounts } = await cast()
    const headers = { ...(await session(accounts.creator)) }
    expectError(await edit({ id, ...edited }, { key: accounts.stranger.key, headers }), 403, EDIT_403)
    expectError(await edit({ id, ...edited }, { key: 'imperial_no', headers }), 401, 'Unauthorized')
  })
})
