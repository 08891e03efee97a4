import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { getDelay, parseVersion } from '../../src/client/shared/newer-versions.ts'
import { findLanguageChoice } from '../../src/client/viewer/document-language.ts'
import { findMatches, MAX_MATCHES } from '../../src/client/viewer/find-bar.ts'
import { formatHighlightLimits } from '../../src/client/viewer/highlighting/highlighting.ts'
import { formatLinkedLines, parseLinkedLines } from '../../src/client/viewer/lines.ts'
import { storeLanguageChoice } from '../../src/client/viewer/menus.ts'
import { chooseView, setViewInAddress, type View } from '../../src/client/viewer/views/views.ts'
import { stubStorage } from './support/browser.ts'

const createView = (name: string): View => ({
  name,
  label: name,
  appliesTo: () => true,
  load: () => Promise.reject(new Error('not loaded')),
})

const rendered = createView('rendered')
const log = createView('log')

const address = (rest: string) => new URL(`https://example.com/abc${rest}`)

describe('the view that a document starts in', () => {
  it.each([
    ['the first one that applies', '', rendered],
    ['the one in the address', '?view=log', log],
    ['the source, if the address says so', '?view=source', null],
    ['the first one if the address names none that applies', '?view=nothing', rendered],
    ['the source for a link to a line', '#L10-L20', null],
    ['the one in the address even for a link to a line', '?view=log#L10', log],
  ])('is %s', (_, rest, expected) => {
    expect(chooseView([rendered, log], address(rest))).toBe(expected)
  })

  it('is the first one for a link to a line, if that view can follow it', () => {
    const followsLineLinks = { ...log, followsLineLinks: true }
    expect(chooseView([followsLineLinks, rendered], address('#L10'))).toBe(followsLineLinks)
  })

  it('is the source if no other view applies', () => {
    expect(chooseView([], address('?view=log'))).toBeNull()
  })
})

describe('the address of a view', () => {
  it.each([
    ['names the source', null, '?a=b', '?a=b&view=source'],
    ['names another view', log, '', '?view=log'],
    ['doesn’t name the view that the document starts in', rendered, '?view=log', ''],
    ['names a view that a link to a line wouldn’t open', rendered, '#L10', '?view=rendered#L10'],
    ['keeps a link to a line', null, '?view=log#L10', '#L10'],
  ])('%s', (_, view, before, after) => {
    expect(setViewInAddress([rendered, log], view, address(before)).href).toBe(address(after).href)
  })
})

describe('the reader’s choices of languages', () => {
  beforeEach(() => {
    stubStorage('localStorage')
  })

  it('are kept for each document until they are taken back', () => {
    storeLanguageChoice('one', 'python')
    storeLanguageChoice('two', 'go')
    storeLanguageChoice('one', 'rust')
    expect(findLanguageChoice('one')).toBe('rust')
    expect(findLanguageChoice('two')).toBe('go')
    storeLanguageChoice('one', null)
    expect(findLanguageChoice('one')).toBeNull()
  })

  it('are kept for the latest 200 documents', () => {
    for (let index = 0; index <= 200; index++) storeLanguageChoice(`id${index}`, 'go')
    expect(findLanguageChoice('id0')).toBeNull()
    expect(findLanguageChoice('id200')).toBe('go')
  })

  it.each(['', '{', '[1, ["one"]]', '{"one": "go"}'])(
    'are none if storage contains something else: %j',
    (value) => {
      localStorage.setItem('languages', value)
      expect(findLanguageChoice('one')).toBeNull()
    },
  )
})

const text = { length: 1_000, longestLine: 80, lineAt: (offset: number) => offset / 10 }

describe('formatHighlightLimits', () => {
  it.each([
    ['everything is highlighted', text, 1_000, ''],
    ['parsing failed', text, 0, 'too deeply nested'],
    ['parsing stopped early', text, 500, 'text after line 50'],
    ['there are long lines', { ...text, longestLine: 10_001 }, 1_000, 'lines over 10,000 characters'],
    ['both', { ...text, longestLine: 10_001 }, 500, 'text after line 50, lines over 10,000 characters'],
  ])('if %s', (_, highlighted, end, expected) => {
    expect(formatHighlightLimits(highlighted, end)).toBe(expected)
  })
})

describe('parseLinkedLines', () => {
  it.each([
    ['L10', 10, 10],
    ['10', 10, 10],
    [' l10 ', 10, 10],
    ['L10-L20', 10, 20],
    ['L10-20', 10, 20],
    ['10 – 20', 10, 20],
    ['20-10', 10, 20],
    ['0', 1, 1],
    ['0-3', 1, 3],
  ])('parses %j', (text, first, last) => {
    expect(parseLinkedLines(text)).toEqual({ first, last })
  })

  it.each(['', 'L', 'x', '-1', '1.5', 'L10-', 'L1-L2-L3', '1234567890', 'main', 'L10x'])(
    'returns null for %j',
    (text) => {
      expect(parseLinkedLines(text)).toBeNull()
    },
  )
})

