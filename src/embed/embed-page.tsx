import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { DEFAULT_SITE } from '../config.ts'
import { type Document, hasOpenContent } from '../documents/document.ts'
import { readOpenText } from '../documents/read.ts'
import { countView } from '../documents/views.ts'
import type { AppContext } from '../env.ts'
import { type AppError, documentNotFound, toAppError } from '../errors.ts'
import {
  type AnswerOptions,
  answer,
  documentHeaders,
  errorOptions,
  isFresh,
  logServerFault,
} from '../http/answers.ts'
import { findDocumentForEveryone } from '../http/find-document.ts'
import { limitLongText } from '../http/limits.ts'
import { type LineRange, parseLinesParameter } from '../http/line-range.ts'
import { embedSecurityPolicy } from '../platform/security-headers.ts'
import { TERMINAL_LABEL } from '../shared/display.ts'
import { isDrawing } from '../shared/drawings.ts'
import { encodeText } from '../shared/encodings.ts'
import { hasEscapeSequences } from '../shared/escape-sequences.ts'
import { orderFiles, toSlugs } from '../shared/files.ts'
import { findFiles } from '../shared/find-files.ts'
import { formatCount } from '../shared/format.ts'
import { findHiddenCharacters } from '../shared/hidden-characters.ts'
import { findLanguageOfFile, PLAIN_TEXT } from '../shared/languages.ts'
import { NO_CHUNKS, planChunks, skipLines, toShownLines } from '../shared/lines.ts'
import { BUILD, EMBED_STYLES, MARKDOWN_STYLES, SCRIPTS } from '../ui/assets.generated.ts'
import { formatError } from '../ui/errors.tsx'
import { getLanguageLabel, UNTITLED } from '../ui/facts.tsx'
import { HiddenWarning } from '../ui/hidden-warning.tsx'
import { Mark, SiteStyles } from '../ui/layout.tsx'
import { getTextData, getWaiting, LongTextStyles, startsRendered, writeChunks } from '../ui/numbered-text.tsx'
import { answerHtml, page, usePage } from '../ui/page.tsx'

export type EmbedTheme = 'light' | 'dark'

export const parseEmbedTheme = (value: string | undefined): EmbedTheme | null =>
  value === 'light' || value === 'dark' ? value : null

export const formatLines = ({ from, to }: LineRange): string =>
  to === from ? String(from) : `${from}-${to ?? ''}`

/** The part of a document that a frame shows: one of several files, or some lines. */
export interface EmbeddedPart {
  readonly file: string | null
  readonly range: LineRange | null
}

export function getEmbedPath(id: string, { file, range }: EmbeddedPart, theme: EmbedTheme | null): string {
  const query = new URLSearchParams({
    ...(file !== null && { file }),
    ...(range && { lines: formatLines(range) }),
    ...(theme && { theme }),
  })
  return `/${id}/embed${query.size > 0 ? `?${query}` : ''}`
}

interface EmbedCode {
  readonly address: string
  readonly title: string
  readonly height: number
  /** The greatest width in pixels; null to fill the width that the page has. */
  readonly maxWidth?: number | null
}

export function formatEmbedCode({ address, title, height, maxWidth = null }: EmbedCode): string {
  const style = `border:0;border-radius:10px${maxWidth === null ? '' : `;max-width:${maxWidth}px`}`
  return String(
    html`<iframe src="${address}" title="${title}" width="100%" height="${height}" style="${style}" loading="lazy"></iframe>`,
  )
}

const MAX_EMBEDDED_LINES = 2_000

/** UTF-16 units. A frame on another site must not make that site slow. */
const MAX_EMBEDDED_UNITS = 256 * 1024

/** UTF-16 units that a browser may lay out before it has the styles. */
const MAX_UNSTYLED_UNITS = 16 * 1024

interface EmbeddedText {
  /** The language, title and size are those of the file. */
  readonly document: Document
  readonly text: string
  /** The name of the file's part of the document's page; null if there is only one text. */
  readonly slug: string | null
  readonly names: readonly string[]
}

/**
 * Takes the file that is asked for, or the one that the page of the document starts with. Returns null if there's no such
 * file.
 */
