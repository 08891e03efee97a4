import { describe, expect, it } from 'vitest'
import { isDiff, parseDiff } from '../../../src/shared/compare/parse-diff.ts'
import { detectLanguage } from '../../../src/shared/detection/detect-language.lazy.ts'

/** Returns the kind of each line, with its old and new numbers. */
const readLines = (text: string): string[] =>
  [...parseDiff(text)].map(({ kind, old, new: current }) =>
    [kind, ...old, ...(old.length > 0 ? [current] : [])].join(' '),
  )

const readKinds = (text: string): string[] => [...parseDiff(text)].map(({ kind }) => kind)

describe('a line of a text without hunks', () => {
  it.each([
    ['+added', 'added'],
    ['+', 'added'],
    ['> added', 'added'],
    ['-removed', 'removed'],
    ['--flag', 'removed'],
    ['++i', 'added'],
    ['< removed', 'removed'],
    ['@@', 'hunk'],
    ['@@ -1,3 +1,4 @@', 'hunk'],
    ['@@@ -1 -1 +1 @@@', 'hunk'],
    ['--- a/file', 'file'],
    ['+++ b/file', 'file'],
    ['diff --git a/b b/b', 'file'],
    ['index 1234..5678', 'file'],
    [' context', 'context'],
    ['12 apples', 'context'],
  ])('%j is %s', (line, kind) => {
    expect(readKinds(line)).toEqual([kind])
  })
})

describe('the lines of a hunk', () => {
  it('have the numbers of the old and the new file, as many as its header says', () => {
    const text =
      '--- a\n+++ b\n@@ -3,4 +5,4 @@ x\n a\n-b\n+c\n\n d\n@@ -9 +9 @@\n-e\n+f\n\\ No newline\nmore\n-- \n+1\n'
    expect(readLines(text)).toEqual([
      'file',
      'file',
      'hunk',
      'context 3 5',
      'removed 4 0',
      'added 0 6',
      // A blank line whose space was trimmed.
      'context 5 7',
      'context 6 8',
      'hunk',
      'removed 9 0',
      'added 0 9',
      'note',
      'context',
      'context',
      'context',
    ])
  })

  it('may look like the names of files', () => {
    expect(readLines('@@ -1,2 +1,2 @@\n--- comment\n+++ i\n-x\n+y\n--- a\n+++ b\n')).toEqual([
      'hunk',
      'removed 1 0',
      'added 0 1',
      'removed 2 0',
      'added 0 2',
      'file',
      'file',
    ])
  })

  it('have signs also if the header miscounts and code has brackets and signs', () => {
    const code = ' function f(s) {\n-  return /[-\\w]+/.test(s)\n+  return /[-\\w.-]+/.test(s)\n }\n'
    const kinds = ['hunk', 'context', 'removed', 'added', 'context']
    expect(readKinds(`@@ -10,3 +10,3 @@\n${code}`)).toEqual(kinds)
    expect(readKinds(`@@ -10,7 +10,9 @@\n${code}`)).toEqual(kinds)
  })

  it('have numbers without signs of a unified diff, too', () => {
    expect(readLines('3,4c5\n< a\n< b\n---\n> c\n7a9,10\n> d\n> e\n> not\n12d13\n< f\n')).toEqual([
      'hunk',
      'removed 3 0',
      'removed 4 0',
      'note 0 0',
      'added 0 5',
      'hunk',
      'added 0 9',
      'added 0 10',
      'context',
      'hunk',
      'removed 12 0',
    ])
  })

  it('have the numbers of every parent of a merge', () => {
    const two = 'diff --cc f\n@@@ -25,3 -25,3 +25,4 @@@ x\n  26\n -end 2\n +end 1\n++end both\n  29\n'
    expect(readLines(two)).toEqual([
      'file',
      'hunk',
      'context 25 25 25',
      'removed 0 26 0',
      'added 26 0 26',
      'added 0 0 27',
      'context 27 27 28',
    ])
    const three = '@@@@ -28,2 -28,1 -28,1 +28,3 @@@@\n - a\n  -b\n ++c\n ++d\n+++e\n-- \n'
    expect(readLines(three)).toEqual([
      'hunk',
      'removed 0 28 0 0',
      'removed 0 0 28 0',
      'added 28 0 0 28',
      'added 29 0 0 29',
      'added 0 0 0 30',
      'context',
    ])
  })

  it('of a context diff are those of one file after those of the other', () => {
    const text = [
      ...['*** a\t2026-11-28', '--- b\t2026-11-28', '***************', '*** 1,3 ****', '  a', '! b', '- c'],
      ...[
        '--- 1,3 ----',
        '  a',
        '! B',
        '+ d',
        '***************',
        '*** 9 ****',
        '--- 9,10 ----',
        '  x',
        '+ y',
        '',
      ],
    ].join('\n')
    expect(readLines(text)).toEqual([
      ...['file', 'file', 'hunk', 'hunk', 'context 1 0', 'removed 2 0', 'removed 3 0'],
      ...[
        'hunk',
        'context 0 1',
        'added 0 2',
        'added 0 3',
        'hunk',
        'hunk',
        'hunk',
        'context 0 9',
        'added 0 10',
      ],
    ])
  })

  it('have no numbers if their header has none', () => {
    const text = '*** Begin Patch\n*** Update File: a.py\n@@ def f():\n a\n-b\n+c\n*** End Patch\n'
    expect(readLines(text)).toEqual([
      ...['file', 'file', 'hunk', 'context 0 0', 'removed 0 0', 'added 0 0', 'file'],
    ])
  })
})

