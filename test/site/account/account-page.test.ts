import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { call, create, read } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'
import { signInBrowser } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('the account pages', () => {
  it("require a session: an API key can't create keys or delete the account", async () => {
    const { id, key } = await account({ flags: 9 })
    const document = await create('x')
    const headers = { Authorization: key }
    const browser = new TestBrowser()
    expect((await browser.open('/account', { headers })).status).toBe(303)
    expect((await browser.submit('/account/keys', { name: 'another' }, headers)).status).toBe(303)
    expect((await browser.submit('/account/delete', { documents: 'delete' }, headers)).status).toBe(303)
    const remove = await browser.submit(`/moderation/${document.id}/remove`, { reason: 'why' }, headers)
    expect(remove.status).toBe(303)
    const keys = 'SELECT count(*) AS n FROM api_keys WHERE user_id = ?1'
    expect(await env.DB.prepare(keys).bind(id).first('n')).toBe(1)
    expect((await read(document.id)).status).toBe(200)
  })

  it("return 405 for other methods, and redirect a GET of a form's action", async () => {
    const { browser } = await signInBrowser()
    expect((await browser.submit('/account', {})).status).toBe(405)
    const back = await browser.open('/account/sign-out-everywhere')
    expect({ status: back.status, to: back.headers.get('Location') }).toEqual({ status: 303, to: '/account' })
  })

  it('use the session even if the request has an API key', async () => {
    const { own, browser } = await signInBrowser()
    const other = await account()
    const page = await browser.open('/account', { headers: { Authorization: other.key } })
    expect(await page.text()).toContain(own.email)
  })
})

it('explains how to confirm an email address, which works', async () => {
  const own = await account({ confirmed: false })
  const { browser } = await signInBrowser(own)
  await env.DB.prepare('UPDATE users SET confirmed = 0 WHERE id = ?1').bind(own.id).run()
  expect(await (await browser.open('/account')).text()).toContain('isn’t confirmed')
  const { browser: again } = await signInBrowser(own)
  expect(await (await again.open('/account')).text()).not.toContain('isn’t confirmed')
})

describe('defaults for new documents', () => {
  it('are saved, shown, and used by the form for new documents', async () => {
    const { browser } = await signInBrowser()
    const wanted = {
      language: 'python',
      expires: 'never',
      visibility: 'public',
      link: 'long',
      encryption: 'none',
    }
    const answer = await browser.submit('/account/defaults', { ...wanted, image_embed: 'yes' })
    expect(answer.headers.get('Location')).toBe('/account?done=defaults')
    for (const path of ['/account', '/']) {
      const page = await (await browser.open(path)).text()
      expect(page).toContain('value="python"')
      expect(page).toMatch(/value="never" selected/)
      expect(page).toMatch(/value="long" selected/)
      expect(page).toMatch(/name="image_embed" value="yes" checked/)
    }
  })

  it("are refused if the form doesn't offer them", async () => {
    const { own, browser } = await signInBrowser()
    const answer = await browser.submit('/account/defaults', { expires: 'tomorrow' })
    expect(answer.status).toBe(400)
    expect((await findUserRow(own.id))?.defaults).toBeNull()
  })
})

describe('the account page', () => {
  it('links to reported documents for admins only', async () => {
    const admin = await signInBrowser(await account({ flags: 9 }))
    expect(await (await admin.browser.open('/account')).text()).toContain('href="/moderation"')
    const { browser } = await signInBrowser()
    expect(await (await browser.open('/account')).text()).not.toContain('/moderation')
  })
})

describe('signing out everywhere', () => {
  it('ends all sessions of the account, and no others', async () => {
    const { own, browser } = await signInBrowser()
    const elsewhere = await signInBrowser(own)
    const other = await signInBrowser()
    await browser.submit('/account/sign-out-everywhere')
    expect((await elsewhere.browser.open('/account')).status).toBe(303)
    expect((await other.browser.open('/account')).status).toBe(200)
    expect((await create('x', {}, { key: own.key })).creator).not.toBeNull()
  })

  it('revokes all API keys of the account if asked to, and no others', async () => {
    const { own, browser } = await signInBrowser()
    const other = await account()
    expect(await (await browser.open('/account')).text()).toContain('Revoke my API key, too')
    await browser.submit('/account/sign-out-everywhere', { revoke_keys: 'yes' })
    expect((await browser.open('/account')).status).toBe(303)
    const me = (key: string) => call('GET', '/v1/users/@me', undefined, { key })
    expect((await me(own.key)).status).toBe(401)
    expect((await me(other.key)).status).toBe(200)
  })
})

describe('the profile', () => {
  it('can change its username, even to a similar one, and keeps keys and sessions', async () => {
    const { own, browser } = await signInBrowser()
    const wanted = own.username.toUpperCase()
    const answer = await browser.submit('/account/username', { username: wanted })
    expect(answer.headers.get('Location')).toBe('/account?done=renamed')
    expect((await findUserRow(own.id))?.username).toBe(wanted)
    const { id } = await create('x', {}, { key: own.key })
    expect((await read(id)).body.data.creator).toMatchObject({ username: wanted })
    expect(await (await browser.open('/account?done=renamed')).text()).toContain('Username changed.')
  })

  it.each([
    ['x', '3 to 30'],
    ['Root', 'reserved'],
    ['taken-name', 'is taken'],
    ['TAKEN_NAME', 'is taken'],
  ])('refuses the username %s', async (username, message) => {
    await account({ username: 'taken-name' }).catch(() => null)
    const { own, browser } = await signInBrowser()
    const answer = await browser.submit('/account/username', { username })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(message)
    expect(page).toContain(`value="${username}"`)
    expect((await findUserRow(own.id))?.username).toBe(own.username)
  })

  it('gives a username to one of two accounts that ask at once', async () => {
    const browsers = await Promise.all([signInBrowser(), signInBrowser()])
    const answers = await Promise.all(
      browsers.map(({ browser }) => browser.submit('/account/username', { username: 'wanted-by-two' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
  })
})

describe('the generated icon of an account', () => {
  it('depends only on the id, and may be embedded and cached by anyone', async () => {
    const first = await requestPage('/icons/account1.svg')
    expect(first.status).toBe(200)
    expect(first.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(first.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
    expect(first.html).toMatch(/^<svg /)
    expect((await requestPage('/icons/account1.svg')).html).toBe(first.html)
    expect((await requestPage('/icons/account2.svg')).html).not.toBe(first.html)
    expect((await requestPage('/icons/a.png')).status).toBe(404)
  })
})
