import type { AppContext } from '../env.ts'
import type { Publisher } from '../gists/sync-gist.ts'

/** Returns what publishing a gist takes, from the context of a request. */
export function getGistPublisher(c: AppContext): Publisher {
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
