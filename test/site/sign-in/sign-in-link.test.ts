import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { send } from '../../support/client.ts'
import { countUsers, getToken, requestSignUp, SESSION_COOKIE, signUp } from '../../support/sign-up.ts'
import { Visitor } from '../../support/visitor.ts'

describe('a sign-in link', () => {
  it('works once', async () => {
    const { visitor, link, bindings } = await signUp()
    for (const browser of [visitor, new Visitor(bindings)]) {
      const again = await browser.open(link)
      expect(again.status).toBe(400)
      expect(await again.text()).toContain('no longer works')
    }
  })

  it('signs in one browser when many open it at once', async () => {
    const { bindings, link } = await requestSignUp()
    const token = getToken(link)
    const visitors = Array.from({ length: 16 }, () => new Visitor(bindings))
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit('/sign-in/link', { token })))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(visitors.filter(({ cookies }) => cookies.has(SESSION_COOKIE))).toHaveLength(1)
  })

  it('expires after 15 minutes', async () => {
    const { visitor, link } = await requestSignUp()
    await env.DB.prepare('UPDATE verifications SET expires_at = expires_at - 900000').run()
    expect((await visitor.open(link)).status).toBe(400)
  })

  it("asks for confirmation in a browser that didn't request it", async () => {
    const { bindings, link, email } = await requestSignUp()
    const other = new Visitor(bindings)
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
    const { visitor, bindings, link } = await requestSignUp()
    await new Visitor(bindings).open(link)
    await new Visitor(bindings).open(link, { method: 'HEAD' })
    await visitor.open(link, { method: 'HEAD' })
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
    expect((await visitor.open(link)).status).toBe(303)
  })

  it('is stored as a hash, as are session tokens', async () => {
    const { link, visitor } = await requestSignUp()
    const token = getToken(link)
    expect(token).toMatch(/^[A-Za-z]{32}$/)
    const rows = await env.DB.prepare('SELECT * FROM verifications').all()
    expect(JSON.stringify(rows.results)).not.toContain(token)
    expect([...visitor.cookies.values()].join()).not.toContain(token)
    await visitor.open(link)
    const [session = ''] = decodeURIComponent(visitor.cookies.get(SESSION_COOKIE) ?? '').split('.')
    const sessions = await env.DB.prepare('SELECT * FROM sessions').all()
    expect(JSON.stringify(sessions.results)).not.toContain(session)
  })

  it.each(['', 'x', "' OR 1=1 --", '%00', 'a'.repeat(5_000)])('is refused if invalid: %j', async (token) => {
    const answer = await send(`/sign-in/link?token=${encodeURIComponent(token)}`)
    expect(answer.status).toBe(400)
  })
})
