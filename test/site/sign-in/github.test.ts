import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { decryptToken } from '../../../src/accounts/sign-in/github-token.lazy.ts'
import { account } from '../../support/accounts.ts'
import { losingFirst } from '../../support/bindings.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
  signInWithGitHub,
} from '../../support/github/github-sign-in.ts'
import { SESSION_COOKIE } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('signing in with GitHub', () => {
  // What GitHub refuses is logged.
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it('creates a confirmed account with the GitHub username and verified address', async () => {
    const login = createLogin()
    const { id, token } = await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(browser, { return: '/somewhere' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe('/account')
    const user = await findUserByEmail(`${login}@example.org`)
    expect(user).toMatchObject({ username: login, confirmed: 1, flags: 1 })
    const linked = await findLinkedAccount(user?.id)
    expect(linked?.account_id).toBe(String(id))
    expect(linked?.access_token).not.toContain(token)
    expect(await decryptToken(linked?.access_token ?? '', env.AUTH_SECRET ?? '')).toMatch(/^gho_/)
    expect(await (await browser.open('/account')).text()).toContain(login)
  })

  it('uses the chosen username, or a similar one if it is taken', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await account({ username: 'Chosen' })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    await signInWithGitHub(browser, { username: 'Chosen' })
    expect((await findUserByEmail(`${login}@example.org`))?.username).toBe('Chosen-2')
  })

  it("ignores an address that GitHub hasn't verified", async () => {
    const login = createLogin()
    const noreply = 'users.noreply.github.com'
    await controlGitHub({ do: 'create account', login, emailVerified: false })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    await signInWithGitHub(browser)
    expect(await findUserByEmail(`${login}@example.org`)).toBeNull()
    const user = await env.DB.prepare('SELECT email FROM users WHERE username = ?1').bind(login).first()
    expect(user?.email).toContain(noreply)
  })

  it('signs in to the same account after renaming, and returns to the page', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const first = new TestBrowser(captureEmailWithGitHub().bindings)
    await signInWithGitHub(first)
    await first.submit('/account/username', { username: `${login}-renamed` })
    const second = new TestBrowser(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(second, { return: '/account?x=1' })
    expect(answer.headers.get('Location')).toBe('/account?x=1')
    expect(await (await second.open('/account')).text()).toContain(`${login}-renamed`)
  })

  it('signs in to an account that confirmed the same address', async () => {
    const own = await account()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login, email: own.email })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    await signInWithGitHub(browser)
    expect(await (await browser.open('/account')).text()).toContain(own.username)
    expect(await findLinkedAccount(own.id)).not.toBeNull()
  })

  it("can't take over an account that never confirmed the address", async () => {
    const own = await account({ confirmed: false })
    const login = createLogin()
    await controlGitHub({ do: 'create account', login, email: own.email })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(browser)
    expect(answer.headers.get('Location')).toContain('error=account_not_linked')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await findLinkedAccount(own.id)).toBeNull()
    const page = await browser.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Sign in to it by email')
  })

  it('explains when the user declines', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login, agrees: false })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(browser)
    const page = await browser.open(answer.headers.get('Location') ?? '')
    expect(await page.text()).toContain('didn’t allow access')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it.each([
    ['another state', (path: string) => path.replace('state=', 'state=x')],
    ['another code', (path: string) => path.replace(/code=\w+/, 'code=0')],
    ['no state', (path: string) => path.replace(/state=\w+/, '')],
  ])('refuses a callback with %s', async (_, change) => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    const answer = await browser.open(change(path))
    expect(answer.headers.get('Location')).toContain('error=')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await findUserByEmail(`${login}@example.org`)).toBeNull()
  })

  it('refuses a callback in another browser', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { bindings } = captureEmailWithGitHub()
    const [browser, other] = [new TestBrowser(bindings), new TestBrowser(bindings)]
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    const answer = await other.open(path)
    expect(answer.headers.get('Location')).toContain('error=')
    expect(other.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await findUserByEmail(`${login}@example.org`)).toBeNull()
  })

  it('still accepts it in the browser that started, after others and HEAD requests have tried', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { bindings } = captureEmailWithGitHub()
    const browser = new TestBrowser(bindings)
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    await new TestBrowser(bindings).open(path)
    const cookies = [...browser.cookies]
    await browser.open(path, { method: 'HEAD' })
    for (const [name, value] of cookies) browser.setCookie(name, value)
    expect((await browser.open(path)).headers.get('Location')).toBe('/account')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
  })

  it('refuses a callback after five minutes', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const started = await browser.submit('/sign-in/github')
    expect(started.headers.getSetCookie().join()).toMatch(/^__Host-regent\.state=[^;]+; Max-Age=300; /)
    const path = await authorizeAtGitHub(started)
    await env.DB.prepare('UPDATE verifications SET expires_at = expires_at - 300000').run()
    expect((await browser.open(path)).headers.get('Location')).toContain('error=')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example'])(
    'never leads to another site: %j',
    async (back) => {
      const login = createLogin()
      await controlGitHub({ do: 'create account', login })
      await controlGitHub({ do: 'sign in', login })
      const { bindings } = captureEmailWithGitHub()
      await signInWithGitHub(new TestBrowser(bindings))
      const again = await signInWithGitHub(new TestBrowser(bindings), { return: back })
      expect(again.headers.get('Location')).toBe('/')
    },
  )

  it('replaces the session of the browser', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { bindings } = captureEmailWithGitHub()
    const browser = new TestBrowser(bindings)
    await signInWithGitHub(browser)
    const before = browser.cookies.get(SESSION_COOKIE) ?? ''
    await signInWithGitHub(browser)
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(before)
    const old = new TestBrowser(bindings)
    old.setCookie(SESSION_COOKIE, before)
    expect((await old.open('/account')).status).toBe(303)
  })

  it('signs in once even if the database answers no more after it did', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { bindings, sent } = captureEmailWithGitHub()
    const browser = new TestBrowser(bindings)
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    const { bindings: losing } = losingFirst('DB.batch')
    const other = new TestBrowser({ ...bindings, DB: losing.DB })
    for (const [name, value] of browser.cookies) other.setCookie(name, value)
    expect((await other.open(path)).headers.get('Location')).toBe('/account')
    const user = await findUserByEmail(`${login}@example.org`)
    expect(user?.username).toBe(login)
    const sessions = env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?1').bind(user?.id)
    expect(await sessions.first('n')).toBe(1)
    // The account is new, so nobody is told that GitHub was connected.
    expect(sent).toEqual([])
  })

  it('creates one account when GitHub leads back twice at once', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { bindings } = captureEmailWithGitHub()
    const browsers = [new TestBrowser(bindings), new TestBrowser(bindings)]
    const paths: string[] = []
    for (const browser of browsers)
      paths.push(await authorizeAtGitHub(await browser.submit('/sign-in/github')))
    await Promise.all(browsers.map((browser, index) => browser.open(paths[index] ?? '')))
    const user = await findUserByEmail(`${login}@example.org`)
    expect(await findLinkedAccount(user?.id)).not.toBeNull()
    for (const browser of browsers) expect((await browser.open('/account')).status).toBe(200)
  })

  it('accepts a callback once', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    await browser.open(path)
    expect((await browser.open(path)).headers.get('Location')).toContain('error=')
  })

  it.each([
    ['fails', { status: 500 }],
    ['rejects the token', { status: 401 }],
    ['drops the connection', 'drop'],
  ] as const)('explains when GitHub %s', async (_, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await controlGitHub({ do: 'fail', login, failure: { on: 'GET /user', times: 2, answer } })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const back = await signInWithGitHub(browser)
    expect(back.headers.get('Location')).toContain('error=')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/gho_/)
  })

  it('refuses a suspended account', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await signInWithGitHub(new TestBrowser(captureEmailWithGitHub().bindings))
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE email = ?1')
      .bind(`${login}@example.org`)
      .run()
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(browser)
    expect(answer.headers.get('Location')).toContain('error=suspended')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it('copies the GitHub picture and serves it', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub().bindings)
    await signInWithGitHub(browser)
    const user = await findUserByEmail(`${login}@example.org`)
    expect(user?.icon).toMatch(new RegExp(`^/icons/${user?.id}/[A-Za-z0-9_-]{16}$`))
    const picture = await browser.open(String(user?.icon))
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    expect(picture.headers.get('Cache-Control')).toContain('immutable')
    expect((await picture.bytes())[1]).toBe(0x50)
    const page = await (await browser.open('/account')).text()
    expect(page).toContain(`src="${user?.icon}"`)
    await browser.submit('/account/keys', { name: 'x' })
    await browser.submit('/account/picture')
    expect((await findUserByEmail(`${login}@example.org`))?.icon).toBeNull()
    expect((await browser.open(String(user?.icon))).status).toBe(404)
  })
})
