import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { Assets } from '../../server/assets.ts'
import { CLIENT, compressAssets } from '../../server/build.ts'
import { createFolder, startTestServer } from './support/server.ts'

const SCRIPT = 'export const answer = 42\n'.repeat(50)

const HEADERS = `# comment
/*
  X-Frame-Options: DENY
  Cross-Origin-Resource-Policy: same-origin
/assets/*.js
  ! Cross-Origin-Resource-Policy
  Cache-Control: public, max-age=31536000, immutable
`

let assets: Assets

beforeAll(async () => {
  const folder = await createFolder()
  await mkdir(join(folder, 'client/assets'), { recursive: true })
  await writeFile(join(folder, 'client/_headers'), HEADERS)
  await writeFile(join(folder, 'client/assets/a.js'), SCRIPT)
  await writeFile(join(folder, 'client/favicon.ico'), 'icon')
  await compressAssets(join(folder, 'client'), join(folder, 'compressed'))
  // Nothing has changed.
  await compressAssets(join(folder, 'client'), join(folder, 'compressed'))
  assets = await Assets.open(join(folder, 'client'), join(folder, 'compressed'))
})

const find = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  assets.find(new Request(`http://a.example${path}`, { headers, method }))

describe('a static file', () => {
  it('has its type, the headers of all rules for its path, and a tag', async () => {
    const response = await find('/assets/a.js?query')
    expect(await response?.text()).toBe(SCRIPT)
    expect(Object.fromEntries(response?.headers ?? [])).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(SCRIPT.length),
      'content-type': 'text/javascript; charset=utf-8',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      vary: 'Accept-Encoding',
      'x-frame-options': 'DENY',
    })
    expect((await find('/favicon.ico'))?.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
  })

  it('is sent as the client takes it', async () => {
    const encoding = async (accepted: string) =>
      (await find('/assets/a.js', { 'Accept-Encoding': accepted }))?.headers.get('Content-Encoding') ?? null
    expect(await encoding('gzip, deflate, br')).toBe('br')
    expect(await encoding('gzip;q=0.5')).toBe('gzip')
    expect(await encoding('br;q=0, gzip')).toBe('gzip')
    expect(await encoding('identity')).toBeNull()
    const packed = await find('/assets/a.js', { 'Accept-Encoding': 'gzip' })
    const bytes = Buffer.from((await packed?.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(packed?.headers.get('Content-Length')).toBe(String(bytes.byteLength))
    expect(String(gunzipSync(bytes))).toBe(SCRIPT)
  })

  it('is not sent again to a client that has it', async () => {
    const etag = (await find('/assets/a.js'))?.headers.get('ETag') ?? ''
    expect((await find('/assets/a.js', { 'If-None-Match': etag }))?.status).toBe(304)
    expect(
      (await find('/assets/a.js', { 'If-None-Match': `"x", W/${etag}`, 'Accept-Encoding': 'br' }))?.status,
    ).toBe(304)
    expect((await find('/assets/a.js', { 'If-None-Match': '"x"' }))?.status).toBe(200)
  })

  it('is there for methods that read, and at its own path only', async () => {
    expect(await (await find('/assets/a.js', {}, 'HEAD'))?.text()).toBe('')
    expect(await find('/assets/a.js', {}, 'POST')).toBeNull()
    for (const path of ['/assets/b.js', '/_headers', '/assets/', '/../client/assets/a.js', '/%2e%2e/x', '/%'])
      expect(await find(path)).toBeNull()
  })

  it('comes before the app, which answers everything else', async () => {
    await using server = await startTestServer()
    const icon = await fetch(`${server.url}/favicon.ico`)
    expect(icon.headers.get('Content-Type')).toBe('image/vnd.microsoft.icon')
    expect(icon.headers.get('X-Frame-Options')).toBe('DENY')
    const name = (await readdir(join(CLIENT, 'assets/immutable'))).find((file) => file.endsWith('.js'))
    const script = await fetch(`${server.url}/assets/immutable/${name}`, {
      headers: { 'Accept-Encoding': 'br' },
    })
    expect(script.headers.get('Content-Encoding')).toBe('br')
    expect(await script.text()).toBe(await readFile(join(CLIENT, `assets/immutable/${name}`), 'utf8'))
    const description = await fetch(`${server.url}/v1/openapi.json`)
    expect(description.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })
})

describe('a page', () => {
  it('is compressed for clients that take it, and raw text keeps its strong tag', async () => {
    await using server = await startTestServer()
    const created = await fetch(`${server.url}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: 'a line, “as people write”\n'.repeat(200_000) }),
    })
    const { data } = (await created.json()) as { data: { id: string } }
    const get = (path: string, headers: Record<string, string>) =>
      fetch(server.url + path, { headers: { 'User-Agent': 'Gecko/1', Accept: 'text/html', ...headers } })
    const page = `/${data.id}`
    const plain = await get(page, { 'Accept-Encoding': 'identity' })
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    // What is before the text counts views.
    const getText = (html: string) => html.slice(html.indexOf('id="text"'))
    const text = getText(await plain.text())
    const compressed = await get(page, { 'Accept-Encoding': 'gzip' })
    expect(compressed.headers.get('Content-Encoding')).toBe('gzip')
    expect(compressed.headers.get('Vary')).toContain('Accept-Encoding')
    expect(text.length).toBeGreaterThan(5_000_000)
    expect(getText(await compressed.text()) === text).toBe(true)
    const etag = compressed.headers.get('ETag') ?? ''
    expect(etag).toBe(`W/${plain.headers.get('ETag')}`)
    expect((await get(page, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).toBe(304)
    const raw = await get(`/r/${data.id}`, { 'Accept-Encoding': 'gzip' })
    expect(raw.headers.get('ETag')).toMatch(/^"/)
    await raw.body?.cancel()
  })
})

describe('a preview picture', () => {
  it('is drawn by WebAssembly, and kept', async () => {
    await using server = await startTestServer()
    const created = await fetch(`${server.url}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: '# Picture' }),
    })
    const { data } = (await created.json()) as { data: { id: string } }
    for (let time = 1; time <= 2; time += 1) {
      const response = await fetch(`${server.url}/${data.id}/preview.png`)
      expect(response.headers.get('Content-Type')).toBe('image/png')
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    }
  })
})
