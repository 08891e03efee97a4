import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { decryptToken } from '../../src/accounts/sign-in/github-token.lazy.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
  signInWithGitHub,
} from '../support/github/github-sign-in.ts'
import { getToken, SESSION_COOKIE } from '../support/site/sign-in.ts'
import { TestBrowser } from '../support/site/test-browser.ts'
import before from './fixtures/sign-in-e2bd6ac.json'

const TABLES = ['users', 'sessions', 'linked_accounts', 'verifications'] as const
const HOUR_MS = 3_600_000

/** Inserts the rows as that release stored them, as if it had just done so. */
async function loadRows(): Promise<void> {
  await env.DB.batch(TABLES.toReversed().map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  await env.DB.prepare('DELETE FROM former_usernames').run()
  for (const table of TABLES) {
    for (const row of before.rows[table]) {
      const columns = Object.keys(row)
      const places = columns.map((_, index) => `?${index + 1}`)
      const insert = `INSERT INTO ${table} (${columns}) VALUES (${places})`
      await env.DB.prepare(insert)
        .bind(...Object.values(row))
        .run()
    }
  }
  for (const table of ['sessions', 'verifications'])
    await env.DB.prepare(`UPDATE ${table} SET expires_at = ?1`)
      .bind(Date.now() + HOUR_MS)
      .run()
}

/** Returns a browser with the cookies that it had before the upgrade. */
function openBrowser(cookies: Readonly<Record<string, string>>): TestBrowser {
  const browser = new TestBrowser(captureEmailWithGitHub().bindings)
  for (const [name, value] of Object.entries(cookies)) browser.setCookie(name, value)
  return browser
}

/** Authorizes at GitHub what the previous release started, and returns the path that leads back. */
const authorize = (path: string) =>
  authorizeAtGitHub(new Response(null, { status: 303, headers: { Location: inject('gitHubUrl') + path } }))

// The release that signed people in with better-auth wrote the rows and the cookies.
describe('what the release before this sign-in stored', () => {
  beforeEach(loadRows)

  it.each(['ada', 'grace'] as const)('keeps %s signed in', async (name) => {
    const page = await openBrowser(before.signedIn[name]).open('/account')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`${name}@example.org`)
  })

  it('signs in by a link that was sent before, once, without asking the browser that requested it', async () => {
    const { link, cookies } = before.signingIn
    const browser = openBrowser(cookies)
    const answer = await browser.open(link)
    expect(answer.headers.get('Location')).toBe('/account?x=1')
    expect(await (await browser.open('/account')).text()).toContain('ada@example.org')
    expect((await browser.open(link)).status).toBe(400)
  })

  it('creates the account of a link that was sent before', async () => {
    const { link, cookies } = before.signingUp
    const other = await openBrowser({}).open(link)
    expect(await other.text()).toContain('in another browser')
    expect((await openBrowser(cookies).open(link)).status).toBe(303)
    expect(await findUserByEmail('linus@example.org')).toMatchObject({ username: 'Linus', confirmed: 1 })
  })

  it('finishes a sign-in with GitHub that was started before', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { path, cookies } = before.atGitHub
    const browser = openBrowser(cookies)
    const answer = await browser.open(await authorize(path))
    expect(answer.headers.get('Location')).toBe('/account')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
    expect((await findUserByEmail(`${login}@example.org`))?.username).toBe('Ken')
  })

  it('finishes connecting GitHub that was started before', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const { path, cookies } = before.connecting
    const answer = await openBrowser(cookies).open(await authorize(path))
    expect(answer.headers.get('Location')).toBe('/account')
    const linked = await findLinkedAccount((await findUserByEmail('ada@example.org'))?.id)
    expect(linked?.scope.split(',')).toContain('gist')
  })

  it('signs in with a GitHub account that was connected before, and keeps its token', async () => {
    const login = createLogin()
    const { id } = await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await env.DB.prepare('UPDATE linked_accounts SET account_id = ?1').bind(String(id)).run()
    const grace = await findUserByEmail('grace@example.org')
    const linked = await findLinkedAccount(grace?.id)
    const browser = openBrowser({})
    await signInWithGitHub(browser)
    expect(await (await browser.open('/account')).text()).toContain('grace@example.org')
    expect(await findLinkedAccount(grace?.id)).toEqual(linked)
    expect(await decryptToken(linked?.access_token ?? '', env.AUTH_SECRET ?? '')).toMatch(/^gho_/)
  })
})

describe('a sign-in link', () => {
  it('is stored as that release reads it, which may run for a while during an upgrade', async () => {
    await loadRows()
    const { bindings, sent } = captureEmailWithGitHub()
    await new TestBrowser(bindings).submit('/sign-up', { email: 'linus@example.org', username: 'Linus' })
    const link = /\/sign-in\/link\S+/.exec(sent[0]?.text ?? '')?.[0] ?? ''
    const { results } = await env.DB.prepare(
      `SELECT value FROM verifications WHERE value ->> 'email' = 'linus@example.org'`,
    ).all()
    expect(getToken(link)).toHaveLength(32)
    expect(new Set(results.map(({ value }) => value)).size).toBe(1)
    expect(results).toHaveLength(2)
  })
})
