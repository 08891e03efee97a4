import type { Child } from 'hono/jsx'
import { formatHiddenCharacters, HIDDEN_WARNING, type HiddenCharacters } from '../shared/hidden-characters.ts'

interface HiddenWarningProps {
  readonly hidden: HiddenCharacters
  readonly renderPlace?: (kind: ReturnType<typeof formatHiddenCharacters>[number]) => Child
}

/** src/client/decrypt/decrypted-document.ts does the same for decrypted text. */
export const HiddenWarning = ({
  hidden,
  renderPlace = ({ line, where }) => <a href={`#L${line}`}>{where}</a>,
}: HiddenWarningProps) => {
  const kinds = formatHiddenCharacters(hidden)
  if (kinds.length === 0) return null
  return (
    <p class="banner" role="note">
      <strong>{HIDDEN_WARNING.label}</strong> {HIDDEN_WARNING.text}{' '}
      {kinds.map((kind, index) => (
        <>
          {index > 0 && ' and '}
          {kind.amount} ({renderPlace(kind)})
        </>
      ))}
      .
    </p>
  )
}
