import { findHidden, type Hidden, MOST_COUNTED } from '../../documents/hidden.ts'

const amount = (count: number, kind: string): string => {
  if (count === 1) return `one ${kind} character`
  return `${count}${count === MOST_COUNTED ? ' or more' : ''} ${kind} characters`
}

const words = ({ count, firstLine }: Hidden, kind: string) => (
  <>
    {amount(count, kind)},{' '}
    <a href={`#L${firstLine}`}>
      {count === 1 ? 'on' : 'first on'} line {firstLine}
    </a>
  </>
)

/** Warns of characters that make a text look like another one than it is. */
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
