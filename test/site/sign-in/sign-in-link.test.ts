import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/platform/database.ts'
import { account, session } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { send } from '../../support/client.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
} from '../../support/github/github-sign-in.ts'
import { linkGitHub } from '../../support/github/publishing.ts'
import { expectFaults } from '../../support/log.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { countUsers, getToken, requestSignUp, SESSION_COOKIE, signUp } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('a sign-in link', () => {
  it('works once', async () => {
    const { browser, link, bindings } = await signUp()
    for (const opener of [browser, new TestBrowser(bindings)]) {
      const again = await opener.open(link)
      expect(again.status).toBe(400)
      expect(await again.text()).toContain('no longer works')
    }
  })

  it('signs in one browser when many open it at once', async () => {
    const { bindings, link } = await requestSignUp()
    const token = getToken(link)
    const browsers = Array.from({ length: 16 }, () => new TestBrowser(bindings))
    const answers = await Promise.all(browsers.map((browser) => browser.submit('/sign-in/link', { token })))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(browsers.filter(({ cookies }) => cookies.has(SESSION_COOKIE))).toHaveLength(1)
  })

  it('expires after 15 minutes', async () => {
    const { browser, link } = await requestSignUp()
    await env.DB.prepare('UPDATE verifications SET expires_at = expires_at - 900000').run()
    expect((await browser.open(link)).status).toBe(400)
  })

  it("asks for confirmation in a browser that didn't request it", async () => {
    const { bindings, link, email } = await requestSignUp()
    const other = new TestBrowser(bindings)
    const response = await other.open(link)
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('in another browser')
    expect(page).toContain(email)
    expect(other.cookies.size).toBe(0)
    expect(await countUsers(email)).toBe(0)
    const token = getToken(link)
    expect((await other.submit('/sign-in/link', { token })).status).toBe(303)
    expect(other.cookies.has(SESSION_COOKIE)).toBe(true)
  })

  it("isn't consumed by link scanners", async () => {
    const { browser, bindings, link } = await requestSignUp()
    await new TestBrowser(bindings).open(link)
    await new TestBrowser(bindings).open(link, { method: 'HEAD' })
    await browser.open(link, { method: 'HEAD' })
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
    expect((await browser.open(link)).status).toBe(303)
  })

  it('works again if the sign-in failed, and once if only the answer was lost', async () => {
    const { browser, link, email } = await requestSignUp()
    const cookies = [...browser.cookies]
    const openWith = async (around: Parameters<typeof bindingsWith>[0]) => {
      const other = new TestBrowser(bindingsWith(around))
      for (const [name, value] of cookies) other.setCookie(name, value)
      return (await other.open(link)).status
    }
    expectFaults('request failed')
    const failing = await openWith((name, run) => {
      if (name === 'DB.batch') throw new Error('D1_ERROR: D1 DB is overloaded')
      return run()
    })
    expect(failing).toBe(503)
    expect(await countUsers(email)).toBe(0)
    let lost = 0
    const losing = await openWith(async (name, run) => {
      const answer = await run()
      if (name === 'DB.batch' && lost++ === 0) throw new Error('Network connection lost')
      return answer
    })
    expect({ status: losing, users: await countUsers(email) }).toEqual({ status: 303, users: 1 })
    const sessions = env.DB.prepare(
      'SELECT count(*) AS n FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ?1',
    )
    expect(await sessions.bind(email).first('n')).toBe(1)
    expect((await browser.open(link)).status).toBe(400)
  })

  it('is kept, and asks for another username, if someone takes it at the last moment', async () => {
    const { browser, link, email, username } = await requestSignUp()
    const racing = new TestBrowser(
      bindingsWith(async (name, run) => {
        if (name === 'DB.batch') await account({ username: username.toUpperCase() }).catch(() => null)
        return run()
      }),
    )
    for (const [name, value] of browser.cookies) racing.setCookie(name, value)
    const refused = await racing.open(link)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('is taken')
    const chosen = { token: getToken(link), username: `${username}-2` }
    expect((await browser.submit('/sign-in/link', chosen)).status).toBe(303)
    expect(await countUsers(email)).toBe(1)
  })

  it('ends the sessions and the GitHub connection that an account had before its address was proven', async () => {
    const own = await account({ confirmed: false })
    const planted = await session(own)
    await linkGitHub(own.id, { token: 'gho_planted', scopes: ['gist'] })
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email: own.email })
    expect((await browser.open(getLink(sent[0]))).status).toBe(303)
    expect((await browser.open('/account')).status).toBe(200)
    expect((await send('/account', { headers: planted, redirect: 'manual' })).status).toBe(303)
    expect(await findLinkedAccount(own.id)).toBeNull()
  })

  it('is stored as a hash, as are session tokens', async () => {
    const { link, browser } = await requestSignUp()
    const token = getToken(link)
    expect(token).toMatch(/^[A-Za-z0-9]{32}$/)
    const rows = await env.DB.prepare('SELECT * FROM verifications').all()
    expect(JSON.stringify(rows.results)).not.toContain(token)
    expect([...browser.cookies.values()].join()).not.toContain(token)
    await browser.open(link)
    const [session = ''] = decodeURIComponent(browser.cookies.get(SESSION_COOKIE) ?? '').split('.')
    const sessions = await env.DB.prepare('SELECT * FROM sessions').all()
    expect(JSON.stringify(sessions.results)).not.toContain(session)
  })

  it.each(['', 'x', "' OR 1=1 --", '%00', 'a'.repeat(5_000)])('is refused if invalid: %j', async (token) => {
    const answer = await send(`/sign-in/link?token=${encodeURIComponent(token)}`)
    expect(answer.status).toBe(400)
  })
})