describe('formatLinkedLines', () => {
  it.each([
    [{ first: 10, last: 10 }, '#L10'],
    [{ first: 10, last: 20 }, '#L10-L20'],
  ])('formats %j as %s, which can be parsed again', (range, fragment) => {
    expect(formatLinkedLines(range)).toBe(fragment)
    expect(parseLinkedLines(fragment.slice(1))).toEqual(range)
  })
})

const isCancelled = () => false

const find = async (text: string, query: string) =>
  (await findMatches(text, query, isCancelled))?.map(({ from, to }) => text.slice(from, to))

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

  it('finds letters however their marks are composed', async () => {
    const text = 'café cafe\u0301 ế e\u0302\u0301 ê\u0301 한 \u1112\u1161\u11AB'
    for (const query of ['café', 'cafe\u0301', 'CAFÉ'])
      expect(await find(text, query)).toEqual(['café', 'cafe\u0301'])
    for (const query of ['ế', 'e\u0302\u0301', 'ê\u0301'])
      expect(await find(text, query)).toEqual(['ế', 'e\u0302\u0301', 'ê\u0301'])
    expect(await find(text, '한')).toEqual(['한', '\u1112\u1161\u11AB'])
    expect(await find('\uF900 豈', '\uF900')).toEqual(['\uF900', '豈'])
  })

  it('finds a decomposed letter that starts in one window and ends in the next', async () => {
    const before = 'x'.repeat(256 * 1024 - 1)
    expect(await findMatches(`${before}e\u0301`, 'é', isCancelled)).toEqual([
      { from: before.length, to: before.length + 2 },
    ])
  })

  it('finds a match that starts in one window and ends in the next', async () => {
    const before = 'x'.repeat(256 * 1024 - 3)
    expect(await findMatches(`${before}needle`, 'needle', isCancelled)).toEqual([
      { from: before.length, to: before.length + 6 },
    ])
  })

  it('returns matches that do not overlap, like a search over the whole text', async () => {
    const text = fc.stringMatching(/^[ab]{0,60}$/)
    const query = fc.stringMatching(/^[ab]{1,3}$/)
    await fc.assert(
      fc.asyncProperty(text, query, async (haystack, needle) => {
        const expected = [...haystack.matchAll(new RegExp(needle, 'g'))].map(({ index }) => index)
        expect((await findMatches(haystack, needle, isCancelled))?.map(({ from }) => from)).toEqual(expected)
      }),
    )
  })

  it('stops after the maximum number of matches', async () => {
    expect(await findMatches('a'.repeat(MAX_MATCHES + 1), 'a', isCancelled)).toHaveLength(MAX_MATCHES)
  })

  it('lets the page respond during a long search, and returns null once it is cancelled', async () => {
    vi.spyOn(performance, 'now').mockImplementation(
      (
        (now) => () =>
          (now += 100)
      )(0),
    )
    const waiting = vi.spyOn(globalThis, 'setTimeout')
    const text = 'x'.repeat(2_000_000)
    expect(await findMatches(text, 'y', isCancelled)).toEqual([])
    expect(waiting.mock.calls.length).toBeGreaterThan(3)
    expect(await findMatches(text, 'y', () => true)).toBeNull()
  })
})

const MINUTE = 60_000
const USUAL = { baseMs: 8_000, quietMs: 0, failures: 0, retryAfterMs: 0, random: 0 }

describe('the delay before a page asks again', () => {
  it('grows while nothing changes, and is never shorter than the page wants', () => {
    const delays = [0, 2, 3, 14, 15, 600].map((minutes) => getDelay({ ...USUAL, quietMs: minutes * MINUTE }))
    expect(delays).toEqual([8_000, 8_000, 20_000, 20_000, 60_000, 60_000])
  })

  it('doubles with each failure, up to ten minutes', () => {
    const delays = [1, 2, 3, 100].map((failures) => getDelay({ ...USUAL, failures }))
    expect(delays).toEqual([16_000, 32_000, 64_000, 10 * MINUTE])
  })

  it('is at least what the server asks for', () => {
    expect(getDelay({ ...USUAL, failures: 1, retryAfterMs: MINUTE })).toBe(MINUTE)
    expect(getDelay({ ...USUAL, failures: 1, retryAfterMs: 1_000 })).toBe(16_000)
  })

  it('differs between pages by up to a quarter, and never falls short', () => {
    expect(getDelay({ ...USUAL, random: 0.999 })).toBeCloseTo(10_000, -2)
    expect(getDelay({ ...USUAL, retryAfterMs: MINUTE, random: 1 })).toBe(75_000)
  })

  it('leaves reads over for 60 people who may edit it, behind one address, in their first three minutes', () => {
    const perMinute = 60 * (MINUTE / getDelay(USUAL))
    expect(perMinute).toBeLessThan(500)
  })
})

describe('parseVersion', () => {
  it.each([
    ['"raw-bcdfghjk2345"', 'bcdfghjk2345'],
    ['W/"raw-bcdfghjk2345"', 'bcdfghjk2345'],
    ['"json-bcdfghjk2345-0123abc"', 'bcdfghjk2345'],
    [null, null],
    ['', null],
    ['"', null],
  ])('of %s is %s', (etag, version) => {
    expect(parseVersion(etag)).toBe(version)
  })
})
