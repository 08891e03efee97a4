import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TOKEN_SIZE } from '../../../src/client/highlight/tokens.ts'
import { ERROR, findLevel, LEVELS, WARNING } from '../../../src/client/logs/levels.ts'
import { LOG_LINE_STYLES, parseLog } from '../../../src/client/logs/parse-log.ts'
import { findEntry } from '../../../src/client/logs/shown-lines.ts'
import { findTimestamp } from '../../../src/client/logs/timestamps.ts'

const NOW = Date.UTC(2026, 10, 22, 20)

const LOG = `2026-11-22T12:00:00+01:00 INFO Starting
  with 3 workers
2026-11-22T12:00:01+01:00 ERROR Request failed
java.lang.IllegalStateException: it broke
	at com.example.App.run(App.java:12)
	at com.example.App.main(App.java:3)

2026-11-22T12:00:02+01:00 DEBUG done
Plain words
`

describe('a parsed log', () => {
  const log = parseLog(LOG, NOW)

  it('gives the lines of an entry the level of its first line', () => {
    expect([...log.levels]).toEqual([3, 3, 1, 1, 1, 1, 0, 4, 0])
    expect([...log.continues]).toEqual([0, 1, 0, 1, 1, 1, 0, 0, 0])
  })

  it('counts entries, not lines', () => {
    expect(log.counts).toEqual([1, 0, 1, 1])
  })

  it('knows times, the zone and stack traces', () => {
    expect(log.times[2]).toBe(Date.UTC(2026, 10, 22, 11, 0, 1))
    expect(log.times[3]).toBeNaN()
    expect(log.offset).toBe(60)
    expect([...log.folds]).toEqual([3, 4, 6])
  })

  it('has a token for each thing that it recognised, in order', () => {
    const tokens = Array.from({ length: log.tokens.length / TOKEN_SIZE }, (_, index) => {
      const [from = 0, to = 0, style = 0] = log.tokens.subarray(index * TOKEN_SIZE, (index + 1) * TOKEN_SIZE)
      return [LOG_LINE_STYLES[style], LOG.slice(from, to)]
    })
    expect(tokens).toEqual([
      ['log-time', '2026-11-22T12:00:00+01:00'],
      ['log-info', 'INFO'],
      ['log-time', '2026-11-22T12:00:01+01:00'],
      ['log-error-text', ' '],
      ['log-error', 'ERROR'],
      ['log-error-text', ' Request failed'],
      ['log-error-text', 'java.lang.IllegalStateException: it broke'],
      ['log-trace', '\tat com.example.App.run(App.java:12)'],
      ['log-trace', '\tat com.example.App.main(App.java:3)'],
      ['log-time', '2026-11-22T12:00:02+01:00'],
      ['log-debug-text', ' '],
      ['log-debug', 'DEBUG'],
      ['log-debug-text', ' done'],
    ])
  })
})

