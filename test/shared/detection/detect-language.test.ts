import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  detectLanguage,
  detectSignature,
  scoreLanguages,
} from '../../../src/shared/detection/detect-language.lazy.ts'
import { getProseRatio, takeSample } from '../../../src/shared/detection/formats.ts'
import { SIGNS } from '../../../src/shared/detection/signs.ts'
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
    ['markdown', '# My plan\n\n- one\n- two\n'],
    ['markdown', '# Packing list\n\n## Clothes\n- socks\n- two shirts\n'],
    ['plaintext', '# Hosts\n- web1\n- web2\n'],
    ['diff', '--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,3 @@\n-foo\n+bar\n baz\n'],
    ['php', '<?php\nfunction f($a) {\n  echo $a;\n}\n'],
    ['ini', '[core]\nname = x\npath=/a/b\n'],
    ['xml', '<?xml version="1.0"?>\n<root><a b="c">d</a></root>'],
    ['dockerfile', 'FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\n'],
    ['plaintext', 'Dear Anna,\n\nthank you for the letter. We will come on Friday, if it does not rain.\n'],
    ['log', '2026-11-20 12:00:01 INFO server started on port 80\n'],
    ['mermaid', 'flowchart LR\n  a[Begin] --> b\n'],
    ['mermaid', '%% how it goes\nsequenceDiagram\n  A->>B: hello\n'],
    ['plaintext', 'graph of the year\n'],
    ['plaintext', ''],
    ['ruby', 'class Counter\n  def initialize(start)\n    @count = start\n  end\nend\nputs Counter.new(1)\n'],
  ])('detects %s', (name, text) => {
    expect(detectLanguage(text).language).toBe(name)
    expect(detectLanguage(text.replaceAll('\n', '\r\n')).language).toBe(name)
  })

  it.each([
    ['notes.xyz', 'def f():\n    return 1\n\nimport os\nprint(os.getcwd())\n', 'plaintext'],
    ['notes.xyz', '{"a": [1, 2]}', 'json'],
    ['run.tool', '#!/usr/bin/env python3\nprint(1)\n', 'python'],
    ['LICENSE', 'def f():\n    return 1\n\nimport os\nprint(os.getcwd())\n', 'python'],
    ['Version 2.b of it', 'def f():\n    return 1\n\nimport os\nprint(os.getcwd())\n', 'python'],
    ['key.pem', 'package main\n\nfunc main() {\n}\n', 'plaintext'],
  ])('lets the name %s decide before the look of the text', (fileName, text, language) => {
    expect(detectLanguage(text, { fileName }).language).toBe(language)
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
    ['bash', '$ npm ci\n$ npm run build\n$ node dist/index.js\n'],
    ['nginx', 'server {\n  listen 80;\n  location / {\n    proxy_pass http://app;\n  }\n}\n'],
    ['hcl', 'resource "aws_instance" "a" {\n  ami = "ami-1"\n}\n'],
    ['csv', 'a,b\n1,2\n3,4\n'],
    ['log', 'Mar  1 10:00:01 web sshd[1]: Accepted\nMar  1 10:00:02 web sshd[1]: Closed\n'],
    ['graphql', 'query {\n  me {\n    name\n  }\n}\n'],
  ])('detects %s, which earlier versions got wrong', (name, text) => {
    expect(detectLanguage(text).language).toBe(name)
  })

  it.each([
    [
      'a trace of curl',
      '*   Trying 127.0.0.1:80...\n> GET / HTTP/1.1\n> Accept: */*\n>\n< HTTP/1.1 200 OK\n',
    ],
    [
      'a graph of commits',
      '*   7e1f3a2 Merge **it**\n|\\\n| * 4c9d8e1 Add [docs](docs/a.md)\n|/\n* 0f1e2d3 Start\n',
    ],
    ['headers of a mail', 'From: Ben <ben@example.com>\nTo: Anna\n\n- the **docs** are missing.\n'],
    ['a quoted answer', 'Fine, *thanks*!\n\nAnna wrote:\n> - keep **both** logos\n'],
    [
      'formulas in an answer',
      'The limit of the sequence is therefore:\n\n\\[\n\\frac{1}{2} + \\sum_{k} a_k\n\\]\n',
    ],
    [
      'a session',
      '$ docker compose up -d\n[+] Running\n$ curl localhost/health\n{"ok":true}\n$ npm test\nok\n',
    ],
    ['recipes of just', 'set shell := ["bash"]\n\ntest *args: build\n    cargo test {{args}}\n'],
    [
      'a page of the manual',
      'LS(1)    User Commands    LS(1)\n\nEXAMPLES\n   if [ -f a ]; then echo "$a"; fi\n',
    ],
  ])('takes %s for plain text', (_, text) => {
    expect(detectLanguage(text).language).toBe('plaintext')
  })

  it.each([
    ['sql', 'SELECT Name, Email\nFROM Users\n  WHERE UserId = @id\n'],
    ['sql', 'DECLARE @id INT = 5;\n\nSELECT Name FROM Users WHERE Id = @id;\n'],
    [
      'ruby',
      'class Store\n  def id\n    return unless @id\n    return @id if @id != @default\n    puts @id\n  end\nend\n',
    ],
    [
      'python',
      'def call():\n    """\n    Please write to bob@id.example if it fails.\n    """\n    raise ValueError(self.x)\n',
    ],
    ['elixir', 'defmodule A do\n  @default 1\n  def get(x) do\n    x and @default\n  end\nend\n'],
    ['plaintext', 'model User {\n  id Int @id @default(autoincrement())\n  email String? @unique\n}\n'],
    ['yaml', 'replicas: 3 # default: 1\nport: 8080 # range: 1024-65535\nimage: nginx\n'],
    [
      'yaml',
      'on: push # was: pull_request\njobs:\n  a:\n    runs-on: ubuntu # was: macos\n    timeout-minutes: 5 # default: 360\n    steps:\n      - run: make\n',
    ],
    ['plaintext', 'enum class Direction {\n    NORTH, SOUTH\n}\n'],
    ['plaintext', 'enum class Size { SMALL, LARGE }\n\nclass Shirt(val size: Size)\n'],
    ['plaintext', 'enum class in C++11\n'],
    ['cpp', 'struct A {\n    enum class Level\n    {\n        Low,\n        High\n    };\n};\n'],
    ['cpp', 'enum class Side : unsigned char {\n  left,\n  right,\n};\n'],
    ['julia', 'x = range(0, 1, length=50)\ny = sin.(x) .^ 2\nz = cos.(x) .* exp.(-x)\n'],
    ['matlab', 'y = a .* x .^ 2;\nz = y ./ (1 + x);\nplot(x, z)\n'],
    ['matlab', 'function y = norm2(x)\n  y = x .* x;\n  y = sqrt(sum(y));\nend\n'],
    ['ocaml', 'let t = a.(i) in\n  a.(i) <- a.(j);\n  a.(j) <- t\n'],
    [
      'sql',
      'create function touch() returns trigger as $$\nbegin\n  new.at = now();\n  return new;\nend;\n$$ language plpgsql;\n',
    ],
    ['plaintext', 'close() returns void\n'],
    ['plaintext', 'Structured Query Language SQL\n'],
    ['bash', 'cat a.txt|sort -u|head\nls -la|grep src|wc -l\n'],
    ['bash', 'ps aux|grep foo\n'.repeat(5)],
    ['plaintext', 'O_RDONLY|O_CREAT|O_TRUNC\nO_WRONLY|O_CREAT|O_APPEND\n'],
    ['plaintext', 'yes|no\ntrue|false\non|off\n'],
    ['plaintext', 'Name|Age\n---|---\nBob|3\n'],
    [
      'plaintext',
      '11/28/26, 10:00 AM - Ada: Hi\n11/28/26, 10:01 AM - Bo: Hi\n11/28/26, 10:02 AM - Ada: Oh\n',
    ],
    ['rust', 'match shape {\n    Shape::Circle(r) => r * r,\n    Shape::Square(a) => a * a,\n}\n'],
    [
      'rust',
      'macro_rules! check {\n    ($e:expr) => {\n        match ($e) { Ok(v) => v, Err(e) => panic!("{}", e) }\n    };\n}\n',
    ],
    ['plaintext', 'The match between us {\nwon => lost\n'],
    ['javascript', 'const names = {\n  Orders::Created => OnCreated,\n  Orders::Closed => OnClosed,\n}\n'],
  ])('sees %s in %j', (language, text) => {
    expect(detectLanguage(text).language).toBe(language)
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

const fill = (line: string) => `${line}\n`.repeat(51)

describe('hostile text', () => {
  it.each([
    ['plaintext', 'comments before what is not JSON', `${'/**/'.repeat(2_000)}x`],
    ['json', 'comments before JSON', `${'/**/'.repeat(1_000)}/* a * b **/ // c\n{"a": "\\"b"}`],
    ['plaintext', 'escaped quotes in a string that never ends', `[${'"\\'.repeat(4_000)}`],
    ['plaintext', 'progress bars without an end', fill(`[${'='.repeat(159)}`)],
    ['plaintext', 'rules of a table', fill(`${'-'.repeat(53)}|${'-'.repeat(53)}|${'-'.repeat(51)}x`)],
    ['plaintext', 'items of a list with spaces', fill(`-${' '.repeat(158)}x`)],
    ['plaintext', 'line separators', fill(`${'\u2028'.repeat(159)}x`)],
    ['plaintext', 'links without an end', fill(`${'['.repeat(50)}](${'.'.repeat(108)}`)],
  ])('is detected as %s: %s', (language, _, text) => {
    expect(detectLanguage(text).language).toBe(language)
  })
})

describe('takeSample', () => {
  it.each([
    ['one long line', 'x'.repeat(1_000_000)],
    ['many lines', 'x\n'.repeat(500_000)],
    ['many blank lines', '\r\n'.repeat(500_000)],
  ])('bounds the characters, lines and characters per line of %s', (_, text) => {
    const sample = takeSample(text)
    expect(sample.isWhole).toBe(false)
    expect(sample.start.length).toBeLessThanOrEqual(8_192)
    expect(sample.text.length).toBeLessThanOrEqual(8_192)
    expect(sample.lines.length).toBeLessThanOrEqual(160)
    for (const line of sample.lines) expect(line.length).toBeLessThanOrEqual(160)
  })

  it('treats all line breaks alike', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }), (parts) => {
        const lines = parts.map((part) => part.replace(/[\r\n\u2028\u2029]/g, ''))
        const { text } = takeSample(lines.join('\n'))
        for (const lineBreak of ['\r\n', '\u2028']) expect(takeSample(lines.join(lineBreak)).text).toBe(text)
      }),
    )
  })

  it('drops a byte order mark', () => {
    expect(takeSample('\ufeffa').text).toBe('a')
  })
})

