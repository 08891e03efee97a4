import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { encryptToken } from '../../../src/accounts/sign-in/github-token.lazy.ts'
import { ContentStore } from '../../../src/documents/content-store.ts'
import { publishDueGists } from '../../../src/gists/publish-gist.lazy.ts'
import { getRecentDocuments } from '../../../src/http/find-document.ts'
import { Database } from '../../../src/platform/database.ts'
import { type Account, account } from '../accounts.ts'
import { bindingsWith } from '../bindings.ts'
import { create, type DocumentBody } from '../client.ts'
import type { Control, Failure, GitHubAccount, GitHubGist, GitHubState } from '../fake-github/control.ts'
import { commandGitHub } from './command.ts'

const GITHUB = { GITHUB_API_URL: inject('gitHubUrl') }

/** The real bindings with the fake GitHub. */
export const gitHubBindings: Env = { ...env, ...GITHUB } as Env

/** The real bindings with the fake GitHub and a function around each storage call. */
export const gitHubBindingsWith = (around: Parameters<typeof bindingsWith>[0]): Env =>
  bindingsWith(around, GITHUB)

export const controlGitHub = <Answer = unknown>(command: Control): Promise<Answer> =>
  commandGitHub<Answer>(command)

let linked = 0

/** Links an account to a GitHub account. */
export async function linkGitHub(
  userId: string,
  { token, scopes }: { token: string; scopes: string[] },
): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO linked_accounts (id, user_id, provider_id, account_id, access_token, scope, created_at)
      VALUES (?1, ?2, 'github', ?1, ?3, ?4, ?5)`,
  )
    .bind(`link${++linked}`, userId, await encryptToken(token, env.AUTH_SECRET ?? ''), scopes.join(), linked)
    .run()
}

export const unlinkGitHub = (userId: string) =>
  env.DB.prepare('DELETE FROM linked_accounts WHERE user_id = ?1').bind(userId).run()

interface Author extends Account {
  readonly gitHub: GitHubAccount
  readonly fail: (failure: Failure) => Promise<unknown>
  readonly state: () => Promise<GitHubState>
  /** Returns the author's only gist. Throws if there isn't exactly one. */
  readonly gist: () => Promise<GitHubGist>
  readonly create: (content: string, settings?: Record<string, unknown>) => Promise<DocumentBody>
}

/** Creates an account that is linked to a GitHub account. */
export async function createAuthor({
  scopes = ['read:user', 'gist'],
}: {
  scopes?: string[]
} = {}): Promise<Author> {
  const owner = await account()
  const login = `octo-${crypto.randomUUID()}`
  const gitHub = await controlGitHub<GitHubAccount>({ do: 'create account', login, scopes })
  await linkGitHub(owner.id, { token: gitHub.token, scopes })
  const state = () => controlGitHub<GitHubState>({ do: 'state', login })
  return {
    ...owner,
    gitHub,
    fail: (failure) => controlGitHub({ do: 'fail', login, failure }),
    state,
    gist: async () => {
      const { gists } = await state()
      if (gists.length !== 1 || !gists[0]) throw new Error(`${gists.length} gists`)
      return gists[0]
    },
    create: (content, settings = {}) =>
      create(
        content,
        { create_gist: true, ...settings },
        { key: owner.key, bindings: gitHubBindings, settle: true },
      ),
  }
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Publishes due gists as the scheduled trigger does, `laterMs` from now. */
export const runDueGists = (
  laterMs = 0,
  { bindings = gitHubBindings, budgetMs = MINUTE_MS }: { bindings?: Env; budgetMs?: number } = {},
): ReturnType<typeof publishDueGists> =>
  publishDueGists(
    {
      db: new Database(bindings.DB, 5_000),
      contents: new ContentStore(bindings.CONTENTS, 5_000),
      apiUrl: bindings.GITHUB_API_URL,
      secret: bindings.AUTH_SECRET ?? null,
      siteUrl: null,
      clock: () => Date.now() + laterMs,
      forget: (id) => getRecentDocuments(env).forget(id),
    },
    budgetMs,
  )

interface GistRow {
  readonly gist_id: string | null
  readonly due_at: number | null
  readonly attempts: number
  readonly leased_until: number
  readonly refusal: string | null
}

export const findGistRow = (documentId: string): Promise<GistRow | null> =>
  env.DB.prepare('SELECT gist_id, due_at, attempts, leased_until, refusal FROM gists WHERE document_id = ?1')
    .bind(documentId)
    .first<GistRow>()
