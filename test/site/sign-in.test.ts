import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { account, suspend } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, ORIGIN, send } from '../support/client.ts'
import { linkOf, mailing } from '../support/mail.ts'
import { Visitor } from '../support/visitor.ts'

const SESSION = '__Host-regent.session_token'

let people = 0
const person = () => {
  people += 1
  return { email: `person${people}@example.org`, username: `Person-${people}` }
}

const countUsers = (email: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM users WHERE email = ?1').bind(email).first<number>('n')

/** Signs a new person up, up to the link in their mail. */
async function askToSignUp() {
  const { bindings, sent } = mailing()
  const visitor = new Visitor(bindings)
  const { email, username } = person()
  const answer = await visitor.submit('/sign-up', { email, username })
  expect(answer.status).toBe(200)
  return { bindings, sent, visitor, email, username, answer, link: linkOf(sent[0]) }
}

async function signUp() {
  const asked = await askToSignUp()
  const followed = await asked.visitor.open(asked.link)
  expect(followed.status).toBe(303)
  return { ...asked, followed }
}

describe('signing up', () => {
  it('makes a confirmed account when the link is followed, and not before', async () => {
    const { visitor, sent, email, username, link } = await askToSignUp()
    expect(await countUsers(email)).toBe(0)
    expect(sent).toEqual([
      {
        from: { name: 'Regent', email: 'mail@paste.example' },
        to: email,
        subject: 'Make your account at Regent',
        text: expect.stringContaining(`\n${ORIGIN}${link}\n`),
        html: expect.stringContaining(`href="${ORIGIN}${link}"`),
      },
    ])
    const followed = await visitor.open(link)
    expect(followed.status).toBe(303)
    expect(followed.headers.get('Location')).toBe('/')
    const user = await env.DB.prepare('SELECT username, confirmed, flags FROM users WHERE email = ?1')
      .bind(email)
      .first()
    expect(user).toEqual({ username, confirmed: 1, flags: 1 })
    const page = await (await visitor.open('/account')).text()
    expect(page).toContain(username)
    expect(page).toContain('Sign out')
  })

  it('gives the session a cookie that no script reads and no other site sends along', async () => {
    const { followed } = await signUp()
    const cookie = followed.headers.getSetCookie().find((candidate) => candidate.startsWith(SESSION))
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; Secure/i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    expect(cookie).toMatch(/; Path=\/(;|$)/i)
    expect(cookie).not.toMatch(/domain/i)
  })

  it('takes a plain cookie where the site is served on this machine without TLS', async () => {
    const { bindings, sent } = mailing({ SITE_URL: 'http://127.0.0.1:8787' })
    const visitor = new Visitor(bindings)
    const headers = { Origin: 'http://127.0.0.1:8787' }
    await visitor.submit('/sign-up', person(), headers)
    const [, link = ''] = /http:\/\/127\.0\.0\.1:8787(\S+)/.exec(sent[0]?.text ?? '') ?? []
    const followed = await visitor.open(link)
    const cookie = followed.headers
      .getSetCookie()
      .find((candidate) => candidate.startsWith('regent.session_token'))
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).not.toMatch(/secure/i)
  })

  it.each([
    [{ email: 'nowhere', username: 'Somebody' }, 'This is no e-mail address.'],
    [{ email: '', username: 'Somebody' }, 'This is no e-mail address.'],
    [{ email: `${'x'.repeat(250)}@example.org`, username: 'Somebody' }, 'This is no e-mail address.'],
    [{ email: 'a@example.org\r\nBcc: b@example.org', username: 'Somebody' }, 'This is no e-mail address.'],
    [{ email: 'a@example.org', username: 'x' }, 'A username is 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'has space' }, 'A username is 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'аdmin1' }, 'A username is 3 to 30 letters'],
    [{ email: 'a@example.org', username: 'Adm1n' }, 'kept for the people who run the site'],
    [{ email: 'a@example.org', username: 're-gent' }, 'kept for the people who run the site'],
  ])('refuses %j with what was typed', async (fields, words) => {
    const { bindings, sent } = mailing()
    const answer = await new Visitor(bindings).submit('/sign-up', fields)
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(words)
    expect(page).toContain('role="alert"')
    if (fields.username === 'Somebody') expect(page).toContain('value="Somebody"')
    expect(sent).toEqual([])
  })

  it.each(['Grace_Hopper', 'grace_hopper', 'GRACE-HOPPER'])(
    'refuses a name that is or looks like another: %s',
    async (username) => {
      await account({ username: 'Grace_Hopper' }).catch(() => null)
      const { bindings } = mailing()
      const answer = await new Visitor(bindings).submit('/sign-up', { email: 'g@example.org', username })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('is taken')
    },
  )

  it.each([
    ['Oliver', '0liver'],
    ['william', 'wi11iam'],
    ['Isabel', 'lsabel'],
    ['Barnes', 'bames'],
    ['Newton', 'nevvton'],
    ['dash-name', 'dash_name'],
  ])('takes %s and %s for one name', async (first, second) => {
    await account({ username: first })
    await expect(account({ username: second })).rejects.toThrow('UNIQUE')
    const { bindings } = mailing()
    const answer = await new Visitor(bindings).submit('/sign-up', {
      email: 'o@example.org',
      username: second,
    })
    expect(await answer.text()).toContain('is taken')
  })

  it('says while a name is typed whether it is free', async () => {
    const { username } = await account()
    const ask = async (name: string) =>
      (await send(`/sign-up/username?${new URLSearchParams({ name })}`)).json() as Promise<{
        problem: string | null
      }>
    expect((await ask(username.toUpperCase())).problem).toContain('is taken')
    expect((await ask('Nobody-has-this')).problem).toBeNull()
    expect((await ask('')).problem).toContain('3 to 30')
  })

  it('asks for another name when somebody took it before the link was followed', async () => {
    const { visitor, email, username, link } = await askToSignUp()
    await account({ username: username.toLowerCase() })
    const asked = await visitor.open(link)
    expect(asked.status).toBe(400)
    expect(await asked.text()).toContain('is taken')
    expect(visitor.cookies.has(SESSION)).toBe(false)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    const taken = await visitor.submit('/sign-in/link', { token, username })
    expect(taken.status).toBe(400)
    const made = await visitor.submit('/sign-in/link', { token, username: `${username}-too` })
    expect(made.status).toBe(303)
    const row = await env.DB.prepare('SELECT username FROM users WHERE email = ?1').bind(email).first()
    expect(row).toEqual({ username: `${username}-too` })
  })

  it('makes one account of two links that are followed at once', async () => {
    const { bindings, sent } = mailing()
    const { email, username } = person()
    const visitors = [new Visitor(bindings), new Visitor(bindings)]
    for (const visitor of visitors) await visitor.submit('/sign-up', { email, username })
    await Promise.all(visitors.map((visitor, index) => visitor.open(linkOf(sent[index]))))
    expect(await countUsers(email)).toBe(1)
  })

  it('takes nothing from the form but address and name', async () => {
    const { bindings, sent } = mailing()
    const visitor = new Visitor(bindings)
    const { email, username } = person()
    const more = {
      flags: '8',
      confirmed: '1',
      emailVerified: 'true',
      id: 'mine',
      documents_made: '99',
      role: 'admin',
    }
    await visitor.submit('/sign-up', { email, username, ...more })
    await visitor.open(linkOf(sent[0]))
    await visitor.submit('/account/username', { username: `${username}x`, ...more })
    const row = await env.DB.prepare('SELECT id, flags, documents_made FROM users WHERE email = ?1')
      .bind(email)
      .first()
    expect(row).toMatchObject({ flags: 1, documents_made: 0 })
    expect(row?.id).not.toBe('mine')
  })
})

