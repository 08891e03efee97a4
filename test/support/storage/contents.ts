import { env } from 'cloudflare:workers'
import { ContentStore } from '../../../src/documents/content-store.ts'
import type { Document } from '../../../src/documents/document.ts'
import type { DocumentStore } from '../../../src/documents/document-store.ts'
import type { Quotas } from '../../../src/documents/quotas.ts'
import { visibleDocument } from '../../../src/documents/read.ts'
import { Turns } from '../../../src/documents/turns.ts'
import { ViewCounter } from '../../../src/documents/views.ts'
import { getRecentDocuments } from '../../../src/http/find-document.ts'
import { Database } from '../../../src/platform/database.ts'

/** Nothing is too much. */
export const NO_QUOTAS: Quotas = {
  account: { documents: null, bytes: null, writesPerDay: null },
  server: { documents: null, bytes: null, writesPerDay: null },
}

/** Opens the storage for functions of the core, with a function that does the work that they deferred. */
export function openStore(
  bindings: Env = env,
  quotas = NO_QUOTAS,
): DocumentStore & { readonly settle: () => Promise<unknown> } {
  const deferred: (() => Promise<unknown>)[] = []
  return {
    db: new Database(bindings.DB, 5_000),
    contents: new ContentStore(bindings.CONTENTS, 5_000),
    views: new ViewCounter(),
    defer: (work) => deferred.push(work),
    forget: (id) => getRecentDocuments(bindings).forget(id),
    scheduleGistSync: () => {},
    turns: new Turns(),
    getClientAddress: () => null,
    quotas,
    settle: () => Promise.all(deferred.map((work) => work())),
  }
}

/** Returns the key of a document's content. */
export async function findContentKey(id: string): Promise<string> {
  const statement = env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id)
  return (await statement.first<string>('content_key')) ?? ''
}

/** Loses a document's content, as KV may. */
export const loseContent = async (id: string): Promise<void> => env.CONTENTS.delete(await findContentKey(id))

/** Returns the keys of all content in KV. */
export async function listStoredKeys(): Promise<string[]> {
  const { keys } = await env.CONTENTS.list({ prefix: 'content/' })
  return keys.map(({ name }) => name).sort()
}

/** Returns the content keys of all documents, revisions and removed documents. */
export async function listReferencedKeys(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT content_key FROM documents UNION ALL SELECT content_key FROM revisions
      UNION ALL SELECT content_key FROM removed_documents`,
  ).all<{ content_key: string }>()
  return results.map((row) => row.content_key).sort()
}

/** Returns a document as the database has it; null if there is none. */
export async function findDocument(id: string): Promise<Document | null> {
  const [document] = await new Database(env.DB, 5_000).ask(visibleDocument(id, Date.now()))
  return document
}
