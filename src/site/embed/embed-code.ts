import { html } from 'hono/html'
import type { LineRange } from '../../http/answers/line-range.ts'

export type EmbedTheme = 'light' | 'dark'

/** Which lines an embed shows, and how. */
export interface EmbedOptions {
  /** Null for all lines. */
  readonly range: LineRange | null
  /** Null for the theme of the reader's system. */
  readonly theme: EmbedTheme | null
}

/** Returns the theme in an address; null if there is none that we know. */
export const parseEmbedTheme = (value: string | undefined): EmbedTheme | null =>
  value === 'light' || value === 'dark' ? value : null

/** Writes a range of lines as `?lines=` takes it. */
export const formatLines = ({ from, to }: LineRange): string =>
  to === from ? String(from) : `${from}-${to ?? ''}`

/** Returns the path of an embed. */
export function getEmbedPath(id: string, { range, theme }: EmbedOptions): string {
  const query = new URLSearchParams({
    ...(range && { lines: formatLines(range) }),
    ...(theme && { theme }),
  })
  return `/${id}/embed${query.size > 0 ? `?${query}` : ''}`
}

interface EmbedCode {
  /** The complete address of the embed. */
  readonly address: string
  /** What screen readers call the frame. */
  readonly title: string
  /** In CSS pixels. */
  readonly height: number
  /** In CSS pixels; null to fill the width that the page has. */
  readonly maxWidth?: number | null
}

/** Returns the HTML that embeds a document. It needs no script. */
export function formatEmbedCode({ address, title, height, maxWidth = null }: EmbedCode): string {
  const style = `border:0;border-radius:10px${maxWidth === null ? '' : `;max-width:${maxWidth}px`}`
  return String(
    html`<iframe src="${address}" title="${title}" width="100%" height="${height}" style="${style}" loading="lazy"></iframe>`,
  )
}
