import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { outlastRowMemory } from '../../src/documents/recent-documents.ts'
import { account } from '../support/accounts.ts'
import { create, read } from '../support/client.ts'
import { curl } from './support.ts'

const TEXT = 'zero\none\ntwo\nthrée\n'
const BYTES = new TextEncoder().encode(TEXT)

const views = async (id: string) => (await read(id)).body.data.views - 1

/** As if the text had been written then. */
async function age(id: string, updatedAt: number): Promise<void> {
  await env.DB.prepare('UPDATE documents SET updated_at = ?2 WHERE id = ?1').bind(id, updatedAt).run()
  await outlastRowMemory()
}

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-3', 'zero', 'bytes 0-3/20'],
    ['bytes=5-', 'one\ntwo\nthrée\n', 'bytes 5-19/20'],
    ['bytes=-7', 'thrée\n', 'bytes 13-19/20'],
    ['bytes=-100', TEXT, 'bytes 0-19/20'],
    ['bytes=13-999', 'thrée\n', 'bytes 13-19/20'],
    ['Bytes=19-19', '\n', 'bytes 19-19/20'],
  ])('is given for %s', async (range, part, contentRange) => {
    const { id } = await create(TEXT)
    for (const path of [`/${id}`, `/r/${id}`]) {
      const answer = await curl(path, { headers: { Range: range } })
      expect(answer).toMatchObject({ status: 206, text: part })
      expect(answer.headers.get('Content-Range')).toBe(contentRange)
      expect(answer.headers.get('Accept-Ranges')).toBe('bytes')
      expect(answer.headers.get('ETag')).toMatch(/^"raw-/)
    }
  })

  it.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'lines=1-2', 'bytes=a-b', 'bytes'])(
    'is all of the text for %s',
    async (range) => {
      const { id } = await create(TEXT)
      expect(await curl(`/${id}`, { headers: { Range: range } })).toMatchObject({ status: 200, text: TEXT })
    },
  )

  it('is all of an empty file, which has no last bytes', async () => {
    const { id } = await create('-- a.txt --\n-- b.txt --\nhello\n')
    for (const path of [`/${id}/a.txt`, `/r/${id}/a.txt`]) {
      const answer = await curl(path, { headers: { Range: 'bytes=-5' } })
      expect(answer).toMatchObject({ status: 200, text: '' })
      expect(answer.headers.get('Content-Range')).toBeNull()
    }
  })

  it.each(['bytes=20-', 'bytes=20-25', 'bytes=-0'])('is refused after the end, as in %s', async (range) => {
    const { id } = await create(TEXT)
    const answer = await curl(`/${id}`, { headers: { Range: range } })
    expect(answer).toMatchObject({
      status: 416,
      text: 'This document has 20 bytes. Ask for some of them, or leave out Range\n',
    })
    expect(answer.headers.get('Content-Range')).toBe('bytes */20')
    expect(await views(id)).toBe(0)
  })

  it('counts a view for the first byte alone', async () => {
    const { id } = await create(TEXT)
    for (const range of ['bytes=5-9', 'bytes=10-', 'bytes=-3', 'bytes=0-4']) {
      await curl(`/${id}`, { headers: { Range: range } })
    }
    expect(await views(id)).toBe(1)
  })

  it('joins the parts of a long text, which is streamed', async () => {
    const long = Array.from({ length: 120_000 }, (_, line) => `línea ${line}\n`).join('')
    const bytes = new TextEncoder().encode(long)
    const { id } = await create(long)
    const cuts = [0, 1, 65_536, 700_001, bytes.byteLength - 1, bytes.byteLength]
    const parts: string[] = []
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = (cuts[index + 1] ?? 0) - 1
      const answer = await curl(`/r/${id}`, { headers: { Range: `bytes=${from}-${to}` } })
      expect(answer.headers.get('Content-Range')).toBe(`bytes ${from}-${to}/${bytes.byteLength}`)
      parts.push(answer.text)
    }
    expect(parts.join('')).toBe(long)
    expect(await views(id)).toBe(1)
  })

  it('is ignored by documents that are encrypted or deleted after reading, and beside lines', async () => {
    const headers = { Range: 'bytes=1-2' }
    const { key } = await account()
    const encrypted = await create(TEXT, { encrypted: true }, { key })
    const jwe = await curl(`/${encrypted.id}`, { headers })
    expect(jwe.status).toBe(200)
    expect(jwe.headers.has('Accept-Ranges')).toBe(false)
    const open = { ...headers, 'X-Document-Password': encrypted.password ?? '' }
    expect(await curl(`/${encrypted.id}`, { headers: open })).toMatchObject({ status: 200, text: TEXT })
    const burning = await create(TEXT, { instant_delete: true }, { key })
    const burned = await curl(`/r/${burning.id}`, { method: 'POST', headers })
    expect(burned).toMatchObject({ status: 200, text: TEXT })
    const { id } = await create(TEXT)
    expect(await curl(`/${id}?lines=2`, { headers })).toMatchObject({ status: 200, text: 'one\n' })
  })

  it('is all of the text if it has changed since', async () => {
    const { id } = await create(TEXT)
    await age(id, Date.UTC(2026, 1, 3, 4, 5, 6, 700))
    const tag = (await curl(`/${id}`, { method: 'HEAD' })).headers.get('ETag') ?? ''
    const ask = (ifRange: string) => curl(`/${id}`, { headers: { Range: 'bytes=5-7', 'If-Range': ifRange } })
    for (const same of [tag, 'Tue, 03 Feb 2026 04:05:06 GMT'])
      expect(await ask(same)).toMatchObject({ status: 206, text: 'one' })
    for (const other of ['"raw-other"', `W/${tag}`, 'Tue, 03 Feb 2026 04:05:05 GMT', 'nonsense'])
      expect(await ask(other)).toMatchObject({ status: 200, text: TEXT })
  })
})

describe('the date of a text', () => {
  it('answers If-Modified-Since, which counts no view', async () => {
    const { id } = await create(TEXT)
    await age(id, Date.UTC(2026, 1, 3, 4, 5, 6, 700))
    const since = (date: string, headers = {}) =>
      curl(`/${id}`, { headers: { 'If-Modified-Since': date, ...headers } })
    const known = await since('Tue, 03 Feb 2026 04:05:06 GMT')
    expect(known).toMatchObject({ status: 304, text: '' })
    expect(known.headers.get('Last-Modified')).toBe('Tue, 03 Feb 2026 04:05:06 GMT')
    expect((await since('Wed, 04 Feb 2026 00:00:00 GMT')).status).toBe(304)
    expect(await views(id)).toBe(0)
    for (const older of ['Tue, 03 Feb 2026 04:05:05 GMT', 'yesterday'])
      expect(await since(older)).toMatchObject({ status: 200, text: TEXT })
    // The entity tag says more than the date.
    const other = { 'If-None-Match': '"raw-other"' }
    expect((await since('Wed, 04 Feb 2026 00:00:00 GMT', other)).status).toBe(200)
  })

  it('is missing as long as the text could change once more in the same second', async () => {
    const { id } = await create(TEXT)
    expect((await curl(`/${id}`)).headers.has('Last-Modified')).toBe(false)
  })
})

describe('HEAD', () => {
  it('gives the length that GET would', async () => {
    const { id } = await create(TEXT)
    for (const path of [`/${id}`, `/r/${id}`]) {
      const { headers, text } = await curl(path, { method: 'HEAD', headers: { Range: 'bytes=1-2' } })
      expect(headers.get('Content-Length')).toBe(`${BYTES.byteLength}`)
      expect(text).toBe('')
    }
  })
})
