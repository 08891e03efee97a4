import { findLanguage, PLAIN_TEXT } from '../../../shared/languages/languages.ts'
import { drawCode } from './code-card.ts'
import type { PictureFacts } from './frame.ts'
import { drawMarkdown } from './markdown-card.ts'
import { PALETTES, type PictureTheme } from './palette.ts'
import { renderPicture } from './renderer.ts'

interface Picture {
  /** The start of the text. */
  readonly text: string
  /** Whether there is more text than this. */
  readonly isCut: boolean
  readonly language: string
  readonly theme: PictureTheme
  readonly facts: PictureFacts
}

/**
 * Draws the preview picture of a text, as PNG.
 *
 * @throws Error if the renderer or a font can't be loaded, or the renderer fails.
 */
export async function drawPicture(
  assets: Fetcher,
  { text, isCut, language, theme, facts }: Picture,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = findLanguage(language)?.name ?? PLAIN_TEXT
  const palette = PALETTES[theme]
  const node =
    name === 'markdown'
      ? drawMarkdown({ text, facts, palette })
      : drawCode({ text, isCut, language: name, facts, palette })
  return renderPicture(assets, node)
}
