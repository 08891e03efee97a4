import { describe, expect, it } from 'vitest'
import { getDiffTokens } from '../../src/client/highlight/diff.ts'
import { CODE_STYLES, getTokensBetween } from '../../src/client/highlight/tokens.ts'

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
    expect(getStyled('@@ -1,2 +1,2 @@\n a[-1-]\n-b\n+b\n').at(-1)).toBe('tok-meta(@@ -1,2 +1,2 @@)')
  })

  it('are not styled in lines that replace nothing', () => {
    expect(getStyled('+one\n context\n-two\n')).toEqual([])
  })
})
