import { publishGist } from './publish-gist.ts'
import type { Publisher } from './sync-gist.ts'

/**
 * Publishes the gist of a document that has just been stored.
 *
 * @param defer keeps the work going if the client hangs up, and logs a fault.
 * @returns the gist's URL; null if GitHub didn't take it or something failed. The scheduled trigger tries again.
 */
export async function publishNewGist(
  publisher: Publisher,
  documentId: string,
  defer: (work: () => Promise<unknown>) => void,
): Promise<string | null> {
  const publishing = publishGist(publisher, documentId)
  defer(() => publishing)
  const published = await publishing.catch(() => null)
  return published?.kind === 'published' ? published.url : null
}
