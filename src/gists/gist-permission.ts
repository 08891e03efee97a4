import { GITHUB, mayWriteGists } from '../accounts/profile/profile.ts'
import { decryptToken } from '../accounts/sign-in/token-encryption.ts'
import type { Database } from '../platform/database.ts'

/** Whether an account may make gists, and the token it does that with. */
type GistRights =
  | { readonly kind: 'granted'; readonly token: string }
  | { readonly kind: 'not_linked' }
  /** It is linked, but not with the right to write gists, or the token can not be opened. */
  | { readonly kind: 'no_rights' }

/**
 * What an account may do with gists.
 *
 * @param secret what tokens are sealed with; null where there is none.
 */
export async function findGistRights(
  db: Database,
  secret: string | null,
  userId: string,
): Promise<GistRights> {
  // The latest link first, should there be more than one.
  const linked = await db.all<{ accessToken: string | null; scope: string | null }>([
    `SELECT access_token AS accessToken, scope FROM linked_accounts
      WHERE user_id = ?1 AND provider_id = '${GITHUB}' ORDER BY created_at DESC`,
    userId,
  ])
  if (linked.length === 0) return { kind: 'not_linked' }
  for (const { accessToken, scope } of linked) {
    if (secret === null || accessToken === null || !mayWriteGists(scope)) continue
    const token = await decryptToken(accessToken, secret)
    if (token !== null) return { kind: 'granted', token }
  }
  return { kind: 'no_rights' }
}
