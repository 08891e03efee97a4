/** Longer than most responses take, but not than people wait. */
const BLOCKED_MS = 5_000

let submittedAt = Number.NEGATIVE_INFINITY

// On a double click, browsers drop the response to the first request, and with it anything shown only once:
// an API key, or a document that is burned after reading.
addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post') return
  if (event.timeStamp - submittedAt < BLOCKED_MS) event.preventDefault()
  else submittedAt = event.timeStamp
})

// A page restored from the back/forward cache may submit its form again.
addEventListener('pageshow', () => {
  submittedAt = Number.NEGATIVE_INFINITY
})
