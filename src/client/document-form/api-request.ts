import { yieldToPage } from '../shared/yield.ts'
import { type FormField, SaveError } from './form-errors.ts'

interface ApiError {
  readonly code: string
  readonly message: string
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

const PLACES: Readonly<Record<string, FormField>> = {
  content: 'content',
  language: 'language',
  expiration: 'expires',
  editors: 'editors',
  create_gist: 'gist',
}

/** What an error of the API means to whoever wrote the document. */
function toSaveError({ code, message, errors = [] }: ApiError, editors: readonly string[]): SaveError {
  const [issue] = errors
  if (issue) {
    const [part, name = part, index] = issue.path
    const whom = name === 'editors' && index !== undefined ? `: ${editors[Number(index)] ?? ''}` : '.'
    return new SaveError(issue.message + whom, PLACES[String(name)] ?? null, { code })
  }
  switch (code) {
    case 'unauthorized':
      return new SaveError('You are not signed in any more.', null, { code })
    case 'not_found':
      return new SaveError(
        'This document is gone: it has expired, or was deleted. Copy your text before you leave this page.',
        null,
        { code },
      )
    case 'content_too_large':
      return new SaveError('The text is too large.', 'content', { code })
    case 'internal_error':
    case 'unavailable':
      return new SaveError(
        'The fault is ours, and nothing that you wrote is lost. Try again in a moment.',
        null,
        { code },
      )
    default:
      return new SaveError(`${message}.`, null, { code })
  }
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: ApiError
}

export interface ApiResponse<Data> {
  readonly data: Data
  /** Names the version of the document that was answered. */
  readonly tag: string
}

/** How long an answer may take, in milliseconds, and how many bytes even a poor connection sends in each of them. */
const PATIENCE_MS = 60_000
const LEAST_BYTES_A_MS = 8

/** Ends a request whose answer no longer comes: whoever waits could do nothing else with the text. */
function patienceFor(body: RequestInit['body']): AbortSignal {
  const bytes = body instanceof Blob ? body.size : typeof body === 'string' ? body.length : 0
  const patience = new AbortController()
  setTimeout(() => patience.abort(), PATIENCE_MS + bytes / LEAST_BYTES_A_MS)
  return patience.signal
}

/**
 * Asks the API. Throws a SaveProblem with words for whoever wrote the document.
 *
 * @param options.editors the usernames that were sent, which an error names by their place.
 */
export async function requestApi<Data>(
  path: string,
  { editors = [], ...request }: RequestInit & { readonly editors?: readonly string[] | undefined } = {},
): Promise<ApiResponse<Data>> {
  const response = await fetch(path, {
    cache: 'no-store',
    signal: patienceFor(request.body),
    ...request,
  }).catch(() => {
    throw new SaveError(
      'The service can not be reached. Nothing that you wrote is lost: try again when you are online.',
    )
  })
  const answer: Answer<Data> = await response.json().catch(() => ({}))
  if (response.ok && answer.data) return { data: answer.data, tag: response.headers.get('ETag') ?? '' }
  throw toSaveError(answer.error ?? { code: 'internal_error', message: '' }, editors)
}

/** Characters that are made ready in one go: many more would hold up the page. */
const SLICE = 512 * 1024

/** The body of a request in JSON; a long `content` in pieces, with a rest before each. */
export async function toJsonBody(members: object, content?: string): Promise<string | Blob> {
  if (content === undefined || content.length <= SLICE) return JSON.stringify({ content, ...members })
  const pieces: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE) {
    await yieldToPage()
    // A cut inside a pair of surrogates is mended by the parser: JSON escapes each half.
    pieces.push(new Blob([JSON.stringify(content.slice(at, at + SLICE)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...pieces, `",${JSON.stringify(members).slice(1)}`])
}
