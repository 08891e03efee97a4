import { raw } from 'hono/html'
import { escapeVerbatim } from '../../shared/text/escape-html.ts'

/** A text in which a page keeps every character. */
export const Verbatim = ({ text }: { text: string }) => raw(escapeVerbatim(text))
