import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { CERTIFICATE } from './support/certificate.ts'
import { startTestServer } from './support/server.ts'
import { getLink, startMailServer } from './support/smtp.ts'
import { Visitor } from './support/visitor.ts'

const SITE = 'https://paste.example.org'

/** Where the proxy says that requests come from. */
const CLIENT = '203.0.113.9'

/** What a visitor sends who wants to be someone else. */
const FORGED = {
  'CF-Connecting-IP': '192.0.2.1',
  'X-Forwarded-For': '192.0.2.1',
  'X-Real-IP': '192.0.2.1',
  Forwarded: 'for=192.0.2.1;host=evil.example;proto=http',
}

/** Starts a proxy with a certificate, which passes on what it gets, and adds what nginx is told to add. */
async function startProxy(target: string) {
  const proxy = createServer(CERTIFICATE, (incoming, outgoing) => {
    const forwarded = [incoming.headers['x-forwarded-for'], CLIENT].filter(Boolean).join(', ')
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': forwarded,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': incoming.headers.host,
    }
    const passed = request(target + incoming.url, { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const stop = () => new Promise((resolve) => proxy.close(resolve))
  return {
    port: String((proxy.address() as AddressInfo).port),
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

/** Starts a site with a proxy in front of it, and one visitor. */
async function startSite(environment: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack()
  const mailServer = stack.use(await startMailServer({ login: false, startTls: false }))
  const mail = { SMTP_URL: mailServer.url, MAIL_FROM: 'regent@example.org' }
  const server = stack.use(
    await startTestServer({ ...mail, SITE_URL: SITE, LOG_REQUESTS: 'all', ...environment }),
  )
  const proxy = stack.use(await startProxy(server.url))
  const visitor = new Visitor(SITE, { port: proxy.port, headers: FORGED })
  return { mailServer, visitor, port: proxy.port, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Collects what requests say of the client's address. */
function collectNetworks(): unknown[] {
  const networks: unknown[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void networks.push(JSON.parse(String(line)).network))
  return networks
}

describe('a proxy with TLS that is trusted', () => {
  it('has a site with https links, safe cookies and HSTS', async () => {
    const networks = collectNetworks()
    await using site = await startSite({ TRUSTED_PROXY: '127.0.0.1' })
    const { visitor, mailServer } = site
    for (const path of ['/sign-up', '/v1/document/nowhere', '/favicon.ico'])
      expect((await visitor.open(path)).headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    await visitor.submit('/sign-up', { email: 'ada@example.org', username: 'ada-lovelace' })
    const link = getLink(mailServer)
    expect(link).toMatch(/^https:\/\/paste\.example\.org\/sign-in\/link\?/)
    const opened = await visitor.open(link.slice(SITE.length))
    expect(opened.status).toBe(303)
    const set = opened.headers.getSetCookie()
    expect(set.length).toBe(3)
    for (const cookie of set)
      expect(cookie).toMatch(/^__Host-regent\..*; Path=\/.*; HttpOnly; Secure; SameSite=Lax/)
    expect((await visitor.open('/account')).text).toContain('ada-lovelace')
    expect((await visitor.submit('/sign-out', {})).status).toBe(303)
    expect(new Set(networks)).toEqual(new Set(['203.0.113.0/24']))
  })
})

describe('a proxy that nobody trusts', () => {
  it('decides neither the address of a client nor that of the site', async () => {
    const networks = collectNetworks()
    await using site = await startSite()
    await site.visitor.open('/sign-up')
    await site.visitor.submit('/sign-up', { email: 'ada@example.org', username: 'ada-lovelace' })
    expect(getLink(site.mailServer)).toMatch(/^https:\/\/paste\.example\.org\//)
    expect(new Set(networks)).toEqual(new Set(['127.0.0.0/24']))
  })
})

describe('a visitor who makes up the address of the site', () => {
  it.each([{}, { TRUSTED_PROXY: '127.0.0.1' }])(
    'gets no link to it into an email: %o',
    async (environment) => {
      collectNetworks()
      await using site = await startSite(environment)
      const forger = new Visitor('https://localhost', { port: site.port, headers: FORGED })
      await forger.submit('/sign-up', { email: 'ada@example.org', username: 'ada-lovelace' })
      for (const { source } of site.mailServer.received) expect(source).not.toMatch(/localhost|evil/)
      await site.visitor.submit('/sign-up', { email: 'ada@example.org', username: 'ada-lovelace' })
      expect(getLink(site.mailServer)).toMatch(/^https:\/\/paste\.example\.org\//)
    },
  )
})
