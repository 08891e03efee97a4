import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { HOSTILE_LINKS } from '../../../bench/hostile-links.ts'
import { findLinkDomains, linksToAny, normalizeDomain } from '../../../src/documents/link-domains.lazy.ts'
import { findLinks } from '../../../src/shared/links.ts'

const findAll = (text: string): readonly string[] => findLinkDomains(text, Number.POSITIVE_INFINITY) ?? []

const EVIL = 'evil.example'

describe('the domains of links', () => {
  it.each([
    'https://evil.example',
    'HTTPS://EVIL.Example/p?q#f',
    'see https://evil.example, or not',
    '(https://evil.example)',
    '**https://evil.example**',
    '“https://evil.example”',
    '_https://evil.example_',
    'https://evil.example.',
    'https://evil.example...',
    'https://evil.example\u00A0next',
    'https://evil.example:8443/',
    'https://good.example@evil.example/',
    'https://good.example:80@evil.example:443, x',
    `https://${'user'.repeat(2_000)}@evil.example`,
    'https:///evil.example',
    'https:\\\\evil.example',
    'https:\\/\\/evil.example\\/p',
    'www.evil.example',
    'https://evil.example..https://',
    'https://evil.example._x',
    '\\xwww.evil.example',
    'www.~a.evil.example',
    'www.a$b.evil.example',
    'WWW.evil.example/p',
    'see (www.evil.example)',
    '[x](//evil.example/p)',
    '[x](<//evil.example>)',
    '[x]\n\n[x]: //evil.example',
    '[x]: https://evil.example "t"',
    '[^1]: https://evil.example',
    '<https://evil.example>',
    '![x](https://evil.example/i.png)',
    '[x](https&#58;//evil.example/p)',
    '[x](https&#x3A;&sol;&#47;evil.example)',
    '[x](&#104;ttps://evil.example)',
    'https://evil&#46;example',
    'https://evil&period;example',
    'https\\://evil.example',
    '[x](https:\\//evil\\.example)',
    '[x](https&colon;\\/\\/evil&#46;example)',
    'www&#46;evil.example',
    'https://ev&shy;il.example',
    'https://ev\u00ADil.example',
    'https://&eopf;vil.example',
    'https://&Efr;v&ii;&ell;.example',
    'https://evil&#x2e;example',
    'https://evil.exa&ZeroWidthSpace;mple',
    'https://evil%2Eexample',
    'https://%65vil.example',
    'https://evil。example',
    'https://evil．example',
    'https://evil｡example。',
    'https://ｅｖｉｌ.example',
    '<a href="https&colon;//evil.example/p">x</a>',
    '<a href=https://evil.example>x</a>',
    "<a href='//evil.example'>x</a>",
    '<a href = " //evil.example">x</a>',
    '<a href="ht\ntps://ev\til.exa\nmple">x</a>',
    '<a href="ht&Tab;tps://ev&NewLine;il.example">x</a>',
    '<a href="https:/\n/evil.example">x</a>',
    '<a href="https://evil&#46example">x</a>',
    '<img srcset="https://fine.example/1 1x, https://evil.example/2 2x">',
    '<form action="//evil.example">',
    '{"url":"https:\\/\\/evil.example\\/p"}',
    "x('https://evil.example')",
    'https://fine.example,https://evil.example',
    'https://fine.example<br>https://evil.example',
    'www.fine.example<br>www.evil.example',
    'https://evil.example。中文',
    'https://evil.example？中文',
    'https://evil.example—next',
    'https://evil.example…',
    'https://fine.example,x.evil.example',
    'https://fine.example,x。evil.example',
    'https://fine.example,x%2Eevil.example',
    'https://fine.example，一.b.evil.example',
    '[x](https://a:b@evil.example)@',
    '[x](https://a,b.evil.example)',
    '[x](https://evil.example)a:b@c',
    '__https://evil.example__.',
    '[x](////////////evil.example)',
    '[x](   //evil.example)',
    '> [x]:\n> //evil.example',
    '<a href="\\\\evil.example">x</a>',
    '<a href="https://evil&#x00000000002e;example">x</a>',
    '="<a href="ht\ntps://evil.example">x</a>',
    '> <a href="ht\n> tps://evil.\n>   example">x</a>',
  ])('are found in %j', (text) => {
    expect(findAll(text)).toContain(EVIL)
  })

  it.each([
    'evil.example',
    'https://notevil.example/',
    'https://evil.example.org/',
    'https://fine.example/?to=evil.example',
    'https://fine.example/evil.example',
    'https://fine.example//evil.example',
    '// evil.example is a comment',
    'https://evil\n.example',
    'notwww.evil.example',
    'a &amp; b &#46; evil&period;example',
  ])('are none in %j', (text) => {
    expect(findAll(text)).not.toContain(EVIL)
  })

  it('include international names in punycode, and the domains that each belongs to', () => {
    expect(findAll('https://a.b&uuml;cher.example')).toEqual(
      expect.arrayContaining(['a.xn--bcher-kva.example', 'xn--bcher-kva.example', 'example']),
    )
  })

  it.each([
    [
      'hosts in a comment',
      `<!-- ${Array.from({ length: 30_000 }, (_, n) => `http://a${n}`).join(' ')} --> https://evil.example`,
    ],
    ['spaces in an attribute', `<a href="${' '.repeat(10_000)}ht\ntps://evil.example">`],
    ['slashes', `(${'/'.repeat(10_000)}evil.example)`],
    ['soft hyphens', `https://${'\u00AD%C2%AD&shy;'.repeat(5_000)}%65vil.example`],
    ['a user name', `https://${'user'.repeat(100_000)}@evil.example`],
    ['`www.` within words', `${'awww.'.repeat(400_000)} www.evil.example`],
    ['dots', `https://evil.example${'.'.repeat(10_000)}`],
  ])('are found in spite of many %s', (_, text) => {
    expect(linksToAny(text, new Set([EVIL]))).toBe(true)
  })

  it.each([
    ['names', Array.from({ length: 100 }, (_, n) => `bücher${n}.example`)],
    ['names that are invalid', Array.from({ length: 100 }, (_, n) => `xn--${n}ä`)],
    [
      'valid and invalid names',
      Array.from({ length: 100 }, (_, n) => `${n % 3 ? '' : '\u0301'}ä${n}.example`),
    ],
    ['names from right to left', Array.from({ length: 100 }, (_, n) => `${n % 2 ? 'א' : '1ä'}${n}.example`)],
    ['names that end with a dot', Array.from({ length: 100 }, (_, n) => `ä${n >> 1}${n % 2 ? '。' : ''}`)],
    ['names in percent encoding', Array.from({ length: 100 }, (_, n) => `%C3%A4${n}`)],
    ['broken percent encoding', Array.from({ length: 100 }, (_, n) => `ä${n}%ED%A0%80`)],
    ['numbers', Array.from({ length: 100 }, (_, n) => `0x${n}`)],
  ])('are found among many %s', (_, hosts) => {
    const hidden = [
      ['ｅvil.example', EVIL],
      ['bücher.evil%2Eexample', EVIL],
      ['0x7f.1', '127.0.0.1'],
      ['１２７.1', '127.0.0.1'],
      ['2130706433', '127.0.0.1'],
      ['1%2e2', '1.0.0.2'],
    ] as const
    // After them, hosts are parsed together.
    const valid = Array.from({ length: 64 }, (_, n) => `ö${n}.example`)
    for (const [host, domain] of hidden) {
      for (const rest of [hosts.slice(6), []]) {
        const links = [...valid, ...hosts.slice(0, 6), host, ...rest]
        expect(findAll(links.map((link) => `https://${link}/ `).join(''))).toContain(domain)
      }
    }
  })

  it('are as many as are asked for, or none', () => {
    const text = 'https://a.b.example/ https://c.example/'
    expect(findLinkDomains(text, 4)).toEqual(['a.b.example', 'b.example', 'example', 'c.example'])
    expect(findLinkDomains(text, 3)).toBeNull()
  })
})

