import { fetchGitHub, type GitHubRequest } from '../platform/github.ts'
import { OUTGOING_TIMEOUT_MS, type OutgoingAnswer, parseJsonAnswer } from '../platform/outgoing.ts'
import { DAY_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'

/**
 * The reasons why a gist is refused. After a refusal, nothing is tried again until the document changes or the account
 * reconnects GitHub. The reason is stored in `gists.refusal`.
 */
export type Refusal = 'not_linked' | 'no_rights' | 'bad_credentials' | 'forbidden' | 'not_accepted'

export type Failure =
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** GitHub did nothing and accepts no request of this account until then. */
  | { readonly kind: 'rate limited'; readonly until: Instant }
  /** The request may have taken effect, or may still do so. */
  | { readonly kind: 'uncertain' }
  /** No request was made: too little time left, or the content isn't readable yet. */
  | { readonly kind: 'not ready' }

/** Contains nothing of GitHub's response. */
export class GistFailure extends Error {
  override readonly name = 'GistFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`gist: ${failure.kind}`)
    this.failure = failure
  }
}

const refused = (reason: Refusal) => new GistFailure({ kind: 'refused', reason })
const uncertain = () => new GistFailure({ kind: 'uncertain' })

const MAX_WAIT_MS = DAY_MS

/**
 * Returns when GitHub takes requests again, or null if it hasn't limited them. See
 * docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit.
 */
function getRetryTime({ status, headers, bytes }: OutgoingAnswer, now: Instant): Instant | null {
  if (status !== 403 && status !== 429) return null
  const retryAfter = headers.get('Retry-After')
  const reset = headers.get('X-RateLimit-Remaining') === '0' ? headers.get('X-RateLimit-Reset') : null
  const mentionsLimit = () => /rate limit|abuse/i.test(new TextDecoder().decode(bytes))
  if (retryAfter === null && reset === null && status === 403 && !mentionsLimit()) return null
  const requested = retryAfter === null ? Number(reset ?? Number.NaN) * 1000 : now + Number(retryAfter) * 1000
  const until = Number.isFinite(requested) ? requested : now + MINUTE_MS
  return Math.min(Math.max(until, now + MINUTE_MS), now + MAX_WAIT_MS)
}

