import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { toMailbox } from '../../src/accounts/sign-in/email-limits.ts'
import { account } from '../support/accounts.ts'
import { captureEmail, getLink } from '../support/site/email.ts'
import { getToken, signInBrowser } from '../support/site/sign-in.ts'
import { TestBrowser } from '../support/site/test-browser.ts'
import { countStatuses, from, LIMITERS, newAddress } from './support.ts'

beforeEach(async () => {
  await env.DB.exec('DELETE FROM mails_sent')
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns a mail service, and a function that requests a sign-in link with a browser. */
function startMail(vars: Record<string, string> = {}) {
  const { bindings: mail, sent } = captureEmail()
  const bindings: Env = { ...mail, ...LIMITERS, RATE_LIMITS: 'on', ...vars }
  const openBrowser = () => new TestBrowser(bindings)
  const request = (email: string, address = newAddress(), browser = openBrowser()) =>
    browser.submit('/sign-in', { email }, from(address))
  return { sent, openBrowser, request }
}

describe('the limit on emails to a mailbox', () => {
  it('sends 10 of 45 that one /64 requests', async () => {
    const { sent, request } = startMail()
    const answers: Response[] = []
    for (let n = 0; n < 45; n++)
      answers.push(await request('victim@example.org', `2001:db8:a:b:${n.toString(16)}::1`))
    expect(sent).toHaveLength(10)
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 35 })
  })

  it('counts sub-addresses as the same mailbox', async () => {
    const { sent, request } = startMail()
    for (let n = 0; n < 15; n++) await request(`Victim+${n}@example.org`)
    expect(sent).toHaveLength(10)
  })

  it.each([
    ['Ada@Example.org', 'ada@example.org'],
    ['ada+regent+x@example.org', 'ada@example.org'],
    ['a.da@example.org', 'a.da@example.org'],
    ['A.d.a+x@gmail.com', 'ada@gmail.com'],
    ['a.da@googlemail.com', 'ada@gmail.com'],
  ])('counts %s as %s', (email, mailbox) => {
    expect(toMailbox(email)).toBe(mailbox)
  })
})

describe('the limit on emails from a network', () => {
  it('sends 20 of the emails that one /64 requests to different mailboxes', async () => {
    const { sent, request } = startMail()
    for (let n = 0; n < 25; n++) await request(`person-${n}@example.org`, `2001:db8:a:c:${n.toString(16)}::1`)
    expect(sent).toHaveLength(20)
    expect((await request('person-99@example.org')).status).toBe(200)
  })

  it('does not store the address of the network', async () => {
    const { request } = startMail()
    await request('person@example.org', '192.0.2.123')
    const { results } = await env.DB.prepare('SELECT email FROM mails_sent').all()
    expect(results).toHaveLength(4)
    expect(JSON.stringify(results)).not.toContain('192.0.2')
  })
})

describe('somebody for whose address strangers have requested too many links', () => {
  async function flood() {
    const { email } = await account()
    const mail = startMail()
    const browser = mail.openBrowser()
    await mail.request(email, newAddress(), browser)
    const ownLink = getLink(mail.sent[0])
    for (let n = 0; n < 12; n++) await mail.request(email)
    return { ...mail, email, browser, ownLink }
  }

  it('can still use a link that was sent before', async () => {
    const { browser, ownLink } = await flood()
    expect((await browser.open(ownLink)).headers.get('Location')).toBe('/')
  })

  it('is told that the newest link works, and can use it', async () => {
    const { email, request, openBrowser, sent } = await flood()
    const refused = await request(email)
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('Open the newest email: its link still works.')
    const link = getLink(sent.at(-1))
    const browser = openBrowser()
    expect(await (await browser.open(link)).text()).toContain('Sign in with this browser?')
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect((await browser.submit('/sign-in/link', { token })).status).toBe(303)
  })

  it('can request a link in a browser that has signed in with the address before', async () => {
    const { email, browser, ownLink, request, sent } = await flood()
    await browser.open(ownLink)
    await browser.submit('/sign-out')
    const before = sent.length
    const answer = await request(email.toUpperCase(), newAddress(), browser)
    expect(answer.status).toBe(200)
    expect(sent).toHaveLength(before + 1)
    expect((await browser.open(getLink(sent.at(-1)))).status).toBe(303)
  })
})