/** Hosts that the URL parser got: it takes a time that grows with the square of each. */
function listParsed(find: () => unknown): string[] {
  const parse = vi.spyOn(URL, 'parse')
  try {
    find()
    return parse.mock.calls.map(([address]) => String(address).replace('http://', ''))
  } finally {
    parse.mockRestore()
  }
}

/** The answer to a create or an edit has the status 400. */
const TOO_MANY_LINKS = expect.objectContaining({
  code: 'bad_request',
  message: expect.stringMatching(/too many links to check/),
})

const MEBIBYTE = 1024 * 1024

describe('a text with very many links', () => {
  it.each([
    'hosts of 2,000 marks',
    'hosts of 2,000 marks in five readings',
    'labels of 240 marks in five readings',
    'invalid hosts in five readings',
    'one domain in five readings',
    'percent encoding in five readings',
    'hexadecimal addresses in five readings',
    'user names in five readings',
    'dots of other scripts in five readings',
    'short hosts in five readings',
    'pieces in five readings',
  ])('is refused if they are too many to check: %s', (name) => {
    const text = HOSTILE_LINKS[name]?.(8 * MEBIBYTE) ?? ''
    expect(() => findLinkDomains(text, 1_000) ?? linksToAny(text, new Set([EVIL]))).toThrow(TOO_MANY_LINKS)
  })

  it.each<[string, (n: number) => string]>([
    ['names', (n) => `site${n}.example`],
    ['names in punycode', (n) => `xn--bcher${n}-kva.example`],
    ['addresses', (n) => `${n >> 16}.${(n >> 8) & 255}.${n & 255}.9:8080`],
    ['names that are too long', (n) => `${n}${'a'.repeat(64)}`],
  ])('is checked if they are 100,000 %s', (_, getHost) => {
    const links = Array.from({ length: 100_000 }, (_, n) => `https://${getHost(n)}/`)
    expect(linksToAny(`${links.join('\n')}\nhttps://evil.example`, new Set([EVIL]))).toBe(true)
    expect(linksToAny(links.join('\n'), new Set([EVIL]))).toBe(false)
  })

  it.each([
    ['marks of which three become one', `\u0D9A${'\u0DD9\u0DCF\u0DCA'.repeat(40)}`],
    ['63 characters, one of which is encoded', `%65${'a'.repeat(62)}`],
  ])('has links behind a label of %s', (_, label) => {
    expect(findAll(`https://${label}.evil.example/`)).toContain(EVIL)
  })
})

