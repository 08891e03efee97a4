import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { AppEnv } from '../../src/env.ts'
import { documentTokenCookie, expiredDocumentTokenCookie } from '../../src/http/cookies.ts'
import { readDocumentToken } from '../../src/http/identity.ts'
import { NEVER } from '../../src/shared/expiry.ts'

const TOKEN = `regent_doc_${'x'.repeat(36)}`
const DAY_MS = 86_400_000

/** Returns what the functions return for a request. */
async function ask(siteUrl: string, init: RequestInit = {}, expiresAt = 7 * DAY_MS) {
  const app = new Hono<AppEnv>().all('*', (c) => {
    c.set('siteUrl', siteUrl)
    c.set('now', 0)
    return c.json({
      set: documentTokenCookie(c, { id: 'bcdf2345', expiresAt }, TOKEN),
      expired: expiredDocumentTokenCookie(c, 'bcdf2345'),
      read: readDocumentToken(c) ?? null,
    })
  })
  const answer: { set: string; expired: string; read: string | null } = await (
    await app.request(`${siteUrl}/bcdf2345`, init)
  ).json()
  return answer
}

const SITE = 'https://paste.example'
const LOCAL = 'http://127.0.0.1:8787'

describe('the cookie with a document token', () => {
  it('is for the pages of the document alone, and no script sees it', async () => {
    const { set } = await ask(SITE)
    expect(set).toBe(
      `__Secure-regent.document_token=${TOKEN}; Max-Age=604800; Path=/bcdf2345; HttpOnly; Secure; SameSite=Lax`,
    )
  })

  it.each([LOCAL, 'http://192.168.1.20:8787'])(
    'has no prefix at %s, where browsers keep no secure cookies',
    async (site) => {
      const { set } = await ask(site)
      expect(set).toMatch(/^regent\.document_token=/)
      expect(set).not.toContain('Secure')
    },
  )

  it('lasts no longer than browsers keep cookies', async () => {
    const { set } = await ask(SITE, {}, NEVER)
    expect(set).toContain(`Max-Age=${400 * 86_400};`)
  })

  it('can be deleted', async () => {
    const { expired } = await ask(SITE)
    expect(expired).toBe(
      '__Secure-regent.document_token=; Max-Age=0; Path=/bcdf2345; HttpOnly; Secure; SameSite=Lax',
    )
  })
})

describe('the document token of a request', () => {
  const cookie = { Cookie: `theme=dark; __Secure-regent.document_token=${TOKEN}` }

  it.each([
    ['the header', { headers: { 'X-Document-Token': TOKEN } }, TOKEN],
    ['the header before the cookie', { headers: { ...cookie, 'X-Document-Token': 'other' } }, 'other'],
    ['the cookie', { headers: cookie }, TOKEN],
    ['the cookie of a form of this site', { method: 'POST', headers: { ...cookie, Origin: SITE } }, TOKEN],
    ['nothing', {}, null],
    ['an empty header', { headers: { 'X-Document-Token': ' ' } }, null],
    [
      'a form of another site',
      { method: 'POST', headers: { ...cookie, Origin: 'https://evil.example' } },
      null,
    ],
    ['a form of unknown origin', { method: 'POST', headers: cookie }, null],
    [
      'a cookie that could have been set without TLS',
      { headers: { Cookie: `regent.document_token=${TOKEN}` } },
      null,
    ],
  ])('is read from %s', async (_, init, expected) => {
    expect((await ask(SITE, init)).read).toBe(expected)
  })
})
