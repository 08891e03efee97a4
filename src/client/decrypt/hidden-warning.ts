import { formatHiddenCharacters } from '../../shared/format.ts'
import { findHiddenCharacters, type Hidden, MAX_COUNTED } from '../../shared/hidden-characters.ts'

const KINDS = [
  ['bidirectional', 'bidirectional control'],
  ['invisible', 'invisible'],
] as const

function words(hidden: Hidden, kind: string): (string | Node)[] {
  const { amount, where } = formatHiddenCharacters(hidden, kind, MAX_COUNTED)
  const link = Object.assign(document.createElement('a'), {
    href: `#L${hidden.firstLine}`,
    textContent: where,
  })
  return [`${amount}, `, link]
}

/** What the server would warn of in a text, had it seen it; null where there is nothing. */
export function hiddenWarning(text: string): HTMLElement | null {
  const found = findHiddenCharacters(text)
  const parts = KINDS.flatMap(([name, kind]) => {
    const hidden = found[name]
    return hidden ? [words(hidden, kind)] : []
  })
  if (parts.length === 0) return null
  const warning = Object.assign(document.createElement('p'), { className: 'banner', role: 'note' })
  const first = Object.assign(document.createElement('strong'), { textContent: 'Look twice:' })
  warning.append(first, ' this text may not be what it looks like. It has ')
  for (const [index, part] of parts.entries()) warning.append(...(index > 0 ? ['; and '] : []), ...part)
  warning.append('.')
  return warning
}
