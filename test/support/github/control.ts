/** The one OAuth app that the look-alike of GitHub knows. */
export const GITHUB_APP = { clientId: 'regent-tests', clientSecret: 'secret of the OAuth app' } as const

/** How the look-alike is to fail. */
export interface Failure {
  /** The requests that fail, such as `POST /gists` or `DELETE`: what "METHOD path" begins with. All by default. */
  readonly on?: string
  /** How many of them; one by default. */
  readonly times?: number
  /** Whether it does what was asked all the same, and only the answer is amiss. */
  readonly takesEffect?: boolean
  /** `drop` closes the connection, `hang` never answers. */
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
  /** What it was given when it was made, or signed in last. */
  readonly token: string
}

export interface GitHubGist {
  readonly id: string
  readonly public: boolean
  readonly description: string
  /** Names and texts. */
  readonly files: Readonly<Record<string, string>>
  readonly url: string
}

export interface GitHubState {
  readonly gists: readonly GitHubGist[]
  /** All that were ever made, deleted ones included. */
  readonly created: number
  /** Each as "METHOD path", in their order. */
  readonly requests: readonly string[]
}

/** What tests tell and ask the look-alike, each by a POST to `/_control`. */
export type Control =
  | { do: 'make account'; login: string; scopes?: string[]; email?: string; emailVerified?: boolean }
  | { do: 'make gist'; login: string; description: string }
  | { do: 'delete gists'; login: string }
  | { do: 'revoke token'; token: string }
  | { do: 'give token'; login: string; scopes: string[] }
  | { do: 'fail'; login: string; failure: Failure }
  | { do: 'work again'; login: string }
  | { do: 'state'; login: string }
  /** Who is signed in at GitHub from now on, and whether they agree to be known here. */
  | { do: 'sign in'; login: string; agrees?: boolean }

/** Tells the look-alike at `url` something, and returns what it answers. */
export async function control<Answer>(url: string, body: Control): Promise<Answer> {
  const response = await fetch(`${url}/_control`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}
