import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { type Account, account, session, suspend } from '../../support/accounts.ts'
import { send, withVars } from '../../support/client.ts'
import { findUserByEmail } from '../../support/github/github-sign-in.ts'
import { expectFaults } from '../../support/log.ts'
import {
  authorize,
  captureEmailWithProvider,
  createPerson,
  issuer,
  signInWithProvider,
  startSignIn,
  withProvider,
} from '../../support/oidc/oidc-sign-in.ts'
import type { Person } from '../../support/oidc/people.ts'
import { getLink } from '../../support/site/email.ts'
import { requestPage } from '../../support/site/forms.ts'
import { SESSION_COOKIE } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

const FAILED = 'sign-in with the OpenID provider failed'
const UNAVAILABLE = 'the OpenID provider is unavailable'

const findLinks = async (userId: unknown) =>
  (
    await env.DB.prepare('SELECT provider_id, account_id FROM linked_accounts WHERE user_id = ?1')
      .bind(userId ?? '')
      .all()
  ).results

/** Expects that nobody is signed in, and returns what the page says. */
async function expectRefused(browser: TestBrowser, answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  const location = answer.headers.get('Location') ?? ''
  expect(location).toMatch(/^\/sign-in\?error=/)
  expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  const html = await (await browser.open(location)).text()
  return /role="alert"[^>]*>([^<]+)</.exec(html)?.[1] ?? ''
}

const linkByCommand = (userId: string, sub: string) =>
  env.DB.prepare(
    `INSERT INTO linked_accounts (id, user_id, provider_id, account_id, created_at) VALUES (?1, ?1, ?2, ?3, 0)`,
  )
    .bind(userId, new URL(issuer).href, sub)
    .run()

describe('signing in with a provider', () => {
  it('creates an account, and finds it again by issuer and subject, whatever the address is then', async () => {
    const person = createPerson()
    const browser = new TestBrowser(withProvider())
    const answer = await signInWithProvider(browser, person)
    expect(answer.headers.get('Location')).toBe('/account')
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
    const user = await findUserByEmail(person.email)
    expect(user).toMatchObject({ username: person.preferred_username, confirmed: 1 })
    expect(await findLinks(user?.id)).toEqual([{ provider_id: new URL(issuer).href, account_id: person.sub }])
    const again = new TestBrowser(withProvider())
    const moved = { ...person, email: 'moved@acme.example', email_verified: false }
    const back = await signInWithProvider(again, moved, { return: '/explore' })
    expect(back.headers.get('Location')).toBe('/explore')
    expect(await (await again.open('/account')).text()).toContain(`>${person.preferred_username}</h2>`)
  })

  it('sends the secret in the body if the provider takes it only there', async () => {
    const browser = new TestBrowser(withProvider({ OIDC_ISSUER: inject('oidcPostIssuer') }))
    const answer = await signInWithProvider(browser, createPerson())
    expect(answer.headers.get('Location')).toBe('/account')
  })

  it('gives a new account the username that was chosen', async () => {
    const person = createPerson()
    await signInWithProvider(new TestBrowser(withProvider()), person, {
      username: `c-${person.sub.slice(-8)}`,
    })
    expect(await findUserByEmail(person.email)).toMatchObject({ username: `c-${person.sub.slice(-8)}` })
  })

  it('connects the account that has confirmed the same address', async () => {
    const own = await account()
    const person = createPerson({ email: own.email.toUpperCase() })
    const browser = new TestBrowser(withProvider())
    await signInWithProvider(browser, person)
    expect(await findLinks(own.id)).toEqual([{ provider_id: new URL(issuer).href, account_id: person.sub }])
  })

  it('connects no account by an address that one of the two has not verified', async () => {
    const unconfirmed = await account({ confirmed: false })
    const browser = new TestBrowser(withProvider())
    const answer = await signInWithProvider(browser, createPerson({ email: unconfirmed.email }))
    expect(await expectRefused(browser, answer)).toContain('nobody has confirmed that it’s theirs')
    const confirmed = await account()
    for (const email_verified of [false, 'true']) {
      const answer = await signInWithProvider(
        browser,
        createPerson({ email: confirmed.email, email_verified }),
      )
      expect(await expectRefused(browser, answer)).toContain('has no verified email address')
    }
    expect(await findLinks(unconfirmed.id)).toEqual([])
    expect(await findLinks(confirmed.id)).toEqual([])
  })

  it('connects no account that belongs to somebody else at the provider', async () => {
    const own = await account()
    await signInWithProvider(new TestBrowser(withProvider()), createPerson({ email: own.email }))
    const browser = new TestBrowser(withProvider())
    const answer = await signInWithProvider(browser, createPerson({ email: own.email }))
    expect(await expectRefused(browser, answer)).toContain('Another Acme ID account is already connected')
  })

  it('takes a connection that the operator has made, without an address', async () => {
    const own = await account()
    const { sub } = createPerson()
    await linkByCommand(own.id, sub)
    const browser = new TestBrowser(withProvider())
    await signInWithProvider(browser, { sub })
    expect(await (await browser.open('/account')).text()).toContain(`>${own.username}</h2>`)
  })

  it('lets no suspended account in', async () => {
    const own = await account()
    await suspend(own)
    const browser = new TestBrowser(withProvider())
    const answer = await signInWithProvider(browser, createPerson({ email: own.email }))
    expect(await expectRefused(browser, answer)).toBe('Your account is suspended.')
  })

  it('creates an account only for whom SIGN_UP admits', async () => {
    const person = createPerson()
    const refusing = new TestBrowser(withProvider({ SIGN_UP: 'closed' }))
    expect(await expectRefused(refusing, await signInWithProvider(refusing, person))).toContain(
      'There’s no account here for you',
    )
    expect(await findUserByEmail(person.email)).toBeNull()
    await signInWithProvider(new TestBrowser(withProvider({ SIGN_UP: '@acme.example' })), person)
    expect(await findUserByEmail(person.email)).not.toBeNull()
  })

  it('explains when the person declines', async () => {
    const browser = new TestBrowser(withProvider())
    const answer = await signInWithProvider(browser, 'declines')
    expect(await expectRefused(browser, answer)).toContain('You didn’t allow access to your Acme ID account')
  })

  it('starts only with a form of this site', async () => {
    const answer = await send(
      '/sign-in/oidc',
      { method: 'POST', headers: { Origin: 'https://elsewhere.example' }, body: new URLSearchParams() },
      { bindings: withProvider() },
    )
    expect(answer.status).toBe(403)
  })
})

