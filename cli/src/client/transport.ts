import { RegentError, toRegentError } from './errors.ts'

const CHUNK_BYTES = 64 * 1_024

/** Calls `onSent` with the bytes that were taken from the stream so far. */
function streamBytes(
  bytes: Uint8Array,
  onSent: (sent: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      // Called once what was enqueued before has been taken.
      if (sent > 0) onSent(sent)
      if (sent >= bytes.byteLength) {
        controller.close()
        return
      }
      const end = Math.min(bytes.byteLength, sent + CHUNK_BYTES)
      controller.enqueue(bytes.slice(sent, end))
      sent = end
    },
  })
}

async function readBody({ body }: Response, onChunk: () => void): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    onChunk()
    text += decoder.decode(value, { stream: true })
  }
}

interface IdleWatch {
  /** Aborts once `restart` wasn't called for a while. */
  readonly signal: AbortSignal
  readonly restart: () => void
  readonly stop: () => void
}

function watchIdleness(ms: number): IdleWatch {
  const controller = new AbortController()
  const start = () => setTimeout(() => controller.abort(), ms)
  let timer = start()
  return {
    signal: controller.signal,
    restart: () => {
      clearTimeout(timer)
      timer = start()
    },
    stop: () => clearTimeout(timer),
  }
}

export interface RetryNotice {
  readonly seconds: number
  readonly error: RegentError
}

export interface TransportOptions {
  /** The server's address, such as `https://paste.example.org`. Only its origin is used. */
  readonly server: string
  /** An API key. Without one, requests are anonymous. */
  readonly key?: string | null | undefined
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** How long nothing may be sent or received before a request fails, in milliseconds. The default is 60 seconds. */
  readonly idleTimeoutMs?: number | undefined
  /** How often a request is sent again if the server is busy. The default is 3. */
  readonly maxRetries?: number | undefined
  /** The longest wait that the server may ask for; longer ones fail at once. The default is 60. */
  readonly maxRetrySeconds?: number | undefined
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined
}

export interface CallOptions {
  /** Cancels the request. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes that were handed to the network so far, out of all. Not supported by browsers. */
  readonly onUploadProgress?: ((sent: number, total: number) => void) | undefined
}

export interface ApiRequest extends CallOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the server's origin, such as `/v1/document`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | null | undefined>> | undefined
  readonly body?: object | undefined
  /** Sent as plain text, in place of JSON. The answer is plain text too, errors included. */
  readonly text?: string | undefined
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  /** The `data` of the answer, or its text; undefined for an answer without a body. */
  readonly data: unknown
}

export type Transport = (request: ApiRequest) => Promise<ApiResponse>

/** Seconds to wait if a busy server names none. */
const DEFAULT_RETRY_SECONDS = 1

/** Returns true if sending the same request again does nothing that the first one may have done already. */
const mayRetry = ({ code, requestId }: RegentError, { method, headers }: ApiRequest): boolean =>
  // A limited request wasn't processed. A storage fault may have hit a write after it took effect. An answer without a
  // request id isn't Regent's: a proxy has lost the request, or the answer to it.
  code === 'rate_limited' ||
  ((code === 'unavailable' || (code === 'internal_error' && requestId === null)) &&
    (method === 'GET' || method === 'HEAD' || headers?.['Idempotency-Key'] !== undefined))

async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1_000)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** The error code of the system, if there is one. */
function describeFailure(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown }
  return String(cause?.code ?? cause?.message ?? message ?? error)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Has the shape of the API's answers. */
function parseText({ headers }: Response, text: string): unknown {
  const isText = headers.get('Content-Type')?.startsWith('text/plain')
  return isText ? { data: text, error: { message: text.trim() } } : undefined
}

function encodeBody({ body, text }: ApiRequest): Uint8Array | null {
  const encoded = text ?? (body && JSON.stringify(body))
  return encoded === undefined ? null : new TextEncoder().encode(encoded)
}

/** `fetch` sends the characters of a header as bytes. */
const toHeaderValue = (value: string): string => String.fromCharCode(...new TextEncoder().encode(value))

/** Returns a function that sends requests to the API, waits and sends again while the server is busy, and parses answers. */
export function createTransport(options: TransportOptions): Transport {
  const { origin } = new URL(options.server)
  const { key, idleTimeoutMs = 60_000, maxRetries = 3, maxRetrySeconds = 60, onRetry } = options
  const send = options.fetch ?? fetch

  async function sendOnce(request: ApiRequest, body: Uint8Array | null): Promise<ApiResponse> {
    const { method, path, signal, onUploadProgress } = request
    const isText = request.text !== undefined
    signal?.throwIfAborted()
    const idle = watchIdleness(idleTimeoutMs)
    const headers = new Headers()
    if (key) headers.set('Authorization', key)
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value) headers.set(name, toHeaderValue(value))
    }
    if (isText) headers.set('Accept', 'text/plain')
    if (body) headers.set('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json')
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
    }
    if (body && onUploadProgress) {
      headers.set('Content-Length', String(body.byteLength))
      init.duplex = 'half'
      init.body = streamBytes(body, (sent) => {
        idle.restart()
        onUploadProgress(sent, body.byteLength)
      })
    } else if (body) init.body = body as Uint8Array<ArrayBuffer>
    try {
      const response = await send(origin + path, init)
      idle.restart()
      const text = await readBody(response, idle.restart)
      const parsed = isText ? parseText(response, text) : text === '' ? undefined : parseJson(text)
      if (!response.ok && response.status !== 304) throw toRegentError(response, parsed)
      const { data } = (parsed ?? {}) as { data?: unknown }
      if (text !== '' && data === undefined) {
        throw new RegentError('invalid_response', `${origin} doesn’t answer like a Regent server`, {
          status: response.status,
        })
      }
      return { status: response.status, headers: response.headers, data }
    } catch (error) {
      if (error instanceof RegentError) throw error
      signal?.throwIfAborted()
      if (idle.signal.aborted) {
        throw new RegentError('timeout', `${origin} didn’t answer for ${idleTimeoutMs / 1_000} seconds`)
      }
      throw new RegentError('network', `Can’t reach ${origin} (${describeFailure(error)})`, { cause: error })
    } finally {
      idle.stop()
    }
  }

  return async (request) => {
    const body = encodeBody(request)
    for (let retries = 0; ; retries++) {
      try {
        return await sendOnce(request, body)
      } catch (error) {
        if (!(error instanceof RegentError) || !mayRetry(error, request) || retries >= maxRetries) throw error
        const seconds = error.retryAfter ?? DEFAULT_RETRY_SECONDS
        if (seconds > maxRetrySeconds) throw error
        onRetry?.({ seconds, error })
        await pause(seconds, request.signal)
      }
    }
  }
}
