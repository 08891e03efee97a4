interface PolicyOptions {
  /** Other origins that forms may lead to. Browsers also check redirects in the response to a form. */
  readonly formTargets?: readonly string[]
  /** Allows style elements that a script of the page adds. */
  readonly styleNonce?: string
  readonly turnstile?: boolean
  /** Allows frames of this site. */
  readonly frames?: boolean
}

const TURNSTILE_ORIGIN = 'https://challenges.cloudflare.com'

export const contentSecurityPolicy = ({
  formTargets = [],
  styleNonce,
  turnstile = false,
  frames = false,
}: PolicyOptions = {}): string => {
  const others = turnstile ? [TURNSTILE_ORIGIN] : []
  const framed = [...(frames ? ["'self'"] : []), ...others]
  return [
    "default-src 'none'; worker-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'",
    `script-src ${["'self'", ...others].join(' ')}`,
    ...(framed.length > 0 ? [`frame-src ${framed.join(' ')}`] : []),
    `style-src ${["'self'", ...(styleNonce ? [`'nonce-${styleNonce}'`] : [])].join(' ')}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'; frame-ancestors 'none'",
    // A string becomes markup or code only through one of these policies.
    // Cloudflare doesn't say whether its widget works with them.
    ...(turnstile ? [] : ["require-trusted-types-for 'script'; trusted-types regent dompurify"]),
  ].join('; ')
}

/** Embeds are the only pages that other sites may show in a frame. They have no forms. */
export const embedSecurityPolicy =
  "default-src 'none'; worker-src 'self'; script-src 'self'; style-src 'self'; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors *; require-trusted-types-for 'script'; trusted-types regent dompurify"

const COMMON = {
  // With `no-referrer` the site's own forms would send `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Doesn't apply to requests with CORS, which the API and raw text allow.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/**
 * Pages over http don't have this header: RFC 6797 §7.2 forbids it. It has no includeSubDomains: subdomains are the
 * operator's decision.
 */
const OVER_HTTPS = { 'Strict-Transport-Security': 'max-age=31536000' } as const

const PAGE = { 'Content-Security-Policy': contentSecurityPolicy(), ...COMMON }
const SECURE_PAGE = { ...PAGE, ...OVER_HTTPS }

/** JSON loads nothing, wherever a browser shows it. */
const DATA = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'", ...COMMON }
const SECURE_DATA = { ...DATA, ...OVER_HTTPS }

/** Ready-made, because reads need them. */
export const pageSecurityHeaders = (url: string): typeof PAGE =>
  url.startsWith('https:') ? SECURE_PAGE : PAGE

export const dataSecurityHeaders = (url: string): typeof DATA =>
  url.startsWith('https:') ? SECURE_DATA : DATA

/**
 * The headers of files that Cloudflare serves without the Worker. Browsers ignore Strict-Transport-Security over http.
 * The policy applies to web workers, which have their own, and to files opened directly: they may load further scripts
 * only.
 */
export const FILE_SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  ...COMMON,
  ...OVER_HTTPS,
}
