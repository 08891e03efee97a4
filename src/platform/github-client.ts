/** How long an answer of GitHub may take, its body included. */
export const GITHUB_TIMEOUT_MS = 10_000

/** The version of the REST API that this is written for (docs.github.com/rest/about-the-rest-api/api-versions). */
const API_VERSION = '2022-11-28'

export interface GitHubRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** What the request acts with; never logged. */
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: object
  readonly accept?: string
}

export interface GitHubResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/**
 * Every request that goes out of the service: to GitHub, with a time limit, following no redirect.
 *
 * @param url whole, from the addresses in the config or from an answer of GitHub.
 * @throws whatever `fetch` throws: GitHub could not be reached, or took longer than ten seconds. Then
 * nobody knows whether it did what was asked.
 */
export async function fetchGitHub(
  url: string,
  { method = 'GET', token, body, accept = 'application/vnd.github+json' }: GitHubRequest = {},
): Promise<GitHubResponse> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(GITHUB_TIMEOUT_MS),
    headers: {
      Accept: accept,
      'User-Agent': 'regent',
      'X-GitHub-Api-Version': API_VERSION,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

/** An answer's body as JSON; null where it is none. */
export function parseJson(answer: GitHubResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes))
  } catch {
    return null
  }
}