const HUNK = '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'
const GIT = `diff --git a/f b/f\nindex e8823e1..82a3d82 100644\n${HUNK}`

describe('a line outside of hunks', () => {
  it('is no change', () => {
    const message = '- a bullet\n+ a plus\n> a quote\n--- a rule\ndiff algorithms\n12c12\n=========='
    const text = `From ${'4'.repeat(40)} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n${message}\n---\n f | 2 +-\n\n${GIT}-- \n2.39.5\n\n`
    const kinds = readKinds(text)
    expect(kinds.slice(0, 13).every((kind) => kind === 'context')).toBe(true)
    expect(kinds.slice(13)).toEqual([
      ...[
        'file',
        'file',
        'file',
        'file',
        'hunk',
        'context',
        'removed',
        'added',
        'context',
        'context',
        'context',
      ],
    ])
  })
})

describe('a diff', () => {
  it.each([
    [
      'git log -p --oneline',
      `4a3bf12 (HEAD -> main, origin/main) Fix - a thing\n${GIT}47bbb71 Other\n${GIT}`,
    ],
    [
      'git log -p of short hashes',
      `commit 4a3bf12\nAuthor: A <a@b.c>\n\n    ${'Long. '.repeat(20)}\n\n${GIT}`,
    ],
    ['git status -v', `On branch main\nChanges to be committed:\n\tmodified:   f\n\n${GIT}`],
    [
      'git show of a merge',
      'diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n',
    ],
    ['git stash show -p after a prompt', `$ git stash show -p\n${GIT}`],
    ['hg diff', `diff -r 1f2a3b4c5d6e f\n${HUNK}`],
    ['hg export', `# HG changeset patch\n# User A\n# Date 1 0\n\nMessage\n\ndiff -r 1f2a -r 3b4c f\n${HUNK}`],
    [
      'hg log -p',
      `changeset:   2:1f2a3b4c5d6e\nuser:        A\nsummary:     x\n\ndiff -r 1f2a -r 3b4c f\n${HUNK}`,
    ],
    ['p4 diff', '==== //depot/main/f#3 - /home/a/f ====\n2c2\n< b\n---\n> c\n'],
    [
      'p4 describe -du',
      'Change 12 by a@ws on 2026/11/28\n\n\tMessage\n\nDifferences ...\n\n==== //depot/f#3 (text) ====\n\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
    ],
    [
      'svn diff',
      `Index: f\n${'='.repeat(67)}\n--- f\t(revision 1)\n+++ f\t(working copy)\n@@ -1 +1 @@\n-b\n+c\n`,
    ],
    ['svn log --diff', `${'-'.repeat(72)}\nr12 | a | 2026-11-28 | 1 line\n\nMessage\n\nIndex: f\n${HUNK}`],
    ['bzr diff', `=== modified file 'f'\n${HUNK}`],
    [
      'diff -c',
      '*** a\t2026\n--- b\t2026\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! c\n',
    ],
    ['diff', '2c2\n< b\n---\n> c\n'],
    ['diff -r', 'diff -r a/f b/f\n2c2\n< b\n---\n> c\nOnly in b: g\n'],
    ['an agent', '*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-b\n+c\n*** End Patch\n'],
  ])('of %s is known as one', (_, text) => {
    expect(detectLanguage(text)).toEqual({ language: 'diff', confident: true })
  })

  it.each([
    ['in a fence of Markdown', `# A fix\n\n\`\`\`diff\n${GIT}\`\`\`\n\nThat is all.\n`],
    ['below a long letter', `${'Dear reader, this is a line of a letter.\n'.repeat(30)}${HUNK}`],
    ['whose hunk is empty', '@@ -1 +1 @@\nsomething else\n'],
    ['that is none', '- one\n- two\n+ three\n'],
  ])('%s isn’t', (_, text) => {
    expect(isDiff(text)).toBe(false)
  })
})
