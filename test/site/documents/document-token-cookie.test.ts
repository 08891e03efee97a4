import { describe, expect, it } from 'vitest'
import { createAnonymous, edit, ORIGIN, read, send, withVars } from '../../support/client.ts'

const NAME = '__Secure-regent.document_token'
const allow = withVars({ ANONYMOUS_SETTINGS: 'allow' })

const createBurning = () => createAnonymous('secret', { instant_delete: true }, { bindings: allow })

const cookie = (token: string) => ({ Cookie: `theme=dark; ${NAME}=${token}` })

describe('the cookie with a document’s token', () => {
  it('lets its browser open a burn-after-reading document without burning it', async () => {
    const { id, token } = await createBurning()
    const page = await send(`/${id}`, { headers: cookie(token) })
    expect(await page.text()).toContain('secret')
    expect((await read(id)).body.data.content).toBe('secret')
  })

  it('does nothing if the token is wrong', async () => {
    const { id } = await createBurning()
    const other = await createBurning()
    const page = await send(`/${id}`, { headers: cookie(other.token) })
    expect(await page.text()).not.toContain('secret')
  })

  it('makes no change that another site asks for', async () => {
    const { id, token } = await createAnonymous('x')
    const headers = { ...cookie(token), Origin: 'https://evil.example' }
    expect((await edit({ id, content: 'y' }, { headers })).status).toBe(401)
    expect((await edit({ id, content: 'y' }, { headers: { ...headers, Origin: ORIGIN } })).status).toBe(200)
  })
})
