import type { AppContext } from '../env.ts'

interface PolicyOptions {
  /** Other origins that forms may lead to. Browsers also check redirects in the response to a form. */
  readonly formTargets?: readonly string[]
  /** The nonce of style elements that a script of the page adds. */
  readonly styleNonce?: string
}

/** Returns the policy of a page: what it may load, and where its forms may lead. */
export const contentSecurityPolicy = ({ formTargets = [], styleNonce }: PolicyOptions = {}): string =>
  [
    "default-src 'none'; script-src 'self'; worker-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'",
    `style-src ${["'self'", ...(styleNonce ? [`'nonce-${styleNonce}'`] : [])].join(' ')}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'; frame-ancestors 'none'",
    // A string becomes markup or code only through one of these policies.
    "require-trusted-types-for 'script'; trusted-types regent dompurify",
  ].join('; ')

/** The security headers of every response except the API's. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': contentSecurityPolicy(),
  // With `no-referrer` the site's own forms would send `Origin: null`.
  'Referrer-Policy': 'same-origin',
  // No includeSubDomains: subdomains are the operator's decision.
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

export type Body = string | Uint8Array | ReadableStream | null

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Responds with the security headers. All headers are passed at once, because a middleware that sets them one by one
 * takes a tenth of the time of a read.
 */
export const answer = (c: AppContext, body: Body, { status = 200, headers }: AnswerOptions = {}): Response =>
  new Response(body, {
    status,
    headers: { ...SECURITY_HEADERS, 'X-Request-Id': c.var.requestId, ...headers },
  })

/** Responds with plain text, and keeps browsers from interpreting it as anything else. */
export const answerText = (c: AppContext, text: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, text, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
