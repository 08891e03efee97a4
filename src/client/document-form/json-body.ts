import { yieldToPage } from '../shared/yield.ts'

/** How many characters are encoded in one go: many more would block the page. */
const SLICE_CHARACTERS = 512 * 1024

/** Returns a JSON request body with `content` and other members. Encodes long content in slices, so the page stays responsive. */
export async function toJsonBody(members: object, content?: string): Promise<string | Blob> {
  if (content === undefined || content.length <= SLICE_CHARACTERS)
    return JSON.stringify({ content, ...members })
  const slices: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE_CHARACTERS) {
    await yieldToPage()
    // A slice may end inside a surrogate pair: JSON escapes each half, and the parser joins them again.
    slices.push(new Blob([JSON.stringify(content.slice(at, at + SLICE_CHARACTERS)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...slices, `",${JSON.stringify(members).slice(1)}`])
}
