const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
  '\0': '\uFFFD',
}

export const toReference = (character: string): string => REFERENCES[character] ?? character

/**
 * Escapes text so that a parser changes nothing in it, also for an attribute in quotes. A parser turns a carriage
 * return into a line feed and drops a NUL (html.spec.whatwg.org, 13.2.3.5 and 13.2.6.4.7), so they become a character
 * reference, and U+FFFD.
 */
export const escapeVerbatim = (text: string): string => text.replace(/[&<>"'\r\0]/g, toReference)

/** The characters to escape between tags. Quotes are left as they are, which makes a page of JSON a fifth shorter. */
export const TEXT_CHARACTERS = /[&<>]/g
/** The characters to escape between tags, with those that a parser would change: see `escapeVerbatim`. */
export const VERBATIM_TEXT_CHARACTERS = /[&<>\r\0]/g
