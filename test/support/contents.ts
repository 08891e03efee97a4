import { env } from 'cloudflare:workers'

/** Of all contents that KV holds. */
export async function storedKeys(): Promise<string[]> {
  const { keys } = await env.CONTENTS.list({ prefix: 'content/' })
  return keys.map(({ name }) => name).sort()
}

/** Of all contents that a document names. */
export async function namedKeys(): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT content_key FROM documents').all<{ content_key: string }>()
  return results.map((row) => row.content_key).sort()
}
