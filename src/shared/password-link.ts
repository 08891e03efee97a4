import { ALPHABET, GENERATED_PASSWORD_CHARACTERS } from './document-ids.ts'

/** Links to a place on the page: lines, the skip link's target, or a heading of rendered Markdown. */
const PAGE_FRAGMENT = /^(?:L\d+(?:-L?\d+)?|main|user-content-.*)$/

/** Returns null for a fragment such as `#L10`, or none. */
export function parseFragmentPassword(hash: string): string | null {
  const fragment = hash.slice(1)
  if (fragment === '' || PAGE_FRAGMENT.test(fragment)) return null
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Somebody typed the password after the #, without encoding a % in it.
    return fragment
  }
}

const GENERATED = new RegExp(`^[${ALPHABET}]{${GENERATED_PASSWORD_CHARACTERS}}(?=[^A-Za-z0-9])`)

/** Finds the password before anything else that a program took for a part of the link, such as a full stop or `&utm_source=x`. */
export const findGeneratedPassword = (password: string): string | null =>
  GENERATED.exec(password)?.[0] ?? null

const percentEncode = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Browsers never send the fragment to a server. */
export function buildPasswordLink(address: string, password: string): string {
  // Half a surrogate pair becomes U+FFFD, as in encryption. Punctuation is encoded too, because programs that detect
  // links in text may leave out a punctuation mark at the end.
  const encoded = encodeURIComponent(password.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[^A-Za-z0-9%]/g,
    percentEncode,
  )
  // A password that looks like a link to a line is encoded so that it doesn't.
  const [first = ''] = encoded
  return `${address}#${PAGE_FRAGMENT.test(encoded) ? percentEncode(first) + encoded.slice(1) : encoded}`
}