describe('the work of finding links', () => {
  it('parses each host once', () => {
    expect(
      listParsed(() => findAll('https://bücher.example/ [x](https://bücher.example) '.repeat(500))),
    ).toEqual(['bücher.example'])
  })

  it('parses no host that is longer than a name can be', () => {
    const label = '\u4E00'.repeat(64)
    const name = `${`${'\u4E00'.repeat(50)}.`.repeat(5)}example`
    expect(
      listParsed(() => findAll(`https://${label}.example https://${name}/ https://${'a'.repeat(64)}%2E/`)),
    ).toEqual([])
  })

  it.each(Object.entries(HOSTILE_LINKS))('is bounded for %s', (_, createText) => {
    // A text of twice the length may be refused.
    const text = createText(32 * 1024)
    const parsed = listParsed(() => findAll(text))
    // Of a character in a name there may be four before it's composed, of two units each.
    expect(Math.max(0, ...parsed.map((host) => host.length))).toBeLessThanOrEqual(8 * 253)
    expect(parsed.length).toBeLessThan(text.length / 2)
  })

  it.each([
    ['https://', 'a'],
    ['www.', 'a'],
    ['www.', '一'],
    ['(//', '%65'],
    ['https://a,', '一'],
  ])('doesn’t overflow for 10 MB: %s%s', (start, unit) => {
    expect(linksToAny(start + unit.repeat(10_000_000 / unit.length), new Set([EVIL]))).toBe(false)
  })
})

/** Other spellings of a letter or a dot, which the URL parser reads as that. */
const spell = (character: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    character,
    character.toUpperCase(),
    `%${character.charCodeAt(0).toString(16)}`,
    ...(character === '.' ? ['。', '．', '｡'] : [String.fromCodePoint(character.charCodeAt(0) + 0xfee0)]),
    `${character}\u00AD`,
    `\u200B${character}`,
    `%E2%81%A0${character}`,
  )

const reference = (character: string): fc.Arbitrary<string> => {
  const code = character.codePointAt(0) ?? 0
  return fc.constantFrom(
    character,
    character,
    `&#${code};`,
    `&#x${code.toString(16)};`,
    `&#x000000000${code.toString(16)};`,
  )
}

const joined = (parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''))

const evilHost = joined([...EVIL].map(spell))

