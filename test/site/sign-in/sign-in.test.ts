import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { account, suspend } from '../../support/accounts.ts'
import { bindingsWith, countCalls } from '../../support/bindings.ts'
import { create, ORIGIN, send } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { captureEmail, getLink, withEmail } from '../../support/site/email.ts'
import { parseForm } from '../../support/site/forms.ts'
import { countUsers, createPerson, getToken, SESSION_COOKIE, signUp } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('signing in', () => {
  it('sends a link that signs in to the account', async () => {
    const { email, username } = await account()
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email: email.toUpperCase(), return: '/account?x=1#keys' })
    expect(sent[0]?.subject).toBe('Sign in to Regent')
    expect(sent[0]?.text).toContain(username)
    const opened = await browser.open(getLink(sent[0]))
    expect(opened.headers.get('Location')).toBe('/account?x=1#keys')
    expect(await (await browser.open('/account')).text()).toContain(username)
  })

  it('responds the same and sends an email whether or not there is an account', async () => {
    const { email } = await account()
    const { bindings, sent } = captureEmail()
    const answers: string[] = []
    for (const address of [email, 'nobody-at-all@example.org']) {
      const answer = await new TestBrowser(bindings).submit('/sign-in', { email: address })
      answers.push(`${answer.status} ${(await answer.text()).replaceAll(address, 'ADDRESS')}`)
    }
    expect(answers[0]).toBe(answers[1])
    expect(sent.map(({ to }) => to)).toEqual([email, 'nobody-at-all@example.org'])
  })

  it('takes as many storage calls with an account as without', async () => {
    const { email } = await account()
    const count = async (address: string) => {
      const { bindings: counting, calls } = countCalls()
      const bindings: Env = { ...captureEmail().bindings, DB: counting.DB }
      expect((await new TestBrowser(bindings).submit('/sign-in', { email: address })).status).toBe(200)
      return calls
    }
    const known = await count(email)
    expect(known).toHaveLength(2)
    expect(await count('nobody-else@example.org')).toEqual(known)
  })

  it('creates no account without a username if the account is deleted while the link is opened', async () => {
    const { id, email } = await account()
    const { bindings, sent } = captureEmail()
    await new TestBrowser(bindings).submit('/sign-in', { email })
    const token = getToken(getLink(sent[0]))
    // The first query finds the account; it's gone when the link is used.
    const losing = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(id).run()
      return run()
    })
    expect((await new TestBrowser(losing).submit('/sign-in/link', { token })).status).toBe(400)
    expect(await countUsers(email)).toBe(0)
  })

  it('sends another link, or leads back to the form for another address', async () => {
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    const { email } = await account()
    const page = await (await browser.submit('/sign-in', { email, return: '/account/profile' })).text()
    expect(page).toContain('href="/sign-in?return=%2Faccount%2Fprofile"')
    const again = await parseForm(page, '/sign-in')
    expect(again).toEqual({ email, return: '/account/profile' })
    expect((await browser.submit('/sign-in', again)).status).toBe(200)
    expect(sent.map(({ to }) => to)).toEqual([email, email])
    expect((await browser.open(getLink(sent[1]))).headers.get('Location')).toBe('/account/profile')
  })

  it('asks for a username if there is no account yet', async () => {
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    const { email, username } = createPerson()
    await browser.submit('/sign-in', { email })
    const response = await browser.open(getLink(sent[0]))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Choose a username')
    const token = getToken(getLink(sent[0]))
    expect((await browser.submit('/sign-in/link', { token, username })).status).toBe(303)
    expect(await (await browser.open('/account')).text()).toContain(username)
  })

  it('confirms an unconfirmed account', async () => {
    const { email, key } = await account({ confirmed: false })
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email })
    await browser.open(getLink(sent[0]))
    await expect(create('x', { public: true }, { key })).resolves.toBeDefined()
  })

  it('refuses a suspended account and its sessions', async () => {
    const { browser, email } = await signUp()
    const row = await env.DB.prepare('SELECT id FROM users WHERE email = ?1')
      .bind(email)
      .first<{ id: string }>()
    await suspend({ id: row?.id ?? '', username: '', email, key: '' })
    expect((await browser.open('/account')).status).toBe(303)
    const { bindings, sent } = captureEmail()
    const again = new TestBrowser(bindings)
    await again.submit('/sign-in', { email })
    const opened = await again.open(getLink(sent[0]))
    expect(opened.status).toBe(403)
    expect(await opened.text()).toContain('suspended')
    expect(again.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it('says how accounts are created if neither email nor GitHub is set up', async () => {
    for (const path of ['/sign-in', '/sign-up']) {
      const page = await (await send(path)).text()
      expect(page).toContain('npm run admin -- user add')
      expect(page).not.toContain('type="email"')
    }
    expect((await new TestBrowser().submit('/sign-in', { email: 'a@example.org' })).status).toBe(404)
    const none = captureEmail({ AUTH_SECRET: '' })
    expect((await new TestBrowser(none.bindings).submit('/sign-in/github')).status).toBe(404)
  })

  it('prints email on the terminal only on a loopback address', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    const remote = captureEmail({ MAIL_FROM: 'terminal' })
    expect(
      (await new TestBrowser(remote.bindings).submit('/sign-in', { email: 'a@example.org' })).status,
    ).toBe(404)
    expect(printed).not.toHaveBeenCalled()
  })

  it('limits emails to an address, from any client, with or without an account', async () => {
    const { bindings, sent } = captureEmail()
    const { email } = createPerson()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const answer = await new TestBrowser(bindings).submit(
        '/sign-in',
        { email },
        { 'CF-Connecting-IP': `192.0.2.${n}` },
      )
      statuses.push(answer.status)
      if (answer.status === 429) expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    expect(sent).toHaveLength(10)
  })

  it('limits the attempts of a client', async () => {
    const { bindings } = captureEmail({ RATE_LIMITS: 'on' })
    const headers = { 'CF-Connecting-IP': '198.51.100.7' }
    const statuses = new Set<number>()
    for (let n = 0; n < 80; n++) {
      const answer = await new TestBrowser(bindings).submit(
        '/sign-in',
        { email: `many${n}@example.org` },
        headers,
      )
      statuses.add(answer.status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  })

  it("keeps the input when the email can't be sent", async () => {
    expectFaults('request failed')
    const bindings = withEmail(() => {
      throw new Error('the email service is down')
    })
    const answer = await new TestBrowser(bindings).submit('/sign-in', { email: 'kept@example.org' })
    expect(answer.status).toBe(503)
    const page = await answer.text()
    expect(page).toContain('We couldn’t send the email')
    expect(page).toContain('kept@example.org')
  })
})

describe('the return path', () => {
  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/./\\evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'evil.example',
    '/%2e//evil.example',
    '/.%2e//evil.example',
    '//',
    '',
  ])('never leads to another site: %j', async (back) => {
    const { email } = await account()
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email, return: back })
    const [path = '', query = ''] = getLink(sent[0]).split('?')
    const token = new URLSearchParams(query).get('token') ?? ''
    // Not even if the link itself is changed.
    const opened = await browser.open(`${path}?${new URLSearchParams({ token, return: back })}`)
    expect(opened.status).toBe(303)
    const target = new URL(opened.headers.get('Location') ?? '', ORIGIN)
    expect(target.origin).toBe(ORIGIN)
    expect(target.pathname).toBe('/')
  })

  it.each([
    [`${ORIGIN}/account/profile?x=1`, '/account/profile?x=1'],
    [`${ORIGIN}//evil.example`, '/'],
    ['http://', '/'],
    [null, '/'],
  ])('leads back to the page of the form if the session has ended: %j', async (referer, back) => {
    const answer = await new TestBrowser().submit(
      '/account/keys',
      { name: 'x' },
      referer ? { Referer: referer } : {},
    )
    expect(answer.headers.get('Location')).toBe(`/sign-in?${new URLSearchParams({ return: back })}`)
  })

  it.each([
    ['/account/username', '/account/profile'],
    ['/account/email', '/account/profile'],
  ])("redirects a GET of a form's action: %s", async (path, leadsTo) => {
    const { browser } = await signUp()
    expect((await browser.open(path)).headers.get('Location')).toBe(leadsTo)
  })

  it('leads back to the page that required signing in', async () => {
    const response = await send('/account/documents?sort=largest', { redirect: 'manual' })
    expect(response.headers.get('Location')).toBe('/sign-in?return=%2Faccount%2Fdocuments%3Fsort%3Dlargest')
    const page = await (
      await new TestBrowser(captureEmail().bindings).open(response.headers.get('Location') ?? '')
    ).text()
    expect(page).toContain('value="/account/documents?sort=largest"')
  })
})
