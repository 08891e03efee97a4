import { describe, expect, it } from 'vitest'
import { findLinkDomains } from '../../../src/documents/block-check.ts'

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
  ])('are found in %j', (text) => {
    expect(findLinkDomains(text)).toContain(EVIL)
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
    expect(findLinkDomains(text)).not.toContain(EVIL)
  })

  it('include international names in punycode, and the domains that each belongs to', () => {
    expect(findLinkDomains('https://a.b&uuml;cher.example')).toEqual(
      expect.arrayContaining(['a.xn--bcher-kva.example', 'xn--bcher-kva.example', 'example']),
    )
  })

  it.each([
    'https://',
    'https:////',
    'www.',
    '&#46;',
    '&colon;',
    '\\.',
    'href="',
    "href='a",
    'href=&Tab;',
    '//a',
    'http:',
    '(//',
    '&',
    '&a',
  ])('take a time that grows only with the length: %j', (unit) => {
    findLinkDomains(unit.repeat((2 * 1024 * 1024) / unit.length))
  })
})
