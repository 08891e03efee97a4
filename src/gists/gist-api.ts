import {
  fetchGitHub,
  GITHUB_TIMEOUT_MS,
  type GitHubRequest,
  type GitHubResponse,
  parseJson,
} from '../platform/github-client.ts'
import { failureOf, GistFailure, uncertain } from './gist-failure.ts'

export interface Gist {
  readonly id: string
  readonly url: string
  readonly public: boolean
  readonly description: string
  readonly fileNames: readonly string[]
}

/** Acts for one account at GitHub, for as long as a lease lasts. */
export interface GitHubAccess {
  readonly apiUrl: string
  readonly token: string
  /** Milliseconds since 1970. */
  readonly leasedUntil: number
  /** The time as it passes, in milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * How long GitHub may go on with a request that it did not answer, and hide its result from lists. GitHub
 * ends requests after ten seconds; the rest is for what lists are read from.
 */
export const SETTLING_MS = 60_000

/** Asks within the lease: whatever comes of the request is settled before somebody else takes over. */
async function ask(
  { apiUrl, token, leasedUntil, clock }: GitHubAccess,
  path: string,
  request?: GitHubRequest,
): Promise<GitHubResponse> {
  if (clock() + GITHUB_TIMEOUT_MS + SETTLING_MS > leasedUntil) throw new GistFailure({ kind: 'unready' })
  try {
    return await fetchGitHub(apiUrl + path, { ...request, token })
  } catch {
    throw uncertain()
  }
}

interface GistBody {
  readonly id?: unknown
  readonly html_url?: unknown
  readonly public?: unknown
  readonly description?: unknown
  readonly files?: unknown
}

/** Reads a gist of an answer; null where it is none. */
function toGist(body: unknown): Gist | null {
  if (typeof body !== 'object' || body === null) return null
  const { id, html_url: url, public: isPublic, description, files } = body as GistBody
  if (typeof id !== 'string' || id === '' || typeof url !== 'string' || !/^https?:/.test(url)) return null
  return {
    id,
    url,
    public: isPublic === true,
    description: typeof description === 'string' ? description : '',
    fileNames: typeof files === 'object' && files !== null ? Object.keys(files) : [],
  }
}

/** The gist of an answer that says it was written. Without one, something was written that we can not name. */
function requireGist(answer: GitHubResponse): Gist {
  const gist = toGist(parseJson(answer))
  if (!gist) throw uncertain()
  return gist
}

/** What a gist of one file is to be. */
interface GistContent {
  readonly description: string
  readonly fileName: string
  readonly text: string
}

const filesOf = ({ fileName, text }: GistContent) => ({ [fileName]: { content: text } })

const pathOf = (id: string): string => `/gists/${encodeURIComponent(id)}`

/** Makes a gist (docs.github.com/rest/gists/gists#create-a-gist). Throws GistFailure. */
export async function createGist(
  access: GitHubAccess,
  content: GistContent & { readonly public: boolean },
): Promise<Gist> {
  const body = { description: content.description, public: content.public, files: filesOf(content) }
  const answer = await ask(access, '/gists', { method: 'POST', body })
  if (answer.status !== 201) throw failureOf(answer, access.clock())
  return requireGist(answer)
}

/**
 * Changes a gist, and removes the file that it had under the name of another language.
 *
 * @param isOurs whether a file is one that we wrote.
 * @returns null when the gist is gone. Throws GistFailure.
 */
export async function updateGist(
  access: GitHubAccess,
  id: string,
  { content, isOurs }: { content: GistContent; isOurs: (fileName: string) => boolean },
): Promise<Gist | null> {
  const change = async (body: object) => {
    const answer = await ask(access, pathOf(id), { method: 'PATCH', body })
    if (answer.status === 200) return requireGist(answer)
    if (await isGone(access, id, answer)) return null
    throw failureOf(answer, access.clock())
  }
  const changed = await change({ description: content.description, files: filesOf(content) })
  const stale = changed?.fileNames.filter((name) => name !== content.fileName && isOurs(name)) ?? []
  if (stale.length === 0) return changed
  return change({ files: Object.fromEntries(stale.map((name) => [name, null])) })
}

/** Deletes a gist. Returns false when it was gone already. Throws GistFailure. */
export async function deleteGist(access: GitHubAccess, id: string): Promise<boolean> {
  const answer = await ask(access, pathOf(id), { method: 'DELETE' })
  if (answer.status === 204) return true
  if (await isGone(access, id, answer)) return false
  throw failureOf(answer, access.clock())
}

/** Whether a gist is not there, rather than not for this token to change: anyone may read one whose id they know. */
async function isGone(access: GitHubAccess, id: string, { status }: GitHubResponse): Promise<boolean> {
  if (status === 410) return true
  if (status !== 404) return false
  const answer = await ask(access, pathOf(id))
  if (answer.status === 404 || answer.status === 410) return true
  if (answer.status === 200) return false
  throw failureOf(answer, access.clock())
}

const MOST_A_PAGE = 100

/**
 * The account's gists whose description is as `matches` says, of all pages
 * (docs.github.com/rest/gists/gists#list-gists-for-the-authenticated-user). Throws GistFailure.
 *
 * @param since leaves out those that have not changed since, in milliseconds since 1970.
 */
export async function findGists(
  access: GitHubAccess,
  { since, matches }: { since: number; matches: (description: string) => boolean },
): Promise<Gist[]> {
  const found: Gist[] = []
  const query = `per_page=${MOST_A_PAGE}&since=${new Date(since).toISOString()}`
  for (let page = 1; ; page++) {
    const answer = await ask(access, `/gists?${query}&page=${page}`)
    const listed = answer.status === 200 ? parseJson(answer) : null
    if (!Array.isArray(listed)) throw failureOf(answer, access.clock())
    for (const body of listed) {
      const gist = toGist(body)
      if (gist && matches(gist.description)) found.push(gist)
    }
    // The page is counted here and not taken from the link: the token goes nowhere but to the API.
    if (!/rel="?next"?/.test(answer.headers.get('Link') ?? '')) return found
  }
}
