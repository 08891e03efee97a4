import { env } from 'cloudflare:workers'
import type { Document } from '../../../src/documents/document.ts'
import { visibleDocument } from '../../../src/documents/read.ts'
import { Database } from '../../../src/platform/database.ts'

/** Returns the keys of all content in KV. */
export async function listStoredKeys(): Promise<string[]> {
  const { keys } = await env.CONTENTS.list({ prefix: 'content/' })
  return keys.map(({ name }) => name).sort()
}

/** Returns the content keys of all documents and revisions. */
export async function listReferencedKeys(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT content_key FROM documents UNION ALL SELECT content_key FROM revisions',
  ).all<{ content_key: string }>()
  return results.map((row) => row.content_key).sort()
}

/** Returns a document as the database has it; null if there is none. */
export async function findDocument(id: string): Promise<Document | null> {
  const [document] = await new Database(env.DB, 5_000).ask(visibleDocument(id, Date.now()))
  return document
}
