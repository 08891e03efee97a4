/** Characters that are escaped and sent at once, and above which a text is sent in slices at all. */
export const SLICE = 64 * 1024

/** Marks where a long text goes in what is rendered around it. No text can know it. */
export const drawSlot = (): string => crypto.randomUUID()

function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + SLICE
    // A pair of surrogates is one character: it stays together.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1
    yield text.slice(start, end)
    start = end
  }
}

interface SlicedText {
  /** What stands around the text, with the slot in its place. */
  readonly frame: string
  readonly slot: string
  readonly text: string
  /** How a slice of the text is written where it stands. */
  readonly escapeSlice: (slice: string) => string
}

function* parts({ frame, slot, text, escapeSlice }: SlicedText): Generator<string> {
  const [before = '', after = ''] = frame.split(slot)
  yield before
  for (const slice of slices(text)) yield escapeSlice(slice)
  yield after
}

/**
 * A body whose long text is escaped slice by slice while it is sent: escaped as a whole, 10 MiB could
 * grow to 60, and an isolate has 128 for everything.
 */
export function streamSliced(sliced: SlicedText): ReadableStream<Uint8Array> {
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
