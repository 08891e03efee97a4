import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { decryptToken } from '../../../src/accounts/sign-in/github-token.lazy.ts'
import { account } from '../../support/accounts.ts'
import { call, create, read } from '../../support/client.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
  signInWithGitHub,
} from '../../support/github/github-sign-in.ts'
import { getLink } from '../../support/site/email.ts'
import { SESSION_COOKIE } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('connecting GitHub', () => {
  /** Signs a new account in by email. */
  async function member() {
    const own = await account()
    const { bindings, sent } = captureEmailWithGitHub()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email: own.email })
    await browser.open(getLink(sent[0]))
    return { own, browser, sent }
  }

  const connect = async (browser: TestBrowser) =>
    browser.open(await authorizeAtGitHub(await browser.submit('/account/github/connect')))

  it('requests the gist scope, stores the token encrypted, and keeps email and username', async () => {
    const { own, browser } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const session = browser.cookies.get(SESSION_COOKIE)
    const answer = await connect(browser)
    expect(answer.headers.get('Location')).toBe('/account')
    expect(browser.cookies.get(SESSION_COOKIE)).toBe(session)
    const linked = await findLinkedAccount(own.id)
    expect(linked?.scope.split(',')).toContain('gist')
    expect(linked?.access_token).toMatch(/^eyJ/)
    expect(await findUserByEmail(own.email)).toMatchObject({ username: own.username })
    expect(await (await browser.open('/account')).text()).toContain('publish documents as gists')
  })

  it('is refused if the session has ended in the meantime', async () => {
    const { own, browser } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const thief = new TestBrowser(captureEmailWithGitHub().bindings)
    for (const [name, value] of browser.cookies) thief.setCookie(name, value)
    const back = await authorizeAtGitHub(await thief.submit('/account/github/connect'))
    await browser.submit('/account/sign-out-everywhere')
    await thief.open(back)
    expect(await findLinkedAccount(own.id)).toBeNull()
  })

  it('keeps the gist scope when signing in with GitHub later', async () => {
    const { own, browser } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await connect(browser)
    const before = await findLinkedAccount(own.id)
    await signInWithGitHub(new TestBrowser(captureEmailWithGitHub().bindings))
    expect(await findLinkedAccount(own.id)).toEqual(before)
  })

  it('replaces the token when it is connected again, and sends no second email', async () => {
    const { own, browser, sent } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await connect(browser)
    const before = await findLinkedAccount(own.id)
    sent.length = 0
    expect((await connect(browser)).headers.get('Location')).toBe('/account')
    const after = await findLinkedAccount(own.id)
    expect(after).toEqual({ ...before, access_token: after?.access_token })
    expect(after?.access_token).not.toBe(before?.access_token)
    expect(sent).toEqual([])
  })

  it('notifies the user by email, and allows one GitHub account only', async () => {
    const { browser, sent, own } = await member()
    const [login, second] = [createLogin(), createLogin()]
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'create account', login: second })
    await controlGitHub({ do: 'sign in', login })
    sent.length = 0
    await connect(browser)
    expect(sent.map(({ to, text }) => ({ to, tells: text.includes(login) }))).toEqual([
      { to: own.email, tells: true },
    ])
    expect(await (await browser.open('/account')).text()).toContain(`<strong>${login}</strong>`)
    await controlGitHub({ do: 'sign in', login: second })
    const refused = await connect(browser)
    expect(refused.headers.get('Location')).toContain('error=another_account_linked')
    const links = await env.DB.prepare('SELECT login FROM linked_accounts WHERE user_id = ?1')
      .bind(own.id)
      .all()
    expect(links.results).toEqual([{ login }])
  })

  it('is refused if the GitHub account is connected to another account', async () => {
    const first = await member()
    const second = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await connect(first.browser)
    const answer = await connect(second.browser)
    const page = await second.browser.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('connected to another account here')
    expect(await findLinkedAccount(second.own.id)).toBeNull()
  })

  it('can be undone, unless there would be no other way to sign in', async () => {
    const { own, browser } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await connect(browser)
    const withoutMail = new TestBrowser({ ...captureEmailWithGitHub().bindings, MAIL_FROM: '' })
    for (const [name, value] of browser.cookies) withoutMail.setCookie(name, value)
    expect((await withoutMail.submit('/account/github/disconnect')).status).toBe(400)
    expect(await findLinkedAccount(own.id)).not.toBeNull()
    await browser.submit('/account/github/disconnect')
    expect(await findLinkedAccount(own.id)).toBeNull()
  })

  it('never shows a token', async () => {
    const { own, browser } = await member()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await connect(browser)
    const encrypted = (await findLinkedAccount(own.id))?.access_token ?? ''
    const token = (await decryptToken(encrypted, env.AUTH_SECRET ?? '')) ?? ''
    const { id } = await create('x', {}, { key: own.key })
    const shown = [
      await (await browser.open('/account')).text(),
      await (await browser.open('/account/profile')).text(),
      JSON.stringify((await read(id)).body),
      JSON.stringify((await call('GET', '/v1/users/@me/documents', undefined, { key: own.key })).body),
    ].join()
    expect(token).toMatch(/^gho_/)
    expect(shown).not.toContain(token)
    expect(shown).not.toContain(encrypted)
  })
})
