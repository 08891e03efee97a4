import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { NEVER } from '../../../src/shared/expiry.ts'
import { account, suspend } from '../../support/accounts.ts'
import { create, ORIGIN, send, withVars } from '../../support/client.ts'
import { childrenNamed, getText, parseXml } from './parse-xml.ts'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
/** W3C Datetime. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const MAX_BYTES = 50 * 1024 * 1024

/** Returns the addresses in a sitemap. Throws an Error if it violates the protocol. */
async function readSitemap(path: string, bindings: Env = env) {
  const response = await send(path, {}, { bindings })
  const xml = await response.text()
  expect({ path, status: response.status }).toEqual({ path, status: 200 })
  expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
  expect(new TextEncoder().encode(xml).length).toBeLessThanOrEqual(MAX_BYTES)
  const root = parseXml(xml)
  const kind = root.name
  expect(root.namespace).toBe(NAMESPACE)
  expect(root.children.every(({ name }) => name === 'url')).toBe(true)
  expect(root.children.length).toBeLessThanOrEqual(50_000)
  const addresses = root.children.map((child) => getText(child, 'loc'))
  for (const address of addresses) {
    expect(new URL(address).origin).toBe(ORIGIN)
    expect(address.length).toBeLessThan(2_048)
  }
  const dates = root.children.flatMap((child) => childrenNamed(child, 'lastmod')).map(({ text }) => text)
  for (const date of dates) expect(date).toMatch(DATE)
  return { kind, paths: addresses.map((address) => address.slice(ORIGIN.length)), dates }
}

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM documents').run()
})

const PAGES = ['/', '/explore', '/about', '/docs', '/abuse', '/privacy', '/terms']

describe('/sitemap.xml', () => {
  it('has the pages and the public documents, with the time of their last change', async () => {
    const [one, hidden] = [await account(), await account()]
    const { id, timestamps } = await create('text', { public: true }, { key: one.key })
    await create('text', {}, { key: one.key })
    await create('text', { public: true, instant_delete: true }, { key: one.key })
    await create('text', { public: true }, { key: hidden.key })
    await suspend(hidden)
    const expired = await create('text', { public: true }, { key: one.key })
    await env.DB.prepare('UPDATE documents SET expires_at = ?2 WHERE id = ?1')
      .bind(expired.id, Date.now())
      .run()
    const { kind, paths, dates } = await readSitemap('/sitemap.xml')
    expect({ kind, paths }).toEqual({ kind: 'urlset', paths: [...PAGES, `/${id}`] })
    expect(dates).toEqual([timestamps.creation])
  })

  it('has only pages that exist', async () => {
    for (const path of (await readSitemap('/sitemap.xml')).paths) {
      // The built content of the API reference isn't there in this test.
      if (path !== '/docs') expect({ path, status: (await send(path)).status }).toEqual({ path, status: 200 })
    }
  })

  it('has no documents if EXPLORE is off', async () => {
    const { key } = await account()
    await create('text', { public: true }, { key })
    const bindings = withVars({ EXPLORE: 'off', PRIVACY_URL: 'https://example.org/privacy' })
    const { paths } = await readSitemap('/sitemap.xml', bindings)
    expect(paths).toEqual(['/', '/about', '/docs', '/abuse', '/terms'])
  })

  it('has the newest 900 documents', async () => {
    const { id } = await account()
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        SELECT printf('b%07d', i), ?1, i, 1, 1, 'go', 0, 0, 0, 1, 'v', i, i, ?2 FROM n`,
    )
      .bind(id, NEVER)
      .run()
    const { paths } = await readSitemap('/sitemap.xml')
    const newest = Array.from({ length: 900 }, (_, n) => `/b000${String(1_000 - n).padStart(4, '0')}`)
    expect(paths).toEqual([...PAGES, ...newest])
  })
})

it('robots.txt names the sitemap, and keeps crawlers out of searches', async () => {
  const robots = await (await send('/robots.txt')).text()
  expect(robots).toContain(`\nSitemap: ${ORIGIN}/sitemap.xml\n`)
  expect(robots).toContain('\nDisallow: /*?*search=\n')
})
