/** How long a request to another service may take, with its answer. */
export const OUTGOING_TIMEOUT_MS = 10_000

/** A page of a list of gists may have a few mebibytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface OutgoingRequest extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers?: Record<string, string>
  /** Leaves out what nobody needs of an answer, while it arrives. */
  readonly shorten?: ((chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) | undefined
}

async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array> {
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
  { headers = {}, shorten = (chunks) => chunks, ...init }: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(OUTGOING_TIMEOUT_MS),
    headers: { 'User-Agent': 'regent', ...headers },
  })
  const bytes = await readBounded(response.body && shorten(response.body))
  return { status: response.status, headers: response.headers, bytes }
}

/** Returns null for an answer that isn't JSON. */
export function parseJsonAnswer({ bytes }: Pick<OutgoingAnswer, 'bytes'>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
