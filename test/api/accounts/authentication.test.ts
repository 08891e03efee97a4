import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../../support/accounts.ts'
import { call, create, edit, read, remove } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

const EDIT_403 = 'You are not allowed to edit this document'
const DELETE_403 = 'You do not own this document'

/** Creates accounts, and a document of one of them. */
async function cast() {
  const [creator, editor, stranger] = [await account(), await account(), await account()]
  const unconfirmed = await account({ confirmed: false })
  const suspended = await account()
  await suspend(suspended)
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  return { id, creator, accounts: { creator, editor, stranger, unconfirmed, suspended } }
}

describe('the key of a suspended account', () => {
  it('is as invalid as one that never existed', async () => {
    const own = await account()
    const { id } = await create('x', {}, { key: own.key })
    const { id: anonymous } = await create('x')
    await suspend(own)
    const { key } = own
    for (const answer of [
      await call('POST', '/v1/document', { content: 'x' }, { key }),
      await call('POST', '/v1/document', { content: 'x', settings: { language: 'json' } }, { key }),
      await edit({ id, content: 'y' }, { key }),
      await edit({ id: anonymous, content: 'y' }, { key }),
      await remove(id, { key }),
      await remove(anonymous, { key }),
    ]) {
      expectError(answer, 401, 'Unauthorized')
    }
    expect((await read(anonymous, { key })).body.data.content).toBe('x')
  })
})

describe('a credential', () => {
  it.each(['Bearer x', 'imperial_', 'x', `imperial_${'ä'.repeat(40)}`, "' OR 1=1 --"])(
    'is refused before the body is read if it is not a key: %s',
    async (key) => {
      const answer = await call('POST', '/v1/document', 'not json', {
        headers: { Authorization: encodeURI(key) },
      })
      expectError(answer, 401, 'Unauthorized')
    },
  )

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
