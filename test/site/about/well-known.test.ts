import { describe, expect, it } from 'vitest'
import { ORIGIN, send, withVars } from '../../support/client.ts'

const SECURITY_TXT = '/.well-known/security.txt'

describe('robots.txt', () => {
  it('keeps crawlers away from the API, where a read can burn, and from accounts', async () => {
    const response = await send('/robots.txt')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(/^User-agent: \*$/m)
    for (const path of ['/v1/', '/r/', '/account']) expect(text).toContain(`\nDisallow: ${path}\n`)
  })

  it('allows document pages, whose headers say whether they may be indexed', async () => {
    expect(await (await send('/robots.txt')).text()).not.toMatch(/^Disallow: \/$/m)
  })
})

describe('security.txt', () => {
  it('is not found without a contact address', async () => {
    expect((await send(SECURITY_TXT)).status).toBe(404)
  })

  it('names the contact and its own address, and expires in less than a year', async () => {
    const response = await send(
      SECURITY_TXT,
      {},
      { bindings: withVars({ CONTACT_EMAIL: 'ada@ada.example' }) },
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('Contact: mailto:ada@ada.example\n')
    expect(text).toContain(`Canonical: ${ORIGIN}${SECURITY_TXT}\n`)
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(80)
    expect(days).toBeLessThan(365)
  })
})
