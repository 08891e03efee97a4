import { describe, expect, it } from 'vitest'
import { findTimestamp } from '../../../src/client/logs/timestamps.ts'

const NOW = Date.UTC(2026, 10, 22, 20)

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
  ])('is read from %s', (_, line, expected) => {
    expect(readTime(line)).toBe(expected)
  })

  it.each([
    'no time',
    '2026-13-45 12:00:01 is no date',
    '{"msg":"at 2026-11-22T12:00:01Z"}',
    'port 1234567890123456',
    '1:2:3',
    '',
  ])('is not found in %j', (line) => {
    expect(readTime(line)).toBeNull()
  })
})
