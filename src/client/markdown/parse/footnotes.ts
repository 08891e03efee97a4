import type { RendererRule } from 'markdown-it'

const getMeta = ({ meta }: { readonly meta: Record<string, unknown> | null } = { meta: null }) => ({
  number: Number(meta?.id ?? 0) + 1,
  /** Counts the references to a footnote, from 1. */
  reference: Number(meta?.subId ?? 0) + 1,
})

/** No id of a heading contains a colon. */
const getReferenceId = (number: number, reference: number) =>
  `fnref:${number}${reference > 1 ? `:${reference}` : ''}`

/** Renders footnotes. The page adds labels for screen readers. */
export const FOOTNOTE_RULES: Readonly<Record<string, RendererRule>> = {
  footnote_ref: (tokens, index) => {
    const { number, reference } = getMeta(tokens[index])
    const id = getReferenceId(number, reference)
    return `<sup><a class="md-footnote" href="#fn:${number}" id="${id}">${number}</a></sup>`
  },
  // Many footnotes are several blocks.
  footnote_block_open: (tokens, index) => {
    const { number } = getMeta(tokens[index + 1])
    return `<section class="md-footnotes"><ol${number > 1 ? ` start="${number}"` : ''}>\n`
  },
  footnote_block_close: () => '</ol></section>\n',
  footnote_open: (tokens, index) => `<li id="fn:${getMeta(tokens[index]).number}">`,
  footnote_close: () => '</li>\n',
  footnote_anchor: (tokens, index) => {
    const { number, reference } = getMeta(tokens[index])
    const suffix = reference > 1 ? `<sup>${reference}</sup>` : ''
    // The variation selector keeps phones from showing an emoji.
    return ` <a class="md-back" href="#${getReferenceId(number, reference)}">↩\uFE0E${suffix}</a>`
  },
}
