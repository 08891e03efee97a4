import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { decryptToken } from '../../src/accounts/sign-in/token-encryption.ts'
import { account } from '../support/accounts.ts'
import { call, create, ORIGIN, read } from '../support/client.ts'
import { type Control, control, GITHUB_APP } from '../support/github/control.ts'
import { linkOf, mailing } from '../support/mail.ts'
import { Visitor } from '../support/visitor.ts'

const gitHubUrl = inject('gitHubUrl')
const SESSION = '__Host-regent.session_token'

const tell = (command: Control) => control<{ id: number; token: string }>(gitHubUrl, command)

const withGitHub = () =>
  mailing({
    GITHUB_CLIENT_ID: GITHUB_APP.clientId,
    GITHUB_CLIENT_SECRET: GITHUB_APP.clientSecret,
    GITHUB_URL: gitHubUrl,
    GITHUB_API_URL: gitHubUrl,
  })

let people = 0
const newLogin = () => `octo-${++people}`

/** Goes to GitHub, and returns the address that it leads back to, as a path of this site. */
async function atGitHub(answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  const asked = new URL(answer.headers.get('Location') ?? '')
  expect(asked.origin).toBe(gitHubUrl)
  const back = await fetch(asked, { redirect: 'manual' })
  const { origin, pathname, search } = new URL(back.headers.get('Location') ?? '')
  expect(origin).toBe(ORIGIN)
  return pathname + search
}

async function signInByGitHub(visitor: Visitor, fields: Record<string, string> = {}) {
  return visitor.open(await atGitHub(await visitor.submit('/sign-in/github', fields)))
}

const userByEmail = (email: string) =>
  env.DB.prepare('SELECT * FROM users WHERE email = ?1')
    .bind(email)
    .first<{ id: string; [column: string]: unknown }>()

const linkedTo = (userId: string | undefined) =>
  env.DB.prepare('SELECT * FROM linked_accounts WHERE user_id = ?1')
    .bind(userId ?? '')
    .first<{ access_token: string; scope: string; account_id: string }>()

