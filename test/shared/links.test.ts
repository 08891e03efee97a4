import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { findLinks } from '../../src/shared/links.ts'

const find = (text: string) => findLinks(text).map(({ from, to }) => text.slice(from, to))

describe('the links of a text', () => {
  it.each([
    ['See https://example.com.', ['https://example.com']],
    [
      'See https://example.com/a_b, then (https://example.com/c).',
      ['https://example.com/a_b', 'https://example.com/c'],
    ],
    ['(https://example.com/a_(b))…).', ['https://example.com/a_(b)']],
    ['https://example.com/a)]).)', ['https://example.com/a']],
    ['https://en.wikipedia.org/wiki/C_(language)', ['https://en.wikipedia.org/wiki/C_(language)']],
    ['(see https://en.wikipedia.org/wiki/C_(language))', ['https://en.wikipedia.org/wiki/C_(language)']],
    [
      '[text](https://example.com/a) <https://example.com/b>',
      ['https://example.com/a', 'https://example.com/b'],
    ],
    [
      'const a = \'https://example.com/x\', b = "http://example.com/y?z=1#t"',
      ['https://example.com/x', 'http://example.com/y?z=1#t'],
    ],
    ['{"url":"https://example.com/a\\nb"}', ['https://example.com/a']],
    ['# see http://localhost:8787/health', ['http://localhost:8787/health']],
    ['http://192.168.0.1:80/ http://[::1]:3000/x', ['http://192.168.0.1:80/', 'http://[::1]:3000/x']],
    ['**https://example.com/** `https://example.com/c`', ['https://example.com/', 'https://example.com/c']],
    ['https://a.example,https://b.example;', ['https://a.example', 'https://b.example']],
    ['href=&quot;https://example.com/a&quot;', ['https://example.com/a']],
    ['Really? https://example.com/?q=a&b=c!', ['https://example.com/?q=a&b=c']],
    ['HTTPS://Example.com/A', ['HTTPS://Example.com/A']],
    [
      'mailto:ada@example.com, mailto:a.b+c@example.co.uk?subject=Hi',
      ['mailto:ada@example.com', 'mailto:a.b+c@example.co.uk?subject=Hi'],
    ],
    [
      'https://bücher.example/ https://例え.テスト/あ https://ja.wikipedia.org/wiki/日本。',
      ['https://bücher.example/', 'https://例え.テスト/あ', 'https://ja.wikipedia.org/wiki/日本'],
    ],
    [
      '\\url{https://example.com/a} 「https://example.com」',
      ['https://example.com/a', 'https://example.com'],
    ],
    [
      '2026-11-22 GET https://example.com/x 200\nhttps://example.com/y\n',
      ['https://example.com/x', 'https://example.com/y'],
    ],
    ['https://example.com/a…', ['https://example.com/a']],
  ])('in %j are %j', (text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  it.each([
    'javascript:alert(1) data:text/html,x file:///etc/passwd ftp://example.com',
    'www.example.com README.md ada@example.com',
    'https:// http:/x http:\\\\x mailto: mailto:x',
    'git+https://example.com/a.git xhttps://example.com',
    'https://example.com@evil.example/',
    'https://user:secret@example.com/',
    'https://example.com/#{id} https://example.com/{id}/x',
    'https://ex\u200Bample.com/ https://example.com\u200B/ \u200Bhttps://example.com/',
    'https://example.com/\u202Egnp.exe',
    'a \u202E line https://example.com/',
    'https://ex\u00ADample.com/',
    'https://аррӏе.com/ https://gооgle.com/ https://ελλάδα.gr/',
    'https://example.com\uFF0F.evil.example/ https://example.com\u2215x.example/',
    'https://example。com.evil.example@x/',
    'https://ｅxample.com/',
    'https://example.com\u2024evil/',
    `https://example.com/${'a'.repeat(3_000)}`,
    'https://-a.example/ https://a..example/',
    `https://${'一'.repeat(64)}.example/`,
    `https://${'一.'.repeat(124)}example/`,
  ])('aren’t in %j', (text) => {
    expect(find(text)).toEqual([])
  })

  it('are parsed once, and only if the host is no longer than a name can be', () => {
    const [parse, canParse] = [vi.spyOn(URL, 'parse'), vi.spyOn(URL, 'canParse')]
    find(`https://${'一'.repeat(2_000)}/ https://${'一.'.repeat(1_000)} https://${'a'.repeat(255)}/`)
    expect(parse).not.toHaveBeenCalled()
    expect(find('https://一.example/ https://a.example:99999/ https://a.example/b')).toHaveLength(2)
    expect(parse).toHaveBeenCalledTimes(3)
    expect(canParse).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('are switched off only in the line with a bidirectional control', () => {
    expect(find('\u2066 https://a.example\nhttps://b.example\n')).toEqual(['https://b.example'])
  })

  it('lead where they say, and nowhere else', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom(
        'https://',
        'http://',
        'mailto:',
        'a.example',
        '@',
        '/',
        '.',
        ')',
        '(',
        '\u200B',
        '\n',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let end = 0
        for (const { from, to, href } of findLinks(text)) {
          expect(from >= end && to > from && to <= text.length).toBe(true)
          end = to
          const url = new URL(text.slice(from, to))
          expect(['http:', 'https:', 'mailto:']).toContain(url.protocol)
          expect(new URL(href).host).toBe(url.host)
          expect(url.username + url.password).toBe('')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  // It would take longer than a test may, if the time grew with the square of the length.
  it('are found in a long text that is meant to be slow', () => {
    for (const part of [
      'https://',
      'https://a',
      'https://a.example/((((',
      'mailto:a@',
      'https://a.example/)',
      "'https://x'",
      '&lt;',
    ]) {
      expect(findLinks(part.repeat(512_000 / part.length)), part).toEqual([])
    }
  })
})