describe('an answer of the provider', () => {
  it.each([
    ['wrong-nonce', /nonce/],
    ['wrong-issuer', /issuer|iss/],
    ['wrong-audience', /audience|aud/],
    ['expired', /"exp"/],
    ['no-id-token', /ID Token|id_token/],
    ['nonsense', /JSON|parse/],
    ['huge', /too long/],
  ] as const)('lets nobody in: %s', async (client, reason) => {
    const lines = expectFaults(FAILED)
    const person = createPerson()
    const browser = new TestBrowser(withProvider({}, client))
    const answer = await signInWithProvider(browser, person)
    expect(await expectRefused(browser, answer)).toContain('We couldn’t verify what Acme ID says about you')
    expect(await findUserByEmail(person.email)).toBeNull()
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '{}').error.message).toMatch(reason)
  })

  it('lets nobody in with another state, or in another browser', async () => {
    const browser = new TestBrowser(withProvider())
    const path = await authorize(await startSignIn(browser), createPerson())
    const other = await browser.open(path.replace(/state=[^&]+/, `state=${'x'.repeat(32)}`))
    await expectRefused(browser, other)
    const stranger = new TestBrowser(withProvider())
    await startSignIn(stranger)
    await expectRefused(stranger, await stranger.open(path))
  })

  it('that is an error is logged without its URL', async () => {
    const lines = expectFaults(FAILED)
    const browser = new TestBrowser(withProvider())
    const path = await authorize(await startSignIn(browser), createPerson())
    const answer = path.replace(/code=[^&]+/, 'error=server_error&error_description=for+somebody')
    await expectRefused(browser, await browser.open(answer))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('server_error')
    expect(lines[0]).not.toContain(new URLSearchParams(path.split('?')[1]).get('state'))
    expect(lines[0]).not.toContain('somebody')
  })

  it('lets nobody in with the issuer of another provider (RFC 9207)', async () => {
    expectFaults(FAILED)
    const browser = new TestBrowser(withProvider())
    const path = await authorize(await startSignIn(browser), createPerson())
    expect(path).toContain('iss=')
    await expectRefused(
      browser,
      await browser.open(path.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Felsewhere.example')),
    )
  })

  it('works once', async () => {
    const browser = new TestBrowser(withProvider())
    const address = await startSignIn(browser)
    const cookies = [...browser.cookies]
    const path = await authorize(address, createPerson())
    await browser.open(path)
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
    const replaying = new TestBrowser(withProvider())
    for (const [name, value] of cookies) replaying.setCookie(name, value)
    await expectRefused(replaying, await replaying.open(path))
  })

  it('comes too late after ten minutes', async () => {
    const browser = new TestBrowser(withProvider())
    const path = await authorize(await startSignIn(browser), createPerson())
    await env.DB.prepare(`UPDATE verifications SET expires_at = 1 WHERE value ->> 'nonce' IS NOT NULL`).run()
    await expectRefused(browser, await browser.open(path))
  })
})