/** What a browser reads as the address of `EVIL`. */
const evilAddress = fc
  .tuple(
    fc.constantFrom('http:', 'https:', 'HTTPS:'),
    fc.constantFrom('//', '\\\\', '///', '/\\/'),
    fc.constantFrom('', 'user@', 'a:b@', 'a,b.', 'x.', 'fine.example@'),
    evilHost,
    fc.constantFrom('', ':8080', '/', '?q', '#f', '.', '/a@fine.example'),
  )
  .map((parts) => parts.join(''))

const evilAttribute = evilAddress
  .chain((address) => joined([...address].map((character) => reference(character))))
  .chain((address) =>
    fc
      .array(fc.tuple(fc.nat(address.length), fc.constantFrom('\n', '\t', '\r\n')), { maxLength: 4 })
      .map((breaks) =>
        // A break within a reference would make another of it.
        breaks.reduce(
          (text, [at, br]) =>
            text.includes('&') || text.includes('%') ? text : text.slice(0, at) + br + text.slice(at),
          address,
        ),
      ),
  )

/** Text before a link that may make it look like a part of something else. */
const padding = fc
  .array(
    fc.constantFrom(
      '="',
      "='",
      '(',
      '<',
      '<a href=',
      '&',
      '\\',
      '//',
      'http://',
      'a@',
      'www.',
      '\n',
      ' ',
      '>',
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''))

describe('what browsers open', () => {
  it('is found as an attribute, however it is spelled', () => {
    fc.assert(
      fc.property(padding, evilAttribute, fc.constantFrom('', ' ', '\n '), (before, address, space) => {
        expect(findAll(`${before} <a href="${space}${address}">x</a>`)).toContain(EVIL)
      }),
      { numRuns: 500 },
    )
  })

  it('is found as a link of Markdown, however it is spelled', () => {
    fc.assert(
      fc.property(padding, evilAddress, (before, address) => {
        expect(findAll(`${before} [x](<${address}>)`)).toContain(EVIL)
        expect(findAll(`${before} [x](${address})more@fine.example`)).toContain(EVIL)
      }),
      { numRuns: 500 },
    )
  })

  it('includes every link that pages show in a text', () => {
    const part = fc.constantFrom(
      ...[
        'https://',
        'http://',
        'evil.example',
        'a.b',
        'bücher.example',
        '例え.テスト',
        '.',
        ',',
        ';',
        '。',
        '？',
        '—',
        '…',
        '»',
      ],
      ...[
        ' ',
        '@',
        ':80',
        '/',
        '(',
        ')',
        '"',
        "'",
        '_',
        '*',
        '~',
        '&quot;',
        '&#46;',
        '&',
        '%',
        '|',
        '!',
        'www.',
        '\u0301',
      ],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const names = findLinks(text).map(({ href }) => new URL(href).hostname.replace(/\.$/, ''))
        // No top-level domain ends with an underscore.
        expect(findAll(text)).toEqual(expect.arrayContaining(names.filter((name) => !name.endsWith('_'))))
      }),
      { numRuns: 3_000 },
    )
  })

  it('has the name that the URL parser gives it', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'Z',
        '1',
        '-',
        '_',
        '.',
        '。',
        'é',
        'e\u0301',
        '\u1112\u1161\u11AB',
        'ｶﾞ',
        '一',
        '😀',
        '%65',
        '%C3%A9',
        '%2e',
        '%e3%80%82',
      ],
      ...[
        '\u00AD',
        '\u200B',
        '%C2%AD',
        'ß',
        'Σ',
        'İ',
        '\uFDFA',
        'xn--',
        'XN--BCHER-KVA',
        'א',
        '\u03B1\u0314\u0342\u0345',
        'J\u030C',
        '①',
        '℡',
        '…',
        '⒈',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 200 }), (pieces) => {
        const domain = URL.parse(`http://${pieces.join('')}`)?.hostname.replace(/\.$/, '') ?? ''
        fc.pre(domain.length <= 253 && /^(?:[^.]{1,63}\.)*[^.]{1,63}$/.test(domain))
        expect(normalizeDomain(pieces.join(''))).toBe(domain)
        // No top-level domain ends with an underscore.
        if (!pieces.includes('_')) expect(findAll(`https://${pieces.join('')}/`)).toContain(domain)
      }),
      { numRuns: 3_000 },
    )
  })
})
