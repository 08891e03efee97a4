import { type Document, neverExpires } from '../documents/document.ts'
import { readOpenText } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { AppError, documentNotFound } from '../errors.ts'
import { answer, answerText } from '../http/answers.ts'
import { getOrigin } from '../http/identity.ts'
import { limitLongText } from '../http/limits.ts'
import { type LineRange, parseLinesParameter } from '../http/line-range.ts'
import { contentSecurityPolicy } from '../platform/security-headers.ts'
import { getPicturePath } from '../previews/link-preview.tsx'
import { findAddressInPath } from '../shared/document-ids.ts'
import { mayHaveFiles } from '../shared/find-files.ts'
import { SCRIPTS } from '../ui/assets.generated.ts'
import { formatError } from '../ui/errors.tsx'
import { UNTITLED } from '../ui/facts.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { Layout } from '../ui/layout.tsx'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../ui/link-preview.tsx'
import { startsRendered } from '../ui/numbered-text.tsx'
import { page } from '../ui/page.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { removeHidden } from '../ui/text-facts.ts'
import {
  type EmbeddedPart,
  type EmbedTheme,
  formatEmbedCode,
  formatExcerpt,
  formatLines,
  getEmbedPath,
  parseEmbedTheme,
  readLines,
  requireEmbeddable,
  selectExcerpt,
  selectFile,
} from './embed-page.tsx'

/** The header and the edges of an embed, the space around its text, and a scrollbar. */
const FRAME_PIXELS = 88
/** The styles of an embed have the same. */
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

/** Reads at most once, and counts no view. */
function createReader(c: AppContext, found: Document) {
  const { now, store } = c.var
  const read = async () => {
    await limitLongText(c, found.contentBytes)
    return readOpenText(store, found, { now })
  }
  let opened: ReturnType<typeof read> | null = null
  return () => {
    opened ??= read()
    return opened
  }
}

type Reader = ReturnType<typeof createReader>

/** Returns null if the document has no such file, or it ends before the lines. */
async function getEmbedHeight(
  found: Document,
  { file, range }: EmbeddedPart,
  read: Reader,
): Promise<number | null> {
  if (file === null && range === null && found.contentBytes > MAX_MEASURED_BYTES) return MAX_HEIGHT
  const { document, text } = await read()
  const shown = selectFile(document, text, file)
  const excerpt = shown && selectExcerpt(shown.text, range)
  if (!excerpt) return null
  const isRendered = range === null && startsRendered(shown.document, { language: null, asSource: false })
  const linePixels = isRendered ? RENDERED_LINE_PIXELS : LINE_PIXELS
  const lines = Math.max(MIN_LINES, excerpt.to - excerpt.from + 1)
  const height = FRAME_PIXELS + lines * linePixels
  return Math.min(MAX_HEIGHT, height + (excerpt.isShortened && formatExcerpt(excerpt) ? NOTE_PIXELS : 0))
}

/** The width in CSS pixels, unless `maxwidth` says less. */
const WIDTH = 800

const CACHE_SECONDS = 60 * 60

/** The URL parser takes a time that grows with the square of the host. */
const SHORT_ADDRESS = /^https?:\/\/[^/?#\\]{1,253}(?:[/?#].{0,2000})?$/is

/** Throws `not_found` for the address of anything but a document on this site. */
function parseDocumentUrl(c: AppContext, address: string) {
  const url = SHORT_ADDRESS.test(address) ? URL.parse(address) : null
  if (!url) throw documentNotFound()
  const { origin, pathname, hash, searchParams } = url
  const document = findAddressInPath(pathname)
  const isHere = origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  if (!isHere || document === null) throw documentNotFound()
  const file = searchParams.get('file')
  const lines = searchParams.get('lines') ?? (/^#L\d/.test(hash) ? hash.slice(1) : null)
  return { document, part: { file, range: lines ? parseLinesParameter(lines) : null } }
}

function readPixels(c: AppContext, name: string, most: number): number {
  const value = c.req.query(name)
  if (!value) return most
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new AppError('bad_request', `${name} is a number of pixels`)
  return Math.min(Number(value), most)
}

const describeThumbnail = (c: AppContext, document: Document) =>
  document.imageEmbed &&
  readPixels(c, 'maxwidth', PICTURE_WIDTH) === PICTURE_WIDTH &&
  readPixels(c, 'maxheight', PICTURE_HEIGHT) === PICTURE_HEIGHT && {
    thumbnail_url: c.var.siteUrl + getPicturePath(document),
    thumbnail_width: PICTURE_WIDTH,
    thumbnail_height: PICTURE_HEIGHT,
  }

type Answer = Readonly<Record<string, string | number>>

/** Returns the answer as oEmbed 1.0 describes it (oembed.com, 2.3.4). */
async function describe(c: AppContext, document: Document, part: EmbeddedPart): Promise<Answer> {
  const { now, siteUrl } = c.var
  const fitting = await getEmbedHeight(document, part, createReader(c, document))
  if (fitting === null) throw documentNotFound()
  const width = readPixels(c, 'maxwidth', WIDTH)
  const height = readPixels(c, 'maxheight', fitting)
  const title = removeHidden(document.title ?? '') || UNTITLED
  const address = siteUrl + getEmbedPath(document.id, part, null)
  const seconds = Math.floor((document.expiresAt - now) / 1_000)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(document.creator && { author_name: document.creator.username }),
    provider_name: c.var.config.site.name,
    provider_url: `${siteUrl}/`,
    cache_age: neverExpires(document) ? CACHE_SECONDS : Math.min(CACHE_SECONDS, seconds),
    width,
    height,
    html: formatEmbedCode({ address, title, height, maxWidth: width }),
    ...describeThumbnail(c, document),
  }
}

/** 404 for documents that are encrypted or burn after reading, as for those that don't exist: nobody learns which. */
export async function answerOEmbed(c: AppContext): Promise<Response> {
  // oEmbed asks for this status for its other format, and no other answer of the site has it.
  if ((c.req.query('format') || 'json') !== 'json')
    return answerText(c, 'The format is json\n', { status: 501, headers: { 'Cache-Control': 'no-store' } })
  const { document, part } = parseDocumentUrl(c, c.req.query('url') ?? '')
  const described = await describe(c, await requireEmbeddable(c, document), part)
  return answer(c, JSON.stringify(described), {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache',
      'X-Robots-Tag': 'noindex',
    },
  })
}