describe('signing in', () => {
  it('sends a link to an account that is there, and it signs in', async () => {
    const { email, username } = await account()
    const { bindings, sent } = mailing()
    const visitor = new Visitor(bindings)
    await visitor.submit('/sign-in', { email: email.toUpperCase(), return: '/account?x=1#keys' })
    expect(sent[0]?.subject).toBe('Sign in to Regent')
    expect(sent[0]?.text).toContain(username)
    const followed = await visitor.open(linkOf(sent[0]))
    expect(followed.headers.get('Location')).toBe('/account?x=1#keys')
    expect(await (await visitor.open('/account')).text()).toContain(username)
  })

  it('says the same, and sends a mail, whether there is an account or not', async () => {
    const { email } = await account()
    const { bindings, sent } = mailing()
    const answers: string[] = []
    for (const address of [email, 'nobody-at-all@example.org']) {
      const answer = await new Visitor(bindings).submit('/sign-in', { email: address })
      answers.push(`${answer.status} ${(await answer.text()).replaceAll(address, 'ADDRESS')}`)
    }
    expect(answers[0]).toBe(answers[1])
    expect(sent.map(({ to }) => to)).toEqual([email, 'nobody-at-all@example.org'])
  })

  it('makes no account without a name when the one it is for goes while the link is followed', async () => {
    const { id, email } = await account()
    const { bindings, sent } = mailing()
    await new Visitor(bindings).submit('/sign-in', { email })
    const token = new URLSearchParams(linkOf(sent[0]).split('?')[1]).get('token') ?? ''
    // better-auth asks for all rows; before it does, we have seen the account.
    const losing = bindingsWith(async (name, run) => {
      if (name === 'DB.all') await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(id).run()
      return run()
    })
    expect((await new Visitor(losing).submit('/sign-in/link', { token })).status).toBe(400)
    expect(await countUsers(email)).toBe(0)
  })

  it('lets an address without an account choose a name on the way', async () => {
    const { bindings, sent } = mailing()
    const visitor = new Visitor(bindings)
    const { email, username } = person()
    await visitor.submit('/sign-in', { email })
    const asked = await visitor.open(linkOf(sent[0]))
    expect(asked.status).toBe(200)
    expect(await asked.text()).toContain('Choose a username')
    const token = new URLSearchParams(linkOf(sent[0]).split('?')[1]).get('token') ?? ''
    expect((await visitor.submit('/sign-in/link', { token, username })).status).toBe(303)
    expect(await (await visitor.open('/account')).text()).toContain(username)
  })

  it('confirms an account that was not', async () => {
    const { email, key } = await account({ confirmed: false })
    const { bindings, sent } = mailing()
    const visitor = new Visitor(bindings)
    await visitor.submit('/sign-in', { email })
    await visitor.open(linkOf(sent[0]))
    await expect(create('x', { public: true }, { key })).resolves.toBeDefined()
  })

  it('lets nobody in whose account is suspended, and ends their sessions', async () => {
    const { visitor, email } = await signUp()
    const row = await env.DB.prepare('SELECT id FROM users WHERE email = ?1')
      .bind(email)
      .first<{ id: string }>()
    await suspend({ id: row?.id ?? '', username: '', email, key: '' })
    expect((await visitor.open('/account')).status).toBe(303)
    const { bindings, sent } = mailing()
    const again = new Visitor(bindings)
    await again.submit('/sign-in', { email })
    const followed = await again.open(linkOf(sent[0]))
    expect(followed.status).toBe(403)
    expect(await followed.text()).toContain('suspended')
    expect(again.cookies.has(SESSION)).toBe(false)
  })

  it('says how accounts are made where neither mail nor GitHub is set up', async () => {
    for (const path of ['/sign-in', '/sign-up']) {
      const page = await (await send(path)).text()
      expect(page).toContain('npm run user -- add')
      expect(page).not.toContain('type="email"')
    }
    expect((await new Visitor().submit('/sign-in', { email: 'a@example.org' })).status).toBe(404)
    const none = mailing({ AUTH_SECRET: '' })
    expect((await new Visitor(none.bindings).submit('/sign-in/github')).status).toBe(404)
  })

  it('prints mail on a terminal only where the service runs on this machine', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    const far = mailing({ MAIL_FROM: 'terminal' })
    expect((await new Visitor(far.bindings).submit('/sign-in', { email: 'a@example.org' })).status).toBe(404)
    expect(printed).not.toHaveBeenCalled()
  })

  it('limits mails to one address, whoever asks, with an account or without', async () => {
    const { bindings, sent } = mailing()
    const { email } = person()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const answer = await new Visitor(bindings).submit(
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

  it('limits the attempts of one client', async () => {
    const { bindings } = mailing()
    const headers = { 'CF-Connecting-IP': '198.51.100.7' }
    const statuses = new Set<number>()
    for (let n = 0; n < 80; n++) {
      const answer = await new Visitor(bindings).submit(
        '/sign-in',
        { email: `many${n}@example.org` },
        headers,
      )
      statuses.add(answer.status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  })

  it('keeps what was typed when the mail can not be sent', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const EMAIL = { send: () => Promise.reject(new Error('the mail service is down')) }
    const { bindings } = mailing({ EMAIL })
    const answer = await new Visitor(bindings).submit('/sign-in', { email: 'kept@example.org' })
    expect(answer.status).toBe(503)
    const page = await answer.text()
    expect(page).toContain('The mail could not be sent')
    expect(page).toContain('kept@example.org')
  })
})

describe('a link', () => {
  it('works once', async () => {
    const { visitor, link, bindings } = await signUp()
    for (const browser of [visitor, new Visitor(bindings)]) {
      const again = await browser.open(link)
      expect(again.status).toBe(400)
      expect(await again.text()).toContain('does not work any more')
    }
  })

  it('signs in one of all who follow it at once', async () => {
    const { bindings, link } = await askToSignUp()
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    const visitors = Array.from({ length: 16 }, () => new Visitor(bindings))
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit('/sign-in/link', { token })))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(visitors.filter(({ cookies }) => cookies.has(SESSION))).toHaveLength(1)
  })

  it('works for a quarter of an hour', async () => {
    const { visitor, link } = await askToSignUp()
    await env.DB.prepare('UPDATE verifications SET expires_at = expires_at - 900000').run()
    expect((await visitor.open(link)).status).toBe(400)
  })

  it('asks first in a browser that did not ask for it, so that nobody is signed in unawares', async () => {
    const { bindings, link, email } = await askToSignUp()
    const other = new Visitor(bindings)
    const asked = await other.open(link)
    expect(asked.status).toBe(200)
    const page = await asked.text()
    expect(page).toContain('in another browser')
    expect(page).toContain(email)
    expect(other.cookies.size).toBe(0)
    expect(await countUsers(email)).toBe(0)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect((await other.submit('/sign-in/link', { token })).status).toBe(303)
    expect(other.cookies.has(SESSION)).toBe(true)
  })

  it('is not used up by whatever looks at links ahead of people', async () => {
    const { visitor, bindings, link } = await askToSignUp()
    await new Visitor(bindings).open(link)
    await new Visitor(bindings).open(link, { method: 'HEAD' })
    await visitor.open(link, { method: 'HEAD' })
    expect(visitor.cookies.has(SESSION)).toBe(false)
    expect((await visitor.open(link)).status).toBe(303)
  })

  it('is kept as a hash, beside nothing that would open it', async () => {
    const { link, visitor } = await askToSignUp()
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect(token).toMatch(/^[A-Za-z]{32}$/)
    const rows = await env.DB.prepare('SELECT * FROM verifications').all()
    expect(JSON.stringify(rows.results)).not.toContain(token)
    expect([...visitor.cookies.values()].join()).not.toContain(token)
    await visitor.open(link)
    const [session = ''] = decodeURIComponent(visitor.cookies.get(SESSION) ?? '').split('.')
    const sessions = await env.DB.prepare('SELECT * FROM sessions').all()
    expect(JSON.stringify(sessions.results)).not.toContain(session)
  })

  it.each(['', 'x', "' OR 1=1 --", '%00', 'a'.repeat(5_000)])(
    'that never was does not work: %j',
    async (token) => {
      const answer = await send(`/sign-in/link?token=${encodeURIComponent(token)}`)
      expect(answer.status).toBe(400)
    },
  )
})

describe('a session', () => {
  it('is a new one with every sign-in, and the one before is over', async () => {
    const { visitor, bindings, sent, email } = await signUp()
    const before = visitor.cookies.get(SESSION) ?? ''
    await visitor.submit('/sign-in', { email })
    await visitor.open(linkOf(sent[1]))
    const after = visitor.cookies.get(SESSION)
    expect(after).not.toBe(before)
    const old = new Visitor(bindings)
    old.setCookie(SESSION, before)
    expect((await old.open('/account')).headers.get('Location')).toBe('/sign-in?return=%2Faccount')
  })

  it('that has ended is offered a sign-in everywhere, and its cookie goes', async () => {
    const { visitor, email, sent } = await signUp()
    const token = visitor.cookies.get(SESSION) ?? ''
    await visitor.submit('/account/sign-out-everywhere')
    visitor.setCookie(SESSION, token)
    const { id } = await create('x')
    for (const path of ['/', `/${id}`, '/sign-in', '/sign-up']) {
      const page = await (await visitor.open(path)).text()
      expect(page).toMatch(/<a href="\/sign-up"[^>]*>Sign up<\/a>/)
      expect(page).not.toContain('Sign out')
    }
    expect((await visitor.open('/account')).status).toBe(303)
    expect(visitor.cookies.has(SESSION)).toBe(false)
    await visitor.submit('/sign-in', { email })
    expect((await visitor.open(linkOf(sent[1]))).status).toBe(303)
  })

  it('needs no further sign-in', async () => {
    const { visitor } = await signUp()
    for (const path of ['/sign-in', '/sign-up']) {
      const answer = await visitor.open(`${path}?return=/account/documents`)
      expect(answer.headers.get('Location')).toBe('/account/documents')
    }
    expect((await visitor.open('/sign-in?error=access_denied')).status).toBe(400)
  })

  it('can not be fixed beforehand: what a browser brings along is never the session that it gets', async () => {
    const { visitor: attacker } = await signUp()
    const planted = attacker.cookies.get(SESSION) ?? ''
    const { bindings, sent } = mailing()
    const victim = new Visitor(bindings)
    victim.setCookie(SESSION, planted)
    const { email, username } = person()
    await victim.submit('/sign-up', { email, username })
    await victim.open(linkOf(sent[0]))
    expect(victim.cookies.get(SESSION)).not.toBe(planted)
    expect(await (await victim.open('/account')).text()).toContain(username)
    // What was planted is over: it opens neither account.
    expect((await attacker.open('/account')).status).toBe(303)
  })

  it.each([
    ['another token', (cookie: string) => (cookie.startsWith('A') ? 'B' : 'A') + cookie.slice(1)],
    [
      'another signature',
      (cookie: string) => cookie.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A')),
    ],
    ['no signature', (cookie: string) => cookie.split('.')[0] ?? ''],
    ['nothing', () => ''],
  ])('is refused with %s', async (_, change) => {
    const { visitor } = await signUp()
    visitor.setCookie(SESSION, change(visitor.cookies.get(SESSION) ?? ''))
    expect((await visitor.open('/account')).status).toBe(303)
  })

  it('ends with signing out, and nothing but the form of this site does that', async () => {
    const { visitor, bindings } = await signUp()
    const kept = visitor.cookies.get(SESSION) ?? ''
    expect((await visitor.open('/sign-out')).status).toBe(200)
    const forged = await visitor.submit('/sign-out', {}, { Origin: 'https://evil.example' })
    expect(forged.status).toBe(403)
    expect((await visitor.open('/account')).status).toBe(200)
    const answer = await visitor.submit('/sign-out')
    expect(answer.headers.get('Location')).toBe('/')
    expect(visitor.cookies.has(SESSION)).toBe(false)
    const old = new Visitor(bindings)
    old.setCookie(SESSION, kept)
    expect((await old.open('/account')).status).toBe(303)
  })

  it('is over after thirty days', async () => {
    const { visitor } = await signUp()
    await env.DB.prepare('UPDATE sessions SET expires_at = ?1').bind(Date.now()).run()
    expect((await visitor.open('/account')).status).toBe(303)
  })
})

describe('every form', () => {
  const FORMS = [
    '/sign-in',
    '/sign-up',
    '/sign-in/link',
    '/sign-in/github',
    '/sign-out',
    '/account/username',
    '/account/email',
    '/account/email/leave-email',
    '/account/email/take-email',
    '/account/picture',
    '/account/keys',
    '/account/keys/some/revoke',
    '/account/github/connect',
    '/account/github/disconnect',
    '/account/sign-out-everywhere',
    '/account/delete',
  ]
  const OTHERS: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'https://paste.example.evil.example' },
    { Origin: 'http://paste.example' },
    { Origin: '' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    {},
  ]

  it.each(FORMS)('%s is refused when no page of this site sent it', async (path) => {
    const { visitor } = await signUp()
    for (const headers of OTHERS) {
      const answer = await visitor.open(path, {
        method: 'POST',
        headers,
        body: new URLSearchParams({
          documents: 'delete',
          name: 'stolen',
          email: 'evil@example.org',
          username: 'evil',
        }),
      })
      expect({ headers, status: answer.status }).toEqual({ headers, status: 403 })
    }
    expect((await visitor.open('/account')).status).toBe(200)
  })
})

