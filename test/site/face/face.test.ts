import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, create, ORIGIN, send, withVars } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

const BRANDED = withVars({
  SITE_NAME: 'Team <Paste>',
  SITE_COLOR: '#1d4ed8',
  SITE_NOTICE: 'Only for <us>.',
  SITE_LINKS: 'Help desk https://help.example/?a&b Imprint /about',
})
const ESCAPED = 'Team &lt;Paste&gt;'

const CURL = { headers: { 'User-Agent': 'curl/8.0' } }

const getText = async (path: string, init?: RequestInit): Promise<string> =>
  (await send(path, init, { bindings: BRANDED })).text()

describe('a site with a face of its own', () => {
  it('has its name in titles, the navigation and previews, its notice and its links', async () => {
    for (const path of ['/', '/sign-in', '/explore', '/no/such/page']) {
      const { html } = await requestPage(path, {}, BRANDED)
      expect(html).toMatch(new RegExp(`<title>[^<]* · ${ESCAPED}</title>`))
      expect(html).toContain(`property="og:site_name" content="${ESCAPED}"`)
      expect(html).toContain('role="note">Only for &lt;us&gt;.</p>')
      expect(html).toContain('<a href="https://help.example/?a&amp;b">Help desk</a>')
      expect(html).toContain('<a href="/about">Imprint</a>')
      expect(html).not.toContain('Regent')
    }
  })

  it('still says on the about page what it runs on', async () => {
    const { html } = await requestPage('/about', {}, BRANDED)
    expect(html).toContain('This site runs on Regent')
    expect(html).toContain(`${ESCAPED} shares text by link`)
  })

  it('has its name in the manual, the API, its description, feeds and oEmbed', async () => {
    const manual = await getText('/', CURL)
    expect(manual).toMatch(/^TEAM <PASTE>: share text by link\n\nOnly for <us>\.\n\nCreate/)
    const greeting = await call<{ message: string; name: string }>('GET', '/v1', undefined, {
      bindings: BRANDED,
    })
    expect(greeting.body.data).toMatchObject({ message: 'Welcome to Team <Paste>', name: 'Team <Paste>' })
    const description = JSON.parse(await getText('/v1/openapi.json'))
    expect(description.info.title).toBe('Team <Paste>')
    expect(await getText('/explore.atom')).toContain(`<author><name>${ESCAPED}</name></author>`)
    const data = await create('a text')
    const oembed = JSON.parse(await getText(`/oembed?url=${ORIGIN}/${data.id}`))
    expect(oembed.provider_name).toBe('Team <Paste>')
    expect(await getText(`/${data.id}/embed`)).toMatch(new RegExp(`<title>[^<]* · ${ESCAPED}</title>`))
  })

  it('has its accent in a stylesheet, which embeds load too', async () => {
    const { html } = await requestPage('/', {}, BRANDED)
    expect(html).toContain('<link rel="stylesheet" href="/site/style.css?color=1d4ed8"/>')
    const data = await create('a text')
    expect(await getText(`/${data.id}/embed`)).toContain('href="/site/style.css?color=1d4ed8"')
    const style = await send('/site/style.css?color=1d4ed8', {}, { bindings: BRANDED })
    expect(style.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
    expect(style.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    expect(await style.text()).toMatch(/^:root\{--accent:light-dark\(#1d4ed8,#[\da-f]{6}\);/)
  })

  it('has a manifest in its name, with Regent’s icons or its own', async () => {
    const { html } = await requestPage('/', {}, BRANDED)
    expect(html).toContain('href="/site/manifest.webmanifest"')
    const manifest = JSON.parse(await getText('/site/manifest.webmanifest'))
    expect(manifest).toMatchObject({ id: '/', name: 'Team <Paste>', share_target: { action: '/share' } })
    expect(manifest.icons[0].src).toBe('/assets/favicon.svg')
    const bindings = withVars({ SITE_ICON: 'icon.png' })
    const own = await (await send('/site/manifest.webmanifest', {}, { bindings })).json()
    expect(own).toMatchObject({ name: 'Regent', icons: [{ src: '/assets/site-icon.png' }] })
  })

  it('has a preview picture in its name', async () => {
    const { html } = await requestPage('/', {}, BRANDED)
    expect(html).toContain(`content="${ORIGIN}/site/preview.png"`)
    const picture = await send('/site/preview.png', {}, { bindings: BRANDED })
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    const bytes = new Uint8Array(await picture.arrayBuffer())
    expect([...bytes.slice(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG')
  })

  it.each([
    ['SVG', '/assets/favicon.svg', 'icon.svg'],
    ['PNG', '/apple-touch-icon.png', 'icon.png'],
  ])(
    'has its own icon in pictures, as %s, also if it’s missing or can’t be drawn',
    async (_, file, SITE_ICON) => {
      const draw = async (answer: () => Promise<Response>) => {
        const fetchAsset = (input: RequestInfo | URL, init?: RequestInit) => {
          const url = String(input instanceof Request ? input.url : input)
          return url.includes('/site-icon.') ? answer() : env.ASSETS.fetch(input, init)
        }
        const bindings = { ...withVars({ SITE_ICON }), ASSETS: { ...env.ASSETS, fetch: fetchAsset } }
        // Pictures of documents are cached, so each has its own.
        const { id } = await create('some text\n')
        const pictures = []
        for (const path of ['/site/preview.png', `/${id}/preview.png`]) {
          const picture = await send(path, {}, { bindings })
          expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/png'])
          pictures.push(new Uint8Array(await picture.arrayBuffer()).join())
        }
        return pictures
      }
      const own = await draw(() => env.ASSETS.fetch(new URL(file, ORIGIN)))
      const missing = await draw(async () => new Response(null, { status: 404 }))
      const broken = await draw(async () => new Response('<svg'))
      for (const which of [0, 1]) expect(own[which]).not.toBe(missing[which])
      expect(broken).toHaveLength(2)
    },
  )

  it('shows an icon from another site, which the policy allows', async () => {
    const { html, headers } = await requestPage(
      '/',
      {},
      withVars({ SITE_ICON: 'https://cdn.example/a/icon' }),
    )
    expect(html).toContain('<img src="https://cdn.example/a/icon" alt="" width="22" height="22"/>Regent')
    expect(html).toContain('<link rel="icon" href="https://cdn.example/a/icon"/>')
    expect(headers.get('Content-Security-Policy')).toContain("img-src 'self' https://cdn.example;")
    expect((await requestPage('/')).headers.get('Content-Security-Policy')).toContain("img-src 'self';")
  })

  it('changes the tags of pages and pictures, so that browsers ask again', async () => {
    const data = await create('a text')
    for (const path of [`/${data.id}`, `/${data.id}/embed`, `/${data.id}/preview.png`]) {
      const headers = { 'User-Agent': 'Gecko/1', Accept: 'text/html' }
      const tag = (await send(path, { headers })).headers.get('ETag') ?? ''
      const again = { headers: { ...headers, 'If-None-Match': tag } }
      expect((await send(path, again)).status).toBe(304)
      expect((await send(path, again, { bindings: BRANDED })).status).toBe(200)
    }
  })
})

describe('a site without a face of its own', () => {
  it('loads no further file, and has no stylesheet', async () => {
    const { html } = await requestPage('/')
    expect(html).not.toContain('/site/')
    expect((await send('/site/style.css')).status).toBe(404)
  })
})
