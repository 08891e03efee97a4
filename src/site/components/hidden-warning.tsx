import { findHidden, type Hidden, MOST_COUNTED } from '../../documents/hidden.ts'
import { hiddenInWords } from '../../wording.ts'

const words = (hidden: Hidden, kind: string) => {
  const { amount, where } = hiddenInWords(hidden, kind, MOST_COUNTED)
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
  const { bidirectional, invisible } = findHidden(text)
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