describe('the return address', () => {
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
  ])('never leads elsewhere: %j', async (back) => {
    const { email } = await account()
    const { bindings, sent } = mailing()
    const visitor = new Visitor(bindings)
    await visitor.submit('/sign-in', { email, return: back })
    const [path = '', query = ''] = linkOf(sent[0]).split('?')
    const token = new URLSearchParams(query).get('token') ?? ''
    // Whoever writes the address into the link itself gets no further.
    const followed = await visitor.open(`${path}?${new URLSearchParams({ token, return: back })}`)
    expect(followed.status).toBe(303)
    const target = new URL(followed.headers.get('Location') ?? '', ORIGIN)
    expect(target.origin).toBe(ORIGIN)
    expect(target.pathname).toBe('/')
  })

  it.each([
    [`${ORIGIN}/account/profile?x=1`, '/account/profile?x=1'],
    [`${ORIGIN}//evil.example`, '/'],
    ['http://', '/'],
    [null, '/'],
  ])('leads back to the page of a form whose session has ended: %j', async (referer, back) => {
    const answer = await new Visitor().submit(
      '/account/keys',
      { name: 'x' },
      referer ? { Referer: referer } : {},
    )
    expect(answer.headers.get('Location')).toBe(`/sign-in?${new URLSearchParams({ return: back })}`)
  })

  it.each([
    ['/account/keys', '/account'],
    ['/account/username', '/account/profile'],
    ['/account/email', '/account/profile'],
  ])('finds a page where the answer to a form stood: %s', async (path, leadsTo) => {
    const { visitor } = await signUp()
    expect((await visitor.open(path)).headers.get('Location')).toBe(leadsTo)
  })

  it('leads back to where somebody was', async () => {
    const asked = await send('/account/documents?sort=largest', { redirect: 'manual' })
    expect(asked.headers.get('Location')).toBe('/sign-in?return=%2Faccount%2Fdocuments%3Fsort%3Dlargest')
    const page = await (
      await new Visitor(mailing().bindings).open(asked.headers.get('Location') ?? '')
    ).text()
    expect(page).toContain('value="/account/documents?sort=largest"')
  })
})
