import type { GitHubResponse } from '../platform/github-client.ts'

/**
 * Why an attempt isn't repeated until the document changes or the account reconnects GitHub. Stored in
 * `gists.refusal`.
 */
export type Refusal =
  | 'not_linked'
  /** The token doesn't have the scope for gists, or no longer does. */
  | 'no_rights'
  | 'bad_credentials'
  | 'forbidden'
  /** GitHub doesn't accept this content. */
  | 'not_accepted'

/** How a request to GitHub failed. */
export type Failure =
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** GitHub did nothing and accepts no request of this account until then, in milliseconds since 1970. */
  | { readonly kind: 'rate limited'; readonly until: number }
  /** The request may have taken effect, or may still do so. */
  | { readonly kind: 'uncertain' }
  /** No request was made: too little time left, or the content isn't readable yet. */
  | { readonly kind: 'not ready' }

/** Thrown when a request for a gist fails. Contains nothing of GitHub's response. */
export class GistFailure extends Error {
  override readonly name = 'GistFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`gist: ${failure.kind}`)
    this.failure = failure
  }
}

const refused = (reason: Refusal) => new GistFailure({ kind: 'refused', reason })
export const uncertain = () => new GistFailure({ kind: 'uncertain' })

const MINUTE_MS = 60_000
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS

/**
 * Returns when GitHub's rate limit allows the next request, or null if the response isn't about a rate limit
 * (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit).
 */
function getRetryTime({ status, headers, bytes }: GitHubResponse, now: number): number | null {
  if (status !== 403 && status !== 429) return null
  const retryAfter = headers.get('Retry-After')
  const reset = headers.get('X-RateLimit-Remaining') === '0' ? headers.get('X-RateLimit-Reset') : null
  const mentionsLimit = () => /rate limit|abuse/i.test(new TextDecoder().decode(bytes))
  if (retryAfter === null && reset === null && status === 403 && !mentionsLimit()) return null
  const requested = retryAfter === null ? Number(reset ?? Number.NaN) * 1000 : now + Number(retryAfter) * 1000
  const until = Number.isFinite(requested) ? requested : now + MINUTE_MS
  return Math.min(Math.max(until, now + MINUTE_MS), now + MAX_WAIT_MS)
}

/** Converts an unexpected response to a failure. */
export function toGistFailure(response: GitHubResponse, now: number): GistFailure {
  const until = getRetryTime(response, now)
  if (until !== null) return new GistFailure({ kind: 'rate limited', until })
  switch (response.status) {
    case 401:
      return refused('bad_credentials')
    case 403:
      return refused('forbidden')
    case 404:
      // GitHub answers 404 for what a token isn't allowed to do.
      return refused('no_rights')
    case 408:
    case 409:
      return uncertain()
    default:
      return response.status >= 400 && response.status < 500 ? refused('not_accepted') : uncertain()
  }
}
