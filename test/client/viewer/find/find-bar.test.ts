import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { findMatches, MAX_MATCHES } from '../../../../src/client/viewer/find/find-bar.ts'

const options = { yieldToPage: async () => {}, isCancelled: () => false }

const find = async (text: string, query: string) =>
  (await findMatches(text, query, options))?.map(({ from, to }) => text.slice(from, to))

describe('findMatches', () => {
  it('ignores case', async () => {
    expect(await find('Needle needle NEEDLE ÄÖ', 'needle')).toEqual(['Needle', 'needle', 'NEEDLE'])
    expect(await find('ÄÖ äö', 'äö')).toEqual(['ÄÖ', 'äö'])
  })

  it.each(['(a+b)', '[x]', '$1', '.*', '\\d', 'a|b', '^', '{2}', '?'])(
    'takes %s literally, not as a pattern',
    async (query) => {
      expect(await find(`x${query}y abx11dd`, query)).toEqual([query])
    },
  )

  it('finds a match that starts in one window and ends in the next', async () => {
    const before = 'x'.repeat(256 * 1024 - 3)
    expect(await findMatches(`${before}needle`, 'needle', options)).toEqual([
      { from: before.length, to: before.length + 6 },
    ])
  })

  it('returns matches that do not overlap, like a search over the whole text', async () => {
    const text = fc.stringMatching(/^[ab]{0,60}$/)
    const query = fc.stringMatching(/^[ab]{1,3}$/)
    await fc.assert(
      fc.asyncProperty(text, query, async (haystack, needle) => {
        const expected = [...haystack.matchAll(new RegExp(needle, 'g'))].map(({ index }) => index)
        expect((await findMatches(haystack, needle, options))?.map(({ from }) => from)).toEqual(expected)
      }),
    )
  })

  it('stops after the maximum number of matches', async () => {
    expect(await findMatches('a'.repeat(MAX_MATCHES + 1), 'a', options)).toHaveLength(MAX_MATCHES)
  })

  it('lets the page respond during a long search, and returns null once it is cancelled', async () => {
    vi.spyOn(performance, 'now').mockImplementation(
      (
        (now) => () =>
          (now += 100)
      )(0),
    )
    const yieldToPage = vi.fn(async () => {})
    const text = 'x'.repeat(2_000_000)
    expect(await findMatches(text, 'y', { yieldToPage, isCancelled: () => false })).toEqual([])
    expect(yieldToPage.mock.calls.length).toBeGreaterThan(3)
    expect(await findMatches(text, 'y', { yieldToPage, isCancelled: () => true })).toBeNull()
  })
})
