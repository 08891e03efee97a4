import { describe, expect, it } from 'vitest'
import { getDiffTokens, parseDiff } from '../../src/client/highlight/diff.ts'
import { CODE_STYLES, getTokensBetween } from '../../src/client/highlight/tokens.ts'

/** Returns the kind of each line, with its old and new number. */
const readLines = (text: string): string[] =>
  [...parseDiff(text)].map(({ kind, old, new: current }) => `${kind} ${old} ${current}`)

const getStyled = (text: string): string[] =>
  [...getTokensBetween(getDiffTokens(text), 0, text.length)].map(
    ({ from, to, style }) => `${CODE_STYLES[style]}(${text.slice(from, to)})`,
  )

describe('a line of a diff', () => {
  it.each([
    ['+added', 'added'],
    ['+', 'added'],
    ['> added', 'added'],
    ['-removed', 'removed'],
    ['--flag', 'removed'],
    ['++i', 'added'],
    ['< removed', 'removed'],
    ['@@ -1,3 +1,4 @@', 'hunk'],
    ['@@@ -1 -1 +1 @@@', 'hunk'],
    ['12,14c12,15', 'hunk'],
    ['--- a/file', 'file'],
    ['+++ b/file', 'file'],
    ['diff --git a/b b/b', 'file'],
    ['index 1234..', 'file'],
    [' context', 'context'],
    ['12 apples', 'context'],
  ])('%j is %s', (line, kind) => {
    expect([...parseDiff(line)].map((parsed) => parsed.kind)).toEqual([kind])
  })
})

describe('the lines of a hunk', () => {
  it('have the numbers of the old and the new file', () => {
    expect(
      readLines(
        '--- a\n+++ b\n@@ -3,4 +5,4 @@ x\n a\n-b\n+c\n\n d\n@@ -9 +9 @@\n-e\n+f\n\\ No newline\nmore\n',
      ),
    ).toEqual([
      'file 0 0',
      'file 0 0',
      'hunk 0 0',
      'context 3 5',
      'removed 4 0',
      'added 0 6',
      // A blank line whose space was trimmed.
      'context 5 7',
      'context 6 8',
      'hunk 0 0',
      'removed 9 0',
      'added 0 9',
      'context 0 0',
      'context 0 0',
    ])
  })

  it('may look like the names of files', () => {
    expect(readLines('@@ -1,2 +1,2 @@\n--- comment\n+++ i\n-x\n+y\n--- a\n')).toEqual([
      'hunk 0 0',
      'removed 1 0',
      'added 0 1',
      'removed 2 0',
      'added 0 2',
      'file 0 0',
    ])
  })

  it('have numbers without signs of a unified diff, too', () => {
    expect(readLines('3,4c5\n< a\n< b\n---\n> c\n')).toEqual([
      'hunk 0 0',
      'removed 3 0',
      'removed 4 0',
      'file 0 0',
      'added 0 5',
    ])
  })
})

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

  it('are not styled in lines that replace nothing', () => {
    expect(getStyled('+one\n context\n-two\n')).toEqual([])
  })
})
