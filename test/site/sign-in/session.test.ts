import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { create } from '../../support/client.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { createPerson, SESSION_COOKIE, signUp } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('a session', () => {
  it('is replaced by every sign-in', async () => {
    const { browser, bindings, sent, email } = await signUp()
    const before = browser.cookies.get(SESSION_COOKIE) ?? ''
    await browser.submit('/sign-in', { email })
    await browser.open(getLink(sent[1]))
    const after = browser.cookies.get(SESSION_COOKIE)
    expect(after).not.toBe(before)
    const old = new TestBrowser(bindings)
    old.setCookie(SESSION_COOKIE, before)
    expect((await old.open('/account')).headers.get('Location')).toBe('/sign-in?return=%2Faccount')
  })

  it('shows sign-in links once it has ended, and deletes its cookie', async () => {
    const { browser, email, sent } = await signUp()
    const token = browser.cookies.get(SESSION_COOKIE) ?? ''
    await browser.submit('/account/sign-out-everywhere')
    browser.setCookie(SESSION_COOKIE, token)
    const { id } = await create('x')
    for (const path of ['/', `/${id}`, '/sign-in', '/sign-up']) {
      const page = await (await browser.open(path)).text()
      expect(page).toMatch(/<a href="\/sign-in"[^>]*>Sign in<\/a>/)
      expect(page).not.toMatch(/<a href="\/account"/)
    }
    expect((await browser.open('/account')).status).toBe(303)
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    await browser.submit('/sign-in', { email })
    expect((await browser.open(getLink(sent[1]))).status).toBe(303)
  })

  it('skips the sign-in pages', async () => {
    const { browser } = await signUp()
    for (const path of ['/sign-in', '/sign-up']) {
      const answer = await browser.open(`${path}?return=/account/documents`)
      expect(answer.headers.get('Location')).toBe('/account/documents')
    }
    expect((await browser.open('/sign-in?error=access_denied')).status).toBe(400)
  })

  it("can't be fixated: signing in never keeps the cookie that the browser sent", async () => {
    const { browser: attacker } = await signUp()
    const planted = attacker.cookies.get(SESSION_COOKIE) ?? ''
    const { bindings, sent } = captureEmail()
    const victim = new TestBrowser(bindings)
    victim.setCookie(SESSION_COOKIE, planted)
    const { email, username } = createPerson()
    await victim.submit('/sign-up', { email, username })
    await victim.open(getLink(sent[0]))
    expect(victim.cookies.get(SESSION_COOKIE)).not.toBe(planted)
    expect(await (await victim.open('/account')).text()).toContain(username)
    // The planted session has ended: it opens neither account.
    expect((await attacker.open('/account')).status).toBe(303)
  })

  it.each([
    ['another token', (cookie: string) => (cookie.startsWith('A') ? 'B' : 'A') + cookie.slice(1)],
    [
      'another signature',
      (cookie: string) => cookie.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A')),
    ],
    ['no signature', (cookie: string) => cookie.split('.')[0] ?? ''],
    ['an empty cookie', () => ''],
  ])('is refused with %s', async (_, change) => {
    const { browser } = await signUp()
    browser.setCookie(SESSION_COOKIE, change(browser.cookies.get(SESSION_COOKIE) ?? ''))
    expect((await browser.open('/account')).status).toBe(303)
  })

  it('ends by signing out, which no other site can trigger', async () => {
    const { browser, bindings } = await signUp()
    const kept = browser.cookies.get(SESSION_COOKIE) ?? ''
    expect((await browser.open('/sign-out')).status).toBe(200)
    const forged = await browser.submit('/sign-out', {}, { Origin: 'https://evil.example' })
    expect(forged.status).toBe(403)
    expect((await browser.open('/account')).status).toBe(200)
    const answer = await browser.submit('/sign-out')
    expect(answer.headers.get('Location')).toBe('/')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    const old = new TestBrowser(bindings)
    old.setCookie(SESSION_COOKIE, kept)
    expect((await old.open('/account')).status).toBe(303)
  })

  it('expires after 30 days', async () => {
    const { browser } = await signUp()
    await env.DB.prepare('UPDATE sessions SET expires_at = ?1').bind(Date.now()).run()
    expect((await browser.open('/account')).status).toBe(303)
  })
})

describe('every account form', () => {
  const FORMS = [
    '/sign-in',
    '/sign-up',
    '/sign-in/link',
    '/sign-in/github',
    '/sign-out',
    '/account/username',
    '/account/email',
    '/account/email/leave-email',
    '/account/email/take-email',
    '/account/picture',
    '/account/keys',
    '/account/keys/some/revoke',
    '/account/github/connect',
    '/account/github/disconnect',
    '/account/single-sign-on/connect',
    '/account/single-sign-on/disconnect',
    '/account/sign-out-everywhere',
    '/account/delete',
  ]
  const OTHERS: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'null', 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://paste.example.evil.example' },
    { Origin: 'http://paste.example' },
    { Origin: '' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    {},
  ]

  it.each(FORMS)('%s refuses requests from other sites', async (path) => {
    const { browser } = await signUp()
    for (const headers of OTHERS) {
      const answer = await browser.open(path, {
        method: 'POST',
        headers,
        body: new URLSearchParams({
          documents: 'delete',
          name: 'stolen',
          email: 'evil@example.org',
          username: 'evil',
        }),
      })
      expect({ headers, status: answer.status }).toEqual({ headers, status: 403 })
    }
    expect((await browser.open('/account')).status).toBe(200)
  })
})
