import { type ApiError, toSaveError } from './api-errors.ts'
import { SaveError } from './save-error.ts'

interface ResponseBody<Data> {
  readonly data?: Data
  readonly error?: ApiError
}

export interface ApiResponse<Data> {
  readonly data: Data
  /** The entity tag of the document's version. */
  readonly etag: string
}

const BASE_TIMEOUT_MS = 60_000
/** The slowest upload we wait for, in bytes per millisecond (8 kB/s). */
const MIN_BYTES_PER_MS = 8

function measureBody(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size
  if (body instanceof FormData) return [...body.values()].reduce((sum, value) => sum + sizeOf(value), 0)
  return typeof body === 'string' ? body.length : 0
}

const sizeOf = (value: FormDataEntryValue): number => (typeof value === 'string' ? value.length : value.size)

/** Returns a signal that aborts a request once its response is overdue: until then the user can't change the text. */
function createTimeout(body: RequestInit['body']): AbortSignal {
  const bytes = measureBody(body)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), BASE_TIMEOUT_MS + bytes / MIN_BYTES_PER_MS)
  return controller.signal
}

/**
 * Calls the API. Throws a SaveError if it can't be reached or reports an error.
 *
 * @param options.editors the usernames in the request: the API refers to them by index.
 */
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
