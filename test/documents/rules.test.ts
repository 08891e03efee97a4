import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContentCache } from '../../src/documents/content/content-cache.ts'
import { parseExpiration } from '../../src/documents/model/expiry.ts'
import {
  ALPHABET,
  generateId,
  generatePassword,
  ID_LENGTHS,
  isDocumentId,
  looksGenerated,
} from '../../src/documents/model/ids.ts'
import { parseConfig } from '../../src/env.ts'
import { AppError } from '../../src/errors.ts'
import { namesTag } from '../../src/http/conditional-requests.ts'
import { deriveClaimToken } from '../../src/shared/claim-token.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { assertIterations, encryptJwe, parseJwe } from '../../src/shared/jwe.ts'
import { detectLanguage } from '../../src/shared/language-detection.ts'
import { findLanguage, LANGUAGES } from '../../src/shared/languages.ts'

const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 10, 20, 12)

describe('ids', () => {
  it('are of letters and digits that spell no word and are not misread', () => {
    expect(ALPHABET).not.toMatch(/[01aeiouAEIOUlL]/)
    expect(new Set(ALPHABET).size).toBe(48)
    for (const length of ['short', 'standard', 'long'] as const) {
      const ids = Array.from({ length: 200 }, () => generateId(length))
      for (const id of ids) {
        expect(id).toHaveLength(ID_LENGTHS[length])
        expect(isDocumentId(id)).toBe(true)
      }
      expect(new Set(ids).size).toBeGreaterThan(190)
    }
  })

  it('never collide with a route of the site', () => {
    for (const route of [
      'v1',
      'r',
      'icons',
      'assets',
      'account',
      'explore',
      'sign-in',
      'favicon.ico',
      'robots.txt',
    ]) {
      expect([...route].every((letter) => ALPHABET.includes(letter)) && isDocumentId(route)).toBe(false)
    }
  })

  it('and generated passwords are told from chosen ones by their form', () => {
    expect(looksGenerated(generatePassword())).toBe(true)
    expect(Math.log2(ALPHABET.length) * generatePassword().length).toBeGreaterThan(128)
    expect(looksGenerated('correct horse battery sta')).toBe(false)
  })
})

describe('an expiration', () => {
  it('is at least a minute and at most ten years ahead, to the millisecond', () => {
    const at = (instant: number) => parseExpiration(new Date(instant).toISOString(), NOW)
    const latest = Date.UTC(2036, 10, 20, 12)
    expect(at(NOW + MINUTE_MS)).toBe(NOW + MINUTE_MS)
    expect(() => at(NOW + MINUTE_MS - 1)).toThrow(AppError)
    expect(at(latest)).toBe(latest)
    expect(() => at(latest + 1)).toThrow(AppError)
    expect(parseExpiration(1 / 1440, NOW)).toBe(NOW + MINUTE_MS)
    expect(parseExpiration(null, NOW)).toBe(NEVER)
    expect(new Date(NEVER).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each(['+00', '+0200', '-05:30', 'Z'])('reads the offset %s', (offset) => {
    const expected = { '+00': 12, '+0200': 10, '-05:30': 17.5, Z: 12 }[offset] ?? 0
    const instant = parseExpiration(`2027-06-01T12:00:00,25${offset}`, NOW)
    expect(instant).toBe(Date.UTC(2027, 5, 1) + expected * 3_600_000 + 250)
  })

  it('reads every date-time it accepts as the instant it names', () => {
    const soon = fc.integer({ min: NOW + MINUTE_MS, max: NOW + 3_000 * 86_400_000 })
    fc.assert(
      fc.property(soon, fc.integer({ min: -14 * 60, max: 14 * 60 }), (instant, offset) => {
        const sign = offset < 0 ? '-' : '+'
        const two = (number: number) => String(Math.trunc(Math.abs(number))).padStart(2, '0')
        const local = new Date(instant + offset * MINUTE_MS).toISOString().slice(0, -1)
        expect(parseExpiration(`${local}${sign}${two(offset / 60)}:${two(offset % 60)}`, NOW)).toBe(instant)
      }),
    )
  })

  it('of anything else is refused, and never more than that', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double(), fc.date({ noInvalidDate: true }).map(String)),
        (input) => {
          try {
            const instant = parseExpiration(input, NOW)
            expect(instant).toBeGreaterThanOrEqual(NOW + MINUTE_MS)
            expect(Number.isInteger(instant)).toBe(true)
          } catch (error) {
            expect(error).toMatchObject({
              code: 'bad_request',
              issues: [{ path: ['settings', 'expiration'] }],
            })
          }
        },
      ),
    )
  })
})

