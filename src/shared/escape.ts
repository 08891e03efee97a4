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

export const HTML_CHARACTERS = /[&<>"']/g

/** Also for an attribute in quotes. */
export const escapeHtml = (text: string): string => text.replace(HTML_CHARACTERS, toReference)

export const VERBATIM_CHARACTERS = /[&<>"'\r\0]/g

/**
 * A parser turns a carriage return into a line feed and drops a NUL (html.spec.whatwg.org, 13.2.3.5 and 13.2.6.4.7), so
 * they become a character reference, and U+FFFD.
 */
export const escapeVerbatim = (text: string): string => text.replace(VERBATIM_CHARACTERS, toReference)
