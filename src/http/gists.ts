import type { AppContext } from '../env.ts'
import type { Publisher } from '../gists/publish-gist.lazy.ts'

function getGistPublisher(c: AppContext): Publisher {
  const { config, siteUrl, store } = c.var
  return {
    db: store.db,
    contents: store.contents,
    apiUrl: config.github.apiUrl,
    secret: config.authSecret,
    siteUrl,
    clock: Date.now,
    forget: store.forget,
  }
}

/** Few documents have a gist. */
export async function syncGist(c: AppContext, documentId: string) {
  const { publishGist } = await import('../gists/publish-gist.lazy.ts')
  return publishGist(getGistPublisher(c), documentId)
}

/** Returns null if GitHub didn't take it or something failed: the scheduled trigger tries again. */
export async function publishNewGist(c: AppContext, documentId: string): Promise<string | null> {
  const publishing = syncGist(c, documentId)
  c.var.store.defer(() => publishing)
  const published = await publishing.catch(() => null)
  return published?.kind === 'published' ? published.url : null
}
