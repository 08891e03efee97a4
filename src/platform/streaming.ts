import { toReference } from '../shared/escape.ts'
import type { RequestMemory } from './request-memory.ts'

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

/**
 * Does what `replace` with `toReference` does, in bytes: where every character is replaced, a regular expression would take
 * five times as long.
 *
 * @param characters matches the ASCII characters to replace, one at a time.
 * @returns a function for texts without lone surrogates.
 */
export function escapeInBytes(characters: RegExp): (text: string) => string {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const references = Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    return character.search(characters) === -1 ? null : encoder.encode(toReference(character))
  })
  const longest = Math.max(...references.map((reference) => reference?.length ?? 0))
  return (text) => {
    if (text.search(characters) === -1) return text
    const bytes = encoder.encode(text)
    const escaped = new Uint8Array(bytes.length * longest)
    let end = 0
    for (const byte of bytes) {
      const reference = references[byte]
      if (!reference) escaped[end++] = byte
      else for (let at = 0; at < reference.length; at++) escaped[end++] = reference[at] ?? 0
    }
    return decoder.decode(escaped.subarray(0, end))
  }
}

export interface TextInSlot {
  readonly slot: string
  readonly text: string
  /** Renders the text part by part. */
  readonly write: () => Iterable<string>
}

export interface SlicedTexts {
  /** The page or JSON, with a slot for each text, in the order of the texts. */
  readonly template: string
  readonly texts: readonly TextInSlot[]
}

function* renderParts({ template, texts }: SlicedTexts): Generator<string> {
  let rest = template
  for (const { slot, write } of texts) {
    const at = rest.indexOf(slot)
    yield rest.slice(0, at)
    yield* write()
    rest = rest.slice(at + slot.length)
  }
  yield rest
}

/** Escapes while the body is sent: that can turn 10 MiB into 60, and an isolate has 128 MiB of memory. */
export function streamSliced(sliced: SlicedTexts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let parts: Generator<string> | null = renderParts(sliced)
  return new ReadableStream({
    pull(controller) {
      const { value, done } = parts?.next() ?? { done: true }
      if (!done && value !== undefined) controller.enqueue(encoder.encode(value))
      else controller.close()
    },
    cancel() {
      parts = null
    },
  })
}

/** Holds the memory of the request until the body has been sent, or the client is too slow. */
export function streamCounted(
  body: ReadableStream<Uint8Array>,
  memory: RequestMemory,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const end = memory.send()
  let sentBytes = 0
  const wait = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    memory.waitForClient((error) => {
      end()
      reader.cancel(error).catch(() => {})
      controller.error(error)
    })
  return new ReadableStream<Uint8Array>(
    {
      // Somebody may never begin to read.
      start: wait,
      async pull(controller) {
        memory.stopWaiting(sentBytes)
        const { done, value } = await reader.read().catch((error) => {
          end()
          throw error
        })
        if (done) {
          end()
          controller.close()
          return
        }
        sentBytes = value.byteLength
        controller.enqueue(value)
        wait(controller)
      },
      async cancel(reason) {
        end()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
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
