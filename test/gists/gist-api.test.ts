import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyLongStrings } from '../../src/gists/gist-api.ts'

/** Sends the JSON of a value in chunks of this size. */
async function shorten(value: unknown, chunkBytes: number): Promise<unknown> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  async function* cut() {
    for (let start = 0; start < bytes.byteLength; start += chunkBytes)
      yield bytes.subarray(start, start + chunkBytes)
  }
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of emptyLongStrings(cut())) text += decoder.decode(chunk, { stream: true })
  return JSON.parse(text)
}

it('keeps JSON with short strings as it is, wherever it is cut', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), async (value, chunkBytes) => {
      expect(await shorten(value, chunkBytes)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  ))

it('empties strings of more than 4 KiB', async () => {
  for (const [content, kept] of [
    ['x'.repeat(4096), 'x'.repeat(4096)],
    ['x'.repeat(4097), ''],
    ['"\\'.repeat(1024), '"\\'.repeat(1024)],
    ['"\\'.repeat(1025), ''],
    [`${'x'.repeat(10_000)}\\`, ''],
  ])
    for (const chunkBytes of [7, 4096, 100_000])
      expect(await shorten({ before: '"', content, after: [1, 'é'] }, chunkBytes)).toEqual({
        before: '"',
        content: kept,
        after: [1, 'é'],
      })
})
