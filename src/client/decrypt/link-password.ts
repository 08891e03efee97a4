/** Fragments that name a place on the page: a line, some lines, the target of the skip link. They are no passwords. */
const PLACE = /^(?:L\d+(?:-L?\d+)?|main)$/

/** The password in a fragment as `location.hash` has it; null where it has none. */
function passwordIn(hash: string): string | null {
  const fragment = hash.slice(1)
  if (fragment === '' || PLACE.test(fragment)) return null
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Written by hand, with a % that stands for itself.
    return fragment
  }
}

/** Takes the password out of the address, so that nobody reads it off the screen or copies it unknowingly. */
export function takePassword(): string | null {
  const password = passwordIn(location.hash)
  if (password !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return password
}

const escapeCharacter = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** A document's address that opens it, for whoever has it. No server ever sees what follows the `#`. */
export function linkWithPassword(address: string, password: string): string {
  // Half a surrogate pair is encrypted as U+FFFD too. A punctuation mark that an address may end with is
  // taken for the end of a sentence by whatever makes links of addresses.
  const encoded = encodeURIComponent(password.toWellFormed()).replace(/[^A-Za-z0-9%]/g, escapeCharacter)
  // A password that looks like a place is written so that it does not.
  const [first = ''] = encoded
  return `${address}#${PLACE.test(encoded) ? escapeCharacter(first) + encoded.slice(1) : encoded}`
}
