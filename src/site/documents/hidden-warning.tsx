import { formatHiddenCharacters } from '../../shared/format.ts'
import { findHiddenCharacters, type Hidden, MAX_COUNTED } from '../../shared/hidden-characters.ts'

const words = (hidden: Hidden, kind: string) => {
  const { amount, where } = formatHiddenCharacters(hidden, kind, MAX_COUNTED)
  return (
    <>
      {amount}, <a href={`#L${hidden.firstLine}`}>{where}</a>
    </>
  )
}

/**
 * Warns of characters that make a text look like another one than it is. Of a text that is opened in the browser,
 * src/client/secret-hidden.ts does it.
 */
export const HiddenWarning = ({ text }: { text: string }) => {
  const { bidirectional, invisible } = findHiddenCharacters(text)
  if (!bidirectional && !invisible) return null
  return (
    <p class="banner" role="note">
      <strong>Look twice:</strong> this text may not be what it looks like. It has{' '}
      {bidirectional && words(bidirectional, 'bidirectional control')}
      {bidirectional && invisible && '; and '}
      {invisible && words(invisible, 'invisible')}.
    </p>
  )
}
