import { html } from 'hono/html'

/** Characters that are escaped and sent at once, and above which a text is sent in slices at all. */
export const SLICE = 64 * 1024

/** Marks where a long text goes in the page that is rendered around it. No text can know it. */
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

function* pageParts(frame: string, slot: string, text: string): Generator<string> {
  const [before = '', after = ''] = frame.split(slot)
  yield before
  for (const slice of slices(text)) yield String(html`${slice}`)
  yield after
}

/**
 * A page whose long text is escaped slice by slice while it is sent: escaped as a whole, 10 MiB could
 * grow to 60, and an isolate has 128 for everything.
 *
 * @param frame the page as HTML, with the slot in place of the text.
 */
export function streamPage(frame: string, slot: string, text: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const parts = pageParts(frame, slot, text)
  return new ReadableStream({
    pull(controller) {
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
