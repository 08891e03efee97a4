import { describe, expect, it } from 'vitest'
import { type Account, account, suspend } from '../support/accounts.ts'
import { type Answer, call, create, edit, read, remove } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

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
  const accounts: Record<string, Account> = { creator, editor, stranger, unconfirmed, suspended }
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  await suspend(suspended)
  const keyOf = (caller: Caller) => {
    if (caller === 'no key') return undefined
    return caller === 'bad key' ? `imperial_${'x'.repeat(40)}` : accounts[caller]?.key
  }
  return { id, keyOf, creator }
}

const EDIT_403 = 'You are not allowed to edit this document'
const DELETE_403 = 'You do not own this document'

describe.each(CALLERS)('%s', (caller) => {
  const identified = !['no key', 'bad key', 'suspended'].includes(caller)

  it('creates without settings unless the key is not valid', async () => {
    const { keyOf } = await cast()
    const answer = await call('POST', '/v1/document', { content: 'x' }, { key: keyOf(caller) })
    expectAnswer(answer, identified || caller === 'no key' ? 200 : 401, 'Unauthorized')
  })

  it('creates with settings when known and confirmed', async () => {
    const { keyOf } = await cast()
    const body = { content: 'x', settings: { language: 'json' } }
    const answer = await call('POST', '/v1/document', body, { key: keyOf(caller) })
    if (caller === 'unconfirmed') expectAnswer(answer, 403, 'Your account is not confirmed')
    else expectAnswer(answer, identified ? 200 : 401, 'Unauthorized')
  })

  it('reads', async () => {
    const { id, keyOf } = await cast()
    expect((await read(id, { key: keyOf(caller) })).status).toBe(200)
  })

  it('edits as creator or editor alone', async () => {
    const { id, keyOf } = await cast()
    const answer = await edit({ id, content: 'y' }, { key: keyOf(caller) })
    if (!identified) expectAnswer(answer, 401, 'Unauthorized')
    else expectAnswer(answer, caller === 'creator' || caller === 'editor' ? 200 : 403, EDIT_403)
  })

  it('deletes as creator alone', async () => {
    const { id, keyOf } = await cast()
    const answer = await remove(id, { key: keyOf(caller) })
    if (!identified) expectAnswer(answer, 401, 'Unauthorized')
    else expectAnswer(answer, caller === 'creator' ? 204 : 403, DELETE_403)
    expect((await read(id)).status).toBe(caller === 'creator' ? 404 : 200)
  })

  it('neither edits nor deletes what nobody created', async () => {
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
  it('that is empty is none', async () => {
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: '' })).status).toBe(200)
    expect((await edit({ id: 'xxxx' }, { key: ' ' })).status).toBe(401)
  })

  it.each(['Bearer x', 'imperial_', 'x', `imperial_${'ä'.repeat(40)}`, "' OR 1=1 --"])(
    'that is no key is refused before the body is looked at: %s',
    async (key) => {
      const answer = await call('POST', '/v1/document', 'not json', {
        headers: { Authorization: encodeURI(key) },
      })
      expectError(answer, 401, 'Unauthorized')
    },
  )

  it('that is missing is noticed before the body is looked at, on edit', async () => {
    expectError(await call('PATCH', '/v1/document', 'not json'), 401, 'Unauthorized')
  })

  it('does not help an unconfirmed editor to settings', async () => {
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
  it('answers 204 without a body, and 404 from then on', async () => {
    const { id, creator } = await cast()
    const answer = await remove(id, { key: creator.key, headers: { 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(204)
    expect(answer.body).toBeNull()
    expectError(await remove(id, { key: creator.key }), 404, 'Document not found')
    expectError(await edit({ id, content: 'y' }, { key: creator.key }), 404, 'Document not found')
  })
})
