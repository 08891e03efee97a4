import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { getLink } from '../../support/email.ts'
import { signInVisitor } from '../../support/signed-in.ts'
import { Visitor } from '../../support/visitor.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('changing the email address', () => {
  const follow = async (visitor: Visitor, link: string) => {
    const [path = '', query = ''] = link.split('?')
    const page = await visitor.open(link)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Change your email address?')
    return visitor.submit(path, { token: new URLSearchParams(query).get('token') ?? '' })
  }

  it('needs confirmation from the current address, then from the new one', async () => {
    const { own, visitor, sent } = await signInVisitor()
    const to = `new-${own.email}`
    await visitor.submit('/account/email', { email: to.toUpperCase() })
    expect(sent.map((mail) => mail.to)).toEqual([own.email])
    expect(sent[0]?.text).toContain(to)
    expect((await follow(visitor, getLink(sent[0]))).status).toBe(200)
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to])
    expect((await findUserRow(own.id))?.email).toBe(own.email)
    const done = await follow(visitor, getLink(sent[1]))
    expect(done.headers.get('Location')).toBe('/account?done=email')
    expect(await findUserRow(own.id)).toMatchObject({ email: to, confirmed: 1 })
    expect(sent.map((mail) => mail.to)).toEqual([own.email, to, own.email])
    expect(sent[2]?.text).toContain(to)
  })

  it('consumes each link once', async () => {
    const { own, visitor, sent } = await signInVisitor()
    await visitor.submit('/account/email', { email: `once-${own.email}` })
    const first = getLink(sent[0])
    await follow(visitor, first)
    expect((await visitor.open(first)).status).toBe(400)
    const second = getLink(sent[1])
    await follow(visitor, second)
    expect((await visitor.open(second)).status).toBe(400)
  })

  it('refuses a link of another account or another purpose', async () => {
    const { own, visitor, sent } = await signInVisitor()
    const { visitor: other } = await signInVisitor()
    await visitor.submit('/account/email', { email: `mine-${own.email}` })
    const link = getLink(sent[0])
    expect((await other.open(link)).status).toBe(400)
    expect((await new Visitor().open(link)).status).toBe(303)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    expect((await visitor.submit('/account/email/take-email', { token })).status).toBe(400)
    expect((await visitor.open(`/sign-in/link?token=${token}`)).status).toBe(400)
    expect((await findUserRow(own.id))?.email).toBe(own.email)
  })

  it('refuses an address of another account', async () => {
    const { own, visitor, sent } = await signInVisitor()
    const other = await account()
    await visitor.submit('/account/email', { email: other.email })
    await follow(visitor, getLink(sent[0]))
    const refused = await follow(visitor, getLink(sent[1]))
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Another account uses this email address. Enter a different one.')
    expect((await findUserRow(own.id))?.email).toBe(own.email)
  })

  it('limits emails to the new address across accounts', async () => {
    const to = 'wanted-by-many@example.org'
    const reached: string[] = []
    let refused: { visitor: Visitor; token: string } | undefined
    for (let n = 0; n < 3; n++) {
      const { visitor, sent } = await signInVisitor()
      for (let attempt = 0; attempt < 5; attempt++) {
        await visitor.submit('/account/email', { email: to })
        const token = new URLSearchParams(getLink(sent.at(-1)).split('?')[1]).get('token') ?? ''
        const answer = await visitor.submit('/account/email/leave-email', { token })
        expect([200, 429]).toContain(answer.status)
        if (answer.status === 429) refused = { visitor, token }
      }
      reached.push(...sent.map((mail) => mail.to).filter((email) => email === to))
    }
    expect(reached).toHaveLength(10)
    // The link that was refused still works later.
    await env.DB.prepare('DELETE FROM mails_sent WHERE email = ?1').bind(to).run()
    const later = await refused?.visitor.submit('/account/email/leave-email', { token: refused.token })
    expect(later?.status).toBe(200)
  })

  it.each(['nowhere', ''])('requires a valid address: %j', async (email) => {
    const { visitor, sent } = await signInVisitor()
    expect((await visitor.submit('/account/email', { email })).status).toBe(400)
    expect(sent).toEqual([])
  })
})
