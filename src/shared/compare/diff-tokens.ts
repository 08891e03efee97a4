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

  get left(): number {
    return this.#left
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

type Tokens = readonly number[]

export function createEncoder(): (value: string) => number {
  const codes = new Map<string, number>()
  return (value) => {
    const code = codes.get(value) ?? codes.size
    codes.set(value, code)
    return code
  }
}

/** Edits beyond this take too much memory: the search keeps one path for each. */
const MAX_EDITS = 2_000

function findShared(tokens: Tokens, from: number, to: number, others: ReadonlySet<number>): number[] {
  const shared: number[] = []
  for (let index = from; index < to; index++) if (others.has(tokens[index] ?? -1)) shared.push(index)
  return shared
}

/** Null if finding them would take too long. */
function findMatches(
  old: { readonly tokens: Tokens; readonly indices: readonly number[] },
  current: { readonly tokens: Tokens; readonly indices: readonly number[] },
  work: WorkLimit,
): (readonly [number, number])[] | null {
  const parts = diffArrays<number>(
    old.indices.map((index) => old.tokens[index] ?? -1),
    current.indices.map((index) => current.tokens[index] ?? -1),
    {
      maxEditLength: MAX_EDITS,
      comparator: (one, other) => {
        work.spend()
        return one === other
      },
    },
  )
  if (!parts) return null
  const matches: (readonly [number, number])[] = []
  let [oldAt, newAt] = [0, 0]
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      for (let step = 0; step < count; step++) {
        matches.push([old.indices[oldAt + step] ?? 0, current.indices[newAt + step] ?? 0])
      }
    }
    if (!added) oldAt += count
    if (!removed) newAt += count
  }
  return matches
}

/** Tokens that only one sequence has can't match, so the search doesn't see them: very different texts take no time. */
export function diffTokens(old: Tokens, current: Tokens, work: WorkLimit): Change[] | null {
  let start = 0
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1
  let [oldEnd, newEnd] = [old.length, current.length]
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === current[newEnd - 1]) {
    oldEnd -= 1
    newEnd -= 1
  }
  const oldShared = findShared(old, start, oldEnd, new Set(current.slice(start, newEnd)))
  const newShared = findShared(current, start, newEnd, new Set(old.slice(start, oldEnd)))
  const matches = diffShared(
    { tokens: old, indices: oldShared },
    { tokens: current, indices: newShared },
    work,
  )
  if (!matches) return null
  const changes: Change[] = []
  let [oldFrom, newFrom] = [start, start]
  for (const [oldTo, newTo] of [...matches, [oldEnd, newEnd] as const]) {
    if (oldTo > oldFrom || newTo > newFrom) changes.push({ oldFrom, oldTo, newFrom, newTo })
    oldFrom = oldTo + 1
    newFrom = newTo + 1
  }
  return changes
}

function diffShared(...parameters: Parameters<typeof findMatches>): ReturnType<typeof findMatches> {
  try {
    return findMatches(...parameters)
  } catch (error) {
    if (error instanceof WorkLimitError) return null
    throw error
  }
}
