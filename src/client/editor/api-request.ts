import { MAX_EDITORS } from '../../shared/settings.ts'
import { type FormField, SaveError } from './save-form.ts'

interface ApiError {
  readonly code: string
  readonly message: string
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

const FIELDS: Readonly<Record<string, FormField>> = {
  content: 'content',
  title: 'title',
  language: 'language',
  expires: 'expires',
  expiration: 'expires',
  editors: 'editors',
  create_gist: 'gist',
  password: 'password',
}

const PROBLEMS: Readonly<Record<string, string>> = {
  'settings.expiration': 'Choose an expiry between 1 minute and 10 years from now.',
  'settings.editors': `A document can have at most ${MAX_EDITORS} editors.`,
}

/** The API's messages are ASCII without a full stop. */
const toSentence = (message: string, detail = ''): string => `${message.replaceAll("'", '’')}${detail}.`

export function toSaveError(
  { code, message, errors = [] }: ApiError,
  editors: readonly string[] = [],
): SaveError {
  const [issue] = errors
  if (issue) {
    const [section, name = section, index] = issue.path
    const username = name === 'editors' && index !== undefined ? `: ${editors[Number(index)] ?? ''}` : ''
    const text = PROBLEMS[issue.path.join('.')] ?? toSentence(issue.message, username)
    return new SaveError(text, FIELDS[String(name)] ?? null, { code })
  }
  switch (code) {
    case 'unauthorized':
      return new SaveError('You’ve been signed out.', null, { code })
    case 'not_found':
      return new SaveError(
        'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.',
        null,
        { code },
      )
    case 'content_too_large':
      return new SaveError('The text is too large. Shorten it, then try again.', 'content', { code })
    case 'rate_limited':
      // The message says when to try again.
      return new SaveError(`Your text is still here. ${toSentence(message)}`, null, { code })
    case 'internal_error':
    case 'unavailable':
      return new SaveError(
        'Something went wrong on our side. Your text is still here. Try again in a moment.',
        null,
        { code },
      )
    default:
      return new SaveError(toSentence(message), null, { code })
  }
}

interface ResponseBody<Data> {
  readonly data?: Data
  readonly error?: ApiError
}

interface ApiResponse<Data> {
  readonly data: Data
  readonly etag: string
}

const BASE_TIMEOUT_MS = 60_000
/** The slowest upload we wait for, in bytes per millisecond (8 kB/s). */
const MIN_BYTES_PER_MS = 8

function measureBody(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size
  if (body instanceof FormData)
    return [...body.values()].reduce(
      (sum, value) => sum + (typeof value === 'string' ? value.length : value.size),
      0,
    )
  return typeof body === 'string' ? body.length : 0
}

/** Until the response comes or is overdue, the user can't change the text. */
function createTimeout(body: RequestInit['body']): AbortSignal {
  const bytes = measureBody(body)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), BASE_TIMEOUT_MS + bytes / MIN_BYTES_PER_MS)
  return controller.signal
}

export async function requestApi<Data>(
  path: string,
  { editors = [], ...request }: RequestInit & { readonly editors?: readonly string[] | undefined } = {},
): Promise<ApiResponse<Data>> {
  const response = await fetch(path, {
    cache: 'no-store',
    signal: createTimeout(request.body),
    ...request,
  }).catch(() => {
    throw new SaveError('Can’t reach Regent. Your text is still here. Try again when you’re online.')
  })
  const body: ResponseBody<Data> = await response.json().catch(() => ({}))
  if (response.ok && body.data) return { data: body.data, etag: response.headers.get('ETag') ?? '' }
  throw toSaveError(body.error ?? { code: 'internal_error', message: '' }, editors)
}
