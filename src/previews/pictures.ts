import { Hono } from 'hono'
import { type Document, hasOpenContent } from '../documents/document.ts'
import { readOpenText } from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { AppError, documentNotFound } from '../errors.ts'
import {
  answer,
  answerErrorText,
  documentHeaders,
  isFresh,
  type Representation,
  rejectOtherMethods,
} from '../http/answers.ts'
import { findDocumentForEveryone } from '../http/find-document.ts'
import { limitRate } from '../http/limits.ts'
import { type LineRange, parseLinesParameter } from '../http/line-range.ts'
import { getNetwork } from '../http/network.ts'
import { logError } from '../platform/log.ts'
import { deriveTitle } from '../shared/derive-title.ts'
import { formatCount, formatSize } from '../shared/format.ts'
import { DAY_SECONDS } from '../shared/instant.ts'
import { findLanguage, PLAIN_TEXT, TXTAR } from '../shared/languages.ts'
import { MAX_PICTURED_LINES, toShownLines } from '../shared/lines.ts'
import { resolveLanguage } from '../shared/resolve-language.ts'
import { parseArchive, readFirstFile } from '../shared/txtar.ts'
import { BUILD } from '../ui/assets.generated.ts'
import { UNTITLED } from '../ui/facts.tsx'
import { getSitePicturePath } from '../ui/link-preview.tsx'
import { drawSite, type SiteIcon } from './picture/card.ts'
import { drawLines, drawPicture } from './picture/draw-picture.ts'
import { getPalette, type PictureTheme } from './picture/palette.ts'
import { readIcon, renderPicture } from './picture/renderer.ts'

/**
 * Bytes of a text that a picture is made from: much more than it has room for. If CR ends the lines in them and an LF
 * follows later, the picture has more lines than the page. Reading every text whole for that would cost too much.
 */
const MAX_START_BYTES = 16 * 1024
/**
 * The memory that drawing takes beside the module, which has the pixels: for fonts on their way and the file. Drawing
 * waits if others need the memory.
 */
const DRAWING_BYTES = 6 * 1024 * 1024
/** A picture of lines is made from the beginning of a text. Whether CR ends them is decided by it, too. */
const MAX_LINES_BYTES = 1024 * 1024
/** Lines before the selected ones that are read for their colours. */
const MAX_LINES_BEFORE = 100
/** A picture of lines also needs memory for the beginning of the text. */
const DRAWING_LINES_BYTES = 10 * 1024 * 1024
/** A cached picture is only found by the version of its document, which every request reads. */
const MAX_CACHE_SECONDS = DAY_SECONDS

interface PictureRequest {
  readonly document: Document
  readonly theme: PictureTheme
  /** Is null for the picture of the whole document. */
  readonly lines: LineRange | null
}

async function findShownLanguage(
  { language, languageChosen, givenTitle }: Pick<Document, 'language' | 'languageChosen' | 'givenTitle'>,
  start: string,
) {
  const shown = languageChosen ? language : await resolveLanguage('auto', start, givenTitle ?? '')
  return findLanguage(shown) ?? { name: PLAIN_TEXT, label: shown }
}

/** An icon at another server isn't asked for each picture. */
async function findIcon({ env, var: { config } }: AppContext): Promise<SiteIcon> {
  const { icon } = config.site
  if (icon === null) return 'mark'
  return icon.startsWith('/') ? readIcon(env.ASSETS, icon) : null
}

async function draw(
  c: AppContext,
  { document: found, theme, lines }: PictureRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { now, siteUrl, store } = c.var
  if (lines !== null) return drawSelected(c, found, { theme, lines })
  await c.var.memory.process(DRAWING_BYTES)
  const { document, text } = await readOpenText(store, found, { maxBytes: MAX_START_BYTES, now })
  const isCut = document.contentBytes > MAX_START_BYTES
  // Of several files, it shows the first one.
  const first = document.language === TXTAR ? readFirstFile(text) : null
  const files = first && !isCut ? (parseArchive(text)?.length ?? null) : null
  const start = toShownLines(first?.content ?? text)
  const shown = first && {
    language: first.language ?? '',
    languageChosen: first.language !== undefined,
    givenTitle: first.name,
  }
  const { name, label } = await findShownLanguage(shown ?? document, start)
  const lineCount = start.split('\n').length - (start.endsWith('\n') ? 1 : 0)
  return drawPicture(c.env.ASSETS, {
    text: start,
    isCut,
    language: name,
    palette: getPalette(theme, c.var.config.site),
    facts: {
      title: document.givenTitle ?? first?.name ?? deriveTitle(start, name) ?? document.title ?? UNTITLED,
      language: label,
      author: document.creator?.username ?? null,
      length: isCut
        ? formatSize(document.contentBytes)
        : files !== null
          ? formatCount(files, 'file')
          : lineCount === 1
            ? '1 line'
            : `${lineCount} lines`,
      host: new URL(siteUrl).host,
      site: { name: c.var.config.site.name, icon: await findIcon(c) },
    },
  })
}

