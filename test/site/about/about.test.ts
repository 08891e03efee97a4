import { describe, expect, it } from 'vitest'
import { ORIGIN, send, withVars } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

const OPERATED = withVars({
  OPERATOR_NAME: 'Ada <Lovelace>',
  OPERATOR_URL: 'https://ada.example/',
  CONTACT_EMAIL: 'ada@ada.example',
  ABUSE_EMAIL: 'abuse@ada.example',
})

describe('the pages about the site', () => {
  it.each(['/about', '/privacy', '/terms', '/docs', '/abuse'])(
    '%s is a page that search engines may list',
    async (path) => {
      const { status, html, headers } = await requestPage(path)
      expect(status).toBe(200)
      expect(html.match(/<h1>/g)).toHaveLength(1)
      expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      expect(headers.has('X-Robots-Tag')).toBe(false)
    },
  )

  it('link to each other, and every page to two of them', async () => {
    const listLinks = async (path: string) => {
      const { html } = await requestPage(path)
      const [footer = ''] = /<footer.*<\/footer>/s.exec(html) ?? []
      return [...footer.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
    }
    expect(await listLinks('/no/such/page')).toEqual(['/about', '/privacy'])
    for (const path of ['/about', '/docs', '/privacy', '/terms', '/abuse'])
      expect(await listLinks(path)).toEqual(['/about', '/docs', '/privacy', '/terms', '/abuse'])
  })

  it('name the operator, escaped, and link to their website', async () => {
    for (const path of ['/about', '/privacy', '/terms']) {
      const { html } = await requestPage(path, {}, OPERATED)
      expect(html).toContain('<a href="https://ada.example/">Ada &lt;Lovelace&gt;</a>')
    }
  })

  it('show the addresses for questions and for reports of abuse', async () => {
    const { html } = await requestPage('/about', {}, OPERATED)
    expect(html).toContain('href="mailto:ada@ada.example"')
    expect(html).toContain('href="mailto:abuse@ada.example"')
  })

  it('begin with a command that works here', async () => {
    for (const path of ['/about', '/docs']) {
      const { html } = await requestPage(path)
      expect(html).toContain(`curl -T main.py ${ORIGIN}/</code>`)
    }
    const { html } = await requestPage('/about', {}, withVars({ ANONYMOUS_DOCUMENTS: 'refuse' }))
    expect(html).not.toContain('curl')
  })

  it('say how to report abuse, and whom to write to', async () => {
    const { html } = await requestPage('/abuse', {}, OPERATED)
    expect(html).toContain('<h1>Report abuse</h1>')
    expect(html).toContain('href="mailto:abuse@ada.example"')
    expect((await requestPage('/about')).html).toContain('href="/abuse"')
  })

  it('show no address and no name if the operator published none', async () => {
    const { html } = await requestPage('/about')
    expect(html).not.toContain('mailto:')
    expect(html).toContain('There’s no public email address')
    expect((await requestPage('/privacy')).html).toContain(`the people who run ${new URL(ORIGIN).host}`)
    expect((await requestPage('/terms')).html).toMatch(/you agree to these terms\.<\/p>/)
    for (const path of ['/about', '/abuse', '/privacy', '/terms'])
      expect((await requestPage(path)).html).not.toMatch(/\boperators?\b(?!")/)
  })

  it.each([
    ['/privacy', 'PRIVACY_URL'],
    ['/terms', 'TERMS_URL'],
  ])('%s redirects to %s if it is set', async (path, name) => {
    const response = await send(path, {}, { bindings: withVars({ [name]: 'https://ada.example/policy' }) })
    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe('https://ada.example/policy')
  })

  it('the reference contains commands for this server', async () => {
    const { html } = await requestPage('/docs')
    expect(html).toContain(`curl ${ORIGIN}/v1/document`)
    expect(html).toContain(`await fetch(&#39;${ORIGIN}/v1/document&#39;`)
    expect(html).not.toContain('regent.invalid')
  })

  it('the reference contains commands for the address that the operator chose, escaped', async () => {
    const { html } = await requestPage('/docs', {}, withVars({ SITE_URL: 'https://ada.example/a&b' }))
    expect(html).toContain('curl https://ada.example/a&amp;b/v1/document')
    expect(html).not.toContain(`${ORIGIN}/v1`)
  })

  it('the reference says that every request needs a key if documents need an account', async () => {
    const { html } = await requestPage('/docs', {}, withVars({ ANONYMOUS_DOCUMENTS: 'refuse' }))
    expect(html).toContain('only people with an account can create documents')
    expect((await requestPage('/docs')).html).not.toContain('only people with an account')
  })

  it('/docs redirects to the OpenAPI document if wrangler.toml binds no assets', async () => {
    const { ASSETS, ...bindings } = withVars({})
    const response = await send('/docs', {}, { bindings: bindings as Env })
    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe('/v1/openapi.json')
    expect((await ASSETS.fetch(`${ORIGIN}/assets/openapi.json`)).status).toBe(200)
  })

  it('/api redirects to the reference', async () => {
    const response = await send('/api')
    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe('/docs')
  })

  it.each(['/about', '/docs', '/api', '/robots.txt', '/.well-known/security.txt'])(
    '%s refuses POST',
    async (path) => {
      expect((await send(path, { method: 'POST' })).status).toBe(405)
    },
  )
})

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
