import { diffArrays } from 'diff/lib/diff/array.js'

class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError'
}

/** Counts steps, because the clock stands still while a Worker computes, and the result is always the same. */
export class WorkLimit {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new WorkLimitError('the texts are too different')
  }

  trySpend(steps: number): boolean {
    if (steps > this.#left) return false
    this.#left -= steps
    return true
  }
}

export interface Change {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

export function createEncoder<Token>(): (token: Token) => number {
  const codes = new Map<Token, number>()
  return (token) => {
    const code = codes.get(token) ?? codes.size
    codes.set(token, code)
    return code
  }
}

/** Edits beyond this take too much memory: the search keeps one path for each. */
const MAX_EDITS = 2_000

/** Returns which tokens match, by index, or null if finding them would take too long. */
function findMatches(
  old: readonly number[],
  current: readonly number[],
  work: WorkLimit,
): (readonly [number, number])[] | null {
  const comparator = (one: number, other: number) => {
    work.spend()
    return one === other
  }
  let parts: ReturnType<typeof diffArrays<number>> | undefined
  try {
    parts = diffArrays(old as number[], current as number[], { maxEditLength: MAX_EDITS, comparator })
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
  }
  if (!parts) return null
  const matches: (readonly [number, number])[] = []
  let [oldAt, newAt] = [0, 0]
  for (const { added, removed, count } of parts) {
    if (!added && !removed)
      for (let step = 0; step < count; step++) matches.push([oldAt + step, newAt + step])
    if (!added) oldAt += count
    if (!removed) newAt += count
  }
  return matches
}

/** Tokens that only one sequence has can't match, so the search doesn't see them: very different texts take no time. */
export function diffTokens<Token>(
  old: readonly Token[],
  current: readonly Token[],
  work: WorkLimit,
): Change[] | null {
  let start = 0
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1
  let [oldEnd, newEnd] = [old.length, current.length]
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === current[newEnd - 1]) {
    oldEnd -= 1
    newEnd -= 1
  }
  // Numbers are compared much faster than lines.
  const encode = createEncoder<Token>()
  const oldCodes = old.slice(start, oldEnd).map(encode)
  const newCodes = current.slice(start, newEnd).map(encode)
  const findShared = (codes: readonly number[], others: ReadonlySet<number>) =>
    codes.flatMap((code, index) => (others.has(code) ? { code, at: start + index } : []))
  const oldShared = findShared(oldCodes, new Set(newCodes))
  const newShared = findShared(newCodes, new Set(oldCodes))
  const toCode = ({ code }: { code: number }) => code
  const matches = findMatches(oldShared.map(toCode), newShared.map(toCode), work)
  if (!matches) return null
  const changes: Change[] = []
  let [oldFrom, newFrom] = [start, start]
  const addUntil = (oldTo: number, newTo: number) => {
    if (oldTo > oldFrom || newTo > newFrom) changes.push({ oldFrom, oldTo, newFrom, newTo })
    oldFrom = oldTo + 1
    newFrom = newTo + 1
  }
  for (const [one, other] of matches) addUntil(oldShared[one]?.at ?? 0, newShared[other]?.at ?? 0)
  addUntil(oldEnd, newEnd)
  return changes
}
