import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Account, account, suspend } from '../../support/accounts.ts'
import {
  captureEmailWithGitHub,
  controlGitHub,
  createLogin,
  signInWithGitHub,
} from '../../support/github/github-sign-in.ts'
import {
  captureEmailWithProvider,
  createPerson as createPersonAtProvider,
  signInWithProvider,
} from '../../support/oidc/oidc-sign-in.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { parseForm } from '../../support/site/forms.ts'
import { countUsers, createPerson, signInBrowser } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

const INVITED = { SIGN_UP: 'invited' }

const STAFF = 1 | 8

/** A browser that is signed in to an account on a server with these variables. */
async function signIn(own: Account, vars: Record<string, string> = INVITED) {
  const { browser, sent } = await signInBrowser(own)
  const { bindings, sent: invitations } = captureEmail(vars)
  const inviting = new TestBrowser(bindings)
  for (const [name, value] of browser.cookies) inviting.setCookie(name, value)
  sent.length = 0
  return { browser: inviting, sent: invitations }
}

/** Makes an invitation, and returns the path of its link. */
async function invite(recipient: string, vars?: Record<string, string>) {
  const staff = await account({ flags: STAFF })
  const { browser, sent } = await signIn(staff, vars)
  const answer = await browser.submit('/account/invitations', { recipient })
  const page = await answer.text()
  const [, token = ''] = /\/sign-up\?invitation=([A-Za-z0-9]+)/.exec(page) ?? []
  return { staff, browser, sent, page, token, status: answer.status, path: `/sign-up?invitation=${token}` }
}

/** Signs up with an invitation, by email. Returns the status of the form and the emails. */
async function signUpWith(token: string, person = createPerson(), vars: Record<string, string> = INVITED) {
  const { bindings, sent } = captureEmail(vars)
  const browser = new TestBrowser(bindings)
  const answer = await browser.submit('/sign-up', { ...person, invitation: token })
  const page = await answer.text()
  const opened = sent.length > 0 ? await browser.open(getLink(sent[0])) : null
  return { ...person, status: answer.status, page, opened, browser, sent }
}

const openLink = async (path: string, vars: Record<string, string> = INVITED) => {
  const answer = await new TestBrowser(captureEmail(vars).bindings).open(path)
  return { status: answer.status, page: await answer.text() }
}

const expire = (token: string) =>
  env.DB.prepare(
    'UPDATE invitations SET expires_at = 1 WHERE created_at = (SELECT max(created_at) FROM invitations)',
  )
    .bind()
    .run()
    .then(() => token)

