import { describe, expect, it, vi } from 'vitest'
import { Icon } from '../../../src/ui/icons.tsx'
import { returnPath } from '../../../src/ui/page.tsx'
import { account, session } from '../../support/accounts.ts'
import { withFailing } from '../../support/bindings.ts'
import { create, send, submit } from '../../support/client.ts'
import { requestPage, sendForm } from '../../support/site/forms.ts'

describe('the path to return to', () => {
  it('is the home page for another host, which is not parsed: that could take seconds', () => {
    const parse = vi.fn()
    vi.stubGlobal(
      'URL',
      class extends URL {
        constructor(address: string, base?: string) {
          super(address, base)
          parse(address)
        }
      },
    )
    const host = '\u4E00'.repeat(100)
    for (const start of ['//', '/\\', '/\t/', '/\n\r\\']) expect(returnPath(`${start}${host}/x`)).toBe('/')
    expect(parse).not.toHaveBeenCalled()
    expect(returnPath('/x?y#z')).toBe('/x?y#z')
    vi.unstubAllGlobals()
  })
})

describe('an icon', () => {
  it('is inline SVG that screen readers skip', () => {
    expect(String(<Icon name="copy" />)).toMatch(
      /^<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect [^>]*\/>.*<\/svg>$/,
    )
  })
})

const getPage = async (path: string, headers: Record<string, string> = {}) =>
  (await send(path, { headers })).text()

const pressed = (page: string) => /value="(\w+)" aria-pressed="true"/.exec(page)?.[1]

describe('the theme switch', () => {
  it('stores the theme for a year, and redirects to the page', async () => {
    const { status, headers } = await submit('/theme', { theme: 'dark', return: '/sign-in?return=%2Fx' })
    expect({ status, location: headers.get('Location') }).toEqual({
      status: 303,
      location: '/sign-in?return=%2Fx',
    })
    expect(headers.getSetCookie()).toEqual(['theme=dark; Max-Age=31536000; Path=/; Secure; SameSite=Lax'])
  })

  it('stores nothing for the system theme', async () => {
    const { headers } = await submit('/theme', { theme: 'system', return: '/' })
    expect(headers.getSetCookie()).toEqual(['theme=; Max-Age=0; Path=/; Secure; SameSite=Lax'])
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', ''])(
    'never redirects to another site: %j',
    async (path) => {
      const { headers } = await submit('/theme', { theme: 'dark', return: path })
      expect(headers.get('Location')).toBe('/')
    },
  )

  it.each([{ Origin: 'https://evil.example' }, { Origin: 'null' }])(
    'refuses forms from other sites: %j',
    async (headers) => {
      const response = await submit('/theme', { theme: 'dark', return: '/' }, headers)
      expect({ status: response.status, cookies: response.headers.getSetCookie() }).toEqual({
        status: 403,
        cookies: [],
      })
    },
  )

  it('refuses unknown themes and other methods', async () => {
    expect((await submit('/theme', { theme: 'pink', return: '/' })).status).toBe(400)
    expect((await submit('/theme', {})).status).toBe(400)
    const { status, headers } = await send('/theme')
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow: 'POST' })
  })
})

describe('the theme of a page', () => {
  it('is in the HTML of every page', async () => {
    const user = await account()
    const { Cookie } = await session(user)
    const { id } = await create('x')
    for (const path of ['/about', `/${id}`, '/account', '/no/where', '/xxxxxxxx']) {
      const page = await getPage(path, { Cookie: `${Cookie}; theme=dark` })
      expect(page).toContain('<html lang="en" data-theme="dark">')
      expect(page).toContain('<meta name="color-scheme" content="dark"/>')
      if (path === `/${id}`) expect(pressed(page)).toBe('dark')
    }
  })

  it('has the colours of a named theme only if it is chosen', async () => {
    const { id } = await create('x')
    const chosen = await getPage(`/${id}`, { Cookie: 'theme=fjord' })
    expect(chosen).toContain('<html lang="en" data-theme="fjord">')
    expect(chosen).toMatch(/<link rel="stylesheet" href="\/assets\/immutable\/themes-\w+\.css"\/>/)
    expect(pressed(chosen)).toBe('fjord')
    expect(await getPage(`/${id}`, { Cookie: 'theme=dark' })).not.toMatch(/<link[^>]*themes-/)
  })

  it.each(['', 'theme=', 'theme=pink', 'theme="><script>', 'other-theme=dark', 'theme=dark2'])(
    'is the system theme without a valid cookie: %j',
    async (Cookie) => {
      const { id } = await create('x')
      const page = await getPage(`/${id}`, { Cookie })
      expect(page).toContain('<html lang="en">')
      expect(page).toContain('<meta name="color-scheme" content="light dark"/>')
      expect(pressed(page)).toBe('system')
    },
  )

  it('can be switched in a form that leads back to the page, with its address escaped', async () => {
    const { id } = await create('x')
    expect(await getPage(`/${id}?x=%22%3E&a=b`)).toContain(`name="return" value="/${id}?x=%22%3E&amp;a=b"`)
  })

  it('can be switched on error pages, which do not repeat their address', async () => {
    for (const path of ['/no/evil.example', '/evil.example?evil.example'])
      expect(await getPage(path)).not.toContain('evil.example')
  })

  it('can’t be switched after a form, which a reload would lose', async () => {
    const shown = (page: string) => !/class="theme[^"]*"[^>]* hidden/.test(page)
    const { id } = await create('x')
    expect(shown(await getPage(`/${id}`))).toBe(true)
    const { key } = await account()
    const burning = await create('x', { instant_delete: true }, { key })
    const read = await submit(`/${burning.id}`, {}, { Accept: 'text/html' })
    expect(shown(await read.text())).toBe(false)
  })

  it('is part of the entity tag of a document’s page', async () => {
    const { id } = await create('x')
    const ask = (Cookie: string, tag?: string | null) =>
      send(`/${id}`, { headers: { Cookie, ...(tag && { 'If-None-Match': tag }) } })
    const tags = await Promise.all(
      ['', 'theme=light', 'theme=dark'].map(async (cookie) => (await ask(cookie)).headers.get('ETag')),
    )
    expect(new Set(tags).size).toBe(3)
    expect((await ask('theme=dark', tags[0])).status).toBe(200)
    expect((await ask('theme=dark', tags[2])).status).toBe(304)
    expect((await ask('', tags[0])).status).toBe(304)
  })
})