const THEMES: Readonly<Record<EmbedTheme | '', string>> = { '': 'Automatic', light: 'Light', dark: 'Dark' }

/** Returns the names of the files, in the order of the document's page. */
async function listFileNames(found: Document, read: Reader): Promise<readonly string[]> {
  if (!mayHaveFiles(found)) return []
  const { document, text } = await read()
  return selectFile(document, text, null)?.names ?? []
}

function parseLines(c: AppContext): { range: LineRange | null; problem: string | null } {
  try {
    return { range: readLines(c), problem: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error
    return { range: null, problem: formatError(error) }
  }
}

export async function answerEmbedCode(c: AppContext, id: string): Promise<Response> {
  const { siteUrl } = c.var
  const document = await requireEmbeddable(c, id)
  const read = createReader(c, document)
  const { range: wanted, problem } = parseLines(c)
  const names = await listFileNames(document, read)
  const asked = c.req.query('file') ?? ''
  const file = names.includes(asked) ? asked : null
  const measure = (range: LineRange | null) => getEmbedHeight(document, { file, range }, read)
  const fitting = problem === null ? await measure(wanted) : null
  const failed = problem ?? (fitting === null ? 'The document has fewer lines.' : null)
  // If the lines are invalid, the code embeds the whole document.
  const range = failed === null ? wanted : null
  const height = fitting ?? (await measure(null))
  const theme = parseEmbedTheme(c.req.query('theme'))
  const path = getEmbedPath(id, { file, range }, theme)
  const title = document.title ?? UNTITLED
  const codePage = (
    <Layout title="Embed" scripts={[SCRIPTS.form]}>
      <div class="settings-page stack">
        <h1>Embed this document</h1>
        <p>
          Paste this code into your page. It shows <a href={`/${id}`}>{title}</a> as it is when somebody opens
          that page.
        </p>
        <form action={`/${id}/embed/code`}>
          <div class="row embed-options">
            {names.length > 1 && (
              <Select
                label="File"
                name="file"
                value={file ?? ''}
                options={{ '': 'The first', ...Object.fromEntries(names.map((name) => [name, name])) }}
              />
            )}
            <Field
              label="Lines"
              name="lines"
              value={range ? formatLines(range) : c.req.query('lines')}
              required={false}
              placeholder="All, or 10-40"
              problem={failed}
            />
            <Select label="Theme" name="theme" value={theme ?? ''} options={THEMES} />
          </div>
          <button type="submit" class="quiet">
            Update
          </button>
        </form>
        {height !== null && (
          <>
            <Snippet id="embed" title="HTML" main>
              {formatEmbedCode({ address: siteUrl + path, title, height })}
            </Snippet>
            <section class="section stack">
              <h2>Preview</h2>
              <iframe
                class="embed-preview"
                src={path}
                title={`Preview: ${title}`}
                height={height}
                loading="lazy"
              />
            </section>
          </>
        )}
      </div>
    </Layout>
  )
  return page(c, codePage, {
    status: failed === null ? 200 : 400,
    headers: {
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      'Content-Security-Policy': contentSecurityPolicy({ frames: true }),
    },
  })
}