describe('the signs of languages', () => {
  it('belong to known languages, and count every match on every line', () => {
    for (const [language, signs] of SIGNS) {
      expect(findLanguage(language)?.name).toBe(language)
      for (const [weight, pattern] of signs) {
        expect(Math.abs(weight)).toBeGreaterThanOrEqual(1)
        expect(pattern.source).not.toBe('(?:)')
        expect(pattern.flags).toMatch(/^gi?m$/)
      }
    }
  })
})

describe('scoreLanguages', () => {
  it('gives a repeated sign fewer points each time', () => {
    const points = (text: string) =>
      scoreLanguages(text).find(({ language }) => language === 'ruby')?.points ?? 0
    const [one, two, ten] = [points('end\n'), points('end\n'.repeat(2)), points('end\n'.repeat(10))]
    expect(two).toBeGreaterThan(one)
    expect(two).toBeLessThan(2 * one)
    expect(ten).toBeLessThan(2 * one)
  })

  it('prefers a language over the one it extends only with signs of its own', () => {
    const [first] = scoreLanguages('const a = 1\nlet b = () => {\n}\n')
    expect(first?.language).toBe('javascript')
    const [typed] = scoreLanguages('const a = 1\nlet b = (c: string) => {\n}\ninterface D {\n}\n')
    expect(typed?.language).toBe('typescript')
  })
})