export function selectFile(document: Document, text: string, asked: string | null): EmbeddedText | null {
  const files = findFiles(document, text)
  if (!files) return { document, text, slug: null, names: [] }
  const names = files.map(({ name }) => name)
  const file = asked === null ? orderFiles(files)[0] : files.find(({ name }) => name === asked)
  if (!file) return null
  const { name, content } = file
  const language = file.language ?? findLanguageOfFile(name) ?? PLAIN_TEXT
  const contentBytes = encodeText(content).byteLength
  const part = { ...document, language, contentBytes, languageChosen: true, title: name, givenTitle: name }
  return { document: part, text: content, slug: toSlugs(names)[names.indexOf(name)] ?? null, names }
}

type Excerpt = NonNullable<ReturnType<typeof selectExcerpt>>

function shorten(text: string): string {
  const lineBreak = text.lastIndexOf('\n', MAX_EMBEDDED_UNITS - 1)
  if (lineBreak !== -1) return text.slice(0, lineBreak + 1)
  // A surrogate pair is one character and must not be split.
  return text.slice(0, MAX_EMBEDDED_UNITS).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns null if the text ends before the range. */
export function selectExcerpt(stored: string, range: LineRange | null) {
  const content = toShownLines(stored)
  const { lineCount } = planChunks(content)
  const from = range?.from ?? 1
  const last = Math.min(range?.to ?? lineCount, lineCount)
  if (from > lineCount) return null
  const start = skipLines(content, 0, from - 1)
  const selected = content.slice(
    start,
    skipLines(content, start, Math.min(last - from + 1, MAX_EMBEDDED_LINES)),
  )
  const text = selected.length > MAX_EMBEDDED_UNITS ? shorten(selected) : selected
  const to = from + planChunks(text).lineCount - 1
  return { text, from, to, lineCount, isShortened: to < last || text.length < selected.length }
}

export function formatExcerpt({ from, to, lineCount }: Excerpt): string | null {
  if (from === 1 && to === lineCount) return null
  const format = (line: number) => line.toLocaleString('en')
  return from === to
    ? `Line ${format(from)} of ${format(lineCount)}`
    : `Lines ${format(from)}–${format(to)} of ${format(lineCount)}`
}

interface EmbedPageProps {
  readonly title: string
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  readonly children: Child
}

/** Links open in a new tab, and there's nothing else to click. */
async function answerFramed(
  c: AppContext,
  { title, styles = [], scripts = [], children }: EmbedPageProps,
  options: AnswerOptions,
): Promise<Response> {
  const { name } = c.var.config?.site ?? DEFAULT_SITE
  const theme = parseEmbedTheme(c.req.query('theme'))
  const embedPage = (
    <html lang="en" data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <title>
          {title} · {name}
        </title>
        <base target="_blank" />
        {[EMBED_STYLES, ...styles].map((address) => (
          <link rel="stylesheet" href={address} />
        ))}
        <SiteStyles />
        {scripts.map((script) => (
          <script type="module" src={script} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
  return allowFraming(await page(c, embedPage, options))
}

/** A frame shows no pictures, so an icon of the operator's own isn't in it. */
const SiteLink = ({ address }: { address: string }) => {
  const { name, icon } = usePage().site
  return (
    <a class="wordmark" href={address}>
      {icon === null && <Mark />}
      {name}
    </a>
  )
}

function answerNotice(c: AppContext, message: string, options: AnswerOptions): Promise<Response> {
  const children = (
    <main class="notice">
      <h1>{message}</h1>
      <SiteLink address={`${c.var.siteUrl}/`} />
    </main>
  )
  return answerFramed(c, { title: 'Document', children }, options)
}

function answerExcerpt(
  c: AppContext,
  { document, slug, names }: EmbeddedText,
  excerpt: Excerpt,
): Promise<Response> {
  const { text, from, to, isShortened } = excerpt
  const lines = formatExcerpt(excerpt)
  const page = `${c.var.siteUrl}/${document.id}`
  const address = slug === null ? page : `${page}#${encodeURIComponent(slug)}`
  const linesAddress = lines === null ? address : `${address}${slug === null ? '#' : '-'}L${from}-L${to}`
  // Only the whole of a Markdown document can be rendered.
  const isWhole = lines === null && !isShortened
  const view = { language: null, asSource: c.req.url.includes('view=source') }
  // There is no log view in a frame.
  const terminal = hasEscapeSequences(text) && !view.asSource
  const rendered = isWhole && !terminal && startsRendered(document, view)
  const title = document.title ?? UNTITLED
  const {
    'data-id': _,
    'data-starts-rendered': __,
    ...data
  } = getTextData(document, view, { burned: false, watched: false })
  const children = (
    <>
      <header class="bar">
        <div class="document-header">
          <h1 dir="auto">
            <a href={linesAddress}>{title}</a>
          </h1>
          <p class="facts-line">
            <span id="shown-language">{terminal ? TERMINAL_LABEL : getLanguageLabel(document)}</span>
            {lines !== null && <span>{lines}</span>}
            {names.length > 1 && <span>+ {formatCount(names.length - 1, 'file')}</span>}
          </p>
        </div>
        <SiteLink address={linesAddress} />
      </header>
      <div class="bar-strip">
        <HiddenWarning
          hidden={findHiddenCharacters(text)}
          renderPlace={({ line }) => `line ${line + from - 1}`}
        />
      </div>
      {text.length > MAX_UNSTYLED_UNITS && <LongTextStyles />}
      <main class="embed-body">
        <section
          class={isDrawing(text) ? 'text drawing' : 'text'}
          aria-label="Document text"
          tabindex={0}
          {...data}
          {...((rendered || terminal) && { 'data-starts-rendered': getWaiting(document) })}
        >
          <pre class="numbers" aria-hidden="true">
            {Array.from({ length: to - from + 1 }, (_, index) => from + index).join('\n')}
          </pre>
          <pre>
            <code id="text">
              {raw([...writeChunks(text, { ...NO_CHUNKS, lineCount: to - from + 1 })].join(''))}
            </code>
          </pre>
        </section>
      </main>
      {isShortened && (
        <p class="strip quiet-text">
          This is only the beginning. <a href={address}>Open the document</a> to read the rest.
        </p>
      )}
    </>
  )
  const styles = rendered ? [MARKDOWN_STYLES] : []
  return answerFramed(
    c,
    { title, styles, scripts: [SCRIPTS.embed], children },
    { headers: documentHeaders(document, getRepresentation(c)) },
  )
}

/** No other response of this site may be framed. */
function allowFraming(response: Response): Response {
  const { headers } = response
  headers.delete('X-Frame-Options')
  headers.set('Content-Security-Policy', embedSecurityPolicy)
  // Pages that isolate themselves from other origins show only frames that agree to that.
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('X-Robots-Tag', 'noindex')
  return response
}

function describeError(error: AppError): string {
  switch (error.status) {
    case 404:
      return 'This document isn’t available.'
    case 500:
    case 503:
      return 'Something went wrong. Reload this page in a moment.'
    default:
      return formatError(error)
  }
}

/** Says the same about documents that are missing, encrypted or burn after reading. */
export function answerFramedError(thrown: unknown, c: AppContext): Promise<Response> {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerNotice(c, describeError(error), errorOptions(error))
}

/** @throws AppError `not_found`, also where only accounts may read: a frame on another site has no session. */
export async function requireEmbeddable(c: AppContext, id: string): Promise<Document> {
  if (c.var.config.readers !== 'anyone') throw documentNotFound()
  const document = await findDocumentForEveryone(c, id)
  if (!hasOpenContent(document)) throw documentNotFound()
  return document
}

export const readLines = (c: AppContext): LineRange | null => {
  const value = c.req.query('lines')
  return value ? parseLinesParameter(value) : null
}

const getRepresentation = ({ var: { config } }: AppContext) =>
  `page-embed-${BUILD}${config.site.tag ?? ''}` as const

/** Never looks at who asks: a page in a frame must not do anything for the account of its reader. */
export async function answerEmbed(c: AppContext, id: string): Promise<Response> {
  const { now, store } = c.var
  const found = await requireEmbeddable(c, id)
  const range = readLines(c)
  const representation = getRepresentation(c)
  const headers = documentHeaders(found, representation)
  if (isFresh(c.req.header('If-None-Match'), found, representation))
    return allowFraming(answer(c, null, { status: 304, headers }))
  if (c.req.method === 'HEAD') return allowFraming(answerHtml(c, '', { headers }))
  await limitLongText(c, found.contentBytes)
  const { document, text } = await readOpenText(store, found, { now })
  const noStore = { 'Cache-Control': 'no-store' }
  const shown = selectFile(document, text, c.req.query('file') ?? null)
  if (!shown)
    return answerNotice(c, 'The document doesn’t have this file any more.', { status: 404, headers: noStore })
  const excerpt = selectExcerpt(shown.text, range)
  if (!excerpt)
    return answerNotice(c, 'The document doesn’t have these lines any more.', {
      status: 416,
      headers: noStore,
    })
  countView(store, document, now)
  return answerExcerpt(c, shown, excerpt)
}
