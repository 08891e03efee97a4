import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderMarkdownParts } from '../../../src/client/markdown/parse/render-markdown.ts'
import { findLinkDomains } from '../../../src/documents/link-domains.lazy.ts'

async function render(text: string): Promise<string> {
  const parts: string[] = []
  for await (const { html } of renderMarkdownParts(text)) parts.push(html)
  return parts.join('')
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#46;': '.',
  '&Tab;': '\t',
  '&sol;': '/',
}

/** Registrable names: other hosts, such as `~`, lead nowhere. */
const NAME = /(?:^|\.)((?:[a-z\d][a-z\d-]*\.)+[a-z][a-z\d-]*[a-z\d])$/

/** The names of the hosts that a browser would open: the page links only addresses with a scheme and slashes. */
const listNames = (html: string): string[] =>
  [...html.matchAll(/<(?:a|img)\b[^>]*?\b(?:href|src)=(?:"([^"]*)"|'([^']*)')/g)].flatMap(
    ([, double, single]) => {
      const address = (double ?? single ?? '').replaceAll(/&[#\w]+;/g, (name) => REFERENCES[name] ?? name)
      const url = /^\s*h[\t\n]*t[\t\n]*t[\t\n]*p/i.test(address) ? URL.parse(address) : null
      const [, name] = NAME.exec(url?.hostname.replace(/\.$/, '') ?? '') ?? []
      return name === undefined ? [] : [name]
    },
  )

const part = fc.constantFrom(
  ...[
    'https://',
    'http://',
    'HTTPS:\\\\',
    'www.',
    'evil.example',
    'fine.example',
    'a.b',
    'bücher.example',
    'user@',
    '..',
    '._',
    'x',
    '-',
  ],
  ...[
    '[x](',
    ')',
    '<',
    '>',
    '[x]',
    '[x]: ',
    '![x](',
    '"',
    "'",
    ' ',
    '\n',
    '\n\n',
    '\n> ',
    '> ',
    '- ',
    '\n  ',
    '|',
    '`',
    '~',
  ],
  ...[
    '<a href="',
    "<a href='",
    '">',
    "'>",
    '</a>',
    '<br>',
    '<img src="',
    'ht\ntps://',
    'ht\n> tps://',
    'h&Tab;ttp://',
    '="',
  ],
  ...[
    '&amp;',
    '&quot;',
    '&#46;',
    '&sol;',
    '\\',
    '/',
    ':8080',
    '.',
    ',',
    ';',
    '*',
    '_',
    '**',
    '。',
    '？',
    '—',
    '…',
    '(',
    '?',
    '#',
    '%',
    '%2e',
    '&',
    '$',
    '+',
    '{',
    '^',
    '｜',
  ],
)

it('finds the domain of every link in rendered Markdown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 14 }), async (parts) => {
      const text = parts.join('')
      const domains = findLinkDomains(text, 1_000)
      for (const name of listNames(await render(text))) expect(domains).toContain(name)
    }),
    { numRuns: 3_000, examples: [[['x', 'www.', 'x', 'https://']]] },
  )
})