const AHEAD_MS = 200
/** D1's clock counts whole seconds. */
const passDeadline = () => new Promise((resolve) => setTimeout(resolve, AHEAD_MS + 1_100))

/** Returns a browser, and a function that makes D1 run its next transaction twice: at once, and again with `runLate`. */
function openBrowser() {
  const { bindings, sent } = captureEmailWithGitHub()
  let isNext = false
  let late: (() => Promise<unknown>) | null = null
  const { DB } = bindingsWith(async (name, run) => {
    if (name !== 'DB.batch' || !isNext) return run()
    isNext = false
    late = run
    throw new Error('Network connection lost')
  })
  const runLate = async () => {
    await passDeadline()
    if (late === null) throw new Error('no transaction was lost')
    await late()
  }
  const loseNext = () => {
    isNext = true
  }
  return { browser: new TestBrowser({ ...bindings, DB }), bindings, sent, loseNext, runLate }
}

async function createGitHubUser(): Promise<string> {
  const login = createLogin()
  await controlGitHub({ do: 'create account', login })
  await controlGitHub({ do: 'sign in', login })
  return `${login}@example.org`
}

describe('a transaction that D1 runs once more, long after it was given up', () => {
  beforeEach(() => {
    vi.spyOn(Database.prototype, 'deadline').mockImplementation(() => Date.now() + AHEAD_MS)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("doesn't bring back a link that was used", async () => {
    const { email } = await account()
    const { browser, bindings, sent, loseNext, runLate } = openBrowser()
    // The first transaction counts the email.
    await env.DB.exec('DELETE FROM mails_sent')
    const count = Database.prototype.idempotentBatch
    vi.spyOn(Database.prototype, 'idempotentBatch').mockImplementation(function (this: Database, statements) {
      if (statements.some(([sql]) => sql.includes('INTO verifications'))) loseNext()
      return count.call(this, statements)
    })
    await browser.submit('/sign-in', { email })
    const link = getLink(sent[0])
    expect((await browser.open(link)).status).toBe(303)
    await runLate()
    const again = await new TestBrowser(bindings).submit('/sign-in/link', { token: getToken(link) })
    expect(again.status).toBe(400)
  })

  it("doesn't bring back a session that signed in with GitHub, or its account", async () => {
    const email = await createGitHubUser()
    const { browser, bindings, loseNext, runLate } = openBrowser()
    const path = await authorizeAtGitHub(await browser.submit('/sign-in/github'))
    loseNext()
    expect((await browser.open(path)).headers.get('Location')).toBe('/account')
    const session = browser.cookies.get(SESSION_COOKIE) ?? ''
    await browser.submit('/sign-out')
    const user = await findUserByEmail(email)
    await runLate()
    const thief = new TestBrowser(bindings)
    thief.setCookie(SESSION_COOKIE, session)
    expect((await thief.open('/account')).status).toBe(303)
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(user?.id).run()
    await runLate()
    expect(await findUserByEmail(email)).toBeNull()
  })

  it("doesn't connect GitHub again after it was disconnected", async () => {
    await createGitHubUser()
    const own = await account()
    const { browser, sent, loseNext, runLate } = openBrowser()
    await browser.submit('/sign-in', { email: own.email })
    await browser.open(getLink(sent[0]))
    const path = await authorizeAtGitHub(await browser.submit('/account/github/connect'))
    loseNext()
    await browser.open(path)
    expect(await findLinkedAccount(own.id)).not.toBeNull()
    await browser.submit('/account/github/disconnect')
    await runLate()
    expect(await findLinkedAccount(own.id)).toBeNull()
  })
})
