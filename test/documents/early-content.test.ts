import { describe, expect, it, vi } from 'vitest'
import { account, suspend } from '../support/accounts.ts'
import { bindingsWith, type StorageCall } from '../support/bindings.ts'
import { call, create, send } from '../support/client.ts'
import { listStoredKeys } from '../support/storage/contents.ts'

const NO_KEY = `imperial_${'x'.repeat(40)}`

const post = (body: Record<string, unknown>, key: string, bindings?: Env) =>
  call('POST', '/v1/document', body, { key, settle: true, ...(bindings && { bindings }) })

describe('content that is stored while its author is looked up', () => {
  it.each([
    ['the key isn’t valid', {}, async () => NO_KEY, 401],
    [
      'the account is suspended',
      {},
      async () => {
        const author = await account()
        await suspend(author)
        return author.key
      },
      401,
    ],
    ['the key may only read', {}, async () => (await account({ scope: 'read' })).key, 403],
    [
      'the account isn’t confirmed',
      { image_embed: true },
      async () => (await account({ confirmed: false })).key,
      403,
    ],
  ])('is deleted if %s', async (_, settings, getKey, status) => {
    const calls: StorageCall[] = []
    const bindings = bindingsWith((name, run) => {
      calls.push(name)
      return run()
    })
    expect((await post({ content: 'x', settings }, await getKey(), bindings)).status).toBe(status)
    expect(calls).toContain('CONTENTS.put')
    expect(await listStoredKeys()).toEqual([])
  })

  it('is deleted if a program sent it with options that its account may not choose', async () => {
    const { key } = await account({ confirmed: false })
    const calls: StorageCall[] = []
    const bindings = bindingsWith((name, run) => {
      calls.push(name)
      return run()
    })
    for (const [path, authorization, status] of [
      ['/?public=true', key, 403],
      ['/', NO_KEY, 401],
    ] as const) {
      const init = { method: 'POST', body: 'x', headers: { Authorization: authorization } }
      expect((await send(path, init, { bindings, settle: true })).status).toBe(status)
    }
    expect(calls.filter((call) => call === 'CONTENTS.put')).toHaveLength(2)
    expect(await listStoredKeys()).toEqual([])
  })

  it('is deleted if the author can’t be looked up', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { key } = await account()
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.reads') throw new Error('D1 DB is overloaded')
      return run()
    })
    expect((await post({ content: 'x' }, key, bindings)).status).toBe(503)
    expect(await listStoredKeys()).toEqual([])
  })

  it('is not stored before the password of an encrypted document may be derived', async () => {
    const calls: StorageCall[] = []
    const bindings = bindingsWith((name, run) => {
      calls.push(name)
      return run()
    })
    const settings = { encrypted: true, password: 'secret' }
    expect((await post({ content: 'x', settings }, NO_KEY, bindings)).status).toBe(401)
    expect(calls).toEqual(['DB.reads'])
  })

  it('is refused with the error of the key, whatever is wrong with the body', async () => {
    for (const body of [{}, { content: 1 }, { content: 'x', settings: { expiration: 'no date' } }]) {
      expect((await post(body, NO_KEY)).status).toBe(401)
    }
    const edits = [{}, { id: 'xxxxxxxx', settings: { expiration: 'no date' } }]
    for (const body of edits) {
      expect((await call('PATCH', '/v1/document', body, { key: NO_KEY })).status).toBe(401)
    }
  })

  it('is kept once if the document is created', async () => {
    const { key } = await account()
    const { id } = await create('x', { image_embed: true }, { key, settle: true })
    expect(id).toHaveLength(8)
    expect(await listStoredKeys()).toHaveLength(1)
  })
})
