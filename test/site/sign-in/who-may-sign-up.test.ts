import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createSignInLink, signInByLink } from '../../../src/accounts/sign-in/links.ts'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { countCalls } from '../../support/bindings.ts'
import {
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  signInWithGitHub,
} from '../../support/github/github-sign-in.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { countUsers, createPerson, getToken } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

/** Each leads a new person to an account, if the server lets them. */
const WAYS = {
  'the sign-up form': async (SIGN_UP: string) => {
    const { bindings, sent } = captureEmail({ SIGN_UP })
    const browser = new TestBrowser(bindings)
    const person = createPerson()
    await browser.submit('/sign-up', person)
    if (sent.length > 0) await browser.open(getLink(sent[0]))
    return person.email
  },
  'a link from the sign-in form': async (SIGN_UP: string) => {
    const { bindings, sent } = captureEmail({ SIGN_UP })
    const browser = new TestBrowser(bindings)
    const { email, username } = createPerson()
    await browser.submit('/sign-in', { email })
    if (sent.length > 0)
      await browser.submit('/sign-in/link', { token: getToken(getLink(sent[0])), username })
    return email
  },
  'a link that was sent before the setting': async (SIGN_UP: string) => {
    const open = captureEmail()
    const person = createPerson()
    await new TestBrowser(open.bindings).submit('/sign-up', person)
    const token = getToken(getLink(open.sent[0]))
    await new TestBrowser(captureEmail({ SIGN_UP }).bindings).submit('/sign-in/link', { token })
    return person.email
  },
  GitHub: async (SIGN_UP: string) => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    await signInWithGitHub(new TestBrowser(captureEmailWithGitHub({ SIGN_UP }).bindings))
    return `${login}@example.org`
  },
} satisfies Record<string, (SIGN_UP: string) => Promise<string>>

const SETTINGS = [
  ['open', 1],
  ['closed', 0],
  ['@example.org @team.example', 1],
  ['@Example.ORG', 1],
  ['@team.example', 0],
  ['@ample.org', 0],
  ['@sub.example.org', 0],
] as const

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  it.each(SETTINGS)('with SIGN_UP = "%s" creates %i account', async (setting, accounts) => {
    expect(await countUsers(await way(setting))).toBe(accounts)
  })
})

describe('the statement that creates accounts', () => {
  it('refuses by itself, whatever was checked before', async () => {
    const db = new Database(env.DB, 5_000)
    const { email, username } = createPerson()
    const now = Date.now()
    const { token } = await createSignInLink(db, { email, username, invitation: null, now })
    const signIn = { token, username, previousToken: null, sessionDays: 30, network: '192.0.2.0/24', now }
    expect(
      await signInByLink(db, {
        ...signIn,
        invitation: null,
        signUp: { domains: ['@team.example'], inviters: null },
      }),
    ).toBe('refused')
    expect(await countUsers(email)).toBe(0)
  })
})

describe('a new account', () => {
  it('is in the audit log once, whichever way it was created', async () => {
    for (const way of Object.values(WAYS)) {
      const email = await way('open')
      const { results } = await env.DB.prepare(
        `SELECT actor, subject, address FROM audit_log
          WHERE action = 'account.create' AND subject = (SELECT username FROM users WHERE email = ?1)`,
      )
        .bind(email)
        .all()
      expect(results).toHaveLength(1)
      expect(results[0]?.actor).toBe(results[0]?.subject)
    }
  })
})

