import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../../src/shared/detection/detect-language.lazy.ts'
import { findLanguage } from '../../../src/shared/languages.ts'

describe('detectLanguage', () => {
  it.each([
    ['python', 'import os\n\ndef main(argv):\n    for a in argv:\n        print(f"hi {a}")\n'],
    [
      'javascript',
      "const fs = require('fs');\nfunction add(a, b) {\n  return a + b;\n}\nconsole.log(add(1, 2));\n",
    ],
    [
      'typescript',
      'interface User { id: string; name?: string }\nexport const f = (u: User): number => u.name?.length ?? 0;\n',
    ],
    [
      'rust',
      'use std::fs;\nfn main() {\n    let mut v: Vec<u32> = Vec::new();\n    println!("{:?}", v);\n}\n',
    ],
    ['go', 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hi")\n}\n'],
    ['json', '{"name": "x", "list": [1, 2, 3], "ok": true}'],
    ['html', '<!doctype html>\n<html><head><title>x</title></head></html>'],
    ['css', 'body { color: red; margin: 0 auto; }\n.a > .b:hover { display: flex }\n'],
    ['sql', 'SELECT id, name FROM users WHERE id = 1 ORDER BY name;\n'],
    ['bash', '#!/bin/bash\nset -euo pipefail\nfor f in *.txt; do\n  echo "$f"\ndone\n'],
    [
      'java',
      'public class Main {\n  public static void main(String[] args) {\n    System.out.println("x");\n  }\n}\n',
    ],
    ['c', '#include <stdio.h>\nint main(void) {\n  printf("%d\\n", 3);\n  return 0;\n}\n'],
    ['yaml', 'version: 3\nservices:\n  web:\n    image: nginx\n    ports:\n      - "80:80"\n'],
    ['markdown', '# Title\n\nSome *text* with [a link](http://x.example).\n'],
    ['markdown', '- milk\n- eggs\n- bread\n'],
    ['diff', '--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,3 @@\n-foo\n+bar\n baz\n'],
    ['php', '<?php\nfunction f($a) {\n  echo $a;\n}\n'],
    ['ini', '[core]\nname = x\npath=/a/b\n'],
    ['xml', '<?xml version="1.0"?>\n<root><a b="c">d</a></root>'],
    ['dockerfile', 'FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\n'],
    ['plaintext', 'Dear Anna,\n\nthank you for the letter. We will come on Friday, if it does not rain.\n'],
    ['log', '2026-11-20 12:00:01 INFO server started on port 80\n'],
    ['plaintext', ''],
    ['ruby', 'class Counter\n  def initialize(start)\n    @count = start\n  end\nend\nputs Counter.new(1)\n'],
  ])('detects %s', (name, text) => {
    expect(detectLanguage(text).language).toBe(name)
    expect(detectLanguage(text.replaceAll('\n', '\r\n')).language).toBe(name)
  })

  it('returns a language from the list for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        expect(findLanguage(detectLanguage(text).language)).not.toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  it('examines only the start of a text', () => {
    const start = 'x = 1\n'.repeat(2_000)
    fc.assert(
      fc.property(fc.string(), (end) => {
        expect(detectLanguage(start + end)).toEqual(detectLanguage(`${start}...`))
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['tsx', "import { a } from './a'\n\nexport const A = (p: { b: string }) => <p>{p.b}</p>\n"],
    ['powershell', 'Get-Process | Where-Object { $_.CPU -gt 10 } | Stop-Process\n'],
    ['bash', 'curl -s https://example.com/a.sh | bash\n'],
    ['makefile', 'build:\n\tgo build ./...\n\ntest: build\n\tgo test ./...\n'],
    ['nginx', 'server {\n  listen 80;\n  location / {\n    proxy_pass http://app;\n  }\n}\n'],
    ['hcl', 'resource "aws_instance" "a" {\n  ami = "ami-1"\n}\n'],
    ['csv', 'a,b\n1,2\n3,4\n'],
    ['log', 'Mar  1 10:00:01 web sshd[1]: Accepted\nMar  1 10:00:02 web sshd[1]: Closed\n'],
    ['graphql', 'query {\n  me {\n    name\n  }\n}\n'],
  ])('detects %s, which earlier versions got wrong', (name, text) => {
    expect(detectLanguage(text).language).toBe(name)
  })

  it('prefers the name of the file', () => {
    expect(detectLanguage('a: 1\n', { fileName: 'notes.py' })).toEqual({
      language: 'python',
      confident: true,
    })
    expect(detectLanguage('print(1)\n', { fileName: 'notes' }).language).not.toBe('log')
  })

  it('isn’t sure of a text without signs', () => {
    expect(detectLanguage('hello')).toEqual({ language: 'plaintext', confident: false })
  })

  it('ignores terminal colours', () => {
    const red = '\u001b[31m2026-01-01 10:00:00\u001b[0m ERROR no\n'
    expect(detectLanguage(red.repeat(3)).language).toBe('log')
  })

  it('takes words in comments and fences for no code', () => {
    expect(detectLanguage('/* class import def function */\n').language).toBe('plaintext')
    const question = 'Why does this fail?\n\n```js\nconst a = require("a")\n```\n\nAny ideas?\n'
    expect(detectLanguage(question).language).toBe('markdown')
  })
})
