import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { countCalls } from '../../support/bindings.ts'
import { create, edit, read, remove, send } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'

type SendOptions = Parameters<typeof send>[2]

const getPicture = (id: string, query = '', init?: RequestInit, options?: SendOptions) =>
  send(`/${id}/preview.png${query}`, init, options)

/** Returns the dimensions in the header of a PNG, and a hash of it. */
async function readPng(response: Response): Promise<{ width: number; height: number; hash: string }> {
  expect(response.status).toBe(200)
  const bytes = await response.arrayBuffer()
  expect([...new Uint8Array(bytes, 0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const header = new DataView(bytes)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
  return { width: header.getUint32(16), height: header.getUint32(20), hash }
}

/** A binding for static files that has none. */
const withoutFiles = (): Env => ({
  ...env,
  ASSETS: {
    fetch: async () => new Response('', { status: 503 }),
    connect: () => {
      throw new Error('not used')
    },
  },
})

describe('the picture of a document', () => {
  it('is a PNG of 1200 × 630 pixels, light or dark', async () => {
    const { key } = await account()
    const { id } = await create('const a = 1\n', { language: 'typescript' }, { key })
    const answer = await getPicture(id)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    })
    const light = await readPng(answer)
    const dark = await readPng(await getPicture(id, '?theme=dark'))
    expect(light).toMatchObject({ width: 1200, height: 630 })
    expect(dark).toMatchObject({ width: 1200, height: 630 })
    expect(dark.hash).not.toBe(light.hash)
    expect((await readPng(await getPicture(id, '?theme=%00<script>&v=1'))).hash).toBe(light.hash)
  })

  /** In many parts of the fonts. */
  const IDEOGRAPHS = Array.from({ length: 40 }, (_, n) => String.fromCodePoint(0x4e00 + n * 510)).join('')

  it.each([
    ['Hangul beside kana', 'あ', '각', '갑'],
    ['emoji after many ideographs', `${IDEOGRAPHS}あ\n`, '🦄', '🦊'],
    ['Thai after many ideographs', `${IDEOGRAPHS}い\n`, 'ก', 'ข'],
  ])('has all fonts that its text needs when it is first drawn: %s', async (_, before, one, other) => {
    const draw = async (text: string) => (await readPng(await getPicture((await create(text)).id))).hash
    // Without its font, each character is the same box.
    expect(await draw(before + one)).not.toBe(await draw(before + other))
  })

  it('of some lines is as large as they are, and has their numbers and colours', async () => {
    const { key } = await account()
    const text = `/*\n${'const a = 1\n'.repeat(200)}*/\nconst last = 2\n${`${'wide '.repeat(60)}\n`.repeat(60)}`
    const { id } = await create(text, { language: 'typescript' }, { key })
    const draw = async (lines: string) => readPng(await getPicture(id, `?lines=${lines}`))
    const one = await draw('3')
    const ten = await draw('L3-L12')
    expect(ten.width).toBe(one.width)
    expect(ten.height).toBeGreaterThan(one.height + 200)
    expect((await draw('4')).hash).not.toBe(one.hash)
    expect((await readPng(await getPicture(id, '?lines=3&theme=dark'))).hash).not.toBe(one.hash)
    // Wide lines wrap, and are cut below.
    const wide = await draw('205-')
    expect(wide.width).toBeLessThan(1_800)
    expect(wide.height).toBeLessThan(1_900)
    // The comment begins above.
    const code = await create(text.slice(3), { language: 'typescript' }, { key })
    const inCode = await readPng(await getPicture(code.id, '?lines=50'))
    expect((await draw('50')).hash).not.toBe(inCode.hash)
  })

  it.each([
    ['0', 'lines'],
    ['x', 'lines'],
    ['5-3', 'lines'],
    ['4', '1 to 3'],
  ])('is refused for lines that no text has, or this one: %s', async (lines, problem) => {
    const { id } = await create('a\nb\nc\n')
    const answer = await getPicture(id, `?lines=${lines}`)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(problem)
  })

  it('is in the preview of a document whose creator wants it, with the version in its address', async () => {
    const { key } = await account()
    const { id } = await create('a', { image_embed: true }, { key })
    const find = async () =>
      /og:image" content="https:\/\/paste\.example(\/\w+\/preview\.png\?v=\w+)"/.exec(
        await (await send(`/${id}`)).text(),
      )?.[1]
    const [before = '', page] = [await find(), await (await send(`/${id}`)).text()]
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image"/>')
    expect((await readPng(await send(before))).width).toBe(1200)
    await edit({ id, content: 'b' }, { key })
    expect(await find()).not.toBe(before)
  })

  it('counts no view, and answers HEAD and a known version without reading content', async () => {
    const { id } = await create('a = 1\n')
    const { bindings, calls } = countCalls()
    const head = await getPicture(id, '', { method: 'HEAD' }, { bindings })
    const etag = head.headers.get('ETag') ?? ''
    expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' })
    const fresh = await getPicture(id, '', { headers: { 'If-None-Match': etag } }, { bindings })
    expect(fresh.status).toBe(304)
    expect(calls.filter((call) => call.startsWith('CONTENTS'))).toEqual([])
    expect((await getPicture(id, '?theme=dark', { headers: { 'If-None-Match': etag } })).status).toBe(200)
    expect((await read(id)).body.data.views).toBe(1)
  })

  it('changes with each edit, and is gone with the document although it is cached', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    const first = await readPng(await getPicture(id, '', {}, { settle: true }))
    expect(await readPng(await getPicture(id, '', {}, { bindings: withoutFiles() }))).toEqual(first)
    await edit({ id, content: 'two' }, { key })
    expect((await readPng(await getPicture(id, '', {}, { settle: true }))).hash).not.toBe(first.hash)
    await edit({ id, settings: { instant_delete: true } }, { key })
    expect((await getPicture(id)).status).toBe(404)
    await edit({ id, settings: { instant_delete: false } }, { key })
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    expect((await getPicture(id)).status).toBe(404)
  })

  it('does not exist, in the same way, for a document that is encrypted, burns or is missing', async () => {
    const { key } = await account()
    const settings = { image_embed: true, title: 'secret.txt' }
    const encrypted = await create('secret', { image_embed: true, encrypted: true }, { key })
    const burning = await create('secret', { ...settings, instant_delete: true }, { key })
    const deleted = await create('secret', settings, { key })
    await remove(deleted.id, { key })
    const answers = await Promise.all(
      [encrypted.id, burning.id, deleted.id, 'bcdfghjk'].flatMap((id) =>
        ['GET', 'HEAD'].map(async (method) => {
          // The creator, too, must not take a picture of what nobody else may see.
          const answer = await getPicture(id, '', { method, headers: { Authorization: key } })
          const { 'x-request-id': _, ...headers } = Object.fromEntries(answer.headers)
          return { method, status: answer.status, headers, body: await answer.text() }
        }),
      ),
    )
    for (const method of ['GET', 'HEAD']) {
      const [first, ...others] = answers.filter((answer) => answer.method === method)
      expect(first?.status).toBe(404)
      for (const other of others) expect(other).toEqual(first)
    }
    expect((await read(burning.id, { key })).status).toBe(200)
  })

  it.each([
    ['control characters and NUL', 'plaintext', 'a\0b\x07c\x1B[31md\x1B]0;title\x07e\r\nf\u2028g'],
    ['direction overrides', 'python', 'access = "user\u202E \u2066# admin\u2069 \u2066"\n'],
    ['stacked marks', 'plaintext', `Z${'\u0334\u0317\u035B'.repeat(2_000)}algo`],
    ['emoji', 'markdown', '# 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇯🇵 ❤️ 👍🏽\n\n- [x] 🎉\n'],
    [
      'many scripts',
      'javascript',
      '你好 こんにちは 안녕 مرحبا שלום Привет Ελλ สวัสดี नमस्ते ┌─┐ → ✓ 𝕏 \u{10FFFD}\n',
    ],
    [
      'many ideographs',
      'plaintext',
      Array.from({ length: 900 }, (_, i) => String.fromCodePoint(0x4e00 + i * 20)).join(''),
    ],
    ['a line of a megabyte', 'json', `["${'x'.repeat(1_000_000)}"]`],
    ['a million short lines', 'log', '\n'.repeat(1_000_000)],
    ['10 MiB', 'plaintext', '€'.repeat(3_400_000)],
    [
      'marks of Markdown',
      'markdown',
      `${'['.repeat(3_000)}\n${'**_`~~![<!--'.repeat(500)}\n${'> - 1. '.repeat(400)}\n|${'-|'.repeat(900)}\n`,
    ],
    ['quotes and comments that never end', 'typescript', `/*${"`${'".repeat(2_000)}`],
    [
      'markup',
      'html',
      '<style>*{display:none}</style><img src="https://a.example/x.png"><svg onload=x>'.repeat(50),
    ],
    ['an unknown language', '<b>\u202E', 'x'],
  ])('is drawn for %s', async (_, language, text) => {
    const { key } = await account()
    const { id } = await create(text, { language, title: text.slice(0, 150).trim() || 'x' }, { key })
    expect(await readPng(await getPicture(id))).toMatchObject({ width: 1200, height: 630 })
  })

  it('is the picture of the site if it can’t be drawn', async () => {
    // Only this test uses letters of this font.
    const { id } = await create('Ѡ ѡ\n')
    expectFaults('a preview picture failed')
    const answer = await getPicture(id, '', {}, { bindings: withoutFiles() })
    expect({ status: answer.status, location: answer.headers.get('Location') }).toEqual({
      status: 302,
      location: '/assets/preview.png',
    })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect((await readPng(await getPicture(id))).width).toBe(1200)
  })

  it('counts against a limit of its own unless it is cached', async () => {
    const { id } = await create('a limited picture')
    const bindings: Env = {
      ...env,
      RATE_LIMITS: 'on',
      PICTURE_LIMIT: { limit: async () => ({ success: false }) },
    }
    const refused = await getPicture(id, '', {}, { bindings })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('RateLimit')).toMatch(/^"pictures"/)
    await (await getPicture(id, '', {}, { settle: true })).arrayBuffer()
    expect((await getPicture(id, '', {}, { bindings })).status).toBe(200)
  })
})
