import { fetchOutside, type OutgoingAnswer, type OutgoingRequest } from './outgoing.ts'

/** The version of GitHub's API: see docs.github.com/rest/about-the-rest-api/api-versions. */
const API_VERSION = '2022-11-28'

export interface GitHubRequest extends Pick<OutgoingRequest, 'shorten'> {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The OAuth token, which is never logged. */
  readonly token?: string
  readonly body?: object
  readonly accept?: string
}

/** @throws like `fetchOutside`. */
export const fetchGitHub = (
  url: string,
  { method = 'GET', token, body, accept = 'application/vnd.github+json', shorten }: GitHubRequest = {},
): Promise<OutgoingAnswer> =>
  fetchOutside(url, {
    method,
    shorten,
    headers: {
      Accept: accept,
      'X-GitHub-Api-Version': API_VERSION,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
