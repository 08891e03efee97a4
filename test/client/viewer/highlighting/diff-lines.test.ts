import { describe, expect, it } from 'vitest'
import { getDiffLine } from '../../../../src/client/viewer/highlighting/diff-lines.ts'

describe('a line of a diff', () => {
  it.each([
    ['+added', 'added'],
    ['+', 'added'],
    ['> added', 'added'],
    ['-removed', 'removed'],
    ['--flag', 'removed'],
    ['++i', 'added'],
    ['< removed', 'removed'],
    ['@@ -1,3 +1,4 @', 'hunk'],
    ['@@@ -1 -1 +1 ', 'hunk'],
    ['12,14c12,15', 'hunk'],
    ['--- a/file', 'file'],
    ['+++ b/file', 'file'],
    ['diff --git a', 'file'],
    ['index 1234..', 'file'],
    [' context', null],
    ['', null],
  ])('%j is %s', (start, kind) => {
    expect(getDiffLine(start)).toBe(kind)
  })
})
