import type { Turnstile } from '../config.ts'
import { humanCheckFailed, unavailable } from '../errors.ts'

const TIMEOUT_MS = 10_000

/** The field that Cloudflare's widget adds to a form. */
export const TURNSTILE_FIELD = 'cf-turnstile-response'

/** Longer ones can't be tokens (developers.cloudflare.com/turnstile). */
const MAX_TOKEN_CHARACTERS = 2048

async function verify({ verifyUrl, secret }: Turnstile, token: string): Promise<boolean> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // Not the client's address: Cloudflare knows it from the widget.
    body: new URLSearchParams({ secret, response: token }),
  })
  if (!response.ok) throw new Error(`Turnstile answered ${response.status}`)
  const answer: unknown = await response.json()
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
}

/**
 * Checks the token that a person got by passing Cloudflare's check. Each token works once.
 *
 * @throws AppError `bad_auth` without a valid token, `unavailable` if Cloudflare can't be asked.
 */
export async function requireHuman(turnstile: Turnstile, token: string | undefined): Promise<void> {
  if (!token || token.length > MAX_TOKEN_CHARACTERS) throw humanCheckFailed()
  const isHuman = await verify(turnstile, token).catch((error) => {
    throw unavailable(error)
  })
  if (!isHuman) throw humanCheckFailed()
}