describe('an invitation', () => {
  it('creates one account, and is in the list and the audit log', async () => {
    const { staff, browser, token, path } = await invite('Grace')
    expect((await openLink(path)).page).toContain(`<strong>${staff.username}</strong> invites you`)
    const first = await signUpWith(token)
    expect(first.opened?.status).toBe(303)
    expect(await countUsers(first.email)).toBe(1)
    const list = await (await browser.open('/account')).text()
    expect(list).toContain(`used by <strong>${first.username}</strong>`)
    const { results } = await env.DB.prepare(
      `SELECT action, actor FROM audit_log WHERE action LIKE 'invitation.%' AND
        (actor = ?1 OR actor = ?2) ORDER BY action`,
    )
      .bind(staff.username, first.username)
      .all()
    expect(results).toEqual([
      { action: 'invitation.create', actor: staff.username },
      { action: 'invitation.use', actor: first.username },
    ])
    const second = await signUpWith(token)
    expect(second).toMatchObject({ status: 403, page: expect.stringContaining('has been used') })
    expect(second.sent).toEqual([])
  })

  it('creates one account of many that try at once', async () => {
    const { token } = await invite('Grace')
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { bindings, sent } = captureEmail(INVITED)
        const browser = new TestBrowser(bindings)
        const person = createPerson()
        await browser.submit('/sign-up', { ...person, invitation: token })
        return { ...person, browser, link: getLink(sent[0]) }
      }),
    )
    const opened = await Promise.all(
      people.map(async ({ browser, link }) => (await browser.open(link)).status),
    )
    expect(opened.filter((status) => status === 303)).toHaveLength(1)
    const counts = await Promise.all(people.map(({ email }) => countUsers(email)))
    expect(counts.filter((count) => count === 1)).toHaveLength(1)
  })

  it('for an address is mailed to it, and works for no other', async () => {
    const { email, username } = createPerson()
    const { sent, token, staff } = await invite(email.toUpperCase())
    expect(sent).toMatchObject([{ to: email, subject: `${staff.username} invites you to Regent` }])
    const link = getLink(sent[0])
    expect(link).toBe(`/sign-up?invitation=${token}`)
    expect((await openLink(link)).page).toContain(`value="${email}"`)
    const other = await signUpWith(token)
    expect(other).toMatchObject({
      status: 400,
      page: expect.stringContaining('is for another email address'),
    })
    expect(other.sent).toEqual([])
    expect((await signUpWith(token, { email, username })).opened?.status).toBe(303)
  })

  it('works with GitHub, and says there what is wrong with it, too', async () => {
    const login = createLogin()
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const tryWith = async (token: string) => {
      const browser = new TestBrowser(captureEmailWithGitHub(INVITED).bindings)
      const answer = await signInWithGitHub(browser, { invitation: token })
      const page = await (await browser.open(answer.headers.get('Location') ?? '')).text()
      return { page, accounts: await countUsers(`${login}@example.org`) }
    }
    const other = await invite('somebody-else@example.org')
    expect(await tryWith(other.token)).toMatchObject({
      accounts: 0,
      page: expect.stringContaining('is for another email address'),
    })
    const { token } = await invite('Grace')
    expect((await tryWith(token)).accounts).toBe(1)
  })

  it('works with a provider of OpenID Connect, and says there what is wrong with it, too', async () => {
    const tryWith = async ({ token, path }: { token: string; path: string }, vars = INVITED) => {
      const person = createPersonAtProvider()
      const browser = new TestBrowser(captureEmailWithProvider(vars).bindings)
      const page = await (await browser.open(path)).text()
      const fields = page.includes('formaction="/sign-in/oidc"') ? await parseForm(page, '/sign-up') : {}
      const answer = await signInWithProvider(browser, person, { invitation: token, ...fields, username: '' })
      const location = answer.headers.get('Location') ?? ''
      const shown = await (await browser.open(location)).text()
      return {
        ...person,
        carried: fields.invitation,
        location,
        shown,
        accounts: await countUsers(person.email),
      }
    }
    const refuse = (text: string) => ({ accounts: 0, shown: expect.stringContaining(text) })
    const other = await invite('somebody-else@example.org')
    expect(await tryWith(other)).toMatchObject(refuse('is for another email address'))
    const made = await invite('Grace')
    expect(await tryWith(made, { SIGN_UP: 'closed' })).toMatchObject(
      refuse('There’s no account here for you'),
    )
    const first = await tryWith(made)
    expect(first).toMatchObject({ carried: made.token, accounts: 1, location: '/account' })
    const list = await (await made.browser.open('/account')).text()
    expect(list).toContain(`used by <strong>${first.preferred_username}</strong>`)
    expect(await tryWith(made)).toMatchObject(refuse('has been used'))
    const own = createPersonAtProvider()
    const forOwn = await invite(own.email.toUpperCase())
    const browser = new TestBrowser(captureEmailWithProvider(INVITED).bindings)
    await signInWithProvider(browser, own, { invitation: forOwn.token })
    expect(await countUsers(own.email)).toBe(1)
  })

  it.each([
    ['expired', async (token: string) => expire(token), 'has expired'],
    [
      'revoked',
      async (token: string, { browser }: Awaited<ReturnType<typeof invite>>) => {
        const page = await (await browser.open('/account')).text()
        const [path = ''] = /\/account\/invitations\/[a-z0-9]+\/revoke/.exec(page) ?? []
        await browser.submit(path)
        return token
      },
      'has been revoked',
    ],
    [
      'of somebody who is suspended',
      async (token: string, { staff }: Awaited<ReturnType<typeof invite>>) => {
        await suspend(staff)
        return token
      },
      'has been revoked',
    ],
    ['made up', async () => 'x'.repeat(32), 'doesn’t exist'],
  ])('that is %s says so, at each step', async (_, change, text) => {
    const made = await invite('Grace')
    // The email was requested while the invitation worked.
    const early = captureEmail(INVITED)
    const browser = new TestBrowser(early.bindings)
    const person = createPerson()
    await browser.submit('/sign-up', { ...person, invitation: made.token })
    const token = await change(made.token, made)
    expect(await openLink(`/sign-up?invitation=${token}`)).toMatchObject({
      status: 403,
      page: expect.stringContaining(text),
    })
    expect(await signUpWith(token)).toMatchObject({ status: 403, sent: [] })
    if (token !== made.token) return
    const late = await browser.open(getLink(early.sent[0]))
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining(text)])
    expect(await countUsers(person.email)).toBe(0)
  })

  it('admits another address than those of the domains, and nobody once sign-up is closed', async () => {
    const SIGN_UP = '@team.example'
    const { token } = await invite('Grace', { SIGN_UP })
    expect(await signUpWith(token, createPerson(), { SIGN_UP: 'closed' })).toMatchObject({
      status: 403,
      sent: [],
    })
    expect((await signUpWith(token, createPerson(), { SIGN_UP })).opened?.status).toBe(303)
  })

  it('isn’t used up by somebody of the domains whom it isn’t for, or once it has expired', async () => {
    const vars = { SIGN_UP: '@acme.example' }
    const signInWith = async (invitation: string) => {
      const person = createPersonAtProvider()
      const browser = new TestBrowser(captureEmailWithProvider(vars).bindings)
      await signInWithProvider(browser, person, { invitation })
      expect(await countUsers(person.email)).toBe(1)
    }
    const person = createPerson()
    const forAddress = await invite(person.email, vars)
    await signInWith(forAddress.token)
    expect((await signUpWith(forAddress.token, person, vars)).opened?.status).toBe(303)
    const forAnyone = await invite('Grace', vars)
    await expire(forAnyone.token)
    await signInWith(forAnyone.token)
    expect((await openLink(forAnyone.path, vars)).page).toContain('has expired')
  })

  it('is kept when its form is sent again with a problem, and makes no second one when reloaded', async () => {
    const { token, browser } = await invite('Grace')
    const { page } = await signUpWith(token, { email: 'nowhere', username: 'Grace-H' })
    expect(await parseForm(page, '/sign-up')).toMatchObject({ invitation: token, username: 'Grace-H' })
    const fields = { recipient: 'Ada', id: 'abcdefghijkl' }
    expect((await browser.submit('/account/invitations', fields)).status).toBe(200)
    const again = await browser.submit('/account/invitations', fields)
    expect(again.headers.get('Location')).toBe('/account?done=invited')
  })

  it('is stored as a hash', async () => {
    const { token } = await invite('Grace')
    const { results } = await env.DB.prepare('SELECT * FROM invitations').all()
    expect(JSON.stringify(results)).not.toContain(token)
  })
})

