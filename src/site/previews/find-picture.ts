import type { Document } from '../../documents/model/document.ts'
import { readStart } from '../../documents/read-start.ts'
import type { AppContext } from '../../env.ts'
import { getNetwork, limitRate } from '../../http/limits/rate-limits.ts'
import { formatSize } from '../../shared/format.ts'
import { findLanguage, PLAIN_TEXT } from '../../shared/languages/languages.ts'
import { resolveLanguage } from '../../shared/languages/resolve-language.ts'
import { deriveTitle } from '../../shared/text/derive-title.ts'
import { BUILD } from '../assets.generated.ts'
import { drawPicture } from './picture/draw-picture.ts'
import type { PictureTheme } from './picture/palette.ts'

/** Bytes of a text that a picture is made from: much more than it has room for. */
const MAX_START_BYTES = 16 * 1024
/** What drawing takes beside the module: fonts on their way, the pixels and the file. Waits if others need the memory. */
const DRAWING_BYTES = 4 * 1024 * 1024
/** A cached picture is only found by the version of its document, which every request reads. */
const MAX_CACHE_SECONDS = 24 * 60 * 60

interface PictureRequest {
  readonly document: Document
  readonly theme: PictureTheme
}

/** Returns the language in which the page would show the text, with code that is loaded when first needed. */
async function findShownLanguage({ language, languageChosen, givenTitle }: Document, start: string) {
  const shown = languageChosen ? language : await resolveLanguage('auto', start, givenTitle ?? '')
  return findLanguage(shown) ?? { name: PLAIN_TEXT, label: shown }
}

/** Draws the picture of a document. */
async function draw(
  c: AppContext,
  { document: found, theme }: PictureRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { now, siteUrl, store } = c.var
  await c.var.memory.reserve(DRAWING_BYTES, { encrypted: false })
  const { document, start } = await readStart(store, found, { maxBytes: MAX_START_BYTES, now })
  const { name, label } = await findShownLanguage(document, start)
  const isCut = document.contentBytes > MAX_START_BYTES
  const lineCount = start.split('\n').length - (start.endsWith('\n') ? 1 : 0)
  return drawPicture(c.env.ASSETS, {
    text: start,
    isCut,
    language: name,
    theme,
    facts: {
      title: document.givenTitle ?? deriveTitle(start) ?? 'Untitled',
      language: label,
      author: document.creator?.username ?? null,
      length: isCut ? formatSize(document.contentBytes) : lineCount === 1 ? '1 line' : `${lineCount} lines`,
      host: new URL(siteUrl).host,
    },
  })
}

/** Returns the address that names a picture in the cache. Nothing outside the Worker can request it. */
function getCacheKey(c: AppContext, { document, theme }: PictureRequest): string {
  const { id, version, creator } = document
  const parts = [BUILD, id, version, theme, creator?.username ?? '', c.var.siteUrl]
  return `https://pictures.invalid/${parts.map(encodeURIComponent).join('/')}`
}

/**
 * Returns the picture from the cache of this location, or draws it.
 *
 * @throws AppError `rate_limited`, `not_found` if the document has just been changed to burn, and any fault of the
 * renderer.
 */
export async function findPicture(
  c: AppContext,
  request: PictureRequest,
): Promise<ReadableStream | Uint8Array<ArrayBuffer>> {
  const cache = await caches.open('pictures')
  const key = getCacheKey(c, request)
  const cached = await cache.match(key)
  if (cached?.body) return cached.body
  await limitRate(c, 'pictures', getNetwork(c))
  const picture = await draw(c, request)
  const untilExpiry = Math.floor((request.document.expiresAt - c.var.now) / 1_000)
  const seconds = Math.min(MAX_CACHE_SECONDS, untilExpiry)
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': `max-age=${seconds}` }
  if (seconds > 0) c.var.store.defer(() => cache.put(key, new Response(picture, { headers })))
  return picture
}
