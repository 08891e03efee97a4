/** For how long nothing else is sent, in milliseconds: longer than most answers take, and no longer than people wait. */
const BLOCKED_MS = 5_000

/**
 * Sends what a button sends once, however often it is clicked. A browser drops the answer to the first of two
 * clicks, and with it what is told only once: a key, or a text that is deleted by reading it.
 */
let sentAt = Number.NEGATIVE_INFINITY

addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post') return
  if (event.timeStamp - sentAt < BLOCKED_MS) event.preventDefault()
  else sentAt = event.timeStamp
})

// Whoever comes back to a page that the browser has kept may send its form again.
addEventListener('pageshow', () => {
  sentAt = Number.NEGATIVE_INFINITY
})
