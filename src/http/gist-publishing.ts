import type { Context } from 'hono'
import type { User } from '../accounts/user.ts'
import type { AppEnv } from '../env.ts'
import { invalidBody, issueAt } from '../errors.ts'
import { findGistRights } from '../gists/gist-permission.ts'
import { publishGist } from '../gists/publish-gist.ts'
import type { Publisher } from '../gists/sync-gist.ts'

const REFUSALS = {
  not_linked: 'Your account is not linked to GitHub: connect it on the page of your account',
  no_rights:
    'Your account is linked to GitHub without the right to write gists: connect it anew on the page of your account',
} as const

/** Whether an account can make gists. */
export async function hasGistRights(c: Context<AppEnv>, user: User): Promise<boolean> {
  const { config, store } = c.var
  // Where nobody signs in, nobody has connected GitHub.
  if (config.authSecret === null) return false
  return (await findGistRights(store.db, config.authSecret, user.id)).kind === 'granted'
}

/** Refuses a gist of an account that can make none. Throws `bad_request` at `settings.create_gist`. */
export async function requireGistRights(c: Context<AppEnv>, user: User | null): Promise<void> {
  const { config, store } = c.var
  const { kind } = user
    ? await findGistRights(store.db, config.authSecret, user.id)
    : { kind: 'not_linked' as const }
  if (kind !== 'granted') throw invalidBody(issueAt(['settings', 'create_gist'], REFUSALS[kind]))
}

/** What publishes the gists of a request. */
export function createPublisher(c: Context<AppEnv>): Publisher {
  const { config, siteUrl, store } = c.var
  return {
    db: store.db,
    contents: store.contents,
    apiUrl: config.github.apiUrl,
    secret: config.authSecret,
    siteUrl,
    clock: Date.now,
  }
}

/**
 * Makes the gist of a document that has just been stored. It goes on if whoever asked hangs up.
 *
 * @returns its address; null when GitHub did not take it, or something failed: the scheduled trigger tries again.
 */
export async function publishNewGist(c: Context<AppEnv>, documentId: string): Promise<string | null> {
  const publishing = publishGist(createPublisher(c), documentId)
  // A fault is logged there.
  c.var.store.defer(() => publishing)
  const published = await publishing.catch(() => null)
  return published?.kind === 'published' ? published.url : null
}
