const MB = 1_000_000

const fill = (unit: string, units: number): string =>
  unit.repeat(Math.ceil(units / unit.length)).slice(0, units)

const number = (count: number, getUnit: (n: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, n) => getUnit(n)).join(separator)

export interface HostileText {
  readonly language: string
  readonly create: () => string
  /** The page decrypts it. */
  readonly isEncrypted?: boolean
}

const text = (language: string, create: () => string): HostileText => ({ language, create })

const TIME = '2026-11-22 12:00:00'

/** Texts other than Markdown that are meant to freeze a reader's page, by what they have much of. */
export const HOSTILE_TEXTS: Readonly<Record<string, HostileText>> = {
  'a log of one line of 5 MB': text('log', () => `${TIME} ERROR ${fill('word ', 5 * MB)}`),
  'a log of one line of 5 MB without spaces': text('log', () => `${TIME} ERROR ${fill('x', 5 * MB)}`),
  'a log of 250,000 lines': text('log', () =>
    number(250_000, (n) => `${TIME} ${n % 3 ? 'INFO' : 'ERROR'} ${n}\n`),
  ),
  'empty lines, 4,000,000': text('plaintext', () => '\n'.repeat(4 * MB)),
  'a log of 80,000 stack traces': text('log', () =>
    number(80_000, (n) => `${TIME} ERROR ${n}\n  at a (a.js:1:1)\n  at b (b.js:1:1)\n  at c (c.js:1:1)\n`),
  ),
  'a log of 400,000 escapes': text('log', () =>
    number(400_000, (n) => `\x1B[3${n % 8}m${n % 10}${n % 40 === 39 ? '\n' : ''}`),
  ),
  'a log of 400,000 escapes in a line': text('log', () => number(400_000, (n) => `\x1B[3${n % 8}m${n % 10}`)),
  'escapes in a terminal, 400,000': text('plaintext', () =>
    number(400_000, (n) => `\x1B[3${n % 8}m${n % 10}${n % 40 === 39 ? '\n' : ''}`),
  ),
  'a terminal of 1,000,000 lines': text('plaintext', () => '\x1B[31ma\n'.repeat(MB)),
  'escapes in a terminal, 400,000 in a line': text('plaintext', () =>
    number(400_000, (n) => `\x1B[3${n % 8}m${n % 10}`),
  ),
  'carriage returns in a terminal, 400,000 in a line': text(
    'plaintext',
    () => `\x1B[1m${number(400_000, (n) => `\r${n}`)}`,
  ),
  'one line of 8 MB': text('plaintext', () => fill('word ', 8 * MB)),
  'one line of 8 MB without spaces': text('plaintext', () => fill('x', 8 * MB)),
  'one line of 5 MB of addresses': text('plaintext', () => fill('https://e.example/ ', 5 * MB)),
  'one line of 5 MB of hidden characters': text('plaintext', () => fill('ab\u202E\u200B', 5 * MB)),
  'one line of 2 MB of combining characters': text('plaintext', () => fill('a\u0301\u0302', 2 * MB)),
  'ten lines of 800 KB': text('plaintext', () => `${fill('word ', 800_000)}\n`.repeat(10)),
  'lines of 9 KB': text('plaintext', () => `${fill('word ', 9_000)}\n`.repeat(900)),
  'a line of JavaScript of 5 MB': text('javascript', () => fill('let a=[1,"b"];', 5 * MB)),
  'a JSON string of 5 MB': text('json', () => `["${fill('word ', 5 * MB)}"]`),
  'a JSON string of 5 MB of escapes': text('json', () => `["${fill('\\u0061', 5 * MB)}"]`),
  'a JSON key of 5 MB': text('json', () => `{"${fill('word ', 5 * MB)}":1}`),
  'JSON of 500,000 keys': text('json', () => `{${number(500_000, (n) => `"key${n}":${n}`, ',')}}`),
  'JSON of 500,000 keys in lines': text(
    'json',
    () => `{\n${number(500_000, (n) => `"key${n}":${n}`, ',\n')}\n}`,
  ),
  'JSON of 5,000 levels': text('json', () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  'JSON Lines of 5 MB each': text('jsonl', () => `["${fill('a', 4 * MB)}"]\n["${fill('b', 4 * MB)}"]\n`),
  'a CSV cell of 5 MB': text('csv', () => `a,b\n1,"${fill('word ', 5 * MB)}"\n2,3\n`),
  'a CSV name of 5 MB': text('csv', () => `a,"${fill('word ', 5 * MB)}"\n1,2\n`),
  'a CSV of 100,000 columns': text('csv', () => `${`${number(100_000, String, ',')}\n`.repeat(10)}`),
  'a CSV of 500,000 rows': text('csv', () => `a,b\n${number(500_000, (n) => `${n},x\n`)}`),
  'a CSV of cells of 9 KB': text(
    'csv',
    () => `a,b\n${`${fill('word ', 9_000)},${fill('x', 9_000)}\n`.repeat(500)}`,
  ),
  'a diff of one line of 5 MB': text(
    'diff',
    () => `--- a\n+++ b\n@@ -1 +1 @@\n-${fill('a ', 2.5 * MB)}\n+${fill('b ', 2.5 * MB)}\n`,
  ),
  'a diff of 200,000 lines': text(
    'diff',
    () => `--- a\n+++ b\n@@ -1,100000 +1,100000 @@\n${'-a\n+b\n'.repeat(100_000)}`,
  ),
  'a diff of 1,000,000 lines': text('diff', () => `--- a\n+++ b\n@@ -1 +1 @@\n${'+a\n'.repeat(MB)}`),
  'an encrypted line of 5 MB': {
    language: 'plaintext',
    create: () => fill('word ', 5 * MB),
    isEncrypted: true,
  },
  'an encrypted log of one line of 5 MB': {
    language: 'log',
    create: () => `${TIME} ERROR ${fill('word ', 5 * MB)}`,
    isEncrypted: true,
  },
}