/** @throws AppError `bad_request` if the text, or its beginning, has no such line. */
async function drawSelected(
  c: AppContext,
  found: Document,
  { theme, lines: { from, to } }: { readonly theme: PictureTheme; readonly lines: LineRange },
): Promise<Uint8Array<ArrayBuffer>> {
  const { now, store } = c.var
  await c.var.memory.process(DRAWING_LINES_BYTES)
  const { document, text } = await readOpenText(store, found, { maxBytes: MAX_LINES_BYTES, now })
  const all = toShownLines(text).split('\n')
  if (all.at(-1) === '') all.pop()
  if (from > all.length) throw new AppError('bad_request', `A picture can only show lines 1 to ${all.length}`)
  const before = Math.max(0, from - 1 - MAX_LINES_BEFORE)
  // One more than there is room for shows that there are more.
  const end = Math.min(to ?? all.length, from + MAX_PICTURED_LINES)
  const { name } = await findShownLanguage(document, text.slice(0, MAX_START_BYTES))
  return drawLines(c.env.ASSETS, {
    text: all.slice(before, end).join('\n'),
    linesBefore: from - 1 - before,
    firstLine: from,
    language: name,
    palette: getPalette(theme, c.var.config.site),
  })
}

const formatRange = (lines: LineRange | null): string =>
  lines === null ? '' : `${lines.from}-${lines.to ?? ''}`

/** Returns an address that nothing outside the Worker can request. */
function getCacheKey(c: AppContext, { document, theme, lines }: PictureRequest): string {
  const { id, version, creator } = document
  const { site } = c.var.config
  const parts = [
    BUILD,
    site.tag ?? '',
    id,
    version,
    theme,
    formatRange(lines),
    creator?.username ?? '',
    c.var.siteUrl,
  ]
  return `https://pictures.invalid/${parts.map(encodeURIComponent).join('/')}`
}

/** @throws AppError `rate_limited`, `not_found` if the document burns by now, and any fault of the renderer. */
async function getPicture(
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

function answerSitePicture(c: AppContext, error: unknown): Response {
  logError('a preview picture failed', c.var.requestId, error)
  return answer(c, null, {
    status: 302,
    headers: {
      Location: getSitePicturePath(c.var.config.site),
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    },
  })
}

/**
 * Counts no view.
 *
 * @throws AppError `not_found`, also for a document that is encrypted or burns, `bad_request` for invalid `?lines=`,
 * `rate_limited`.
 */
async function answerPicture(c: AppContext): Promise<Response> {
  const document = await findDocumentForEveryone(c, c.req.param('id') ?? '')
  if (!hasOpenContent(document)) throw documentNotFound()
  const theme = c.req.query('theme') === 'dark' ? 'dark' : 'light'
  const asked = c.req.query('lines')
  const lines = asked === undefined ? null : parseLinesParameter(asked)
  const representation: Representation = `picture-${BUILD}${c.var.config.site.tag ?? ''}-${theme}${formatRange(lines)}`
  const headers = {
    ...documentHeaders(document, representation),
    'Content-Type': 'image/png',
    // Chats show the picture from their own pages.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (isFresh(c.req.header('If-None-Match'), document, representation))
    return answer(c, null, { status: 304, headers })
  if (c.req.method === 'HEAD') return answer(c, null, { headers })
  try {
    return answer(c, await getPicture(c, { document, theme, lines }), { headers })
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw error
    return answerSitePicture(c, error)
  }
}

/** Services ask for it again and again, and it changes only with the configuration. */
const SITE_PICTURE_HEADERS = {
  'Content-Type': 'image/png',
  'Cache-Control': `public, max-age=${MAX_CACHE_SECONDS}`,
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

async function answerSitePreview(c: AppContext): Promise<Response> {
  await limitRate(c, 'pictures', getNetwork(c))
  await c.var.memory.process(DRAWING_BYTES)
  const picture = await renderPicture(c.env.ASSETS, drawSite(c.var.config.site, await findIcon(c)))
  return answer(c, picture, { headers: SITE_PICTURE_HEADERS })
}

/** Anyone with a document's link could also read it, so its picture needs no permission, and counts no view. */
export const routes = rejectOtherMethods(
  new Hono<AppEnv>()
    .onError(answerErrorText)
    .get('/site/preview.png', answerSitePreview)
    .get('/:id/preview.png', answerPicture),
)
