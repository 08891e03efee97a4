import { describe, expect, it } from 'vitest'
import { TOKEN_SIZE } from '../../../src/client/highlight/tokens.ts'
import { LOG_LINE_STYLES, parseLog } from '../../../src/client/logs/parse-log.ts'

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
    expect([...log.traces]).toEqual([3, 4, 6])
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
    expect([...log.levels, ...log.continues, ...log.traces, ...log.tokens]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
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
