import { describe, expect, it } from 'vitest'
import {
  countLines,
  createSearch,
  filterLines,
  type LogFilter,
} from '../../../src/client/logs/filter-lines.ts'
import { parseLog } from '../../../src/client/logs/parse-log.ts'

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
  const full = { ...ALL, ...wanted }
  const search = await createSearch(full.query, full.isPattern)
  if ('problem' in search) return search.problem
  const options = { matches: search.matches, proceed: async () => true }
  return [...((await filterLines(text, parseLog(text, 0), full, options)) ?? [])]
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
    const options = { matches: () => true, proceed: async () => false }
    expect(await filterLines(text, parseLog(text, 0), ALL, options)).toBeNull()
  })

  it('counts the lines that it shows', () => {
    expect(countLines(new Uint32Array([1, 4, 6, 7]))).toBe(4)
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
    const started = performance.now()
    expect(await filter({ query: '(a+)+$|(a|a)*b', isPattern: true }, text)).toEqual([0, 3])
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
