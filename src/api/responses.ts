import type { ErrorHandler } from 'hono'
import {
  type Creator,
  type Document,
  type DocumentSummary,
  getGistUrl,
  type NamedAccount,
  type Original,
} from '../documents/document.ts'
import type { PageWithEditors } from '../documents/lists.ts'
import { type AppContext, type AppEnv, getVariable } from '../env.ts'
import { type AppError, toAppError } from '../errors.ts'
import { type AnswerOptions, CORS_HEADERS, documentHeaders, logServerFault, toJson } from '../http/answers.ts'
import { DOCUMENT_TOKEN_HEADER } from '../http/identity.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { encodeText } from '../shared/encodings.ts'
import { formatIsoTime } from '../shared/format.ts'
import { AUTO, findLanguageOfFile, TXTAR } from '../shared/languages.ts'
import { resolveLanguage } from '../shared/resolve-language.ts'
import { SETTINGS, STORED_FLAGS, type StoredFlag } from '../shared/settings.ts'
import { parseArchive, type TextFile } from '../shared/txtar.ts'
import type { CreatorBody, DocumentBody, FileBody, ListedBody } from './response-schemas.ts'

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
  readonly editors: readonly NamedAccount[]
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
    timestamps: {
      creation: formatIsoTime(document.createdAt),
      expiration: formatIsoTime(document.expiresAt),
    },
    links: { formatted: `${siteUrl}/${document.id}`, raw: `${siteUrl}/r/${document.id}` },
    settings: {
      ...(document.givenTitle !== null && { title: document.givenTitle }),
      ...(document.name !== null && { name: document.name }),
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

/**
 * Takes an object, or what `toJson` returns. All headers are given at once: setting one later costs as much time as
 * serializing the body of a read.
 */
export const jsonResponse = (
  c: AppContext,
  body: object | string | null,
  { status = 200, headers }: AnswerOptions = {},
): Response =>
  new Response(
    typeof body === 'string' || body instanceof ReadableStream ? body : body && JSON.stringify(body),
    {
      status,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...dataSecurityHeaders(c.req.url),
        ...CORS_HEADERS,
        'X-Request-Id': getVariable(c, 'requestId'),
        ...headers,
      },
    },
  )

interface DocumentResponse {
  readonly document: Document
  readonly content: string
  readonly views: number
  readonly password?: string | null
  /** The creator of an anonymous document gets it in a header. */
  readonly token?: string | null
  readonly original?: Original | null
}

/** Characters that are examined to detect the languages of all files, which takes longer the more there are. */
const DETECTION_CHARACTERS = 32 * 1024

/** Shares them out: what short files don't need is left for the others. */
function shareDetection(files: readonly TextFile[]): ReadonlyMap<TextFile, number> {
  const shares = new Map<TextFile, number>()
  let left = DETECTION_CHARACTERS
  const byLength = files.toSorted((one, other) => one.content.length - other.content.length)
  for (const [index, file] of byLength.entries()) {
    const share = Math.floor(left / (files.length - index))
    shares.set(file, share)
    left -= Math.min(share, file.content.length)
  }
  return shares
}

/** Returns null if the text isn't an archive, or is encrypted. */
async function toFileBodies(
  c: AppContext,
  { id, language, contentBytes }: Document,
  content: string,
): Promise<FileBody[] | null> {
  if (language !== TXTAR) return null
  const { memory, siteUrl } = c.var
  await memory.reserveForAnswer(contentBytes, { encrypted: false })
  const files = parseArchive(content)
  if (files === null) return null
  const isDetected = ({ name, language }: TextFile) =>
    language === undefined && findLanguageOfFile(name) === null
  const shares = shareDetection(files.filter(isDetected))
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      language: await resolveLanguage(file.language ?? AUTO, file.content, file.name, shares.get(file)),
      size: encodeText(file.content).byteLength,
      content: file.content,
      links: { raw: `${siteUrl}/r/${id}/${file.name.split('/').map(encodeURIComponent).join('/')}` },
    })),
  )
}

export async function documentResponse(
  c: AppContext,
  { document, content, views, password = null, token = null, original = null }: DocumentResponse,
): Promise<Response> {
  const { config, hidesContent = false, siteUrl } = c.var
  const headers = {
    ...documentHeaders(document, 'json'),
    ...(token !== null && { [DOCUMENT_TOKEN_HEADER]: token }),
  }
  const body = (text?: string, files: readonly FileBody[] | null = null) => {
    const shown = {
      ...toDocumentBody(document, { editors: document.editors, content: text, views, siteUrl }),
      ...(files && { files }),
      ...(original && { duplicated_from: original.id }),
    }
    if (password === null) return success(shown)
    const settings = config.legacyClients ? { ...shown.settings, password } : shown.settings
    return success({ ...shown, settings, password })
  }
  if (hidesContent) return jsonResponse(c, body(), { headers })
  const files = await toFileBodies(c, document, content)
  const json = toJson((write) =>
    body(
      write(content),
      files?.map((file) => ({ ...file, content: write(file.content) })),
    ),
  )
  return jsonResponse(c, json, { headers })
}

export const errorResponse: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toAppError(thrown)
  logServerFault(c, error)
  const { status, headers } = error
  return jsonResponse(c, failure(error), { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
