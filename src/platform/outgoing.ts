/** How long a request to another service may take, with its answer. */
export const OUTGOING_TIMEOUT_MS = 10_000

/** GitHub sends back at most a mebibyte of each file of a gist, as JSON. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

async function readBounded(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > MAX_ANSWER_BYTES) throw new Error('an answer from outside is too long')
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let start = 0
  for (const chunk of chunks) {
    bytes.set(chunk, start)
    start += chunk.byteLength
  }
  return bytes
}

/**
 * Every request that the service makes to another one. It follows no redirects.
 *
 * @throws the error of `fetch`, or an error for an answer that is too late or too long: the request may or may not have
 * taken effect.
 */
export async function fetchOutside(
  url: string,
  { headers = {}, ...init }: Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> },
): Promise<OutgoingAnswer> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(OUTGOING_TIMEOUT_MS),
    headers: { 'User-Agent': 'regent', ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: await readBounded(response.body) }
}

/** Returns null for an answer that isn't JSON. */
export function parseJsonAnswer({ bytes }: Pick<OutgoingAnswer, 'bytes'>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