function toGistFailure(response: OutgoingAnswer, now: Instant): GistFailure {
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

export type Gist = NonNullable<ReturnType<typeof toGist>>

export interface GitHubAccess {
  readonly apiUrl: string
  readonly token: string
  readonly leasedUntil: Instant
  readonly clock: () => Instant
}

/**
 * How long it takes until lists show what a request without a response did. GitHub ends it after ten seconds, and
 * replicates.
 */
export const SETTLING_MS = 60_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** No name of a file, description or link is longer, in JSON. */
const MAX_STRING_BYTES = 4096

/**
 * Empties the longer strings of a JSON text while it arrives. GitHub answers a write with up to a mebibyte of each file
 * in the gist, and an isolate has 128 MiB.
 */
export async function* emptyLongStrings(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const string = new Uint8Array(MAX_STRING_BYTES)
  let stringBytes = 0
  let isInString = false
  let isEscaped = false
  for await (const chunk of chunks) {
    // A string that began in an earlier chunk may end in this one.
    const kept = new Uint8Array(MAX_STRING_BYTES + chunk.byteLength)
    let keptBytes = 0
    for (const byte of chunk) {
      if (isInString && (byte !== QUOTE || isEscaped)) {
        isEscaped = byte === BACKSLASH && !isEscaped
        if (stringBytes < MAX_STRING_BYTES) string[stringBytes] = byte
        stringBytes++
        continue
      }
      if (isInString && stringBytes <= MAX_STRING_BYTES) {
        kept.set(string.subarray(0, stringBytes), keptBytes)
        keptBytes += stringBytes
      }
      if (byte === QUOTE) {
        isInString = !isInString
        stringBytes = 0
      }
      kept[keptBytes++] = byte
    }
    yield kept.slice(0, keptBytes)
  }
}

/** Doesn't start if its outcome might not be settled before the lease ends. */
async function request(
  { apiUrl, token, leasedUntil, clock }: GitHubAccess,
  path: string,
  options?: GitHubRequest,
): Promise<OutgoingAnswer> {
  if (clock() + OUTGOING_TIMEOUT_MS + SETTLING_MS > leasedUntil) throw new GistFailure({ kind: 'not ready' })
  try {
    return await fetchGitHub(apiUrl + path, { ...options, token, shorten: emptyLongStrings })
  } catch {
    throw uncertain()
  }
}

function toGist(body: unknown) {
  if (typeof body !== 'object' || body === null) return null
  const { id, html_url: url, public: isPublic, description, files } = body as Record<string, unknown>
  if (typeof id !== 'string' || id === '' || typeof url !== 'string' || !/^https?:/.test(url)) return null
  return {
    id,
    url,
    public: isPublic === true,
    description: typeof description === 'string' ? description : '',
    fileNames: typeof files === 'object' && files !== null ? Object.keys(files) : [],
  }
}

/** Returns the gist in a response. If there is none, the write succeeded but we don't know the gist's id. */
function requireGist(response: OutgoingAnswer): Gist {
  const gist = toGist(parseJsonAnswer(response))
  if (!gist) throw uncertain()
  return gist
}

interface GistContent {
  readonly description: string
  readonly files: ReadonlyMap<string, string>
}

const toFiles = ({ files }: GistContent) =>
  Object.fromEntries([...files].map(([name, content]) => [name, { content }]))

const getGistPath = (id: string): string => `/gists/${encodeURIComponent(id)}`

/** Creates a gist: see docs.github.com/rest/gists/gists#create-a-gist. */
export async function createGist(
  access: GitHubAccess,
  content: GistContent & { readonly public: boolean },
): Promise<Gist> {
  const body = { description: content.description, public: content.public, files: toFiles(content) }
  const response = await request(access, '/gists', { method: 'POST', body })
  if (response.status !== 201) throw toGistFailure(response, access.clock())
  return requireGist(response)
}

/** Deletes files that the document no longer has. Returns null if the gist is gone. */
export async function updateGist(
  access: GitHubAccess,
  id: string,
  content: GistContent,
): Promise<Gist | null> {
  const change = async (body: object) => {
    const response = await request(access, getGistPath(id), { method: 'PATCH', body })
    if (response.status === 200) return requireGist(response)
    if (await isGone(access, id, response)) return null
    throw toGistFailure(response, access.clock())
  }
  const changed = await change({ description: content.description, files: toFiles(content) })
  const stale = changed?.fileNames.filter((name) => !content.files.has(name)) ?? []
  if (stale.length === 0) return changed
  return change({ files: Object.fromEntries(stale.map((name) => [name, null])) })
}

/** Deletes a gist. Returns false if it's already gone. */
export async function deleteGist(access: GitHubAccess, id: string): Promise<boolean> {
  const response = await request(access, getGistPath(id), { method: 'DELETE' })
  if (response.status === 204) return true
  if (await isGone(access, id, response)) return false
  throw toGistFailure(response, access.clock())
}

/** Tells it from a gist that is off limits for this token: anyone who knows the id of a gist can read it. */
async function isGone(access: GitHubAccess, id: string, { status }: OutgoingAnswer): Promise<boolean> {
  if (status === 410) return true
  if (status !== 404) return false
  const response = await request(access, getGistPath(id))
  if (response.status === 404 || response.status === 410) return true
  if (response.status === 200) return false
  throw toGistFailure(response, access.clock())
}

const MAX_GISTS_PER_PAGE = 100

/** Finds gists on all pages: see docs.github.com/rest/gists/gists#list-gists-for-the-authenticated-user. */
export async function findGists(
  access: GitHubAccess,
  { since, matches }: { since: Instant; matches: (description: string) => boolean },
): Promise<Gist[]> {
  const found: Gist[] = []
  const query = `per_page=${MAX_GISTS_PER_PAGE}&since=${new Date(since).toISOString()}`
  for (let page = 1; ; page++) {
    const response = await request(access, `/gists?${query}&page=${page}`)
    const listed = response.status === 200 ? parseJsonAnswer(response) : null
    if (!Array.isArray(listed)) throw toGistFailure(response, access.clock())
    for (const body of listed) {
      const gist = toGist(body)
      if (gist && matches(gist.description)) found.push(gist)
    }
    // Counts pages instead of following the link, so that the token is only ever sent to the API.
    if (!/rel="?next"?/.test(response.headers.get('Link') ?? '')) return found
  }
}
