import type { TextFile } from '../txtar.ts'

/** A file before and after. One of both is null if it was added or deleted. */
export interface FilePair {
  readonly old: TextFile | null
  readonly current: TextFile | null
}

/** Pairs files by their names, and what has another name by its text. Those of `current` come first, in their order. */
export function pairFiles(old: readonly TextFile[], current: readonly TextFile[]): FilePair[] {
  const left = new Map(old.map((file) => [file.name, file]))
  const named = current.map((file) => {
    const same = left.get(file.name) ?? null
    left.delete(file.name)
    return { old: same, current: file }
  })
  const pairs = named.map((pair) => {
    if (pair.old || pair.current.content === '') return pair
    const renamed = [...left.values()].find(({ content }) => content === pair.current.content) ?? null
    if (renamed) left.delete(renamed.name)
    return { ...pair, old: renamed }
  })
  return [...pairs, ...[...left.values()].map((file) => ({ old: file, current: null }))]
}
