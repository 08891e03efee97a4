import { createAccount } from './account.ts'
import { newDocument, type Seed } from './targets.ts'
import type { RunningWorker } from './worker.ts'

/** More than the 16 MiB content cache holds at two bytes per character. */
const COLD_DOCUMENTS = 9_000
const CONCURRENCY = 32

async function createDocument(url: string): Promise<{ id: string; etag: string }> {
  const response = await fetch(`${url}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(newDocument),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  return { id: data.id, etag: response.headers.get('ETag') ?? '' }
}

/** Creates documents through the service's own API, and an account with a key. */
export async function seed({ url, database }: RunningWorker): Promise<Seed> {
  const key = await createAccount(database)
  const cold: { id: string }[] = []
  const createMany = async () => {
    while (cold.length < COLD_DOCUMENTS) cold.push(await createDocument(url))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, createMany))
  const { id, etag } = await createDocument(url)
  const contentKey = await database
    .prepare('SELECT content_key FROM documents WHERE id = ?1')
    .bind(id)
    .first<string>('content_key')
  return { hot: { id, contentKey: contentKey ?? '', etag }, cold, key }
}