describe('signing in by GitHub', () => {
  // What better-auth refuses it also logs.
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it('makes an account of the name there, confirmed as GitHub verified the address', async () => {
    const login = newLogin()
    const { id, token } = await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    const answer = await signInByGitHub(visitor, { return: '/somewhere' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('Location')).toBe('/account')
    const user = await userByEmail(`${login}@example.org`)
    expect(user).toMatchObject({ username: login, confirmed: 1, flags: 1 })
    const linked = await linkedTo(user?.id)
    expect(linked?.account_id).toBe(String(id))
    expect(linked?.access_token).not.toContain(token)
    expect(await decryptToken(linked?.access_token ?? '', env.AUTH_SECRET ?? '')).toMatch(/^gho_/)
    expect(await (await visitor.open('/account')).text()).toContain(login)
  })

  it('takes the name that was chosen, or one near it', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await account({ username: 'Chosen' })
    const visitor = new Visitor(withGitHub().bindings)
    await signInByGitHub(visitor, { username: 'Chosen' })
    expect((await userByEmail(`${login}@example.org`))?.username).toBe('Chosen-2')
  })

  it('makes no account of an address that GitHub has not verified', async () => {
    const login = newLogin()
    const noreply = 'users.noreply.github.com'
    await tell({ do: 'make account', login, emailVerified: false })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    await signInByGitHub(visitor)
    expect(await userByEmail(`${login}@example.org`)).toBeNull()
    const user = await env.DB.prepare('SELECT email FROM users WHERE username = ?1').bind(login).first()
    expect(user?.email).toContain(noreply)
  })

  it('signs the same account in again, whatever it is called now, to where it wanted to go', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const first = new Visitor(withGitHub().bindings)
    await signInByGitHub(first)
    await first.submit('/account/username', { username: `${login}-renamed` })
    const second = new Visitor(withGitHub().bindings)
    const answer = await signInByGitHub(second, { return: '/account?x=1' })
    expect(answer.headers.get('Location')).toBe('/account?x=1')
    expect(await (await second.open('/account')).text()).toContain(`${login}-renamed`)
  })

  it('signs in an account that proved the same address by mail, and no other', async () => {
    const own = await account()
    const login = newLogin()
    await tell({ do: 'make account', login, email: own.email })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    await signInByGitHub(visitor)
    expect(await (await visitor.open('/account')).text()).toContain(own.username)
    expect(await linkedTo(own.id)).not.toBeNull()
  })

  it('takes over no account here that never proved the address', async () => {
    const own = await account({ confirmed: false })
    const login = newLogin()
    await tell({ do: 'make account', login, email: own.email })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    const answer = await signInByGitHub(visitor)
    expect(answer.headers.get('Location')).toContain('error=account_not_linked')
    expect(visitor.cookies.has(SESSION)).toBe(false)
    expect(await linkedTo(own.id)).toBeNull()
    const page = await visitor.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Sign in to it by mail')
  })

  it('says so when somebody does not agree', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login, agrees: false })
    const visitor = new Visitor(withGitHub().bindings)
    const answer = await signInByGitHub(visitor)
    const page = await visitor.open(answer.headers.get('Location') ?? '')
    expect(await page.text()).toContain('was not allowed to tell us')
    expect(visitor.cookies.has(SESSION)).toBe(false)
  })

  it.each([
    ['another browser', async (path: string) => ({ path, browser: new Visitor(withGitHub().bindings) })],
    ['another state', async (path: string) => ({ path: path.replace('state=', 'state=x'), browser: null })],
    ['another code', async (path: string) => ({ path: path.replace(/code=\w+/, 'code=0'), browser: null })],
    ['no state', async (path: string) => ({ path: path.replace(/state=\w+/, ''), browser: null })],
  ])('refuses a callback with %s', async (_, change) => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    const { path, browser } = await change(await atGitHub(await visitor.submit('/sign-in/github')))
    const answer = await (browser ?? visitor).open(path)
    expect(answer.headers.get('Location')).toContain('error=')
    expect((browser ?? visitor).cookies.has(SESSION)).toBe(false)
    expect(await userByEmail(`${login}@example.org`)).toBeNull()
  })

  it('uses a callback once', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    const path = await atGitHub(await visitor.submit('/sign-in/github'))
    await visitor.open(path)
    expect((await visitor.open(path)).headers.get('Location')).toContain('error=')
  })

  it.each([
    ['fails', { status: 500 }],
    ['refuses the token', { status: 401 }],
    ['drops the connection', 'drop'],
  ] as const)('says so when GitHub %s', async (_, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await tell({ do: 'fail', login, failure: { on: 'GET /user', times: 2, answer } })
    const visitor = new Visitor(withGitHub().bindings)
    const back = await signInByGitHub(visitor)
    expect(back.headers.get('Location')).toContain('error=')
    expect(visitor.cookies.has(SESSION)).toBe(false)
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/gho_/)
  })

  it('lets nobody in whose account is suspended', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await signInByGitHub(new Visitor(withGitHub().bindings))
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE email = ?1')
      .bind(`${login}@example.org`)
      .run()
    const visitor = new Visitor(withGitHub().bindings)
    const answer = await signInByGitHub(visitor)
    expect(answer.headers.get('Location')).toContain('error=suspended')
    expect(visitor.cookies.has(SESSION)).toBe(false)
  })

  it('keeps the picture there, and serves it from here', async () => {
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const visitor = new Visitor(withGitHub().bindings)
    await signInByGitHub(visitor)
    const user = await userByEmail(`${login}@example.org`)
    expect(user?.icon).toMatch(new RegExp(`^/icons/${user?.id}/[A-Za-z0-9_-]{16}$`))
    const picture = await visitor.open(String(user?.icon))
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    expect(picture.headers.get('Cache-Control')).toContain('immutable')
    expect((await picture.bytes())[1]).toBe(0x50)
    const page = await (await visitor.open('/account')).text()
    expect(page).toContain(`src="${user?.icon}"`)
    await visitor.submit('/account/keys', { name: 'x' })
    await visitor.submit('/account/picture')
    expect((await userByEmail(`${login}@example.org`))?.icon).toBeNull()
    expect((await visitor.open(String(user?.icon))).status).toBe(404)
  })
})

