import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import {
  authorizeAtGitHub,
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  findLinkedAccount,
  findUserByEmail,
} from '../../support/github/github-sign-in.ts'
import { getLink } from '../../support/site/email.ts'
import { getToken, SESSION_COOKIE } from '../../support/site/sign-up.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

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
