const CHUNK_BYTES = 64 * 1_024

/** Calls `onSent` with the bytes that were taken from the stream so far. */
export function streamBytes(
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

export async function readBody({ body }: Response, onChunk: () => void): Promise<string> {
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

export function watchIdleness(ms: number): IdleWatch {
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
