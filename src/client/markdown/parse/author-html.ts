import type { RendererRule } from 'markdown-it'

const TAG = /<[a-z][^<>]*>/gi
const STYLE_ATTRIBUTE = /([\s"'/])style\s*=/gi
const STYLE_ELEMENT = /<style\b[\s\S]*?(?:<\/style[^<>]*>|$)/gi

/**
 * Returns HTML of the author without styles. The page's content security policy blocks them, and would report each one
 * while the HTML is sanitized. This is no protection: the sanitizer is.
 */
export const withoutStyles = (html: string): string =>
  html
    .replaceAll(STYLE_ELEMENT, '')
    .replaceAll(TAG, (tag) => tag.replaceAll(STYLE_ATTRIBUTE, '$1data-style='))

const renderHtml: RendererRule = (tokens, index) => withoutStyles(tokens[index]?.content ?? '')

export const AUTHOR_HTML_RULES: Readonly<Record<string, RendererRule>> = {
  html_block: renderHtml,
  html_inline: renderHtml,
}
