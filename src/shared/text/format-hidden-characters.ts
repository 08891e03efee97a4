import { type HiddenCharacters, type HiddenMatches, MAX_COUNTED } from './hidden-characters.ts'

/** How the warning about hidden characters starts. A list of them follows. */
export const HIDDEN_WARNING = {
  label: 'Be careful:',
  text: 'this text may not be what it looks like. It contains',
} as const

/** The hidden characters of one kind, as text, and where the first one is. */
interface HiddenKind {
  readonly amount: string
  readonly where: string
  readonly line: number
}

/** Describes the hidden characters in a text, one entry for each kind. */
export function formatHiddenCharacters({ bidirectional, invisible }: HiddenCharacters): HiddenKind[] {
  const format = (hidden: HiddenMatches | null, kind: string): HiddenKind[] => {
    if (!hidden) return []
    const { count, firstLine: line } = hidden
    if (count === 1) return [{ amount: `1 ${kind} character`, where: `line ${line}`, line }]
    const amount = `${count}${count === MAX_COUNTED ? ' or more' : ''} ${kind} characters`
    return [{ amount, where: `first on line ${line}`, line }]
  }
  return [...format(bidirectional, 'bidirectional control'), ...format(invisible, 'invisible')]
}
