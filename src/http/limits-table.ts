import { rateLimited } from '../errors.ts'

/** The limit of a binding, which doesn't reveal it. */
export interface LimitPolicy {
  readonly limit: number
  /** The length of the period in seconds. The platform knows 10 and 60. */
  readonly period: number
}

interface Limit extends LimitPolicy {
  /** The name in `wrangler.toml`, which has the same policy: a test compares them. */
  readonly binding: string
  /** Says whether requests are allowed if the binding fails or doesn't answer. */
  readonly ifBroken: 'allow' | 'refuse'
}

/** `RateLimit-Policy` names a limit as it's called here. Each counts by address, unless its comment says otherwise. */
export const LIMITS = {
  /** GET and HEAD, by address. Once that's used up, requests with a credential count by account. */
  reads: { binding: 'READ_LIMIT', limit: 500, period: 60, ifBroken: 'allow' },
  /**
   * All other requests but creates without an account, by account or address. Requests with a credential count by
   * address first, and then by account.
   */
  writes: { binding: 'WRITE_LIMIT', limit: 60, period: 60, ifBroken: 'allow' },
  /** Documents without an account, by address. */
  creates: { binding: 'CREATE_LIMIT', limit: 20, period: 60, ifBroken: 'allow' },
  /** Passwords and claim tokens, by document and address. They are counted before any key is derived. */
  passwords: { binding: 'PASSWORD_LIMIT', limit: 10, period: 60, ifBroken: 'refuse' },
  /** Unknown ids, invalid API keys and burns, by address: a scan of ids mustn't burn the documents that it finds. */
  guesses: { binding: 'GUESS_LIMIT', limit: 60, period: 60, ifBroken: 'allow' },
  /** Changes of a document's list of editors, by account: each writes six rows for each editor. */
  editors: { binding: 'EDITOR_LIMIT', limit: 20, period: 60, ifBroken: 'allow' },
  /** Counts by account or address. */
  searches: { binding: 'SEARCH_LIMIT', limit: 120, period: 60, ifBroken: 'allow' },
  /**
   * Preview pictures that aren't in the cache, by address: drawing one takes much more time than a page. A chat service
   * fetches the picture of each link for everybody who uses it, so a lower limit would leave some out.
   */
  pictures: { binding: 'PICTURE_LIMIT', limit: 60, period: 60, ifBroken: 'allow' },
  /** Pages, the editor, line ranges and comparisons of long texts, by address: they take as much time as a hundred other reads. */
  'long-texts': { binding: 'LONG_TEXT_LIMIT', limit: 60, period: 60, ifBroken: 'allow' },
  /** Files of many documents, and the pages that offer them, by account or address. */
  downloads: { binding: 'DOWNLOAD_LIMIT', limit: 10, period: 60, ifBroken: 'allow' },
  reports: { binding: 'REPORT_LIMIT', limit: 5, period: 60, ifBroken: 'allow' },
  'sign-ins': { binding: 'SIGN_IN_LIMIT', limit: 30, period: 60, ifBroken: 'allow' },
  usernames: { binding: 'NAME_LIMIT', limit: 120, period: 60, ifBroken: 'allow' },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof LIMITS

/**
 * Has the headers of draft-ietf-httpapi-ratelimit-headers-10. The binding doesn't tell how much of the period is left, so
 * `seconds` is all of it by default, or how many requests are left, so no other answer has `RateLimit`.
 */
export const limitExceeded = (
  name: LimitName,
  { limit, period }: LimitPolicy = LIMITS[name],
  seconds: number = period,
) =>
  rateLimited(seconds, {
    RateLimit: `"${name}";r=0;t=${seconds}`,
    'RateLimit-Policy': `"${name}";q=${limit};w=${period}`,
  })
