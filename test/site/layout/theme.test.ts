import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { create, send, submit } from '../../support/client.ts'

const html = async (path: string, headers: Record<string, string> = {}) =>
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
      const page = await html(path, { Cookie: `${Cookie}; theme=dark` })
      expect(page).toContain('<html lang="en" data-theme="dark">')
      expect(page).toContain('<meta name="color-scheme" content="dark"/>')
      expect(pressed(page)).toBe('dark')
    }
  })

  it('has the colours of a named theme only if it is chosen', async () => {
    const chosen = await html('/sign-in', { Cookie: 'theme=fjord' })
    expect(chosen).toContain('<html lang="en" data-theme="fjord">')
    expect(chosen).toMatch(/<link rel="stylesheet" href="\/assets\/immutable\/themes-\w+\.css"\/>/)
    expect(pressed(chosen)).toBe('fjord')
    expect(await html('/sign-in', { Cookie: 'theme=dark' })).not.toMatch(/<link[^>]*themes-/)
  })

  it.each(['', 'theme=', 'theme=pink', 'theme="><script>', 'other-theme=dark', 'theme=dark2'])(
    'is the system theme without a valid cookie: %j',
    async (Cookie) => {
      const page = await html('/sign-in', { Cookie })
      expect(page).toContain('<html lang="en">')
      expect(page).toContain('<meta name="color-scheme" content="light dark"/>')
      expect(pressed(page)).toBe('system')
    },
  )

  it('can be switched in a form that leads back to the page, with its address escaped', async () => {
    expect(await html('/sign-in?return=%22%3E&a=b')).toContain(
      'name="return" value="/sign-in?return=%22%3E&amp;a=b"',
    )
  })

  it('can be switched on error pages, which do not repeat their address', async () => {
    for (const path of ['/no/evil.example', '/evil.example?evil.example'])
      expect(await html(path)).not.toContain('evil.example')
  })

  it('can only be switched by a script after a form, which a reload would lose', async () => {
    const shown = (page: string) => !/class="theme"[^>]* hidden/.test(page)
    const { id } = await create('x')
    expect(shown(await html(`/${id}`))).toBe(true)
    expect(shown(await (await submit('/sign-in', { email: '' })).text())).toBe(false)
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
