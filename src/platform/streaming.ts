import { reserveForSending } from './memory.ts'

export const SLICE_CHARACTERS = 64 * 1024

/** Stands for a long text in the page or JSON around it: a UUID that no text contains. */
export const generateSlot = (): string => crypto.randomUUID()

export function* splitSlices(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + SLICE_CHARACTERS
    // A surrogate pair is one character and must not be split.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1
    yield text.slice(start, end)
    start = end
  }
}

export interface SlicedTexts {
  /** With a slot for each text. */
  readonly frame: string
  readonly texts: readonly {
    readonly slot: string
    readonly text: string
    /** Renders the text part by part. */
    readonly write: () => Iterable<string>
  }[]
}

function* renderParts({ frame, texts }: SlicedTexts): Generator<string> {
  let rest = frame
  for (const { slot, write } of texts) {
    const at = rest.indexOf(slot)
    yield rest.slice(0, at)
    yield* write()
    rest = rest.slice(at + slot.length)
  }
  yield rest
}

/** A client that takes nothing of a long text for this long is cut off. */
const MAX_PAUSE_MS = 60_000

class SlowClientError extends Error {
  override readonly name = 'SlowClientError'
}

/** Escapes while the body is sent: that can turn 10 MiB into 60, and an isolate has 128 MiB of memory. */
export function streamSliced(sliced: SlicedTexts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let chunks: Generator<string> | null = renderParts(sliced)
  const reserved = reserveForSending(sliced.texts.map(({ text }) => text))
  let stopTimer = () => {}
  const end = () => {
    stopTimer()
    chunks = null
    reserved?.release()
  }
  return new ReadableStream({
    pull(controller) {
      stopTimer()
      const { value, done } = chunks?.next() ?? { done: true }
      if (done || value === undefined) {
        end()
        controller.close()
        return
      }
      controller.enqueue(encoder.encode(value))
      if (!reserved) return
      reserved.renew()
      const timer = setTimeout(() => {
        end()
        controller.error(new SlowClientError(`nothing was read for ${MAX_PAUSE_MS} ms`))
      }, MAX_PAUSE_MS)
      stopTimer = () => clearTimeout(timer)
    },
    cancel: end,
  })
}

/** Asks for a chunk only when somebody reads it. */
export const fromChunks = (chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
