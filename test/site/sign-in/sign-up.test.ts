import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { ORIGIN, send } from '../../support/client.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { parseForm } from '../../support/site/forms.ts'
import {
  countUsers,
  createPerson,
  getToken,
  requestSignUp,
  SESSION_COOKIE,
  signUp,
} from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('signing up', () => {
  it('creates a confirmed account only once the link is opened', async () => {
    const { browser, sent, email, username, link } = await requestSignUp()
    expect(await countUsers(email)).toBe(0)
    expect(sent).toEqual([
      {
        from: { name: 'Regent', email: 'mail@paste.example' },
        to: email,
        subject: 'Create your Regent account',
        text: expect.stringContaining(`\n${ORIGIN}${link}\n`),
        html: expect.stringContaining(`href="${ORIGIN}${link}"`),
      },
    ])
    const opened = await browser.open(link)
    expect(opened.status).toBe(303)
    expect(opened.headers.get('Location')).toBe('/')
    const user = await env.DB.prepare('SELECT username, confirmed, flags FROM users WHERE email = ?1')
      .bind(email)
      .first()
    expect(user).toEqual({ username, confirmed: 1, flags: 1 })
    const page = await (await browser.open('/account')).text()
    expect(page).toContain(username)
    expect(page).toContain('Sign out')
  })

  it('can send the link again, with the same username', async () => {
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    const person = createPerson()
    const page = await (await browser.submit('/sign-up', person)).text()
    await browser.submit('/sign-up', await parseForm(page, '/sign-up'))
    expect(sent).toHaveLength(2)
    await browser.open(getLink(sent[1]))
    expect(await (await browser.open('/account')).text()).toContain(person.username)
  })

  it('sets a session cookie that is HttpOnly, Secure and SameSite', async () => {
    const { opened } = await signUp()
    const cookie = opened.headers.getSetCookie().find((candidate) => candidate.startsWith(SESSION_COOKIE))
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; Secure/i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    expect(cookie).toMatch(/; Path=\/(;|$)/i)
    expect(cookie).not.toMatch(/domain/i)
  })

  it('sets a cookie without Secure on a loopback address', async () => {
    const { bindings, sent } = captureEmail({ SITE_URL: 'http://127.0.0.1:8787' })
    const browser = new TestBrowser(bindings)
    const headers = { Origin: 'http://127.0.0.1:8787' }
    await browser.submit('/sign-up', createPerson(), headers)
    const [, link = ''] = /http:\/\/127\.0\.0\.1:8787(\S+)/.exec(sent[0]?.text ?? '') ?? []
    const opened = await browser.open(link)
    const cookie = opened.headers
      .getSetCookie()
      .find((candidate) => candidate.startsWith('regent.session_token'))
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).not.toMatch(/secure/i)
  })

  it.each([
    [{ email: 'nowhere', username: 'Somebody' }, 'Enter a valid email address.'],
    [{ email: '', username: 'Somebody' }, 'Enter a valid email address.'],
    [{ email: `${'x'.repeat(250)}@example.org`, username: 'Somebody' }, 'Enter a valid email address.'],
    [{ email: 'a@example.org\r\nBcc: b@example.org', username: 'Somebody' }, 'Enter a valid email address.'],
    [{ email: 'a@example.org', username: 'x' }, 'Use 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'has space' }, 'Use 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'аdmin1' }, 'Use 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'Adm1n' }, 'This username is reserved. Choose another.'],
    [{ email: 'a@example.org', username: 're-gent' }, 'This username is reserved. Choose another.'],
  ])('refuses %j and keeps the input', async (fields, message) => {
    const { bindings, sent } = captureEmail()
    const answer = await new TestBrowser(bindings).submit('/sign-up', fields)
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(message)
    expect(page).toContain('role="alert"')
    if (fields.username === 'Somebody') expect(page).toContain('value="Somebody"')
    expect(sent).toEqual([])
  })

  it.each(['Grace_Hopper', 'grace_hopper', 'GRACE-HOPPER'])(
    'refuses a username that is taken or looks like a taken one: %s',
    async (username) => {
      await account({ username: 'Grace_Hopper' }).catch(() => null)
      const { bindings } = captureEmail()
      const answer = await new TestBrowser(bindings).submit('/sign-up', { email: 'g@example.org', username })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('is taken')
    },
  )

  it.each([
    ['Oliver', '0liver'],
    ['william', 'wi11iam'],
    ['Isabel', 'lsabel'],
    ['Barnes', 'bames'],
    ['Newton', 'nevvton'],
    ['dash-name', 'dash_name'],
  ])('treats %s and %s as the same username', async (first, second) => {
    await account({ username: first })
    await expect(account({ username: second })).rejects.toThrow('UNIQUE')
    const { bindings } = captureEmail()
    const answer = await new TestBrowser(bindings).submit('/sign-up', {
      email: 'o@example.org',
      username: second,
    })
    expect(await answer.text()).toContain('is taken')
  })

  it('checks while typing whether a username is available', async () => {
    const { username } = await account()
    const ask = async (name: string) =>
      (await send(`/sign-up/username?${new URLSearchParams({ name })}`)).json() as Promise<{
        problem: string | null
      }>
    expect((await ask(username.toUpperCase())).problem).toContain('is taken')
    expect((await ask('Nobody-has-this')).problem).toBeNull()
    expect((await ask('')).problem).toContain('3 to 30')
  })

  it('asks for another username if it was taken before the link was opened', async () => {
    const { browser, email, username, link } = await requestSignUp()
    await account({ username: username.toLowerCase() })
    const response = await browser.open(link)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('is taken')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    const token = getToken(link)
    const taken = await browser.submit('/sign-in/link', { token, username })
    expect(taken.status).toBe(400)
    const created = await browser.submit('/sign-in/link', { token, username: `${username}-too` })
    expect(created.status).toBe(303)
    const row = await env.DB.prepare('SELECT username FROM users WHERE email = ?1').bind(email).first()
    expect(row).toEqual({ username: `${username}-too` })
  })

  it('creates one account when two links are opened at once', async () => {
    const { bindings, sent } = captureEmail()
    const { email, username } = createPerson()
    const browsers = [new TestBrowser(bindings), new TestBrowser(bindings)]
    for (const browser of browsers) await browser.submit('/sign-up', { email, username })
    await Promise.all(browsers.map((browser, index) => browser.open(getLink(sent[index]))))
    expect(await countUsers(email)).toBe(1)
  })

  it('ignores form fields other than email and username', async () => {
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    const { email, username } = createPerson()
    const more = {
      flags: '8',
      confirmed: '1',
      emailVerified: 'true',
      id: 'mine',
      documents_made: '99',
      role: 'admin',
    }
    await browser.submit('/sign-up', { email, username, ...more })
    await browser.open(getLink(sent[0]))
    await browser.submit('/account/username', { username: `${username}x`, ...more })
    const row = await env.DB.prepare('SELECT id, flags, documents_made FROM users WHERE email = ?1')
      .bind(email)
      .first()
    expect(row).toMatchObject({ flags: 1, documents_made: 0 })
    expect(row?.id).not.toBe('mine')
  })
})
