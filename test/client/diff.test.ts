import { describe, expect, it } from 'vitest'
import { getDiffTokens } from '../../src/client/highlight/diff.ts'
import { CODE_STYLES, getTokensBetween } from '../../src/client/highlight/tokens.ts'
import { parseDiff } from '../../src/shared/compare/parse-diff.ts'

const getStyled = (text: string): string[] =>
  [...getTokensBetween(getDiffTokens(text), 0, text.length)].map(
    ({ from, to, style }) => `${CODE_STYLES[style]}(${text.slice(from, to)})`,
  )

describe('the words of a diff', () => {
  it('are styled if they changed', () => {
    expect(getStyled('@@ -1,2 +1,2 @@\n-the old word\n-same line\n+the new word\n+same lines\n \n')).toEqual([
      'tok-meta(@@ -1,2 +1,2 @@)',
      'diff-removed(old)',
      'diff-removed(line)',
      'diff-added(new)',
      'diff-added(lines)',
    ])
  })

  it.each([
    [
      'the note that a file has no line break at its end',
      '@@ -1 +1 @@\n-the old\n\\ No newline at end of file\n+the new\n',
    ],
    ['the rule of a diff without signs', '1c1\n< the old\n---\n> the new\n'],
    ['the signs of a merge', '@@@ -1 -1 +1 @@@\n- the old\n++the new\n'],
  ])('are styled across %s', (_, text) => {
    expect(getStyled(text).slice(1)).toEqual(['diff-removed(old)', 'diff-added(new)'])
  })

  it('are styled as Git marks them', () => {
    const text =
      'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\nthe [-old-]{+new+} word\n  indented {+too+}\na[-1-]\n'
    expect(getStyled(text).slice(-4)).toEqual([
      'diff-removed([-old-])',
      'diff-added({+new+})',
      'diff-added({+too+})',
      'diff-removed([-1-])',
    ])
  })

  it.each([
    ['code that is indented', '@@ -1,3 +1,3 @@\ndef f():\n    return [-a-]{+b+}\n'],
    ['code that is all indented', '@@ -1,2 +1,2 @@\n    return [-a-]{+b+}\n    }\n'],
    ['a list', '@@ -1,2 +1,2 @@\n- item [-a-]{+b+}\n- more\n'],
    ['a hunk below another', '@@ -1 +1 @@\n-x\n+x\n@@ -9,2 +9,2 @@\nz\n- item [-a-]{+b+}\n'],
  ])('are styled as Git marks them in %s', (_, text) => {
    expect(getStyled(text).slice(-2)).toEqual(['diff-removed([-a-])', 'diff-added({+b+})'])
    // A line isn't tinted as removed.
    expect([...parseDiff(text)].at(-1)?.kind).toBe('context')
  })

  it.each([
    ['a usual diff', '@@ -1,2 +1,2 @@\n a[-1-]\n-b\n+b\n'],
    [
      'a usual diff below a message',
      'commit 0123456\n\n    [-old-] names\n\n@@ -1,2 +1,2 @@\n x = [-1-]\n-b\n+b\n',
    ],
    ['a message', 'commit 0123456\n\nSee [-old-]\n\n@@ -1,2 +1,2 @@\n'],
  ])('are not styled as Git marks them in %s', (_, text) => {
    expect(getStyled(text)).toEqual([expect.stringContaining('tok-meta')])
  })

  it('are not styled in lines that replace nothing', () => {
    expect(getStyled('+one\n context\n-two\n')).toEqual([])
  })
})
