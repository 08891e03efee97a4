import { hasGistScope } from '../accounts/profile.ts'
import { GITHUB } from '../accounts/user.ts'
import { invalidBody, issueAt } from '../errors.ts'
import type { Database } from '../platform/database.ts'

/** The scope is also missing if the token can't be decrypted. */
export async function findGistPermission(db: Database, secret: string | null, userId: string) {
  const [linked] = await db.all<{ accessToken: string | null; scope: string | null }>([
    `SELECT access_token AS accessToken, scope FROM linked_accounts
      WHERE user_id = ?1 AND provider_id = '${GITHUB}'`,
    userId,
  ])
  if (!linked) return { kind: 'not_linked' } as const
  const { accessToken, scope } = linked
  if (secret === null || accessToken === null || !hasGistScope(scope))
    return { kind: 'missing_scope' } as const
  const { decryptToken } = await import('../accounts/sign-in/github-token.lazy.ts')
  const token = await decryptToken(accessToken, secret)
  return token === null ? ({ kind: 'missing_scope' } as const) : ({ kind: 'granted', token } as const)
}

export const canCreateGists = async (db: Database, secret: string | null, userId: string): Promise<boolean> =>
  (await findGistPermission(db, secret, userId)).kind === 'granted'

const PERMISSION_PROBLEMS = {
  not_linked: "Your account isn't connected to GitHub. Connect it on your account page",
  missing_scope:
    "You haven't given permission to create gists for you. Reconnect GitHub on your account page",
} as const

export async function requireGistPermission(
  db: Database,
  secret: string | null,
  userId: string | null,
): Promise<void> {
  const { kind } =
    userId === null ? { kind: 'not_linked' as const } : await findGistPermission(db, secret, userId)
  if (kind !== 'granted') throw invalidBody(issueAt(['settings', 'create_gist'], PERMISSION_PROBLEMS[kind]))
}
