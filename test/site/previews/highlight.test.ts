import { describe, expect, it } from 'vitest'
import { highlightLines } from '../../../src/previews/picture/highlight.ts'
import { LANGUAGES } from '../../../src/shared/languages.ts'

/** Returns the spans of a text in the form `colour(text)`. */
const getColoured = (language: string, text: string): string[] =>
  highlightLines(text.split('\n'), language).flatMap((spans) =>
    spans.map(({ text: part, colour }) => `${colour}(${part})`),
  )

const toText = (language: string, text: string): string =>
  highlightLines(text.split('\n'), language)
    .map((spans) => spans.map((span) => span.text).join(''))
    .join('\n')

/** These are shown without colours, as on their pages, or have a view of their own there. */
const UNCOLOURED = new Set(['plaintext', 'csv', 'tsv', 'log', 'mermaid', 'txtar'])

describe('code in a picture', () => {
  it.each([
    ['typescript', 'const a = 1 // b', ['code-keyword(const)', 'code-number(1)', 'code-comment(// b)']],
    ['python', 'def f():\n  return "x"', ['code-keyword(def)', 'code-definition(f)', 'code-string("x")']],
    ['html', '<a href="b">c</a>', ['code-tag(a)', 'code-name(href)', 'code-string("b")', 'ink(>c</)']],
    ['json', '{"a": true}', ['code-name("a")', 'code-keyword(true)']],
    ['diff', '+a\n-b', ['code-string(+a)', 'code-tag(-b)']],
    ['toml', 'a = 1 # b', ['code-name(a)', 'code-comment(# b)']],
    ['svelte', '<script>\nlet a = 1\n</script>', ['code-tag(script)', 'code-keyword(let)', 'code-number(1)']],
  ])('has the colours of its page: %s', (language, text, expected) => {
    expect(getColoured(language, text)).toEqual(expect.arrayContaining(expected))
  })

  it.each(LANGUAGES.map(({ name }) => name))(
    'keeps its text, and has colours if its language has a grammar: %s',
    (language) => {
      const text = `HTTP/1.1 200 OK\n+ /* <a b='c'> & "d" */\n# 'e' -- f\n\n<?php $g = "&amp;h"; %i\n\tif (j) { k("l") }\n; m 0x1F '`
      expect(toText(language, text)).toBe(text)
      const colours = new Set(
        highlightLines(text.split('\n'), language)
          .flat()
          .map(({ colour }) => colour),
      )
      expect(colours.size > 1).toBe(!UNCOLOURED.has(language))
    },
  )

  it('is only text in a language that nobody knows', () => {
    for (const language of ['', 'constructor', 'nobody-knows'])
      expect(getColoured(language, 'a')).toEqual(['ink(a)'])
  })

  it('has colours in its first 2,048 characters', () => {
    const text = '"abcde"\n'.repeat(1_000)
    expect(toText('json', text)).toBe(text)
    expect(getColoured('json', text).indexOf('ink("abcde")')).toBe(2_048 / 8)
  })

  it('is few spans: neighbours of one colour are one, and at most 300 have a colour', () => {
    expect(getColoured('html', '<p><q>')).toEqual([
      'ink(<)',
      'code-tag(p)',
      'ink(><)',
      'code-tag(q)',
      'ink(>)',
    ])
    const text = `${'1,'.repeat(40)}\n`.repeat(25)
    expect(toText('javascript', text)).toBe(text)
    const coloured = getColoured('javascript', text)
    expect(coloured.filter((span) => span.startsWith('code-'))).toHaveLength(300)
    expect(coloured.length).toBeLessThan(650)
  })

  it('takes no longer for what a grammar could read in many ways', () => {
    const pairs = `<a${' x= b'.repeat(200)} <`
    for (const language of ['html', 'xml', 'vue', 'markdown', 'http'])
      expect(toText(language, pairs)).toBe(pairs)
    const spaces = `a${' '.repeat(1_000)}b`
    for (const language of ['javascript', 'typescript']) expect(toText(language, spaces)).toBe(spaces)
  })
})