describe('languages', () => {
  it('have one meaning for every name and alias', () => {
    const names = LANGUAGES.flatMap(({ name, aliases }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) {
      expect(name).toBe(name.toLowerCase())
      expect(findLanguage(name.toUpperCase())).not.toBeNull()
    }
    expect(findLanguage('klingon')).toBeNull()
  })

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
    ['plaintext', '2026-11-20 12:00:01 INFO server started on port 80\n'],
    ['plaintext', ''],
    ['ruby', 'class Counter\n  def initialize(start)\n    @count = start\n  end\nend\nputs Counter.new(1)\n'],
  ])('are detected: %s', (name, text) => {
    expect(detectLanguage(text)).toBe(name)
    expect(detectLanguage(text.replaceAll('\n', '\r\n'))).toBe(name)
  })

  it('are detected as one of those that are known, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        expect(findLanguage(detectLanguage(text))).not.toBeNull()
      }),
      { numRuns: 300 },
    )
  })
})

describe('the count of PBKDF2 iterations', () => {
  it.each([999, 100_001, 1_000.5, Number.NaN, -1])(
    'is never %d: production would fail where a local run does not',
    async (count) => {
      expect(() => assertIterations(count)).toThrow(RangeError)
      await expect(encryptJwe(new Uint8Array(1), 'x', count)).rejects.toThrow(RangeError)
      const header = { encoded: '', salt: new Uint8Array(16), iterations: count }
      await expect(deriveClaimToken('x', header)).rejects.toThrow(RangeError)
    },
  )

  it('may be anything between', async () => {
    for (const count of [1_000, 100_000]) {
      expect(parseJwe(await encryptJwe(new Uint8Array(1), 'x', count)).header.iterations).toBe(count)
    }
  })
})

describe('a claim token', () => {
  it('is what the documentation says: PBKDF2-HMAC-SHA-512 over a salt of its own', async () => {
    const salt = Uint8Array.from({ length: 16 }, (_, n) => n)
    // From Python: base64url(hashlib.pbkdf2_hmac('sha512', b'password', b'regent-claim\0' + bytes(range(16)), 1000, 32))
    expect(await deriveClaimToken('password', { encoded: '', salt, iterations: 1_000 })).toBe(
      'nI57qOcHEK6FZP8ymG1oixhlykiNEjEw44Wi-e9HK7w',
    )
  })
})

describe('the cache of contents', () => {
  it('never holds more bytes than it may, and drops what was not used for longest', () => {
    const cache = new ContentCache(100, 50)
    cache.set('a', 'x'.repeat(20))
    cache.set('b', 'x'.repeat(20))
    expect(cache.get('a')).toHaveLength(20)
    cache.set('c', 'x'.repeat(20))
    expect(cache.get('b')).toBeUndefined()
    expect(cache.get('a')).toBeDefined()
    expect(cache.bytes).toBe(80)
    cache.set('too large', 'x'.repeat(26))
    expect(cache.get('too large')).toBeUndefined()
    cache.set('a', 'y')
    expect(cache.bytes).toBe(42)
    cache.delete('c')
    cache.clear()
    expect(cache.bytes).toBe(0)
  })
})

describe('entity tags', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a" ', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['"A"', false],
    ['', false],
  ])('%s names "a": %s', (header, named) => {
    expect(namesTag(header, '"a"')).toBe(named)
  })
})

describe('the config', () => {
  const vars = {
    SITE_URL: '',
    MAX_CONTENT_BYTES: '100',
    ANONYMOUS_SETTINGS: 'refuse',
    STORAGE_TIMEOUT_MS: '50',
    MAIL_FROM: '',
    GITHUB_URL: 'https://github.com',
    GITHUB_API_URL: 'https://api.github.com/',
  }

  it.each([
    ['SITE_URL', 'paste.example'],
    ['MAX_CONTENT_BYTES', '10 MiB'],
    ['MAX_CONTENT_BYTES', '0'],
    ['MAX_CONTENT_BYTES', '26214400'],
    ['ANONYMOUS_SETTINGS', 'allow'],
    ['STORAGE_TIMEOUT_MS', '-1'],
    ['GITHUB_API_URL', 'api.github.com'],
    ['AUTH_SECRET', 'short'],
  ])('names the var that makes no sense: %s = %j', (name, value) => {
    expect(() => parseConfig({ ...vars, [name]: value } as unknown as Env)).toThrow(name)
  })

  it('is typed', () => {
    expect(parseConfig({ ...vars, SITE_URL: 'https://a.example//' } as unknown as Env)).toEqual({
      siteUrl: 'https://a.example',
      maxContentBytes: 100,
      anonymousSettings: 'refuse',
      storageTimeoutMs: 50,
      authSecret: null,
      mailFrom: null,
      github: { app: null, url: 'https://github.com', apiUrl: 'https://api.github.com' },
    })
  })
})
