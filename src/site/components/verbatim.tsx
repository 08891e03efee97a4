import { html, raw } from 'hono/html'

/**
 * A text as HTML that a browser reads as this very text. A parser makes a line break of a carriage return
 * and drops a NUL (html.spec.whatwg.org, 13.2.3.5 and 13.2.6.4.7): the first is written as a reference,
 * for the second, which no page can hold, stands the character that is for such.
 */
export const escapeText = (text: string): string =>
  String(html`${text}`).replaceAll('\r', '&#13;').replaceAll('\0', '\uFFFD')

/** A text of which a page loses nothing. */
export const Verbatim = ({ text }: { text: string }) => raw(escapeText(text))