describe('getProseRatio', () => {
  it.each([
    [1, 'The quick brown fox jumps over the lazy dog.\n'],
    [1, 'Der schnelle braune Fuchs springt über den faulen Hund.\n'],
    [1, '吾輩は猫である。\n'],
    [0, 'for (let i = 0; i < n; i++) {\n'],
    [0, 'select a from b where c = 1\n'],
    [0, 'FROM alpine\n'],
    [0, ''],
  ])('is %d for %j', (ratio, text) => {
    expect(getProseRatio(takeSample(text).lines)).toBe(ratio)
  })
})

describe('detectSignature', () => {
  it.each([
    ['bash', '#!/bin/sh\n'],
    ['python', '#!/usr/bin/env python3\n'],
    ['python', '#!/usr/local/bin/python3.12 -u\n'],
    ['javascript', '#!/usr/bin/env -S node --no-warnings\n'],
    ['fish', '#!/usr/bin/env fish\n'],
    ['perl', '#!/usr/bin/perl -w\n'],
    ['ruby', '# -*- mode: ruby -*-\nx\n'],
    ['python', '# vim: set ft=python ts=4:\nx\n'],
    ['cpp', 'x\n// -*- C++ -*-\n'],
    ['php', '<?php\n'],
    ['xml', '<?xml version="1.0"?>\n'],
    ['html', '<!doctype html>\n'],
    ['diff', 'diff --git a/x b/x\n'],
    ['diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n'],
    ['http', 'GET / HTTP/1.1\nHost: a\n'],
    ['typescript', '// src/app.ts\nx\n'],
    [null, '#!\n'],
    [null, '#!/usr/bin/env no-such-program\n'],
    [null, '#!/usr/bin/env constructor\n'],
    [null, 'I wrote <?php in a letter\n'],
    [null, '# vim: set ft=klingon:\n'],
    [null, ''],
  ])('is %s for %j', (language, text) => {
    expect(detectSignature(takeSample(text))).toBe(language)
  })
})
