import { StoredContent } from '../../documents/content/stored-content.ts'
import type { DocumentStore } from '../../documents/document-store.ts'
import type { Document } from '../../documents/model/document.ts'
import { retryWhileStale } from '../../documents/read.ts'
import type { LineRange } from '../../http/answers/line-range.ts'
import { formatExcerpt, selectExcerpt } from './excerpt.ts'

/** The header and the edges of an embed, the space around its text, and a scrollbar. */
const FRAME_PIXELS = 88
/** As in the styles of an embed. */
const LINE_PIXELS = 22
/** Rendered text is larger, and has space between its paragraphs. */
const RENDERED_LINE_PIXELS = 30
/** The warning about hidden characters, or the link to the rest of the text. */
const NOTE_PIXELS = 37

const MIN_LINES = 3
const MAX_LINES = 20
const MAX_HEIGHT = FRAME_PIXELS + MAX_LINES * LINE_PIXELS

/** A longer document is higher than an embed anyway, unless its lines are very long. */
const MAX_MEASURED_BYTES = 64 * 1024

interface HeightOptions {
  readonly range: LineRange | null
  /** Whether the embed shows rendered Markdown. */
  readonly rendered: boolean
  readonly now: number
}

/**
 * Returns the height that fits an embed, in CSS pixels. It reads a short document to count its lines, which counts no
 * view. Returns null if the document ends before the lines.
 *
 * @throws AppError `not_found` if the document has just been deleted, `unavailable`.
 */
export async function getEmbedHeight(
  store: DocumentStore,
  found: Document,
  { range, rendered, now }: HeightOptions,
): Promise<number | null> {
  if (range === null && found.contentBytes > MAX_MEASURED_BYTES) return MAX_HEIGHT
  return retryWhileStale(store, found, now, async (document) => {
    const excerpt = selectExcerpt(await new StoredContent(store.contents, document).read(), range)
    if (!excerpt) return null
    const lines = Math.max(MIN_LINES, excerpt.to - excerpt.from + 1)
    const height = FRAME_PIXELS + lines * (rendered ? RENDERED_LINE_PIXELS : LINE_PIXELS)
    return Math.min(MAX_HEIGHT, height + (excerpt.isShortened && formatExcerpt(excerpt) ? NOTE_PIXELS : 0))
  })
}
