import { env } from 'cloudflare:workers'
import type { Document } from '../../../src/documents/document.ts'
import { visibleDocument } from '../../../src/documents/read.ts'
import { Database } from '../../../src/platform/database.ts'

/** Returns a document as the database has it; null if there is none. */
export async function findDocument(id: string): Promise<Document | null> {
  const [document] = await new Database(env.DB, 5_000).ask(visibleDocument(id, Date.now()))
  return document
}
