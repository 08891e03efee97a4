import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { findLinkDomains } from '../../src/documents/link-domains.lazy.ts'
import { compareTexts } from '../../src/shared/compare/compare-texts.ts'
import { restoreLineBreaks } from '../../src/shared/files.ts'
import { joinCrLf, toShownLines, withLineBreaks } from '../../src/shared/lines.ts'
import { leaveOut, replaceCharacter } from '../../src/shared/rewrite.ts'
import { formatArchive, parseArchive } from '../../src/shared/txtar.ts'
import { send } from '../support/client.ts'

const COUNT = 300_000

/** A replacement holds dozens of bytes for each match until it ends. */
const MAX_MATCHES = 64 * 1024

/** Returns how many matches were replaced at once, at the most. */
async function countReplaced(run: () => unknown): Promise<number> {
  const spies = [vi.spyOn(String.prototype, 'replaceAll'), vi.spyOn(String.prototype, 'replace')]
  await run()
  const counts = spies.flatMap((spy) =>
    spy.mock.calls.map(([pattern], index) => {
      const text = String(spy.mock.contexts[index])
      if (pattern instanceof RegExp) return pattern.global ? (text.match(pattern)?.length ?? 0) : 1
      return text.split(String(pattern)).length - 1
    }),
  )
  vi.restoreAllMocks()
  return Math.max(0, ...counts)
}

const form = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  send('/', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('a text with as many matches as it has characters is never replaced at once', () => {
  it.each<[string, () => unknown]>([
    ['escapes around links', () => findLinkDomains('\\'.repeat(COUNT), 10)],
    ['references around links', () => findLinkDomains('&quot;'.repeat(COUNT), 10)],
    ['line breaks around links', () => findLinkDomains(`<${'a\n'.repeat(COUNT)}`, 10)],
    ['quoted lines around links', () => findLinkDomains(`<${'\n> a\t'.repeat(COUNT)}`, 10)],
    ['CR in a comparison', () => compareTexts('\r'.repeat(COUNT), `a${'\r'.repeat(COUNT)}`)],
    ['CR in a comparison with LF', () => compareTexts('\r'.repeat(COUNT), 'a\n')],
    ['CR on a page', () => toShownLines('\r'.repeat(COUNT))],
    ['LF that become CR LF', () => withLineBreaks('\n'.repeat(COUNT), 'crlf')],
    ['LF that become CR', () => withLineBreaks('\n'.repeat(COUNT), 'cr')],
    ['CR LF of a form', () => joinCrLf('\r\n'.repeat(COUNT))],
    ['LF in a file', () => restoreLineBreaks(`-- a --\n${'\n'.repeat(COUNT)}`, new Map([['a', 'crlf']]))],
    ['escapes in an archive', () => parseArchive(`-- a --\n${'\\-- a --\n'.repeat(COUNT)}`)],
    ['headers in a file', () => formatArchive([{ name: 'a', content: '-- a --\n'.repeat(COUNT) }])],
    ['a form of a program', () => form(`content=${'+'.repeat(COUNT)}a`)],
    ['a form of the site', () => form(`content=${'%0D%0A'.repeat(COUNT)}a`, { Accept: 'text/html' })],
  ])('%s', async (_, run) => {
    expect(await countReplaced(run)).toBeLessThanOrEqual(MAX_MATCHES)
  })
})

const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\\', '.', 'é', '😀', '\ufeff', '\0') })

describe('rewriting bytes does what `replaceAll` does', () => {
  it.each([
    ['\r', '\n'],
    ['\n', '\r\n'],
    ['\0', '\uFFFD'],
    ['a', ''],
  ])('%j → %j', (character, replacement) => {
    fc.assert(
      fc.property(text, (before) => {
        expect(replaceCharacter(before, character, replacement)).toBe(
          before.replaceAll(character, replacement),
        )
      }),
    )
  })

  it('CR LF', () => {
    fc.assert(
      fc.property(text, (before) => {
        expect(joinCrLf(before)).toBe(before.replaceAll('\r\n', '\n'))
        expect(leaveOut(before, () => false)).toBe(before)
      }),
    )
  })
})
