import { afterEach, describe, expect, it, vi } from 'vitest'
import { SLICE_CHARACTERS } from '../../src/platform/streaming.ts'
import { account } from '../support/accounts.ts'
import { create, edit, send, withVars } from '../support/client.ts'

/** Six characters of JSON for each of these, and characters that slices mustn't split. */
const TEXT = `${'\u0001'.repeat(200_001)}${'😀'.repeat(50_000)}"\\\n${'x'.repeat(100_000)}`

/** One slice in JSON, with its quotes. */
const MAX_PART_CHARACTERS = 6 * (SLICE_CHARACTERS + 1) + 2

afterEach(() => {
  vi.restoreAllMocks()
})

describe('JSON with a long text is made in parts', () => {
  it.each([
    [
      'a document',
      (id: string) => `/v1/document/${id}`,
      { success: true, data: { content: TEXT, settings: { language: 'python' } } },
    ],
    ['a document for haste clients', (id: string) => `/documents/${id}`, { data: TEXT }],
    [
      'a revision',
      (id: string) => `/v1/document/${id}/revisions/1`,
      { success: true, data: { number: 1, language: 'python', content: TEXT } },
    ],
    [
      'recent documents with their texts',
      () => '/v1/users/@me/recent',
      { success: true, data: [{ content: 'short' }, { content: TEXT }, { content: TEXT }] },
    ],
  ])('%s', async (_, toPath, expected) => {
    const { key } = await account()
    const settings = { language: 'python' }
    await create(TEXT, settings, { key })
    const { id } = await create(TEXT, settings, { key })
    await create('short', settings, { key })
    // The first revision stays as it is.
    if (toPath(id).includes('revisions')) await edit({ id, content: 'changed' }, { key })
    const bindings = withVars({ LEGACY_CLIENTS: 'on' })
    const stringify = vi.spyOn(JSON, 'stringify')
    const response = await send(toPath(id), { headers: { Authorization: key } }, { bindings })
    const text = await response.text()
    const made = stringify.mock.results.map(({ value }) => String(value).length)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(JSON.parse(text)).toMatchObject(expected)
    expect(Math.max(...made)).toBeLessThanOrEqual(MAX_PART_CHARACTERS)
  })
})
