import { describe, expect, it } from 'vitest'
import {
  detectConfiguration,
  detectTable,
  isJson,
  isJsonFragment,
  isJsonLines,
  isLog,
  takeSample,
} from '../../../src/shared/detection/formats.ts'

describe('isJson', () => {
  it.each(['{}', '[1, 2]', '{"a": [true, null]}', '// c\n{"a": 1,}', `{"a": "${'x'.repeat(9_000)}"}`])(
    'accepts %.30s',
    (text) => {
      expect(isJson(takeSample(text))).toBe(true)
    },
  )

  it.each(['', '[x]', '{ a: 1 }', '[1, 2].map(f)', '{% if a %}', '[2024] hello', '"a"'])(
    'refuses %s',
    (text) => {
      expect(isJson(takeSample(text))).toBe(false)
    },
  )

  it('leaves an object on each line to JSON Lines', () => {
    expect(isJsonLines(takeSample('{"a": 1}\n{"a": 2}\n'))).toBe(true)
    expect(isJsonLines(takeSample('{"a": 1}\n'))).toBe(false)
    expect(isJsonLines(takeSample('{"a": 1}\n{a}\n'))).toBe(false)
  })

  it('recognizes lines from the middle of a file', () => {
    expect(isJsonFragment(takeSample('  "a": 1,\n  "b": [\n    "c"\n  ]\n'))).toBe(true)
    expect(isJsonFragment(takeSample('"a": b\n"c": d\n'))).toBe(false)
  })
})

describe('detectTable', () => {
  it.each([
    ['csv', 'a,b\n1,2\n3,4\n'],
    ['csv', 'name;price\nx;1,50\ny;2,50\n'],
    ['csv', '"a, b","c"\n"d","e"\n"f, g","h"\n'],
    ['tsv', 'a\tb\tc\n1\t2\t3\n'],
    ['csv', 'id|name\n1|a\n2|b\n'],
    ['csv', 'a,b\n1,"c\nd"\n2,e\n'],
    ['csv', 'a;b\nx;1 234,50 €\ny;99,00 €\n'],
    ['csv', 'file,size\na,1.5 MB\nb,200 kB\n'],
    ['csv', `id,note,who\n${'1,"line one\nline two",ann\n'.repeat(60)}`],
    ['csv', `id,note,who\n${'1,"line one\nline two",ann\n'.repeat(600)}`],
    [null, 'cat a | sort\nls b | wc\nls c | wc\n'],
    [null, 'cat a.txt|sort -u|head\nls -la|grep src|wc -l\n'],
    [null, 'Name|Age\n---|---\nBob|3\n'],
    [null, 'Tea, 5 min\nEgg, 7 min\nRice, 12 min\n'],
    [null, 'a,b\n1,2,3\n'],
    [null, 'We came, we saw,\nwe left, we slept,\nwe woke, we wept.\n'],
    [null, 'int a;\nint b;\nint c;\n'],
    [null, 'mov a, b\nadd c, d\nsub e, f\n'],
    [null, 'f(a, b)\nf(c, d)\nf(e, f)\n'],
  ])('is %s for %j', (language, text) => {
    expect(detectTable(takeSample(text))).toBe(language)
  })
})

describe('isLog', () => {
  it.each([
    '2026-01-01 10:00:00 INFO a\n2026-01-01 10:00:01 WARN b\n',
    '[10:00:00] a\n[10:00:01] b\n',
    'level=info msg=a\nlevel=warn msg=b\n',
    'Error: no\n    at f (/srv/a.js:1:2)\n    at g (/srv/a.js:3:4)\n',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n',
    'panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/a.go:3 +0x1d\n',
    'info: A.B[0]\n      started\nfail: A.C[1]\n      stopped\n',
    '#Software: IIS\n#Fields: date time\n2026-01-01 10:00:00 a\n2026-01-01 10:00:01 b\n',
    '[11/28/2026, 10:00:00 AM] ERROR: a\n[11/28/2026, 10:00:01 AM] WARN: b\n',
    '10:00:00|INFO|a\n10:00:01|WARN|b\n',
    'INFO|2026-01-01 10:00:00|a\nWARN|2026-01-01 10:00:01|b\n',
    '[28/11/2026, 10:00:00] Worker 1: started\n[28/11/2026, 10:00:01] Queue: 3 jobs\n',
    '11/28/2026, 10:00:00 AM - Server: listening\n11/28/2026, 10:00:01 AM - Server: ready\n',
  ])('accepts %j', (text) => {
    expect(isLog(takeSample(text))).toBe(true)
  })

  it.each([
    '',
    '9:00 Breakfast\n10:30 Walk\n',
    'Information for guests\nErrors are ours\n',
    '2026-01-01,5\n2026-01-02,6\n',
    'at home\nat work\nat sea\n',
    'level|count\nINFO|3\nWARN|4\n',
    'day|level|count\n2026-01-01|INFO|3\n2026-01-02|WARN|4\n',
    '1/3/24, 10:00 AM - Ada: Hi\n1/3/24, 10:01 AM - Bo: Hello\n',
    '[01.03.24, 10:00:00] Ada: Hi\n[01.03.24, 10:00:01] Bo: Hello\n',
  ])('refuses %j', (text) => {
    expect(isLog(takeSample(text))).toBe(false)
  })
})

describe('detectConfiguration', () => {
  it.each([
    ['ini', '[a]\nb = c\n; d\n'],
    ['ini', 'server.port=80\nserver.host=a\n'],
    ['toml', '[a]\nb = "c"\nd = [1, 2]\n'],
    ['dotenv', 'A=1\nexport B="2"\nC=\n'],
    ['yaml', 'a:\n  b: 1\n  c:\n    - d\n'],
    ['yaml', '---\na: 1\nb: 2\n'],
    ['yaml', 'a: 1\nb:\n  - c\n---\na: 2\nb: {}\n'],
    ['yaml', '- name: a\n  run: |\n    if (x) {\n    }\n    y;\n- name: b\n  run: c\n'],
    ['yaml', 'a: some words\n  that go on\n  and on\nb: 1\nc:\n  d: 2\n  e: 3\n'],
    ['yaml', 'a: b: c\nd: 1\ne: 2\nf: 3\ng:\n  h: 4\n'],
    ['markdown', '- a\n- b\n'],
    [null, 'anna: hi there\nben: hi\nanna: how are you\n'],
    [null, 'To: Anna\nFrom: Ben\nSubject: Friday\n'],
    [null, 'Machine:\n  Type: a System: b\n  Date: c v: d\n'],
    [null, 'a:\n\tb: 1\n'],
    [null, 'x = 1\ny = 2\nz = 3\n'],
    [null, 'A=$(date)\nB=1\n'],
  ])('is %s for %j', (language, text) => {
    expect(detectConfiguration(takeSample(text))).toBe(language)
  })
})
