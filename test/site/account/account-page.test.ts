import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, read } from '../../support/client.ts'
import { signInVisitor } from '../../support/signed-in.ts'
import { Visitor } from '../../support/visitor.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('the account pages', () => {
  it("require a session: an API key can't create keys or delete the account", async () => {
    const { id, key } = await account({ flags: 9 })
    const document = await create('x')
    const headers = { Authorization: key }
    const visitor = new Visitor()
    expect((await visitor.open('/account', { headers })).status).toBe(303)
    expect((await visitor.submit('/account/keys', { name: 'another' }, headers)).status).toBe(303)
    expect((await visitor.submit('/account/delete', { documents: 'delete' }, headers)).status).toBe(303)
    const remove = await visitor.submit(`/moderation/${document.id}/remove`, { reason: 'why' }, headers)
    expect(remove.status).toBe(303)
    const keys = 'SELECT count(*) AS n FROM api_keys WHERE user_id = ?1'
    expect(await env.DB.prepare(keys).bind(id).first('n')).toBe(1)
    expect((await read(document.id)).status).toBe(200)
  })

  it("return 405 for other methods, and redirect a GET of a form's action", async () => {
    const { visitor } = await signInVisitor()
    expect((await visitor.submit('/account', {})).status).toBe(405)
    const back = await visitor.open('/account/delete')
    expect({ status: back.status, to: back.headers.get('Location') }).toEqual({ status: 303, to: '/account' })
  })

  it('use the session even if the request has an API key', async () => {
    const { own, visitor } = await signInVisitor()
    const other = await account()
    const page = await visitor.open('/account', { headers: { Authorization: other.key } })
    expect(await page.text()).toContain(own.email)
  })
})

it('explains how to confirm an email address, which works', async () => {
  const own = await account({ confirmed: false })
  const { visitor } = await signInVisitor(own)
  await env.DB.prepare('UPDATE users SET confirmed = 0 WHERE id = ?1').bind(own.id).run()
  expect(await (await visitor.open('/account')).text()).toContain('isn’t confirmed')
  const { visitor: again } = await signInVisitor(own)
  expect(await (await again.open('/account')).text()).not.toContain('isn’t confirmed')
})

describe('defaults for new documents', () => {
  it('are saved, shown, and used by the form for new documents', async () => {
    const { visitor } = await signInVisitor()
    const wanted = {
      language: 'python',
      expires: 'never',
      visibility: 'public',
      link: 'long',
      encryption: 'none',
    }
    const answer = await visitor.submit('/account/defaults', { ...wanted, image_embed: 'yes' })
    expect(answer.headers.get('Location')).toBe('/account?done=defaults')
    for (const path of ['/account', '/']) {
      const page = await (await visitor.open(path)).text()
      expect(page).toContain('value="python"')
      expect(page).toMatch(/value="never" selected/)
      expect(page).toMatch(/value="long" selected/)
      expect(page).toMatch(/name="image_embed" value="yes" checked/)
    }
  })

  it("are refused if the form doesn't offer them", async () => {
    const { own, visitor } = await signInVisitor()
    const answer = await visitor.submit('/account/defaults', { expires: 'tomorrow' })
    expect(answer.status).toBe(400)
    expect((await findUserRow(own.id))?.defaults).toBeNull()
  })
})

describe('the account page', () => {
  it('links to reported documents for admins only', async () => {
    const admin = await signInVisitor(await account({ flags: 9 }))
    expect(await (await admin.visitor.open('/account')).text()).toContain('href="/moderation"')
    const { visitor } = await signInVisitor()
    expect(await (await visitor.open('/account')).text()).not.toContain('/moderation')
  })
})

describe('signing out everywhere', () => {
  it('ends all sessions of the account, and no others', async () => {
    const { own, visitor } = await signInVisitor()
    const elsewhere = await signInVisitor(own)
    const other = await signInVisitor()
    await visitor.submit('/account/sign-out-everywhere')
    expect((await elsewhere.visitor.open('/account')).status).toBe(303)
    expect((await other.visitor.open('/account')).status).toBe(200)
    expect((await create('x', {}, { key: own.key })).creator).not.toBeNull()
  })
})
