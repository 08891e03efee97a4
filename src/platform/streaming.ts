/** Characters that are escaped and sent at once, and above which a text is sent in slices at all. */
export const SLICE = 64 * 1024

/** Marks where a long text goes in what is rendered around it. No text can know it. */
export const generateSlot = (): string => crypto.randomUUID()

/** A text in pieces of at most that many characters, or one more. */
export function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + SLICE
    // A pair of surrogates is one character: it stays together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1
    yield text.slice(start, end)
    start = end
  }
}

interface SlicedTexts {
  /** What stands around the texts, with their slots in their places. */
  readonly frame: string
  /** In the order in which they stand. */
  readonly texts: readonly {
    readonly slot: string
    readonly text: string
    /** How it is written in pieces of its own, where slices do not do. */
    readonly write?: ((text: string) => Iterable<string>) | undefined
  }[]
  /** How a slice of a text is written where it stands. */
  readonly escapeSlice: (slice: string) => string
}

function* parts({ frame, texts, escapeSlice }: SlicedTexts): Generator<string> {
  let rest = frame
  for (const { slot, text, write } of texts) {
    const at = rest.indexOf(slot)
    // Not every text is shown everywhere.
    if (at === -1) continue
    yield rest.slice(0, at)
    if (write) yield* write(text)
    else for (const slice of slices(text)) yield escapeSlice(slice)
    rest = rest.slice(at + slot.length)
  }
  yield rest
}

/**
 * A body whose long texts are escaped slice by slice while they are sent: escaped as a whole, 10 MiB could
 * grow to 60, and an isolate has 128 for everything.
 */
export function streamSliced(sliced: SlicedTexts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const sent = parts(sliced)
  return new ReadableStream({
    pull(controller) {
      const { value, done } = sent.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