describe('a provider that does not work', () => {
  it.each(['/nonsense', '/broken', '/moved', '/other', '/script', '/slow', '/trickle', ':1'])(
    'is one sentence on the page, and other ways to sign in stay: %s',
    async (path) => {
      const lines = expectFaults(UNAVAILABLE)
      const OIDC_ISSUER = path === ':1' ? 'http://127.0.0.1:1' : issuer + path
      const browser = new TestBrowser(captureEmailWithProvider({ OIDC_ISSUER }).bindings)
      const answer = await browser.submit('/sign-in/oidc')
      expect(await expectRefused(browser, answer)).toBe('We can’t reach Acme ID right now. Try again later.')
      expect(lines).toHaveLength(1)
      const html = await (await browser.open('/sign-in')).text()
      expect(html).toContain('Send sign-in link')
    },
  )
})

describe('connecting from the account page', () => {
  const CONNECT = '/account/single-sign-on/connect'
  const DISCONNECT = '/account/single-sign-on/disconnect'

  async function signIn(own: Account, browser: TestBrowser): Promise<void> {
    const [name = '', value = ''] = (await session(own)).Cookie.split(/=(.*)/s)
    browser.setCookie(name, value)
  }

  async function member(vars: Record<string, string> = {}) {
    const own = await account()
    const { bindings, sent } = captureEmailWithProvider(vars)
    const browser = new TestBrowser(bindings)
    await signIn(own, browser)
    const connect = async (person: Person | 'declines') =>
      browser.open(await authorize(await startSignIn(browser, {}, CONNECT), person))
    return { own, browser, sent, connect }
  }

  it('takes another address at the provider, tells the account, and can be undone', async () => {
    const { own, browser, sent, connect } = await member()
    const person = createPerson()
    expect((await connect(person)).headers.get('Location')).toBe('/account')
    expect(await findLinks(own.id)).toEqual([{ provider_id: new URL(issuer).href, account_id: person.sub }])
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      [own.email, 'Acme ID is now connected to your Regent account'],
    ])
    const html = await (await browser.open('/account')).text()
    expect(html).toContain(`<strong>${person.preferred_username}</strong> signs you in.`)
    const elsewhere = new TestBrowser(withProvider())
    await signInWithProvider(elsewhere, person)
    expect(await (await elsewhere.open('/account')).text()).toContain(`>${own.username}</h2>`)
    await connect(person)
    expect(sent).toHaveLength(1)
    await browser.submit(DISCONNECT, { issuer: new URL(issuer).href })
    expect(await findLinks(own.id)).toEqual([])
    expect(await (await browser.open('/account')).text()).toContain('Connect Acme ID')
  })

  it('says what went wrong on the account page', async () => {
    const { browser, connect } = await member()
    await connect(createPerson())
    const { own } = await member()
    const { own: other, connect: connectOther, browser: otherBrowser } = await member()
    const answer = await connect(createPerson())
    expect(answer.headers.get('Location')).toBe('/account?error=another_account_linked&with=oidc')
    const page = await browser.open(answer.headers.get('Location') ?? '')
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('Another Acme ID account is already connected. Disconnect it first.')
    const person = createPerson()
    await linkByCommand(own.id, person.sub)
    const taken = await otherBrowser.open((await connectOther(person)).headers.get('Location') ?? '')
    expect(await taken.text()).toContain('This Acme ID account is connected to another account here.')
    const declined = await otherBrowser.open((await connectOther('declines')).headers.get('Location') ?? '')
    expect(await declined.text()).toContain('You didn’t allow access to your Acme ID account.')
    expect(await findLinks(other.id)).toEqual([])
  })

  it('connects nothing for a session that has ended or changed in the meantime', async () => {
    const { own, browser } = await member()
    const path = await authorize(await startSignIn(browser, {}, CONNECT), createPerson())
    await signIn(await account(), browser)
    expect((await browser.open(path)).headers.get('Location')).toBe(
      '/account?error=unable_to_link_account&with=oidc',
    )
    expect(await findLinks(own.id)).toEqual([])
  })

  it('keeps the only way to sign in where the server offers another that isn’t connected', async () => {
    const gitHub = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }
    const { own, browser, connect } = await member({ MAIL_FROM: '', ...gitHub })
    const disconnect = async (path: string) => {
      const answer = await browser.submit(path, { issuer: new URL(issuer).href })
      return [answer.status, /You can’t disconnect [^<]*/.exec(await answer.text())?.[0]]
    }
    await connect(createPerson())
    expect(await disconnect(DISCONNECT)).toEqual([
      400,
      'You can’t disconnect Acme ID, because it’s your only way to sign in.',
    ])
    await env.DB.prepare(
      "INSERT INTO linked_accounts (id, user_id, provider_id, account_id, created_at) VALUES (?1, ?1, 'github', ?1, 0)",
    )
      .bind(own.id)
      .run()
    expect(await disconnect(DISCONNECT)).toEqual([303, undefined])
    expect(await disconnect('/account/github/disconnect')).toEqual([
      400,
      'You can’t disconnect GitHub, because it’s your only way to sign in.',
    ])
    expect(await findLinks(own.id)).toEqual([{ provider_id: 'github', account_id: own.id }])
  })

  it('keeps the only way to sign in, and lets a former provider go', async () => {
    const { own, browser, connect } = await member({ OIDC_ONLY: 'on' })
    await connect(createPerson())
    const refused = await browser.submit(DISCONNECT, { issuer: new URL(issuer).href })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(
      'You can’t disconnect Acme ID, because it’s your only way to sign in.',
    )
    await env.DB.prepare('UPDATE linked_accounts SET provider_id = ?2 WHERE user_id = ?1')
      .bind(own.id, 'https://former.example/')
      .run()
    expect(await (await browser.open('/account')).text()).toContain('former.example')
    await browser.submit(DISCONNECT, { issuer: 'https://former.example/' })
    expect(await findLinks(own.id)).toEqual([])
  })
})

