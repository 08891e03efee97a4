import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { losingFirst } from '../../support/bindings.ts'
import { expectFaults } from '../../support/log.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { signInBrowser } from '../../support/site/sign-in.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('changing the email address', () => {
  const follow = async (browser: TestBrowser, link: string) => {
    const [path = '', query = ''] = link.split('?')
    const page = await browser.open(link)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Change your email address?')
    return browser.submit(path, { token: new URLSearchParams(query).get('token') ?? '' })
  }

  it('needs confirmation from the current address, then from the new one', async () => {
    const { own, browser, sent } = await signInBrowser()
    const to = `new-${own.email}`
    await browser.submit('/account/email', { email: to.toUpperCase() })
    expect(sent.map((mail) => mail.to)).toEqual([own.email])
    expect(sent[0]?.text).toContain(to)
    expect((await follow(browser, getLink(sent[0]))).status).toBe(200)
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to])
    expect((await findUserRow(own.id))?.email).toBe(own.email)
    const done = await follow(browser, getLink(sent[1]))
    expect(done.headers.get('Location')).toBe('/account?done=email')
    expect(await findUserRow(own.id)).toMatchObject({ email: to, confirmed: 1 })
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to, own.email])
    expect(sent[2]?.text).toContain(to)
  })

  it('consumes each link once', async () => {
    const { own, browser, sent } = await signInBrowser()
    await browser.submit('/account/email', { email: `once-${own.email}` })
    const first = getLink(sent[0])
    await follow(browser, first)
    expect((await browser.open(first)).status).toBe(400)
    const second = getLink(sent[1])
    await follow(browser, second)
    expect((await browser.open(second)).status).toBe(400)
  })

  it('succeeds once when a link is submitted many times at once', async () => {
    const { own, browser, sent } = await signInBrowser()
    const submitAtOnce = async (step: string) => {
      const token = new URLSearchParams(getLink(sent.at(-1)).split('?')[1]).get('token') ?? ''
      const submits = Array.from({ length: 15 }, () => browser.submit(`/account/email/${step}`, { token }))
      return (await Promise.all(submits)).map(({ status }) => status)
    }
    await browser.submit('/account/email', { email: `raced-${own.email}` })
    expect((await submitAtOnce('leave-email')).filter((status) => status === 200)).toHaveLength(1)
    expect((await submitAtOnce('take-email')).filter((status) => status === 303)).toHaveLength(1)
    expect(sent).toHaveLength(3)
  })

  it('succeeds if only the answer to the change was lost', async () => {
    const { own, browser, sent, bindings } = await signInBrowser()
    await browser.submit('/account/email', { email: `lost-${own.email}` })
    await follow(browser, getLink(sent[0]))
    const { bindings: losing } = losingFirst('DB.batch')
    const other = new TestBrowser({ ...bindings, DB: losing.DB })
    for (const [name, value] of browser.cookies) other.setCookie(name, value)
    expect((await follow(other, getLink(sent[1]))).status).toBe(303)
    expect(sent).toHaveLength(3)
  })

  it('can be confirmed again if the email to the new address couldn’t be sent', async () => {
    const { own, browser, sent, bindings } = await signInBrowser()
    const to = `retried-${own.email}`
    await browser.submit('/account/email', { email: to })
    const first = getLink(sent[0])
    expectFaults('request failed')
    const EMAIL = { send: () => Promise.reject(new Error('the mail server is down')) }
    const unlucky = new TestBrowser({ ...bindings, EMAIL })
    for (const [name, value] of browser.cookies) unlucky.setCookie(name, value)
    expect((await follow(unlucky, first)).status).toBe(503)
    expect((await follow(unlucky, first)).status).toBe(503)
    expect((await follow(browser, first)).status).toBe(200)
    expect((await browser.open(first)).status).toBe(400)
    await follow(browser, getLink(sent[1]))
    expect((await findUserRow(own.id))?.email).toBe(to)
  })

  it('refuses a link of another account or another purpose', async () => {
    const { own, browser, sent } = await signInBrowser()
    const { browser: other } = await signInBrowser()
    await browser.submit('/account/email', { email: `mine-${own.email}` })
    const link = getLink(sent[0])
    expect((await other.open(link)).status).toBe(400)
    expect((await new TestBrowser().open(link)).status).toBe(303)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect((await browser.submit('/account/email/take-email', { token })).status).toBe(400)
    expect((await browser.open(`/sign-in/link?token=${token}`)).status).toBe(400)
    expect((await findUserRow(own.id))?.email).toBe(own.email)
  })

  it('stays at the domains that may sign up, for who has an address there', async () => {
    const { own, browser, sent } = await signInBrowser()
    const domain = own.email.slice(own.email.indexOf('@'))
    const change = async (SIGN_UP: string, email: string) => {
      const { bindings, sent } = captureEmail({ SIGN_UP })
      const bound = new TestBrowser(bindings)
      for (const [name, value] of browser.cookies) bound.setCookie(name, value)
      const answer = await bound.submit('/account/email', { email })
      return { status: answer.status, html: await answer.text(), sent }
    }
    const refused = await change(`@else.example ${domain}`, `${own.username}@home.example`)
    expect(refused.status).toBe(400)
    expect(refused.html).toContain(`Your address has to end with @else.example or ${domain}.`)
    expect(refused.sent).toEqual([])
    expect((await change(`@else.example ${domain}`, `${own.username}@else.example`)).sent).toHaveLength(1)
    // Who was invited with another address isn't bound, and no link outlives a stricter setting.
    expect((await change('@else.example', `${own.username}@home.example`)).sent).toHaveLength(1)
    await browser.submit('/account/email', { email: `${own.username}@home.example` })
    const { bindings, sent: later } = captureEmail({ SIGN_UP: domain })
    const bound = new TestBrowser(bindings)
    for (const [name, value] of browser.cookies) bound.setCookie(name, value)
    expect((await follow(bound, getLink(sent[0]))).status).toBe(400)
    expect(later).toEqual([])
  })

  it('refuses an address of another account', async () => {
    const { own, browser, sent } = await signInBrowser()
    const other = await account()
    await browser.submit('/account/email', { email: other.email })
    await follow(browser, getLink(sent[0]))
    const refused = await follow(browser, getLink(sent[1]))
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Another account uses this email address. Enter a different one.')
    expect((await findUserRow(own.id))?.email).toBe(own.email)
  })

  it('limits emails to the new address across accounts', async () => {
    const to = 'wanted-by-many@example.org'
    const reached: string[] = []
    let refused: { browser: TestBrowser; token: string } | undefined
    for (let n = 0; n < 3; n++) {
      const { browser, sent } = await signInBrowser()
      for (let attempt = 0; attempt < 5; attempt++) {
        await browser.submit('/account/email', { email: to })
        const token = new URLSearchParams(getLink(sent.at(-1)).split('?')[1]).get('token') ?? ''
        const answer = await browser.submit('/account/email/leave-email', { token })
        expect([200, 429]).toContain(answer.status)
        if (answer.status === 429) refused = { browser, token }
      }
      reached.push(...sent.map((mail) => mail.to).filter((email) => email === to))
    }
    expect(reached).toHaveLength(5)
    // The link that was refused still works later.
    await env.DB.prepare('DELETE FROM mails_sent WHERE email = ?1').bind(to).run()
    const later = await refused?.browser.submit('/account/email/leave-email', { token: refused.token })
    expect(later?.status).toBe(200)
  })

  it.each(['nowhere', ''])('requires a valid address: %j', async (email) => {
    const { browser, sent } = await signInBrowser()
    expect((await browser.submit('/account/email', { email })).status).toBe(400)
    expect(sent).toEqual([])
  })
})
