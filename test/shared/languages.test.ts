import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../../src/shared/detection/detect-language.ts'
import { findLanguage, LANGUAGES } from '../../src/shared/languages.ts'

describe('the list of languages', () => {
  it('gives every name and alias one meaning', () => {
    const names = LANGUAGES.flatMap(({ name, aliases }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) {
      expect(name).toBe(name.toLowerCase())
      expect(findLanguage(name.toUpperCase())).not.toBeNull()
    }
    expect(findLanguage('klingon')).toBeNull()
  })
})

describe('language detection', () => {
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
})