describe('people without an invitation', () => {
  it('are told that they need one, and create nothing', async () => {
    expect(await openLink('/sign-up')).toMatchObject({
      status: 403,
      page: expect.stringContaining('You need an invitation'),
    })
    const members = { ...INVITED, INVITATIONS: 'members' }
    for (const path of ['/sign-in', '/sign-up']) {
      const [byStaff, byMembers] = [await openLink(path), await openLink(path, members)]
      expect(byStaff.page).toContain('takes an invitation from the operator.')
      expect(byMembers.page).toContain('takes an invitation from somebody who has an account.')
    }
    const { bindings, sent } = captureEmail(INVITED)
    expect((await new TestBrowser(bindings).submit('/sign-up', createPerson())).status).toBe(403)
    await new TestBrowser(bindings).submit('/sign-in', { email: 'stranger@example.org' })
    expect(sent).toEqual([])
  })
})

describe('who may invite', () => {
  const tryToInvite = async (own: Account, vars: Record<string, string>) => {
    const { browser } = await signIn(own, vars)
    const page = await (await browser.open('/account')).text()
    const { status } = await browser.submit('/account/invitations', { recipient: 'Grace' })
    return [page.includes('id="invitations"'), status]
  }

  it.each([
    ['staff', INVITED, STAFF, [true, 200]],
    ['a member', INVITED, 1, [false, 404]],
    ['a member, if members may', { ...INVITED, INVITATIONS: 'members' }, 1, [true, 200]],
    ['staff of a server that is open', {}, STAFF, [false, 404]],
    ['staff of a server that is closed', { SIGN_UP: 'closed' }, STAFF, [false, 404]],
  ])('%s', async (_, vars, flags, expected) => {
    expect(await tryToInvite(await account({ flags }), vars)).toEqual(expected)
  })

  it('sees and revokes their own, and staff everyone’s', async () => {
    const members = { ...INVITED, INVITATIONS: 'members' }
    const [ada, bob, staff] = [await account(), await account(), await account({ flags: STAFF })]
    const [a, b, s] = [await signIn(ada, members), await signIn(bob, members), await signIn(staff, members)]
    await a.browser.submit('/account/invitations', { recipient: 'friend-of-ada' })
    const list = async ({ browser }: typeof a) => (await browser.open('/account')).text()
    const [path = ''] = /\/account\/invitations\/[a-z0-9]+\/revoke/.exec(await list(a)) ?? []
    expect(await list(b)).not.toContain('friend-of-ada')
    expect(await list(s)).toMatch(new RegExp(`friend-of-ada[\\s\\S]*by ${ada.username}`))
    await b.browser.submit(path)
    expect(await list(a)).toContain(path)
    await s.browser.submit(path)
    expect(await list(a)).not.toContain(path)
    expect(await list(a)).toContain('revoked')
  })

  it('has at most 50 that work', async () => {
    const own = await account({ flags: STAFF })
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        INSERT INTO invitations (token_hash, id, creator_id, recipient, created_at, expires_at)
        SELECT ?1 || i, ?1 || i, ?1, 'x', ?2, ?2 + 1000000 FROM n`,
    )
      .bind(own.id, Date.now())
      .run()
    const { browser } = await signIn(own)
    const answer = await browser.submit('/account/invitations', { recipient: 'Grace' })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('the maximum')])
  })
})