describe('the navigation', () => {
  const getMarked = (html: string) => {
    const [navigation = ''] = /<nav aria-label="Site">.*?<\/nav>/s.exec(html) ?? []
    const links = navigation.matchAll(/<a href="([^"]+)" aria-current="(\w+)"/g)
    return [...links].map(([, to, current]) => `${to} ${current}`)
  }

  it('marks the page, or the section that it is below, also in the answer to a form', async () => {
    const headers = await session(await account())
    const getMarkedOn = async (path: string) => getMarked(await getPage(path, headers))
    expect(await getMarkedOn('/account')).toEqual(['/account page'])
    expect(await getMarkedOn('/account?error=access_denied')).toEqual(['/account page'])
    expect(await getMarkedOn('/account/profile')).toEqual(['/account true'])
    expect(await getMarkedOn('/account/documents')).toEqual(['/account/documents page'])
    const answer = await submit('/account/keys', { name: '' }, headers)
    expect(getMarked(await answer.text())).toEqual(['/account true'])
    expect(getMarked(await (await submit('/sign-in', { email: '' })).text())).toEqual(['/sign-in page'])
  })

  it('leads from a document made without scripts to a new one', async () => {
    const leads = (html: string) => html.includes('<a href="/" title="New document">')
    expect(leads(await getPage('/'))).toBe(false)
    expect(leads((await sendForm('/', { content: 'x', encryption: 'generated' })).html)).toBe(true)
  })
})

describe('error pages', () => {
  it.each([
    ['/xxxxxxxx', 'GET', 404],
    ['/no/such/page', 'GET', 404],
    ['/v1abc', 'GET', 404],
    ['/', 'DELETE', 405],
    ['/xxxxxxxx', 'PATCH', 405],
    ['/sign-in', 'PATCH', 405],
    ['/sign-up', 'DELETE', 405],
    ['/sign-out', 'PATCH', 405],
  ])('answer %s %s', async (path, method, status) => {
    const answer = await requestPage(path, { method })
    expect(answer.status).toBe(status)
    expect(answer.html).toMatch(/<h1>[^<]+<\/h1>/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('reveal nothing about a server fault', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bindings = withFailing('all', 'secret cause')
    const { status, html } = await requestPage('/xxxxxxxx', {}, bindings)
    expect(status).toBe(500)
    expect(html).not.toContain('secret cause')
    expect(log).toHaveBeenCalledTimes(1)
  })
})

describe('the site', () => {
  it.each([
    ['DELETE', '/', 'GET, HEAD, POST'],
    ['PATCH', '/xxxxxxxx', 'GET, HEAD, POST'],
    ['PATCH', '/xxxxxxxx.py', 'GET, HEAD, POST'],
    ['PUT', '/r/xxxxxxxx', 'GET, HEAD, POST'],
    ['PATCH', '/sign-in', 'GET, HEAD, POST'],
    ['GET', '/sign-in/github', 'POST'],
    ['PUT', '/xxxxxxxx/report', 'GET, HEAD, POST'],
    ['POST', '/icons/account.svg', 'GET, HEAD'],
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const { status, headers } = await send(path, { method })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow })
  })

  it('answers 404 for an unsupported method at an address that no document can have', async () => {
    for (const path of ['/apple-touch-icon.png', '/abc.py', '/wp_login.php'])
      expect((await send(path, { method: 'PATCH' })).status).toBe(404)
  })
})
