import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, edit, withVars } from '../support/client.ts'
import { curl } from './support.ts'

describe('an error says what to do next', () => {
  it('for a key that may only read', async () => {
    const { key } = await account({ scope: 'read' })
    const answer = await curl('/', { method: 'PUT', body: 'x', headers: { Authorization: key } })
    expect(answer.text).toBe(
      'This API key has the scope "read", but this request needs "write". Create another key on your account page\n',
    )
  })

  it('for what only the creator may do', async () => {
    const [ada, bob] = [await account(), await account()]
    const { id } = await create('first', { expiration: 30, editors: [bob.username] }, { key: ada.key })
    const answer = await curl(`/${id}?burn`, {
      method: 'PUT',
      body: 'x',
      headers: { Authorization: bob.key },
    })
    expect(answer.text).toBe('Only the creator can do that. Send the key of the creator\n')
    expect((await edit({ id, content: 'second' }, { key: bob.key })).status).toBe(200)
  })

  it('for lines of a document that burns', async () => {
    const { id } = await create('first', { instant_delete: true }, { key: (await account()).key })
    const answer = await curl(`/${id}?lines=1`, { method: 'POST' })
    expect(answer.text).toBe(
      'Reading this document deletes it, so you can only read all of it. Leave out lines\n',
    )
  })

  it('where documents take an account', async () => {
    await env.DB.prepare("INSERT OR REPLACE INTO switches VALUES ('anonymous_documents', 'refuse', 0)").run()
    expect((await curl('/', { method: 'PUT', body: 'x', bindings: withVars({}) })).text).toBe(
      "This server doesn't take documents without an account at the moment. Send an API key in the header Authorization, or try again later\n",
    )
  })
})
