import type { GitHubResponse } from '../platform/github-client.ts'

/** Why something is not tried again until the document changes, or the account connects GitHub anew. */
export type Refusal =
  | 'not_linked'
  /** The token is not, or no more, one that may write gists. */
  | 'no_rights'
  | 'bad_credentials'
  | 'forbidden'
  /** GitHub does not take this text, or not in this form. */
  | 'not_accepted'

/** How a request to GitHub failed. */
export type Failure =
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** GitHub wants nothing of this account before an instant, in milliseconds since 1970. It did nothing. */
  | { readonly kind: 'limited'; readonly until: number }
  /** Nobody knows whether GitHub did, or will yet do, what was asked. */
  | { readonly kind: 'uncertain' }
  /** Nothing was asked: there was no time left, or the content is not there yet. */
  | { readonly kind: 'unready' }

/** Thrown by every request for a gist that GitHub did not answer with what was asked for. It carries no words of GitHub. */
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
const MOST_WAIT_MS = 24 * 60 * MINUTE_MS

/**
 * Until when GitHub asks to be left alone; null when it does not
 * (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit).
 */
function limitedUntil({ status, headers, bytes }: GitHubResponse, now: number): number | null {
  if (status !== 403 && status !== 429) return null
  const retryAfter = headers.get('Retry-After')
  const reset = headers.get('X-RateLimit-Remaining') === '0' ? headers.get('X-RateLimit-Reset') : null
  const spoken = () => /rate limit|abuse/i.test(new TextDecoder().decode(bytes))
  if (retryAfter === null && reset === null && status === 403 && !spoken()) return null
  const asked = retryAfter === null ? Number(reset ?? Number.NaN) * 1000 : now + Number(retryAfter) * 1000
  const until = Number.isFinite(asked) ? asked : now + MINUTE_MS
  return Math.min(Math.max(until, now + MINUTE_MS), now + MOST_WAIT_MS)
}

/** What an answer means that is not the one hoped for. */
export function failureOf(answer: GitHubResponse, now: number): GistFailure {
  const until = limitedUntil(answer, now)
  if (until !== null) return new GistFailure({ kind: 'limited', until })
  switch (answer.status) {
    case 401:
      return refused('bad_credentials')
    case 403:
      return refused('forbidden')
    case 404:
      // What a token may not do, GitHub answers as if it were not there.
      return refused('no_rights')
    case 408:
    case 409:
      return uncertain()
    default:
      return answer.status >= 400 && answer.status < 500 ? refused('not_accepted') : uncertain()
  }
}
