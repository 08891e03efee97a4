/** Includes the body of the response. */
export const GITHUB_TIMEOUT_MS = 10_000

/** docs.github.com/rest/about-the-rest-api/api-versions */
const API_VERSION = '2022-11-28'

export interface GitHubRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The OAuth token. Never logged. */
  readonly token?: string
  readonly body?: object
  readonly accept?: string
}

export type GitHubResponse = Awaited<ReturnType<typeof fetchGitHub>>

/** Follows no redirects. @throws the error of `fetch`: the request may or may not have taken effect. */
export async function fetchGitHub(
  url: string,
  { method = 'GET', token, body, accept = 'application/vnd.github+json' }: GitHubRequest = {},
) {
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

export function parseJson(response: GitHubResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(response.bytes))
  } catch {
    return null
  }
}
