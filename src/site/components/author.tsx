import type { Child } from 'hono/jsx'
import { type Document, isListed } from '../../documents/model/document.ts'
import { useFrame } from '../layout/page-frame.ts'
import { getProfilePath } from '../layout/paths.ts'

/**
 * Returns the username of a document's creator. It links to the profile only from a listed document: then the profile
 * exists, because it shows at least this one.
 */
export function getAuthor(document: Document): Child {
  const { creator } = document
  if (creator === null) return 'Deleted account'
  if (!useFrame().explore || !creator.hasProfile || !isListed(document)) return creator.username
  return <a href={getProfilePath(creator.username)}>{creator.username}</a>
}
