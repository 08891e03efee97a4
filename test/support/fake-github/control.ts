import type {} from 'vitest'

/** The only OAuth app that the fake GitHub knows. */
export const GITHUB_APP = { clientId: 'regent-tests', clientSecret: 'secret of the OAuth app' } as const

/** The header of an answer that never arrives, because the connection breaks. */
export const DROPPED = 'X-Dropped'

/** How the fake GitHub fails. */
export interface Failure {
  /** Prefix of "METHOD path" of the requests that fail, such as `POST /gists` or `DELETE`. All by default. */
  readonly on?: string
  /** How many requests fail; one by default. */
  readonly times?: number
  /** True if the request takes effect and only its response is wrong. */
  readonly takesEffect?: boolean
  /** `drop` breaks the connection (see `commandGitHub`), `hang` never responds. */
  readonly answer: 'drop' | 'hang' | FailureAnswer
}

interface FailureAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
}

export interface GitHubAccount {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly emailVerified: boolean
  /** The token issued last. */
  readonly token: string
}

export interface GitHubGist {
  readonly id: string
  readonly public: boolean
  readonly description: string
  /** Content by file name. */
  readonly files: Readonly<Record<string, string>>
  readonly url: string
}

export interface GitHubState {
  readonly gists: readonly GitHubGist[]
  /** Number of gists ever created, including deleted ones. */
  readonly created: number
  /** Each as "METHOD path", in order. */
  readonly requests: readonly string[]
}

/** Commands that tests send to the fake GitHub, each by a POST to `/_control`. */
export type Control =
  | { do: 'create account'; login: string; scopes?: string[]; email?: string; emailVerified?: boolean }
  | { do: 'create gist'; login: string; description: string }
  | { do: 'delete gists'; login: string }
  | { do: 'revoke token'; token: string }
  | { do: 'issue token'; login: string; scopes: string[] }
  | { do: 'fail'; login: string; failure: Failure }
  | { do: 'stop failing'; login: string }
  | { do: 'state'; login: string }
  /** Signs a user in to GitHub, and decides whether they authorize the app. */
  | { do: 'sign in'; login: string; agrees?: boolean }

/** Sends a command to the fake GitHub at `url`, and returns its answer. */
export async function control<Answer>(url: string, body: Control): Promise<Answer> {
  const response = await fetch(`${url}/_control`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the fake GitHub, see `server.ts`. */
    gitHubUrl: string
  }
}
