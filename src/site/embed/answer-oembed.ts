import { type Document, neverExpires } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppContext } from '../../env.ts'
import { AppError, documentNotFound } from '../../errors.ts'
import { answer, answerText } from '../../http/answers/answer.ts'
import { type LineRange, parseLineRange } from '../../http/answers/line-range.ts'
import { CORS_HEADERS } from '../../http/cross-origin.ts'
import { getOrigin } from '../../http/origin-check.ts'
import { UNTITLED } from '../documents/page/document-header.tsx'
import { startsRendered } from '../documents/page/starts-rendered.ts'
import { element, xmlDocument } from '../explore/xml.ts'
import { removeHidden } from '../previews/excerpt.ts'
import { getPicturePath } from '../previews/link-preview.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../previews/picture-size.ts'
import { requireEmbeddable } from './answer-embed.tsx'
import { formatEmbedCode, getEmbedPath } from './embed-code.ts'
import { getEmbedHeight } from './embed-height.ts'

/** How wide an embed is unless `maxwidth` says less, in CSS pixels. */
const WIDTH = 800

/** How long other sites may keep an answer, in seconds. */
const CACHE_SECONDS = 60 * 60

/** Paths that lead to a document: its page, also with a file extension, its former address, its text and its embed. */
const DOCUMENT_PATH = /^\/(?:p\/|r\/|raw\/)?([^/.]+)(?:\.[^/]*|\/embed)?$/

interface Asked {
  readonly id: string
  /** The lines in the address, as in `?lines=10-40` or `#L10-L40`. */
  readonly range: LineRange | null
}

/** Parses the address of a document on this site. Throws `not_found` for any other address. */
function parseAddress(c: AppContext, address: string): Asked {
  if (!URL.canParse(address)) throw documentNotFound()
  const { origin, pathname, hash, searchParams } = new URL(address)
  const [, id = ''] = DOCUMENT_PATH.exec(pathname) ?? []
  const isHere = origin === c.var.siteUrl || origin === getOrigin(c.req.url)
  if (!isHere || !isDocumentId(id)) throw documentNotFound()
  const lines = searchParams.get('lines') ?? (/^#L\d/.test(hash) ? hash.slice(1) : null)
  return { id, range: lines ? parseLineRange(lines) : null }
}

/** Returns a number of pixels from the query, or a default. Throws `bad_request`. */
function readPixels(c: AppContext, name: string, most: number): number {
  const value = c.req.query(name)
  if (!value) return most
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new AppError('bad_request', `${name} is a number of pixels`)
  return Math.min(Number(value), most)
}

/** Returns the document's preview picture, if it has one and it's no larger than `maxwidth` and `maxheight` say. */
const describeThumbnail = (c: AppContext, document: Document) =>
  document.imageEmbed &&
  readPixels(c, 'maxwidth', PICTURE_WIDTH) === PICTURE_WIDTH &&
  readPixels(c, 'maxheight', PICTURE_HEIGHT) === PICTURE_HEIGHT && {
    thumbnail_url: c.var.siteUrl + getPicturePath(document),
    thumbnail_width: PICTURE_WIDTH,
    thumbnail_height: PICTURE_HEIGHT,
  }

type Answer = Readonly<Record<string, string | number>>

/** Describes an embed as oEmbed 1.0 does (oembed.com, 2.3.4). Throws `not_found`, `bad_request`. */
async function describe(c: AppContext, document: Document, range: LineRange | null): Promise<Answer> {
  const { now, siteUrl, store } = c.var
  const rendered = range === null && startsRendered(document, null)
  const fitting = await getEmbedHeight(store, document, { range, rendered, now })
  if (fitting === null) throw documentNotFound()
  const width = readPixels(c, 'maxwidth', WIDTH)
  const height = readPixels(c, 'maxheight', fitting)
  const title = removeHidden(document.title ?? '') || UNTITLED
  const address = siteUrl + getEmbedPath(document.id, { range, theme: null })
  const seconds = Math.floor((document.expiresAt - now) / 1_000)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(document.creator && { author_name: document.creator.username }),
    provider_name: 'Regent',
    provider_url: `${siteUrl}/`,
    cache_age: neverExpires(document) ? CACHE_SECONDS : Math.min(CACHE_SECONDS, seconds),
    width,
    height,
    html: formatEmbedCode({ address, title, height, maxWidth: width }),
    ...describeThumbnail(c, document),
  }
}

const formatXml = (described: Answer): string =>
  xmlDocument(
    element(
      'oembed',
      Object.entries(described).map(([name, value]) => element(name, String(value))),
    ),
  )

const FORMATS = {
  json: { type: 'application/json', write: (described: Answer) => JSON.stringify(described) },
  xml: { type: 'text/xml; charset=utf-8', write: formatXml },
} as const

const findFormat = (name: string) => (name === 'json' || name === 'xml' ? FORMATS[name] : null)

/**
 * Tells other sites how to embed a document. It answers 404 for documents that are encrypted or burn after reading, as
 * for those that don't exist: nobody learns which.
 *
 * @throws AppError `not_found`, `bad_request`, `unavailable`.
 */
export async function answerOEmbed(c: AppContext): Promise<Response> {
  const format = findFormat(c.req.query('format') || 'json')
  // oEmbed asks for this status, which no other answer of the site has.
  if (!format)
    return answerText(c, 'The format is json or xml\n', {
      status: 501,
      headers: { ...CORS_HEADERS, 'Cache-Control': 'no-store' },
    })
  const { id, range } = parseAddress(c, c.req.query('url') ?? '')
  const described = await describe(c, await requireEmbeddable(c, id), range)
  return answer(c, format.write(described), {
    headers: {
      ...CORS_HEADERS,
      'Content-Type': format.type,
      'Cache-Control': 'no-cache',
      'X-Robots-Tag': 'noindex',
    },
  })
}
