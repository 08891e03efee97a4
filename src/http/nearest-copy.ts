import type { AppContext } from '../env.ts'
import type { DatabaseReads } from '../platform/database.ts'
import { type CopyMemory, NearestCopy } from '../platform/nearest-copy.ts'
import { readBookmark } from './bookmark.ts'
import { hasCredential } from './identity/credential.ts'
import { readDocumentToken } from './identity/document-token.ts'

/** What this isolate knows about the copies of a database, for its bindings. */
const memories = new WeakMap<object, CopyMemory>()

function getMemory(env: Env): CopyMemory {
  const memory = memories.get(env) ?? { avoidedUntil: 0 }
  memories.set(env, memory)
  return memory
}

/**
 * Returns the nearest copy of the database; null if the request must read the primary: whoever has a credential may have
 * just changed what they read, or have lost the right to, and an `If-Match` compares with the newest version.
 */
export function findNearestCopy(c: AppContext): NearestCopy | null {
  const { config, now, store } = c.var
  if (config.readFrom === 'primary' || hasCredential(c)) return null
  if (c.req.header('If-Match') !== undefined || readDocumentToken(c) !== undefined) return null
  return new NearestCopy(store.db, { bookmark: readBookmark(c), memory: getMemory(c.env), now })
}

/** Returns the database that lists for everyone are read from: the nearest copy, or the primary if it must be that. */
export const getReads = (c: AppContext): DatabaseReads => findNearestCopy(c) ?? c.var.store.db
