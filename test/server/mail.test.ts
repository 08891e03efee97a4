import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMail } from '../../server/mail.ts'
import { readSettings } from '../../server/settings.ts'
import { expectFaults } from '../support/log.ts'
import { CERTIFICATE } from './support/certificate.ts'
import { startTestServer } from './support/server.ts'
import { getLink, type MailServer, PASSWORD, startMailServer, USER } from './support/smtp.ts'
import { Visitor } from './support/visitor.ts'

const MAIL_FROM = 'Regent <regent@example.org>'
const ADA = { email: 'ada@example.org', username: 'ada-lovelace' }

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, CERTIFICATE.cert]))
afterAll(() => setDefaultCACertificates(trusted))

const SITE_URL = 'http://paste.example.org'

async function startWithMail(url: string) {
  const server = await startTestServer({ SITE_URL, SMTP_URL: url, MAIL_FROM })
  const { port } = new URL(server.url)
  return { ...server, visit: () => new Visitor(SITE_URL, { port }) }
}

async function openLink(visitor: Visitor, mailServer: MailServer) {
  const { pathname, search } = new URL(getLink(mailServer))
  return visitor.open(pathname + search)
}

async function expectSignedIn(visitor: Visitor): Promise<void> {
  const { status, text } = await visitor.open('/account')
  expect(status).toBe(200)
  expect(text).toContain(ADA.username)
}

const email = { from: USER, to: ADA.email, subject: 'Hello', text: 'Hello' }

describe('a mail server', () => {
  it.each([{ secure: false }, { secure: true }])(
    'brings links to sign up and to sign in: %o',
    async (options) => {
      await using mailServer = await startMailServer(options)
      await using server = await startWithMail(mailServer.url)
      const visitor = server.visit()
      expect((await visitor.submit('/sign-up', ADA)).status).toBe(200)
      expect(mailServer.received).toMatchObject([
        { from: USER, to: [ADA.email], isEncrypted: true, user: USER },
      ])
      expect(mailServer.received[0]?.source).toContain(`From: ${MAIL_FROM}\r\n`)
      expect((await openLink(visitor, mailServer)).status).toBe(303)
      await expectSignedIn(visitor)

      const other = server.visit()
      await other.submit('/sign-in', { email: ADA.email })
      expect((await openLink(other, mailServer)).status).toBe(303)
      await expectSignedIn(other)
    },
  )

  it('needs no login if it asks for none', async () => {
    await using mailServer = await startMailServer({ login: false, startTls: false })
    await openMail(mailServer.url).binding.send(email)
    expect(mailServer.received).toMatchObject([{ to: [ADA.email], isEncrypted: false, user: null }])
  })
})

/** Expects the site's error, and one line in the log that keeps secrets. Then nothing was lost. */
async function expectRefusal(visitor: Visitor, reason: RegExp): Promise<void> {
  const lines = expectFaults('request failed')
  const { status, text } = await visitor.submit('/sign-up', ADA)
  expect(status).toBe(503)
  expect(text).toContain('We couldn’t send the email. Try again.')
  expect(text).toContain(ADA.email)
  expect(lines.length).toBe(1)
  expect(lines[0]).toMatch(reason)
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), USER, ADA.email])
    expect(lines[0]).not.toContain(secret)
}

describe('a mail server that fails', () => {
  it('is used again once it is back', async () => {
    const before = await startMailServer()
    await using server = await startWithMail(before.url)
    const visitor = server.visit()
    await before[Symbol.asyncDispose]()
    await expectRefusal(visitor, /The mail server can't be used: connect ECONNREFUSED/)
    await using after = await startMailServer({ port: before.port })
    expect((await visitor.submit('/sign-up', ADA)).status).toBe(200)
    expect((await openLink(visitor, after)).status).toBe(303)
    await expectSignedIn(visitor)
  })

  it('refuses the login, and repeats it', async () => {
    await using mailServer = await startMailServer()
    await using server = await startWithMail(mailServer.url)
    const visitor = server.visit()
    mailServer.password = 'another'
    await expectRefusal(visitor, /The mail server answered 535 5\.7\.8 to AUTH PLAIN \(EAUTH\)/)
    mailServer.password = PASSWORD
    expect((await visitor.submit('/sign-up', ADA)).status).toBe(200)
    expect((await openLink(visitor, mailServer)).status).toBe(303)
  })

  it('accepts a connection, and says nothing', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const mail = openMail(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, { timeoutMs: 100 })
    await expect(mail.binding.send(email)).rejects.toThrow(/^The mail server can't be used: .*\(ETIMEDOUT\)$/)
    silent.close()
  })

  it('has a certificate that nobody trusts', async () => {
    await using mailServer = await startMailServer({ secure: true })
    setDefaultCACertificates(trusted)
    await expect(openMail(mailServer.url).binding.send(email)).rejects.toThrow(/certificate/)
    setDefaultCACertificates([...trusted, CERTIFICATE.cert])
    await openMail(mailServer.url).binding.send(email)
    expect(mailServer.received.length).toBe(1)
  })

  it('gets no password without encryption, except on this machine or if the address says so', async () => {
    await using mailServer = await startMailServer({ startTls: false })
    // Linux and macOS reach this machine there, too, but it isn't an address of it.
    const elsewhere = mailServer.url.replace('localhost', '0.0.0.0')
    await expect(openMail(elsewhere).binding.send(email)).rejects.toThrow(/STARTTLS/)
    expect(mailServer.passwords).toEqual([])
    for (const url of [mailServer.url, `${elsewhere}?requireTLS=false`])
      await openMail(url).binding.send(email)
    expect(mailServer.passwords).toEqual([PASSWORD, PASSWORD])
  })
})

describe('SMTP_URL', () => {
  it.each(['smtp://user:50%@mail.example.org', 'smtp://', 'http://mail.example.org'])(
    'refuses %s without repeating it',
    (url) => {
      const read = () => readSettings([], { MAIL_FROM, SMTP_URL: url })
      expect(read).toThrow(/SMTP_URL: use an address/)
      expect(read).not.toThrow(/50%/)
    },
  )
})