describe('somebody whose address an account wants to take', () => {
  it('can still request sign-in links, and the newest email is always one', async () => {
    const { email } = await account()
    const stranger = await signInBrowser()
    for (let n = 0; n < 10; n++) {
      await stranger.browser.submit('/account/email', { email })
      const token = getToken(getLink(stranger.sent.at(-1)))
      await stranger.browser.submit('/account/email/leave-email', { token })
    }
    expect(stranger.sent.filter(({ to }) => to === email)).toHaveLength(5)
    const { request, sent } = startMail()
    const answers: Response[] = []
    for (let n = 0; n < 6; n++) answers.push(await request(email))
    expect(countStatuses(answers)).toEqual({ 200: 5, 429: 1 })
    expect(sent.at(-1)?.subject).toBe('Sign in to Regent')
  })
})

describe('a browser that has signed in before', () => {
  it('can request 10 links to its mailbox, and no more than others to another', async () => {
    const [own, other] = [await account(), await account()]
    const { sent, openBrowser, request } = startMail()
    const browser = openBrowser()
    await request(own.email, newAddress(), browser)
    await browser.open(getLink(sent[0]))
    await env.DB.exec('DELETE FROM mails_sent')
    const requestTwelve = async (email: string) => {
      const answers: Response[] = []
      for (let n = 0; n < 12; n++) answers.push(await request(email, newAddress(), browser))
      return countStatuses(answers)
    }
    expect(await requestTwelve(own.email)).toEqual({ 200: 10, 429: 2 })
    for (let n = 0; n < 10; n++) await request(other.email)
    expect(await requestTwelve(other.email)).toEqual({ 429: 12 })
  })

  it("can't forge the proof of another address", async () => {
    const { email } = await account()
    const { openBrowser, request } = startMail()
    const browser = openBrowser()
    browser.setCookie('__Host-regent.known', `browser.${'x'.repeat(43)}`)
    for (let n = 0; n < 10; n++) await request(email)
    expect((await request(email, newAddress(), browser)).status).toBe(429)
  })
})

