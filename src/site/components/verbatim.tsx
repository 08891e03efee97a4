import { html, raw } from 'hono/html'

/**
 * Returns HTML that a browser reads as exactly this text. A parser turns a carriage return into a line feed and
 * drops a NUL (html.spec.whatwg.org, 13.2.3.5 and 13.2.6.4.7). So a carriage return is written as a character
 * reference, and a NUL, which no page can contain, as U+FFFD.
 */
export const escapeText = (text: string): string =>
  String(html`${text}`).replaceAll('\r', '&#13;').replaceAll('\0', '\uFFFD')

/** A text in which a page keeps every character. */
export const Verbatim = ({ text }: { text: string }) => raw(escapeText(text))