describe.each(['closed', '@team.example'])('a server with SIGN_UP = "%s"', (SIGN_UP) => {
  const askFor = async (email: string) => {
    const { bindings, sent } = captureEmail({ SIGN_UP })
    const { bindings: counting, calls } = countCalls()
    const answer = await new TestBrowser({ ...bindings, DB: counting.DB }).submit('/sign-in', { email })
    const page = (await answer.text()).replaceAll(email, 'ADDRESS')
    return { page: `${answer.status} ${page}`, calls, recipients: sent.map(({ to }) => to) }
  }

  it('answers strangers as it answers accounts, with as many storage calls, and sends them nothing', async () => {
    const { email } = await account()
    const known = await askFor(email)
    const stranger = await askFor('stranger@example.org')
    expect(known.page).toMatch(/^200[\s\S]*If <strong>ADDRESS<\/strong> has/)
    expect(stranger.page).toBe(known.page)
    expect(stranger.calls).toEqual(known.calls)
    expect(known.recipients).toEqual([email])
    expect(stranger.recipients).toEqual([])
  })

  it('limits strangers as it limits accounts', async () => {
    const { email } = await account()
    const statuses = async (address: string) => {
      const { bindings } = captureEmail({ SIGN_UP })
      const found: number[] = []
      for (let n = 0; n < 12; n++)
        found.push((await new TestBrowser(bindings).submit('/sign-in', { email: address })).status)
      return found
    }
    const known = await statuses(email)
    expect(known).toContain(429)
    expect(await statuses('another-stranger@example.org')).toEqual(known)
  })

  it('says the same to both once the emails of the hour are used up, which strangers can’t use up', async () => {
    await env.DB.exec('DELETE FROM mails_sent')
    const { email } = await account()
    const { bindings, sent } = captureEmail({ SIGN_UP, SERVER_MAX_EMAILS_PER_HOUR: '1' })
    const ask = async (address: string) => {
      const answer = await new TestBrowser(bindings).submit('/sign-in', { email: address })
      return `${answer.status} ${(await answer.text()).replaceAll(address, 'ADDRESS')}`
    }
    for (let n = 0; n < 3; n++) await ask(`stranger-${n}@example.org`)
    await ask(email)
    expect(sent).toHaveLength(1)
    const refused = await ask(email)
    expect(refused).toMatch(/^429[\s\S]*too many emails/)
    expect(await ask('late-stranger@example.org')).toBe(refused)
  })

  it('sends nothing to a browser whose account is gone', async () => {
    const { id, email } = await account()
    const { bindings, sent } = captureEmail({ SIGN_UP })
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email })
    await browser.open(getLink(sent[0]))
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(id).run()
    await browser.submit('/sign-out', {})
    await browser.submit('/sign-in', { email })
    expect(sent).toHaveLength(1)
  })
})

describe('a server with SIGN_UP = "closed"', () => {
  const open = async (path: string) => {
    const answer = await new TestBrowser(captureEmail({ SIGN_UP: 'closed' }).bindings).open(path)
    return { status: answer.status, page: await answer.text() }
  }

  it('offers no sign-up', async () => {
    for (const path of ['/', '/sign-in', '/device'])
      expect((await open(path)).page).not.toContain('"/sign-up')
    expect((await open('/sign-in')).page).toContain('the operator creates accounts')
    expect(await open('/sign-up')).toMatchObject({
      status: 403,
      page: expect.stringContaining('Sign-up is closed'),
    })
    // It would tell which usernames there are.
    expect((await open('/sign-up/username?name=ada')).status).toBe(403)
  })
})

describe('a server for the addresses of two domains', () => {
  it('tells nobody which usernames there are before a link has proved an address', async () => {
    const { bindings, sent } = captureEmail({ SIGN_UP: '@team.example' })
    const { username } = await account()
    const answers = async (name: string) => {
      const browser = new TestBrowser(bindings)
      const problem = await (await browser.open(`/sign-up/username?name=${name}`)).json()
      const strangers = { email: 'somebody@elsewhere.example', username: name }
      return [problem, (await (await browser.submit('/sign-up', strangers)).text()).replaceAll(name, 'NAME')]
    }
    const free = createPerson().username
    expect(await answers(username)).toEqual(await answers(free))
    expect(sent).toEqual([])
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-up', { email: `${free}@team.example`, username })
    const opened = await browser.open(getLink(sent[0]))
    expect(opened.status).toBe(400)
    expect(await opened.text()).toContain('This username is taken')
  })

  it('says which on the sign-up page', async () => {
    const { bindings } = captureEmail({ SIGN_UP: '@example.org @team.example' })
    const page = await (await new TestBrowser(bindings).open('/sign-up')).text()
    expect(page).toContain('Use your address at example.org or team.example.')
  })

  it('tells the owner of another address, who has a link, that there is no account', async () => {
    const open = captureEmail()
    const { email, username } = createPerson()
    await new TestBrowser(open.bindings).submit('/sign-up', { email, username })
    const closed = new TestBrowser(captureEmail({ SIGN_UP: '@team.example' }).bindings)
    const answer = await closed.open(getLink(open.sent[0]))
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('doesn’t take new accounts for your address')
  })

  it('tells somebody whom GitHub proves, too', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const browser = new TestBrowser(captureEmailWithGitHub({ SIGN_UP: '@team.example' }).bindings)
    const answer = await signInWithGitHub(browser)
    const page = await (await browser.open(answer.headers.get('Location') ?? '')).text()
    expect(page).toContain('There’s no account here for you')
  })
})
