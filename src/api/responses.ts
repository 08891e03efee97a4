import type { ErrorHandler } from 'hono'
import {
  type Creator,
  type Document,
  type DocumentSummary,
  type Editor,
  getGistUrl,
  type Original,
} from '../documents/document.ts'
import type { PageWithEditors } from '../documents/lists.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { type AppError, toAppError } from '../errors.ts'
import { type AnswerOptions, CORS_HEADERS, documentHeaders, logServerFault } from '../http/answers.ts'
import { DOCUMENT_TOKEN_HEADER } from '../http/identity.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { generateSlot, SLICE_CHARACTERS, splitSlices, streamSliced } from '../platform/streaming.ts'
import { SETTINGS, STORED_FLAGS, type StoredFlag } from '../shared/settings.ts'
import type { CreatorBody, DocumentBody, ListedBody } from './response-schemas.ts'

const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

export function toCreatorBody(
  { documentsMade, id, username, flags, icon }: Omit<Creator, 'hasProfile'>,
  siteUrl: string,
): CreatorBody {
  const address = icon ?? `/icons/${id}.svg`
  return {
    documents_made: documentsMade,
    id,
    username,
    flags,
    icon: address.startsWith('/') ? siteUrl + address : address,
  }
}

interface DocumentBodyOptions {
  readonly editors: readonly Editor[]
  readonly content?: string | undefined
  readonly views: number
  readonly siteUrl: string
}

function toDocumentBody(
  document: DocumentSummary,
  { editors, content, views, siteUrl }: DocumentBodyOptions,
): Omit<DocumentBody, 'content'> & { content?: string } {
  const { revisions, ...flags } = Object.fromEntries(
    STORED_FLAGS.map((name) => [name, document[SETTINGS[name].property]]),
  ) as Readonly<Record<StoredFlag, boolean>>
  return {
    id: document.id,
    ...(content !== undefined && { content }),
    creator: document.creator && toCreatorBody(document.creator, siteUrl),
    gist_url: getGistUrl(document),
    views,
    timestamps: { creation: formatTime(document.createdAt), expiration: formatTime(document.expiresAt) },
    links: { formatted: `${siteUrl}/${document.id}`, raw: `${siteUrl}/r/${document.id}` },
    settings: {
      ...(document.givenTitle !== null && { title: document.givenTitle }),
      language: document.language,
      ...flags,
      // Clients of the first interface don't expect this one.
      ...(!revisions && { revisions }),
      editors: editors.map((editor) => editor.username),
    },
  }
}

export function toListedBodies(
  { var: { siteUrl, store } }: AppContext,
  { documents, editors }: PageWithEditors,
): ListedBody[] {
  return documents.map((document) => {
    const { id, title, views, contentBytes } = document
    const options = { editors: editors.get(id) ?? [], views: store.views.current(id, views), siteUrl }
    return { ...toDocumentBody(document, options), title, size: contentBytes }
  })
}

export const success = <Data>(data: Data) => ({ success: true, data }) as const

export const failure = ({ code, message, hint, issues }: AppError) => ({
  success: false,
  error: { code, message, ...(hint !== undefined && { hint }), ...(issues && { errors: issues }) },
})

/** All headers are given at once: setting one later costs as much time as serializing the body of a read. */
export const jsonResponse = (
  c: AppContext,
  body: object | null,
  { status = 200, headers }: AnswerOptions = {},
): Response =>
  new Response(body instanceof ReadableStream ? body : body && JSON.stringify(body), {
    status,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...dataSecurityHeaders(c.req.url),
      ...CORS_HEADERS,
      'X-Request-Id': c.var.requestId,
      ...headers,
    },
  })

interface DocumentResponse {
  readonly document: Document
  readonly content: string
  readonly views: number
  readonly password?: string | null
  /** In a header, for the creator of an anonymous document. */
  readonly token?: string | null
  readonly original?: Original | null
}

export function documentResponse(
  c: AppContext,
  { document, content, views, password = null, token = null, original = null }: DocumentResponse,
): Response {
  const { config, hidesContent = false, siteUrl } = c.var
  const headers = {
    ...documentHeaders(document, 'json'),
    ...(token !== null && { [DOCUMENT_TOKEN_HEADER]: token }),
  }
  const body = (text?: string) => {
    const shown = {
      ...toDocumentBody(document, { editors: document.editors, content: text, views, siteUrl }),
      ...(original && { duplicated_from: original.id }),
    }
    if (password === null) return success(shown)
    const settings = config.legacyClients ? { ...shown.settings, password } : shown.settings
    return success({ ...shown, settings, password })
  }
  if (hidesContent) return jsonResponse(c, body(), { headers })
  if (content.length <= SLICE_CHARACTERS) return jsonResponse(c, body(content), { headers })
  const slot = generateSlot()
  const frame = JSON.stringify(body(slot))
  const escapeSlice = (slice: string) => JSON.stringify(slice).slice(1, -1)
  const texts = [{ slot, text: content, write: () => splitSlices(content).map(escapeSlice) }]
  return jsonResponse(c, streamSliced({ frame, texts }), { headers })
}

export const errorResponse: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toAppError(thrown)
  logServerFault(c, error)
  const { status, headers } = error
  return jsonResponse(c, failure(error), { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
