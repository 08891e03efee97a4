import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseLog } from '../../../src/client/logs/parse-log.ts'
import {
  createShownLines,
  filterLines,
  foldLines,
  getAllRuns,
  getShownText,
  getShownTokens,
  type LogFilter,
} from '../../../src/client/logs/shown-lines.ts'
import { findLineAtTime, formatLogTime, parseTimeQuery } from '../../../src/client/logs/timestamps.ts'

describe('the shown lines', () => {
  const shown = createShownLines(new Uint32Array([2, 4, 9, 12]))

  it('keep the numbers that they have in the document', () => {
    expect(shown.count).toBe(5)
    expect([1, 2, 3, 4, 5].map((position) => shown.numberAt(position))).toEqual([3, 4, 10, 11, 12])
  })

  it.each([
    [3, 3, { first: 1, last: 1 }],
    [1, 20, { first: 1, last: 5 }],
    [4, 10, { first: 2, last: 3 }],
    [5, 9, null],
    [13, 20, null],
  ])('are found by numbers: %i to %i', (first, last, positions) => {
    expect(shown.findPositions({ first, last })).toEqual(positions)
  })

  it('may be none', () => {
    expect(createShownLines(getAllRuns(0)).findPositions({ first: 1, last: 9 })).toBeNull()
  })

  it('are found by the number of each of them', () => {
    const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })))
    fc.assert(
      fc.property(lengths, (pairs) => {
        const runs: number[] = []
        for (const [gap, length] of pairs)
          runs.push((runs.at(-1) ?? 0) + gap, (runs.at(-1) ?? 0) + gap + length)
        const lines = createShownLines(new Uint32Array(runs))
        for (let position = 1; position <= lines.count; position++) {
          const number = lines.numberAt(position)
          expect(lines.findPositions({ first: number, last: number })).toEqual({
            first: position,
            last: position,
          })
        }
      }),
    )
  })
})

describe('folded stack traces', () => {
  const traces = new Uint32Array([1, 2, 5, 7, 8, 10])

  it.each<[string, number[], number[], number[]]>([
    ['leave all lines if none is folded', [0, 12], [], [0, 12]],
    ['leave their headers', [0, 12], [0, 1], [0, 2, 5, 8, 10, 12]],
    ['at the end leave what comes before', [0, 10], [1], [0, 8]],
    ['stay unfolded if their header isn’t shown', [3, 4, 7, 12], [0, 1], [3, 4, 7, 8, 10, 12]],
    ['that are partly shown leave nothing after the header', [1, 4], [0], [1, 2]],
    ['leave none of their lines, wherever they are shown', [1, 2, 3, 4, 4, 7], [0], [1, 2, 5, 7]],
  ])('%s', (_, runs, folded, expected) => {
    expect([...foldLines(new Uint32Array(runs), traces, new Set(folded))]).toEqual(expected)
  })
})

describe('the text of the shown lines', () => {
  const text = 'a1\nb2\nc3\nd4'
  const lineStarts = new Uint32Array([0, 3, 6, 9, 11])
  const tokens = new Uint32Array([0, 1, 7, 4, 7, 8, 9, 10, 9])

  it('is joined from their lines, and so are the tokens', () => {
    const runs = new Uint32Array([1, 2, 3, 4])
    expect(getShownText(text, lineStarts, runs)).toBe('b2\nd4')
    // A colour of terminal output may go on over several lines.
    expect([...getShownTokens(tokens, lineStarts, runs)]).toEqual([1, 3, 8, 3, 4, 9])
  })

  it('is the text itself if all lines are shown', () => {
    expect(getShownText(text, lineStarts, getAllRuns(4))).toBe(text)
    expect(getShownTokens(tokens, lineStarts, getAllRuns(4))).toBe(tokens)
  })
})

const LOG = `INFO one
ERROR two
	at a.B.c(B.java:1)
	at a.B.d(B.java:2)
INFO three
DEBUG four
plain
WARN five
`

const ALL: LogFilter = { levels: [], query: '', isPattern: false, contextLines: 0 }

/** Returns the runs of lines that a filter shows. */
async function filter(wanted: Partial<LogFilter>, text = LOG) {
  const found = await filterLines(text, parseLog(text, 0), { ...ALL, ...wanted }, () => false)
  return found && 'runs' in found ? [...found.runs] : found?.problem
}

describe('a filter', () => {
  it.each<[string, Partial<LogFilter>, number[]]>([
    ['all lines if it is empty', {}, [0, 8]],
    ['entries of a level, with their stack traces', { levels: [1] }, [1, 4]],
    ['entries of several levels', { levels: [1, 4] }, [1, 4, 5, 6]],
    ['entries that contain a text, in any case', { query: 'THREE' }, [4, 5]],
    ['the whole entry if one of its lines matches', { query: 'b.java:2' }, [1, 4]],
    ['text that looks like a pattern', { query: '(b.java' }, [1, 4]],
    ['entries that match a pattern', { query: '^(info|warn) ', isPattern: true }, [0, 1, 4, 5, 7, 8]],
    ['entries that match both', { levels: [3], query: 'three' }, [4, 5]],
    ['lines of context, without repeating any', { query: 'three', contextLines: 3 }, [1, 8]],
    ['nothing', { query: 'nowhere' }, []],
  ])('shows %s', async (_, wanted, runs) => {
    expect(await filter(wanted)).toEqual(runs)
  })

  it('matches the end of a line before any kind of line break', async () => {
    expect(await filter({ query: '^one$', isPattern: true }, 'one\r\ntwo\r\none\n')).toEqual([0, 1, 2, 3])
  })

  it('stops when it is no longer needed', async () => {
    const text = 'INFO x\n'.repeat(30_000)
    const log = parseLog(text, 0)
    vi.spyOn(performance, 'now').mockImplementation(
      (
        (now) => () =>
          (now += 100)
      )(0),
    )
    const waiting = vi.spyOn(globalThis, 'setTimeout')
    expect(await filterLines(text, log, ALL, () => true)).toBeNull()
    expect(waiting).toHaveBeenCalledOnce()
  })

  it('counts the lines that it shows', () => {
    expect(createShownLines(new Uint32Array([1, 4, 6, 7])).count).toBe(4)
  })
})

describe('a regular expression', () => {
  it.each([
    ['(a)\\1', /Back-references/],
    ['(?=a)', /Look-ahead and look-behind/],
    ['(?<!a)b', /Look-ahead and look-behind/],
    ['[a', /isn’t a valid regular expression: missing closing \]/],
  ])('that isn’t supported is explained: %s', async (query, problem) => {
    expect(await filter({ query, isPattern: true })).toMatch(problem)
  })

  it('takes linear time even if a backtracking engine would take forever', async () => {
    const text = `${'a'.repeat(50_000)}\n`.repeat(3)
    expect(await filter({ query: '(a+)+$|(a|a)*b', isPattern: true }, text)).toEqual([0, 3])
  })
})

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
