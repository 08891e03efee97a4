import { describe, expect, it } from 'vitest'
import {
  type InlineText,
  type MarkdownBlock,
  parseBlocks,
} from '../../../src/previews/picture/markdown-blocks.ts'

const parse = (source: string) => parseBlocks(source, 24)

/** Writes each part as its text, with its style before it unless it's plain. */
const write = (texts: readonly InlineText[]) =>
  texts.map(({ text, style }) => (style === 'plain' ? text : `{${style} ${text}}`)).join('')

const writeBlock = (block: MarkdownBlock): string => {
  switch (block.kind) {
    case 'heading':
      return `h${block.level} ${write(block.text)}`
    case 'item':
      return `${block.depth}${block.marker} ${write(block.text)}`
    case 'table':
      return block.cells.map(write).join(' | ')
    case 'code':
      return `${block.language}: ${block.lines.join(' / ')}`
    case 'rule':
      return 'rule'
    default:
      return `${block.kind} ${write(block.text)}`
  }
}

const read = (source: string) => parse(source).map(writeBlock)

describe('parseBlocks', () => {
  it.each([
    ['# Title', 'h1 Title'],
    ['   ###   Title  \t', 'h3 Title'],
    ['## Title ##', 'h2 Title'],
    ['## Title \t#####  ', 'h2 Title'],
    ['# C#', 'h1 C#'],
    ['# C# #', 'h1 C#'],
    ['# a # b #', 'h1 a # b'],
    ['# `code` and *more* #', 'h1 {code code} and {emphasis more}'],
    ['######', 'h6 '],
    ['## ##', 'h2 '],
    ['#Title', 'paragraph #Title'],
    ['####### Title', 'paragraph ####### Title'],
    ['Title\n=====', 'h1 Title'],
    ['Title\n---', 'h2 Title'],
  ])('reads the heading %j', (source, block) => {
    expect(read(source)).toEqual([block])
  })

  it.each([
    ['`a` b', '{code a} b'],
    ['`` a ` b `` c', '{code a ` b} c'],
    ['a ``` b `` c ``` d', 'a {code b `` c} d'],
    ['`a``b`', '{code a``b}'],
    ['`a', '`a'],
    ['`` a ` b', '`` a ` b'],
    ['`a `` b` ``', '{code a `` b} ``'],
    ['`**a**`', '{code **a**}'],
    ['**a `b` *c* d**', '{strong a b c d}'],
    ['*a* __b__ _c_', '{emphasis a} {strong b} {emphasis c}'],
    ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
    ['[`a` **b**](https://example.com)', '{link a b}'],
    ['~~a **b**~~', 'a b'],
    ['**a <b>b</b> \\*c**', '{strong a b *c}'],
    ['![image](a.png) <https://example.com>', 'image {link https://example.com}'],
  ])('reads the marks of %j', (source, text) => {
    expect(read(source)).toEqual([`paragraph ${text}`])
  })

  it('reads lists, quotes, tables, code and rules', () => {
    const source = `- one
  - [ ] two
  - [x] three
2) four
   goes on

> quoted
> text

| a | *b* |
|:--|---:|
| c | d |

\`\`\`js title
const a = 1
\`\`\`
***
`
    expect(read(source)).toEqual([
      '0• one',
      '1□ two',
      '1■ three',
      '02. four goes on',
      'quote quoted text',
      'a | {emphasis b}',
      'c | d',
      'js: const a = 1',
      'rule',
    ])
  })

  it('reads the first 12 cells of a row', () => {
    const cells = Array.from({ length: 14 }, (_, n) => `c${n}`)
    const source = `|${cells.join('|')}|\n|${'-|'.repeat(14)}\n`
    expect(read(source)).toEqual([cells.slice(0, 12).join(' | ')])
  })

  const spaces = ' '.repeat(660)
  it.each([
    ['a heading', `#${spaces}a\u2028#`, 'h1 a\u2028#'],
    ['the closing marks of a heading', `# a${' #'.repeat(330)}a`, `h1 a${' #'.repeat(330)}a`],
    ['an item', `-${spaces}a\u2028`, '0• a\u2028'],
    ['a table', `|-${spaces.replaceAll(' ', '|')}a|`, `-${' | '.repeat(11)}`],
    ['a code span', `a ${'`'.repeat(660)}`, `paragraph a ${'`'.repeat(660)}`],
    ['strong text', '**a '.repeat(165), `paragraph ${'**a '.repeat(165).trim()}`],
  ])('reads hostile text, which once took seconds: %s', (_, line, block) => {
    expect(read(`${line}\n\n`.repeat(9))).toEqual(Array.from({ length: 9 }, () => block))
  })
})
