/** What Cloudflare's script leaves on pages that have its widget. */
interface Turnstile {
  readonly reset: () => void
}

const isTurnstile = (value: unknown): value is Turnstile =>
  typeof value === 'object' && value !== null && 'reset' in value && typeof value.reset === 'function'

/** Asks Cloudflare's widget for a new token, because each one works once. Does nothing without the widget. */
export function resetHumanCheck(): void {
  const turnstile: unknown = Reflect.get(globalThis, 'turnstile')
  if (isTurnstile(turnstile)) turnstile.reset()
}
