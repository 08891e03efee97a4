import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { type Publisher, publishGist } from '../gists/publishing.ts'

/** What publishes the gists of a request. */
export function publisherOf(c: Context<AppEnv>): Publisher {
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
  const publishing = publishGist(publisherOf(c), documentId)
  // A fault is logged there.
  c.var.store.defer(() => publishing)
  const published = await publishing.catch(() => null)
  return published?.kind === 'published' ? published.url : null
}