describe('the limit on emails of the server', () => {
  const LIMIT = { SERVER_MAX_EMAILS_PER_HOUR: '6' }
  const requestFor = async (
    request: ReturnType<typeof startMail>['request'],
    name: string,
    times: number,
  ) => {
    for (let n = 0; n < times; n++) expect((await request(`${name}-${n}@example.org`)).status).toBe(200)
  }

  const toPage = async (answer: Response, address: string) =>
    (await answer.text()).replaceAll(encodeURIComponent(address), 'ADDRESS').replaceAll(address, 'ADDRESS')
  const fill = (key: string, emails: number) =>
    env.DB.batch(
      Array.from({ length: emails }, (_, n) =>
        env.DB.prepare('INSERT INTO mails_sent (email, id, sent_at) VALUES (?1, ?2, ?3)').bind(
          key,
          `filled ${n}`,
          Date.now(),
        ),
      ),
    )

  let log: MockInstance<typeof console.log>

  beforeEach(() => {
    log = vi.spyOn(console, 'log').mockImplementation(() => {})
  })

  it('sends strangers half of them, tells nobody who has an account, and logs when it’s reached', async () => {
    const { email } = await account()
    const { sent, request } = startMail(LIMIT)
    await requestFor(request, 'stranger', 5)
    expect(sent.map(({ to }) => to)).toEqual([0, 1, 2].map((n) => `stranger-${n}@example.org`))
    const unknown = await toPage(await request('nobody@example.org'), 'nobody@example.org')
    expect(await toPage(await request(email), email)).toBe(unknown)
    expect(unknown).toContain('If <strong>ADDRESS</strong> has an account, a link is on its way')
    expect(sent).toHaveLength(4)
    expect(sent[3]?.to).toBe(email)
    const logged = log.mock.calls.flat().filter((line) => String(line).includes('email limit reached'))
    expect(logged).toEqual(['{"event":"email limit reached","to":"addresses without an account"}'])
  })

  it.each([
    ['has no emails left for strangers', 'open', 'server strangers', 3],
    ['has no emails left', 'open', 'server', 6],
    ['has no emails left, and lets nobody sign up', 'closed', 'server', 6],
    ['has no emails left, and lets others sign up', '@example.com', 'server', 6],
    ['has no emails left for strangers, and lets some sign up', '@example.org', 'server strangers', 3],
  ])(
    'answers every address the same, request by request, if the server %s',
    async (_, SIGN_UP, key, emails) => {
      const accounts = await Promise.all(Array.from({ length: 12 }, () => account()))
      const toAnswers = async (addresses: readonly string[]) => {
        await env.DB.exec('DELETE FROM mails_sent')
        await fill(key, emails)
        const { request } = startMail({ SERVER_MAX_EMAILS_PER_HOUR: '6', SIGN_UP })
        const network = newAddress()
        const answers: string[] = []
        for (const address of addresses) {
          // The emails to accounts don't use up what the server has left.
          await env.DB.exec("DELETE FROM mails_sent WHERE email = 'server' AND id NOT LIKE 'filled%'")
          const answer = await request(address, network)
          answers.push(
            `${answer.status} ${answer.headers.get('Retry-After')} ${await toPage(answer, address)}`,
          )
        }
        return answers
      }
      // The first one uses up its mailbox, and the others use up the network.
      const repeated = (addresses: string[]) => [...Array(14).fill(addresses[0]), ...addresses]
      const strangers = accounts.map((_, n) => `nobody-${n}@example.org`)
      expect(await toAnswers(repeated(strangers))).toEqual(
        await toAnswers(repeated(accounts.map(({ email }) => email))),
      )
    },
  )

  it('sends no more than all of them, also to browsers that have signed in', async () => {
    const { email } = await account()
    const { sent, openBrowser, request } = startMail(LIMIT)
    const browser = openBrowser()
    await request(email, newAddress(), browser)
    await browser.open(getLink(sent[0]))
    for (let n = 0; n < 5; n++) await request((await account()).email)
    const refused = await request(email, newAddress(), browser)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('3600')
    expect(await refused.text()).toContain('This server has sent too many emails. Try again in an hour.')
    expect(sent).toHaveLength(6)
    expect((await request('stranger@example.org')).status).toBe(429)
  })

  it('counts an hour', async () => {
    const { sent, request } = startMail(LIMIT)
    await requestFor(request, 'stranger', 3)
    await env.DB.exec('UPDATE mails_sent SET sent_at = sent_at - 3600000')
    await requestFor(request, 'later', 1)
    expect(sent).toHaveLength(4)
  })

  /** A browser that is signed in to an account, on a server with the limit and these variables. */
  async function signIn(vars: Record<string, string> = {}) {
    const { own, browser: signedIn } = await signInBrowser()
    const { bindings, sent } = captureEmail({ ...LIMIT, ...vars })
    const browser = new TestBrowser(bindings)
    for (const [name, value] of signedIn.cookies) browser.setCookie(name, value)
    await env.DB.exec('DELETE FROM mails_sent')
    return { own, browser, sent }
  }

  it('refuses an invitation that it can’t email, and stores nothing of it', async () => {
    const { own, browser, sent } = await signIn({ SIGN_UP: 'invited', INVITATIONS: 'members' })
    const invite = (recipient: string) => browser.submit('/account/invitations', { recipient })
    const answers: Response[] = []
    for (let n = 0; n < 5; n++) answers.push(await invite(`friend-${n}@example.org`))
    expect(countStatuses(answers)).toEqual({ 200: 3, 429: 2 })
    expect(await answers[4]?.text()).toContain('This server has sent too many emails. Try again in an hour.')
    expect(sent).toHaveLength(3)
    const stored = env.DB.prepare('SELECT count(*) AS n FROM invitations WHERE creator_id = ?1').bind(own.id)
    expect(await stored.first('n')).toBe(3)
    // An invitation for a name sends no email.
    expect((await invite('Grace')).status).toBe(200)
  })

  it('counts the notice of a new address before the link that leads to it, so that the link always works', async () => {
    const { own, browser, sent } = await signIn()
    const confirm = (step: string) =>
      browser.submit(`/account/email/${step}`, { token: getToken(getLink(sent.at(-1))) })
    const findAddress = () =>
      env.DB.prepare('SELECT email FROM users WHERE id = ?1').bind(own.id).first<string>('email')
    await browser.submit('/account/email', { email: `new-${own.email}` })
    // One is left, but two are needed.
    await fill('server', 4)
    const refused = await confirm('leave-email')
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('This server has sent too many emails. Try again in an hour.')
    expect(sent).toHaveLength(1)
    await env.DB.exec("DELETE FROM mails_sent WHERE email = 'server'")
    expect((await confirm('leave-email')).status).toBe(200)
    await fill('server', 4)
    expect((await confirm('take-email')).status).toBe(303)
    expect(await findAddress()).toBe(`new-${own.email}`)
    expect(sent).toHaveLength(3)
    expect(sent[2]?.to).toBe(own.email)
  })
})
