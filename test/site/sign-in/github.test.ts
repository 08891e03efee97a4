import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { decryptToken } from '../../../src/accounts/sign-in/token-encryption.ts'
import { account } from '../../support/accounts.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
  signInWithGitHub,
} from '../../support/github-sign-in.ts'
import { SESSION_COOKIE } from '../../support/sign-up.ts'
import { Visitor } from '../../support/visitor.ts'

describe('signing in with GitHub', () => {
  // better-auth logs what it refuses.
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it('creates a confirmed account with the GitHub username and verified address', async () => {
    const login = createLogin()
    const { id, token } = await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(visitor, { return: '/somewhere' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe('/account')
    const user = await findUserByEmail(`${login}@example.org`)
    expect(user).toMatchObject({ username: login, confirmed: 1, flags: 1 })
    const linked = await findLinkedAccount(user?.id)
    expect(linked?.account_id).toBe(String(id))
    expect(linked?.access_token).not.toContain(token)
    expect(await decryptToken(linked?.access_token ?? '', env.AUTH_SECRET ?? '')).toMatch(/^gho_/)
    expect(await (await visitor.open('/account')).text()).toContain(login)
  })

  it('uses the chosen username, or a similar one if it is taken', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await account({ username: 'Chosen' })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    await signInWithGitHub(visitor, { username: 'Chosen' })
    expect((await findUserByEmail(`${login}@example.org`))?.username).toBe('Chosen-2')
  })

  it("ignores an address that GitHub hasn't verified", async () => {
    const login = createLogin()
    const noreply = 'users.noreply.github.com'
    await controlGitHub({ do: 'create account', login, emailVerified: false })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    await signInWithGitHub(visitor)
    expect(await findUserByEmail(`${login}@example.org`)).toBeNull()
    const user = await env.DB.prepare('SELECT email FROM users WHERE username = ?1').bind(login).first()
    expect(user?.email).toContain(noreply)
  })

  it('signs in to the same account after renaming, and returns to the page', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const first = new Visitor(captureEmailWithGitHub().bindings)
    await signInWithGitHub(first)
    await first.submit('/account/username', { username: `${login}-renamed` })
    const second = new Visitor(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(second, { return: '/account?x=1' })
    expect(answer.headers.get('Location')).toBe('/account?x=1')
    expect(await (await second.open('/account')).text()).toContain(`${login}-renamed`)
  })

  it('signs in to an account that confirmed the same address', async () => {
    const own = await account()
    const login = createLogin()
    await controlGitHub({ do: 'create account', login, email: own.email })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    await signInWithGitHub(visitor)
    expect(await (await visitor.open('/account')).text()).toContain(own.username)
    expect(await findLinkedAccount(own.id)).not.toBeNull()
  })

  it("can't take over an account that never confirmed the address", async () => {
    const own = await account({ confirmed: false })
    const login = createLogin()
    await controlGitHub({ do: 'create account', login, email: own.email })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(visitor)
    expect(answer.headers.get('Location')).toContain('error=account_not_linked')
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await findLinkedAccount(own.id)).toBeNull()
    const page = await visitor.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Sign in to it by email')
  })

  it('explains when the user declines', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login, agrees: false })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(visitor)
    const page = await visitor.open(answer.headers.get('Location') ?? '')
    expect(await page.text()).toContain('didn’t give Regent access')
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it.each([
    [
      'another browser',
      async (path: string) => ({ path, browser: new Visitor(captureEmailWithGitHub().bindings) }),
    ],
    ['another state', async (path: string) => ({ path: path.replace('state=', 'state=x'), browser: null })],
    ['another code', async (path: string) => ({ path: path.replace(/code=\w+/, 'code=0'), browser: null })],
    ['no state', async (path: string) => ({ path: path.replace(/state=\w+/, ''), browser: null })],
  ])('refuses a callback with %s', async (_, change) => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const { path, browser } = await change(await authorizeAtGitHub(await visitor.submit('/sign-in/github')))
    const answer = await (browser ?? visitor).open(path)
    expect(answer.headers.get('Location')).toContain('error=')
    expect((browser ?? visitor).cookies.has(SESSION_COOKIE)).toBe(false)
    expect(await findUserByEmail(`${login}@example.org`)).toBeNull()
  })

  it('accepts a callback once', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const path = await authorizeAtGitHub(await visitor.submit('/sign-in/github'))
    await visitor.open(path)
    expect((await visitor.open(path)).headers.get('Location')).toContain('error=')
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
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const back = await signInWithGitHub(visitor)
    expect(back.headers.get('Location')).toContain('error=')
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/gho_/)
  })

  it('refuses a suspended account', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await signInWithGitHub(new Visitor(captureEmailWithGitHub().bindings))
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE email = ?1')
      .bind(`${login}@example.org`)
      .run()
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    const answer = await signInWithGitHub(visitor)
    expect(answer.headers.get('Location')).toContain('error=suspended')
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it('copies the GitHub picture and serves it', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const visitor = new Visitor(captureEmailWithGitHub().bindings)
    await signInWithGitHub(visitor)
    const user = await findUserByEmail(`${login}@example.org`)
    expect(user?.icon).toMatch(new RegExp(`^/icons/${user?.id}/[A-Za-z0-9_-]{16}$`))
    const picture = await visitor.open(String(user?.icon))
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    expect(picture.headers.get('Cache-Control')).toContain('immutable')
    expect((await picture.bytes())[1]).toBe(0x50)
    const page = await (await visitor.open('/account')).text()
    expect(page).toContain(`src="${user?.icon}"`)
    await visitor.submit('/account/keys', { name: 'x' })
    await visitor.submit('/account/picture')
    expect((await findUserByEmail(`${login}@example.org`))?.icon).toBeNull()
    expect((await visitor.open(String(user?.icon))).status).toBe(404)
  })
})
