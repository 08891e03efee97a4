import { formatHiddenCharacters, HIDDEN_WARNING } from '../../../shared/text/format-hidden-characters.ts'
import type { HiddenCharacters } from '../../../shared/text/hidden-characters.ts'

/**
 * Warns about hidden characters, with links to where they are. In the browser, src/client/decrypt/hidden-warning.ts
 * does the same for decrypted text.
 */
export const HiddenWarning = ({ hidden }: { hidden: HiddenCharacters }) => {
  const kinds = formatHiddenCharacters(hidden)
  if (kinds.length === 0) return null
  return (
    <p class="banner" role="note">
      <strong>{HIDDEN_WARNING.label}</strong> {HIDDEN_WARNING.text}{' '}
      {kinds.map(({ amount, line, where }, index) => (
        <>
          {index > 0 && ' and '}
          {amount} (<a href={`#L${line}`}>{where}</a>)
        </>
      ))}
      .
    </p>
  )
}