describe('what belongs to an entry', () => {
  it('is the exception after the frames of Python', () => {
    const log = parseLog(
      'ERROR:root:it broke\nTraceback (most recent call last):\n  File "a.py", line 1, in a\n    b()\nValueError: x\nnext',
      NOW,
    )
    expect([...log.continues]).toEqual([0, 1, 1, 1, 1, 0])
    expect(log.counts).toEqual([1, 0, 0, 0])
  })

  it('is the exception before the frames of Node', () => {
    const log = parseLog('ERROR it broke\nError: disk\n    at a (a.js:1:1)\n    at b (b.js:1:1)\n', NOW)
    expect([...log.continues]).toEqual([0, 1, 1, 1])
  })

  it('makes a stack trace without an entry an error of its own', () => {
    const log = parseLog('Listening\nstack backtrace:\n   0: a\n   1: b\n', NOW)
    expect([...log.levels]).toEqual([0, 1, 1, 1])
    expect(log.counts).toEqual([1, 0, 0, 0])
  })

  it('is nothing in plain text', () => {
    const log = parseLog('One\nTwo\n\nThree', NOW)
    expect([...log.levels, ...log.continues, ...log.folds, ...log.tokens]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  })
})

describe('the lines of a text', () => {
  it.each([
    ['', [0, 0]],
    ['a', [0, 1]],
    ['a\n', [0, 2]],
    ['a\n\nb', [0, 2, 3, 4]],
    ['\n\n', [0, 1, 2]],
  ])('of %j start where they should', (text, starts) => {
    expect([...parseLog(text, NOW).lineStarts]).toEqual(starts)
  })
})

/** Returns the time of a line, and the text that states it. */
function readTime(line: string): string | null {
  const found = findTimestamp(line, NOW)
  return found && `${new Date(found.time).toISOString()} ${line.slice(found.from, found.to)}`
}

describe('the timestamp of a line', () => {
  it.each([
    ['ISO 8601', '2026-11-22T12:00:01.500Z INFO x', '2026-11-22T12:00:01.500Z 2026-11-22T12:00:01.500Z'],
    ['a zone', '2026-11-22T12:00:01+02:00 x', '2026-11-22T10:00:01.000Z 2026-11-22T12:00:01+02:00'],
    ['Python', '2026-11-22 12:00:01,123 - x', '2026-11-22T12:00:01.123Z 2026-11-22 12:00:01,123'],
    ['nginx', '2026/11/22 12:00:01 [error] 1#1', '2026-11-22T12:00:01.000Z 2026/11/22 12:00:01'],
    [
      'Apache',
      '1.2.3.4 - - [22/Nov/2026:12:00:01 -0130] "',
      '2026-11-22T13:30:01.000Z 22/Nov/2026:12:00:01 -0130',
    ],
    [
      'Apache’s error log',
      '[Sun Nov 22 12:00:01.25 2026] [x]',
      '2026-11-22T12:00:01.250Z Nov 22 12:00:01.25 2026',
    ],
    ['syslog', 'Nov  2 12:00:01 host app: 2026-01-01 00:00', '2026-11-02T12:00:01.000Z Nov  2 12:00:01'],
    ['syslog of last year', 'Dec 31 23:59:59 host app: x', '2025-12-31T23:59:59.000Z Dec 31 23:59:59'],
    ['PHP', '[22-Nov-2026 12:00:01 UTC] PHP', '2026-11-22T12:00:01.000Z 22-Nov-2026 12:00:01 UTC'],
    ['Redis', '1:M 22 Nov 2026 12:00:01.123 * x', '2026-11-22T12:00:01.123Z 22 Nov 2026 12:00:01.123'],
    ['klog', 'I1122 12:00:01.123456  1 x.go:1] y', '2026-11-22T12:00:01.123Z 1122 12:00:01.123456'],
    ['logcat', '11-22 12:00:01.123  1  2 I x: y', '2026-11-22T12:00:01.123Z 11-22 12:00:01.123'],
    ['a clock', '[12:00:01 INF] x', '1970-01-01T12:00:01.000Z 12:00:01'],
    [
      'JSON',
      '{"level":"info","time":"2026-11-22T12:00:01Z"}',
      '2026-11-22T12:00:01.000Z 2026-11-22T12:00:01Z',
    ],
    ['@timestamp', '{"@timestamp":"2026-11-22T12:00:01Z"}', '2026-11-22T12:00:01.000Z 2026-11-22T12:00:01Z'],
    ['pino', '{"level":30,"time":1795348801000}', '2026-11-22T12:00:01.000Z 1795348801000'],
    ['zap', '{"level":"info","ts":1795348801.25}', '2026-11-22T12:00:01.250Z 1795348801.25'],
    ['logfmt', 'level=info ts=1795348801 msg=x', '2026-11-22T12:00:01.000Z 1795348801'],
    ['seconds', '1795348801 started', '2026-11-22T12:00:01.000Z 1795348801'],
    ['docker compose', 'web_1 | 2026-11-22T12:00:01Z x', '2026-11-22T12:00:01.000Z 2026-11-22T12:00:01Z'],
    ['the afternoon', '02:15:00 PM started', '1970-01-01T14:15:00.000Z 02:15:00 PM'],
    ['midnight', '12:00:30.5 AM x', '1970-01-01T00:00:30.500Z 12:00:30.5 AM'],
    ['noon', '[12:00 p.m.] x', '1970-01-01T12:00:00.000Z 12:00 p.m.'],
    ['no seconds', '9:05 PM: x', '1970-01-01T21:05:00.000Z 9:05 PM'],
    [
      'ISO 8601 in the afternoon',
      '2026-11-22 02:15:00 PM x',
      '2026-11-22T14:15:00.000Z 2026-11-22 02:15:00 PM',
    ],
    ['America', '11/22/2026 2:15:00 PM x', '2026-11-22T14:15:00.000Z 11/22/2026 2:15:00 PM'],
    ['Europe', '[22/11/2026, 14:15:00] x', '2026-11-22T14:15:00.000Z 22/11/2026, 14:15:00'],
    ['dots', '22.11.26 14:15:00,5 x', '2026-11-22T14:15:00.500Z 22.11.26 14:15:00,5'],
    ['Spark', '26/11/22 14:15:00 INFO x', '2026-11-22T14:15:00.000Z 26/11/22 14:15:00'],
    ['a month and a day', '[11-22 14:15:00] x', '2026-11-22T14:15:00.000Z 11-22 14:15:00'],
    ['last year', '12/31 11:59 PM x', '2025-12-31T23:59:00.000Z 12/31 11:59 PM'],
    [
      'NestJS',
      '[Nest] 123  - 11/22/2026, 2:15:00 PM     LOG [App] x',
      '2026-11-22T14:15:00.000Z 11/22/2026, 2:15:00 PM',
    ],
    [
      'WebLogic',
      '<Nov 22, 2026 2:15:00 PM UTC> <Info> x',
      '2026-11-22T14:15:00.000Z Nov 22, 2026 2:15:00 PM UTC',
    ],
    [
      'Java',
      'Nov 22, 2026 12:15:00 AM com.example.Main',
      '2026-11-22T00:15:00.000Z Nov 22, 2026 12:15:00 AM',
    ],
    ['Electron', '[123:1122/141500.25:ERROR:gpu.cc(1)] x', '2026-11-22T14:15:00.250Z 1122/141500.25'],
    ['PM2', '0|api  | 02:15:00 PM x', '1970-01-01T14:15:00.000Z 02:15:00 PM'],
    ['Squid', '1795348801.250    45 10.0.0.1 TCP_MISS/200 9 GET', '2026-11-22T12:00:01.250Z 1795348801.250'],
  ])('is read from %s', (_, line, expected) => {
    expect(readTime(line)).toBe(expected)
  })

  it.each([
    'no time',
    '2026-13-45 12:00:01 is no date',
    '{"msg":"at 2026-11-22T12:00:01Z"}',
    'port 1234567890123456',
    '1:2:3',
    '1.2.3.4:12:30 is an address',
    '45/45/2026 12:00:00 is no date',
    '9:05:03 after nine minutes',
    '',
  ])('is not found in %j', (line) => {
    expect(readTime(line)).toBeNull()
  })
})

describe('the order of a log’s dates', () => {
  const readDates = (text: string) =>
    [...parseLog(text, NOW).times].map((time) => new Date(time).toISOString().slice(0, 10))

  it.each([
    [
      'days that are no months',
      '10/11/2025 12:00:00 a\n13/11/2025 12:00:00 b\n',
      ['2025-11-10', '2025-11-13'],
    ],
    ['months before days', '11/10/2025 12:00:00 a\n11/13/2025 12:00:00 b\n', ['2025-11-10', '2025-11-13']],
    ['the shortest log', '01/02/2025 23:59:00 a\n02/02/2025 00:00:00 b\n', ['2025-02-01', '2025-02-02']],
    ['short years', '24/05/06 12:00:00 a\n24/05/07 12:00:00 b\n', ['2024-05-06', '2024-05-07']],
    ['no future', '11/12/2026 12:00:00 a\n', ['2026-11-12']],
    ['slashes', '03/04/2025 12:00:00 a\n', ['2025-03-04']],
    ['dots', '03.04.2025 12:00:00 a\n', ['2025-04-03']],
  ])('follows from %s', (_, text, dates) => {
    expect(readDates(text)).toEqual(dates)
  })
})

/** Returns the name of the level that a line states, and the text that states it. */
function readLevel(line: string): string | null {
  const found = findLevel(line, findTimestamp(line, 0)?.to ?? 0)
  return found && `${LEVELS[found.level - 1]}: ${line.slice(found.from, found.to)}`
}

describe('the level of a line', () => {
  it.each([
    ['logfmt', 'time="2026-11-22T12:00:00Z" level=error msg="it broke" err="EOF"', 'error: error'],
    ['logfmt, short', 'ts=2026-11-22T12:00:00Z lvl=warn msg=slow', 'warning: warn'],
    ['JSON', '{"time":"2026-11-22T12:00:00Z","level":"info","msg":"ERROR page shown"}', 'info: info'],
    ['JSON, severity', '{"severity":"WARNING","message":"disk"}', 'warning: WARNING'],
    ['JSON, at the end', `{"msg":"${'x'.repeat(900)}","level":"debug"}`, 'debug: debug'],
    ['pino', '{"level":50,"time":1795305600000,"msg":"failed"}', 'error: 50'],
    ['pino, trace', '{"level":10,"time":1795305600000,"msg":"in"}', 'debug: 10'],
    ['GELF', '{"version":"1.1","level":4,"short_message":"hm"}', 'warning: 4'],
    ['Serilog, compact', '{"@t":"2026-11-22T12:00:00Z","@l":"Fatal","@mt":"bye"}', 'error: Fatal'],
    ['Serilog', '[12:00:00 WRN] Slow query', 'warning: WRN'],
    ['brackets', '[2026-11-22 12:00:00] [ERROR] it broke', 'error: ERROR'],
    ['Python', '2026-11-22 12:00:00,123 - app.db - WARNING - slow', 'warning: WARNING'],
    ['Python, default', 'ERROR:root:it broke', 'error: ERROR'],
    ['Java', '2026-11-22 12:00:00.123  INFO 1 --- [main] c.e.App : Started ERROR counter', 'info: INFO'],
    ['log4j', '12:00:00.123 [main] DEBUG com.example.App - loaded', 'debug: DEBUG'],
    ['java.util.logging', 'SEVERE: it broke', 'error: SEVERE'],
    ['Rust', '2026-11-22T12:00:00.123456Z  WARN app::db: slow', 'warning: WARN'],
    ['env_logger', '[2026-11-22T12:00:00Z ERROR app] it broke', 'error: ERROR'],
    ['Go, zap', '2026-11-22T12:00:00.123Z\terror\tserver/main.go:12\tit broke', 'error: error'],
    ['klog', 'W1122 12:00:00.123456       1 reflector.go:456] watch ended', 'warning: W'],
    ['klog, error', 'E1122 12:00:00.123456       1 pod.go:1] CrashLoopBackOff', 'error: E'],
    ['logcat', '11-22 12:00:00.123  1234  1250 E AndroidRuntime: FATAL EXCEPTION: main', 'error: E'],
    ['logcat, brief', 'W/ActivityManager( 585): Slow', 'warning: W'],
    ['.NET', 'fail: Microsoft.AspNetCore.Server.Kestrel[13]', 'error: fail'],
    ['.NET, debug', 'dbug: App.Startup[0]', 'debug: dbug'],
    ['winston', '2026-11-22T12:00:00.123Z info: listening', 'info: info'],
    ['nginx', '2026/11/22 12:00:00 [error] 31#31: *1 open() failed', 'error: error'],
    ['Apache', '[Sun Nov 22 12:00:00.123456 2026] [core:warn] [pid 1] AH00112', 'warning: warn'],
    [
      'access log, 200',
      '203.0.113.7 - - [22/Nov/2026:12:00:00 +0000] "GET /error HTTP/1.1" 200 12 "-" "x"',
      'info: 200',
    ],
    [
      'access log, 404',
      '203.0.113.7 - - [22/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 0',
      'warning: 404',
    ],
    [
      'access log, 502',
      '203.0.113.7 - ann [22/Nov/2026:12:00:00 +0000] "POST /a HTTP/2.0" 502 5',
      'error: 502',
    ],
    ['syslog, RFC 5424', '<11>1 2026-11-22T12:00:00Z host app 1 - - it broke', 'error: 11'],
    ['systemd', '<7>loaded', 'debug: 7'],
    ['PostgreSQL', '2026-11-22 12:00:00.123 UTC [99] FATAL:  role "x" does not exist', 'error: FATAL'],
    ['PHP', '[22-Nov-2026 12:00:00 UTC] PHP Warning:  Undefined variable', 'warning: Warning'],
    ['npm', 'npm ERR! code ELIFECYCLE', 'error: npm ERR!'],
    ['npm, new', 'npm warn deprecated glob@7', 'warning: npm warn'],
    ['a compiler', 'src/main.c:3:5: warning: unused variable', 'warning: warning'],
    ['cargo', 'error[E0308]: mismatched types', 'error: error'],
    ['GitHub Actions', '##[error]Process completed with exit code 1.', 'error: error'],
    ['docker compose', 'web_1  | 2026-11-22 12:00:00 ERROR it broke', 'error: ERROR'],
    ['Ruby', 'W, [2026-11-22T12:00:00.123456 #99]  WARN -- : slow', 'warning: W'],
    ['an exception', 'java.lang.IllegalStateException: it broke', 'error: java.lang.IllegalStateException'],
    ['an exception of JavaScript', 'TypeError: x is undefined', 'error: TypeError'],
  ])('is read from %s', (_, line, expected) => {
    expect(readLevel(line)).toBe(expected)
  })

  it.each([
    'The error was mine, and I was warned.',
    '2026-11-22 12:00:00 Listening on port 80',
    'Nov 22 12:00:00 host sshd[1]: Accepted publickey for ann',
    'debugging is fun',
    '{"msg":"no level: \\"level\\":\\"error\\" is quoted"}',
    '"GET / HTTP/1.1" 500',
    '',
    'terror: 4',
  ])('is unknown for %j', (line) => {
    expect(readLevel(line)).toBeNull()
  })

  it('is looked for only where a line states it', () => {
    expect(readLevel(`${'x'.repeat(300)} ERROR`)).toBeNull()
  })
})

interface CorpusLine {
  readonly format: string
  readonly line: string
  readonly expected: string
  readonly found: string
}

/** A section is a log; each of its lines starts with the letter of its level, or a dash. */
function readCorpus(name: string): { readonly formats: number; readonly lines: readonly CorpusLine[] } {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  const sections = text.split(/^%%%% /m).filter(Boolean)
  const lines = sections.flatMap((section) => {
    const [format = '', ...entries] = section.trimEnd().split('\n')
    const { levels } = parseLog(entries.map((entry) => entry.slice(2)).join('\n'), NOW)
    return entries.map((entry, index) => ({
      format,
      line: entry.slice(2),
      expected: entry.slice(0, 1),
      found: '-EWID'.charAt(levels[index] ?? 0),
    }))
  })
  return { formats: sections.length, lines }
}

const [tuned, untuned] = [readCorpus('level-corpus.txt'), readCorpus('level-corpus-held-out.txt')]

const listWrong = (lines: readonly CorpusLine[]) =>
  lines
    .filter(({ expected, found }) => expected !== found)
    .map(({ format, line, expected, found }) => `${format}: ${found} for ${expected} ${line}`)

/** The rules were written with the first corpus only: the held-out one shows what they do with other logs. */
describe('the levels of a corpus', () => {
  it('cover at least 60 formats, a third of them held out', () => {
    expect(tuned.formats + untuned.formats).toBeGreaterThanOrEqual(60)
    expect(untuned.formats * 2).toBeGreaterThan(tuned.formats)
  })

  it('are all right where the rules were written', () => {
    expect(listWrong(tuned.lines)).toEqual([])
  })

  it('are right for 97 % of the lines that were held out', () => {
    const wrong = listWrong(untuned.lines)
    expect(1 - wrong.length / untuned.lines.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.97)
  })

  it('are never found where there is none', () => {
    const lines = [...tuned.lines, ...untuned.lines].filter(({ expected }) => expected === '-')
    expect(listWrong(lines)).toEqual([])
  })
})

describe('the next entry of a level', () => {
  const log = parseLog('ERROR a\n  more\nINFO b\nERROR c\nWARN d\n', 0)
  it.each([
    ['from the start', -1, false, { index: 0, position: 1, count: 2 }],
    ['after the first', 0, false, { index: 3, position: 2, count: 2 }],
    ['after the last', 3, false, { index: 0, position: 1, count: 2 }],
    ['before the last', 3, true, { index: 0, position: 1, count: 2 }],
    ['before the first', 0, true, { index: 3, position: 2, count: 2 }],
    ['before the end', 5, true, { index: 3, position: 2, count: 2 }],
  ] as const)('%s', (_, from, isBackwards, found) => {
    expect(findEntry(log, ERROR, from, isBackwards)).toEqual(found)
  })

  it('may not exist', () => {
    expect(findEntry(parseLog('INFO a\n', 0), WARNING, 0, false)).toBeNull()
  })
})