describe('connecting GitHub', () => {
  /** Somebody who signed in by mail. */
  async function member() {
    const own = await account()
    const { bindings, sent } = withGitHub()
    const visitor = new Visitor(bindings)
    await visitor.submit('/sign-in', { email: own.email })
    await visitor.open(linkOf(sent[0]))
    return { own, visitor, sent }
  }

  const connect = async (visitor: Visitor) =>
    visitor.open(await atGitHub(await visitor.submit('/account/github/connect')))

  it('asks for gists, keeps the token sealed, and changes neither address nor name', async () => {
    const { own, visitor } = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const session = visitor.cookies.get(SESSION)
    const answer = await connect(visitor)
    expect(answer.headers.get('Location')).toBe('/account')
    expect(visitor.cookies.get(SESSION)).toBe(session)
    const linked = await linkedTo(own.id)
    expect(linked?.scope.split(',')).toContain('gist')
    expect(linked?.access_token).toMatch(/^eyJ/)
    expect(await userByEmail(own.email)).toMatchObject({ username: own.username })
    expect(await (await visitor.open('/account')).text()).toContain('make gists of documents')
  })

  it('does not end what a session began that is over by now', async () => {
    const { own, visitor } = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    const thief = new Visitor(withGitHub().bindings)
    for (const [name, value] of visitor.cookies) thief.setCookie(name, value)
    const back = await atGitHub(await thief.submit('/account/github/connect'))
    await visitor.submit('/account/sign-out-everywhere')
    await thief.open(back)
    expect(await linkedTo(own.id)).toBeNull()
  })

  it('allows gists by any of two accounts there', async () => {
    const { own, visitor } = await member()
    const logins = Array.from({ length: 6 }, newLogin)
    for (const login of logins) {
      await tell({ do: 'make account', login })
      await tell({ do: 'sign in', login })
      await connect(visitor)
    }
    const only = "UPDATE linked_accounts SET scope = iif(id = ?2, 'gist', 'read:user') WHERE user_id = ?1"
    const ids = await env.DB.prepare('SELECT id FROM linked_accounts WHERE user_id = ?1').bind(own.id).all()
    for (const { id } of ids.results) {
      await env.DB.prepare(only).bind(own.id, id).run()
      expect(await (await visitor.open('/account')).text()).toContain('make gists of documents')
    }
  })

  it('keeps the right to gists when somebody signs in by GitHub again', async () => {
    const { own, visitor } = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await connect(visitor)
    const before = await linkedTo(own.id)
    await signInByGitHub(new Visitor(withGitHub().bindings))
    expect(await linkedTo(own.id)).toEqual(before)
  })

  it('is told to the owner by mail, who sees what is connected, and connects one account alone', async () => {
    const { visitor, sent, own } = await member()
    const [login, second] = [newLogin(), newLogin()]
    await tell({ do: 'make account', login })
    await tell({ do: 'make account', login: second })
    await tell({ do: 'sign in', login })
    sent.length = 0
    await connect(visitor)
    expect(sent.map(({ to, text }) => ({ to, tells: text.includes(login) }))).toEqual([
      { to: own.email, tells: true },
    ])
    expect(await (await visitor.open('/account')).text()).toContain(`<strong>${login}</strong>`)
    await tell({ do: 'sign in', login: second })
    const refused = await connect(visitor)
    expect(refused.headers.get('Location')).toContain('error=another_account_linked')
    const links = await env.DB.prepare('SELECT login FROM linked_accounts WHERE user_id = ?1')
      .bind(own.id)
      .all()
    expect(links.results).toEqual([{ login }])
  })

  it('is refused where that account is connected to another one', async () => {
    const first = await member()
    const second = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await connect(first.visitor)
    const answer = await connect(second.visitor)
    const page = await second.visitor.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('connected to another account')
    expect(await linkedTo(second.own.id)).toBeNull()
  })

  it('ends with disconnecting, unless there would be no way in any more', async () => {
    const { own, visitor } = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await connect(visitor)
    const withoutMail = new Visitor({ ...withGitHub().bindings, MAIL_FROM: '' } as unknown as Env)
    for (const [name, value] of visitor.cookies) withoutMail.setCookie(name, value)
    expect((await withoutMail.submit('/account/github/disconnect')).status).toBe(400)
    expect(await linkedTo(own.id)).not.toBeNull()
    await visitor.submit('/account/github/disconnect')
    expect(await linkedTo(own.id)).toBeNull()
  })

  it('shows no token anywhere', async () => {
    const { own, visitor } = await member()
    const login = newLogin()
    await tell({ do: 'make account', login })
    await tell({ do: 'sign in', login })
    await connect(visitor)
    const sealed = (await linkedTo(own.id))?.access_token ?? ''
    const token = (await decryptToken(sealed, env.AUTH_SECRET ?? '')) ?? ''
    const { id } = await create('x', {}, { key: own.key })
    const shown = [
      await (await visitor.open('/account')).text(),
      await (await visitor.open('/account/profile')).text(),
      JSON.stringify((await read(id)).body),
      JSON.stringify((await call('GET', '/v1/users/@me/documents', undefined, { key: own.key })).body),
    ].join()
    expect(token).toMatch(/^gho_/)
    expect(shown).not.toContain(token)
    expect(shown).not.toContain(sealed)
  })
})