describe('OIDC_ONLY', () => {
  const only = { OIDC_ONLY: 'on', GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }

  it('leaves the provider as the only way to sign in', async () => {
    const { bindings, sent } = captureEmailWithProvider(only)
    for (const path of ['/sign-in', '/sign-up']) {
      const { html } = await requestPage(path, {}, bindings)
      expect(html).toContain('Continue with Acme ID')
      expect(html).not.toContain('Continue with GitHub')
      expect(html).not.toContain('type="email"')
    }
    const browser = new TestBrowser(bindings)
    expect((await browser.submit('/sign-in', { email: 'ada@acme.example' })).status).toBe(404)
    expect((await browser.submit('/sign-in/github')).headers.get('Location')).toBe('/sign-in?error=unknown')
    expect(sent).toEqual([])
    await signInWithProvider(browser, createPerson())
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
  })

  it('ends links that were sent before', async () => {
    const own = await account()
    const { bindings, sent } = captureEmailWithProvider()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email: own.email })
    const path = getLink(sent[0])
    const later = new TestBrowser(captureEmailWithProvider(only).bindings)
    for (const [name, value] of browser.cookies) later.setCookie(name, value)
    expect((await later.open(path)).status).toBe(400)
    expect(later.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it('still lets people connect GitHub for gists', async () => {
    const { bindings } = captureEmailWithProvider(only)
    const { Cookie } = await session(await account())
    const { html } = await requestPage('/account', { headers: { Cookie } }, bindings)
    expect(html).toContain('Connect GitHub')
  })
})

describe('SESSION_DAYS', () => {
  it('says how long people stay signed in', async () => {
    const person = createPerson()
    const browser = new TestBrowser(withProvider({ SESSION_DAYS: '2' }))
    const answer = await signInWithProvider(browser, person)
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith(SESSION_COOKIE)) ?? ''
    expect(cookie).toContain(`Max-Age=${2 * 86_400}`)
    const user = await findUserByEmail(person.email)
    const row = await env.DB.prepare(
      'SELECT expires_at - created_at AS length FROM sessions WHERE user_id = ?1',
    )
      .bind(user?.id ?? '')
      .first<{ length: number }>()
    expect(row?.length).toBe(2 * 86_400_000)
    const { html } = await requestPage('/privacy', {}, withVars({ SESSION_DAYS: '1' }))
    expect(html).toMatch(/<\/strong> end after 1 day, emailed/)
  })
})
