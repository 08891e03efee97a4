import { vi } from 'vitest'

export const TURNSTILE_VARS = {
  TURNSTILE_SITE_KEY: '1x00000000000000000000AA',
  TURNSTILE_SECRET: 'a secret of the tests',
  TURNSTILE_VERIFY_URL: 'https://turnstile.example/siteverify',
}

interface SiteVerify {
  /** Returns a token that works once, as the widget does for a person who passes. */
  readonly pass: () => string
  /** Makes the service fail. */
  readonly breakDown: () => void
  /** The bodies of the requests so far. */
  readonly requests: URLSearchParams[]
}

/** Stands in for Cloudflare's siteverify: a token is valid once, for the right secret. */
export function standInForTurnstile(): SiteVerify {
  const valid = new Set<string>()
  const requests: URLSearchParams[] = []
  let isBroken = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (request.url !== TURNSTILE_VARS.TURNSTILE_VERIFY_URL)
      throw new Error(`unexpected request: ${request.url}`)
    if (isBroken) return new Response('down', { status: 500 })
    const fields = new URLSearchParams()
    for (const [name, value] of await request.formData()) fields.set(name, String(value))
    requests.push(fields)
    const success =
      fields.get('secret') === TURNSTILE_VARS.TURNSTILE_SECRET && valid.delete(fields.get('response') ?? '')
    return Response.json({ success, 'error-codes': success ? [] : ['invalid-input-response'] })
  })
  return {
    pass: () => {
      const token = crypto.randomUUID()
      valid.add(token)
      return token
    },
    breakDown: () => {
      isBroken = true
    },
    requests,
  }
}
