import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../../src/shared/detection/detect-language.lazy.ts'

const detect = (text: string, fileName?: string) => detectLanguage(text, { fileName }).language

describe('an archive of files', () => {
  it.each([
    '-- main.py --\nprint(1)\n-- config/app.toml --\ndebug = true\n',
    '-- go.mod --\nmodule example.com/x\n-- main.go --\npackage main\n-- LICENSE --\nDo what you want.\n',
    '-- Dockerfile --\nFROM node:20\n-- .gitignore --\nnode_modules\n',
    '-- a.sh --\r\n#!/bin/bash\r\n-- b.html --\r\n<!doctype html>\r\n',
    '-- "notes.md" html --\n# Notes\n-- my script.py --\nprint(1)',
    `-- a.txt --\n${'x\n'.repeat(20)}-- b.txt --\n${'y\n'.repeat(200_000)}`,
  ])('is recognized by the names of two files: %.60j', (text) => {
    expect(detectLanguage(text)).toEqual({ language: 'txtar', confident: true })
  })

  it.each([
    [
      'SQL with headings',
      '-- Users --\nCREATE TABLE users (id INT);\n-- Roles --\nCREATE TABLE roles (id INT);\n',
    ],
    [
      'SQL with names of tables',
      '-- dbo.users --\nSELECT * FROM users;\n-- dbo.roles --\nSELECT * FROM roles;\n',
    ],
    [
      'SQL that names one file',
      '-- create.sql --\nCREATE TABLE users (id INT);\nINSERT INTO users VALUES (1);\n',
    ],
    ['SQL with versions', '-- 1.0 --\nCREATE TABLE users (id INT);\n-- 1.1 --\nDROP TABLE users;\n'],
    [
      'SQL that names files after its first line',
      'BEGIN;\n-- users.sql --\nCREATE TABLE users (id INT);\n-- roles.sql --\nDROP TABLE roles;\n',
    ],
  ])('is not %s', (_, text) => {
    expect(detect(text)).toBe('sql')
  })

  it('is not Markdown with an example of one', () => {
    const example = '-- main.py --\nprint("hello")\n-- app.toml --\ndebug = true\n'
    expect(detect(`# Several files\n\nWrite this:\n\n\`\`\`\n${example}\`\`\`\n`)).toBe('markdown')
  })

  it('is not Lua or Haskell with headings', () => {
    expect(
      detect('-- setup --\nlocal x = require("x")\nlocal function f()\n  return x\nend\n-- run --\nf()\n'),
    ).toBe('lua')
    expect(
      detect(
        '-- types --\nmodule Main where\nimport Data.List (sort)\nmain :: IO ()\n-- run --\nmain = print 1\n',
      ),
    ).toBe('haskell')
  })

  it('is not a text that names a file twice', () => {
    expect(detect('-- a.py --\nx\n-- a.py --\ny\n')).not.toBe('txtar')
  })

  it('is what has the extension, whatever is in it', () => {
    expect(detect('-- name --\nSELECT 1;\n', 'queries.txtar')).toBe('txtar')
  })
})
