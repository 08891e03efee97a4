import { describe, expect, it } from 'vitest'
import { requestPage } from '../../support/site/forms.ts'

describe('the generated icon of an account', () => {
  it('depends only on the id, and may be embedded and cached by anyone', async () => {
    const first = await requestPage('/icons/account1.svg')
    expect(first.status).toBe(200)
    expect(first.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(first.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    expect(first.html).toMatch(/^<svg /)
    expect((await requestPage('/icons/account1.svg')).html).toBe(first.html)
    expect((await requestPage('/icons/account2.svg')).html).not.toBe(first.html)
    expect((await requestPage('/icons/a.png')).status).toBe(404)
  })
})
