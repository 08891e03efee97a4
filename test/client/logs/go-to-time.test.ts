import { describe, expect, it } from 'vitest'
import { findLineAtTime, formatLogTime, parseTimeQuery } from '../../../src/client/logs/go-to-time.ts'

const NOW = Date.UTC(2026, 10, 24)
const at = (day: number, hours: number, minutes = 0, seconds = 0) =>
  Date.UTC(2026, 10, day, hours, minutes, seconds)

/** From 22:00 on the 22nd to 03:00 on the 23rd, with a line without a time and one out of order. */
const log = {
  times: new Float64Array([at(22, 22), Number.NaN, at(22, 23, 30), at(22, 23), at(23, 3)]),
  offset: 0,
}

describe('a time that a reader enters', () => {
  it.each([
    ['22:30', at(22, 22, 30)],
    ['23:15:01.5', at(22, 23, 15, 1) + 500],
    ['02:00', at(23, 2)],
    ['04:00', at(22, 4)],
    ['2026-11-23', at(23, 0)],
    ['2026-11-23 01:00', at(23, 1)],
    ['2026-11-23T01:00:00+01:00', at(23, 0)],
    ['22/Nov/2026:23:00:00', at(22, 23)],
    ['Nov 22 23:00:00', at(22, 23)],
    [' 1795388400 ', 1795388400_000],
  ])('is understood: %s', (query, expected) => {
    expect(parseTimeQuery(query, log, NOW)).toBe(expected)
  })

  it.each(['', 'noon', '25:00', '7'])('is refused: %j', (query) => {
    expect(parseTimeQuery(query, log, NOW)).toBeNull()
  })

  it('is in the zone of the log', () => {
    const shifted = { times: log.times, offset: 60 }
    expect(parseTimeQuery('2026-11-23 01:00', shifted, NOW)).toBe(at(23, 0))
    expect(parseTimeQuery('23:30', shifted, NOW)).toBe(at(22, 22, 30))
    expect(formatLogTime(at(22, 22, 30), 60)).toBe('2026-11-22 23:30:00')
  })

  it('means nothing in a log without times', () => {
    expect(parseTimeQuery('12:00', { times: new Float64Array([Number.NaN]), offset: 0 }, NOW)).toBeNull()
  })
})

describe('the line of a time', () => {
  it('is the first at or after it, even if lines are out of order', () => {
    expect(
      [at(22, 1), at(22, 22, 1), at(22, 23), at(23, 1)].map((time) => findLineAtTime(log, time)),
    ).toEqual([1, 3, 3, 5])
    expect(findLineAtTime(log, at(23, 4))).toBeNull()
  })
})
