import type { RendererRule } from 'markdown-it'

const TAG = /<[a-z][^<>]*>/gi
const STYLE_ATTRIBUTE = /([\s"'/])style\s*=/gi
const STYLE_ELEMENT = /<(style|script)\b[\s\S]*?(?:<\/\1[^<>]*>|$)/gi
/** Elements with text that isn't HTML, and sections of such text. */
const RAW_TEXT =
  /<(\/?)(?=(?:title|textarea|style|script|xmp|iframe|noembed|noframes|plaintext)(?:[\s/>]|$))/gi
const CDATA = /<!\[/g

/**
 * Returns HTML of the author without styles and scripts. The page's content security policy blocks them, and would
 * report each style while the HTML is sanitized. Other elements with raw text get a name without meaning, so that all
 * tags are what they seem to be. This is no protection: the sanitizer is.
 */
export const withoutStyles = (html: string): string =>
  html
    .replaceAll(STYLE_ELEMENT, '')
    .replaceAll(RAW_TEXT, '<$1x-')
    .replaceAll(CDATA, '<! [')
    .replaceAll(TAG, (tag) => tag.replaceAll(STYLE_ATTRIBUTE, '$1data-style='))

const renderHtml: RendererRule = (tokens, index) => withoutStyles(tokens[index]?.content ?? '')

export const AUTHOR_HTML_RULES: Readonly<Record<string, RendererRule>> = {
  html_block: renderHtml,
  html_inline: renderHtml,
}
