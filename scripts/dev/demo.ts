import { addUser } from '../support/accounts.ts'
import { openStorage, SQL, type Target } from '../support/database.ts'
import { SCHEDULED_JOB_MINUTES } from './scheduled-job.ts'

const DEMO = { username: 'demo', email: 'demo@example.com', confirmed: true }

export interface Demo {
  /** The API key of the demo account. Only known on the first start, which creates the account. */
  readonly key: string | null
  /** A document for the example commands, if there is one. */
  readonly documentId: string | null
}

/** Creates the demo account if it doesn't exist, and finds a document of it. */
export async function prepareDemo(target: Target): Promise<Demo> {
  const storage = openStorage(target)
  const [users, documents] = await storage.execute(
    SQL`SELECT id FROM users WHERE username = ${DEMO.username};
      SELECT d.id FROM documents d JOIN users u ON u.id = d.creator_id
        WHERE u.username = ${DEMO.username} AND d.expires_at > ${Date.now()}
          AND d.encrypted = 0 AND d.instant_delete = 0
        ORDER BY d.created_at LIMIT 1;`,
  )
  const key = users?.length ? null : (await addUser(storage, DEMO)).key
  return { key, documentId: documents?.[0] ? String(documents[0].id) : null }
}

/**
 * Creates a document for the example commands and returns its id.
 *
 * @param ended aborted when the service has ended: after that, another program could get the key.
 */
export async function createDemoDocument(
  base: string,
  key: string | null,
  ended: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({
    content: 'Hello from Regent.\n',
    ...(key !== null && { settings: { expiration: null } }),
  })
  const headers = { 'Content-Type': 'application/json', ...(key !== null && { Authorization: key }) }
  for (let attempt = 1; ; attempt++) {
    ended.throwIfAborted()
    try {
      const response = await fetch(`${base}/v1/document`, { method: 'POST', headers, body, signal: ended })
      const { data } = (await response.json()) as { data: { id: string } }
      return data.id
    } catch (error) {
      // When a file changes, wrangler restarts the service and drops its requests.
      if (attempt === 5) throw error
      await new Promise((wait) => setTimeout(wait, 500))
    }
  }
}

/** Returns the line about the API key of the demo account. */
export const formatKey = (key: string | null): string =>
  key === null
    ? 'API key    was shown on the first start; for a new one: npm run user -- key demo'
    : `API key    ${key}   (account "demo", shown only once)`

/** Returns what `npm run dev` prints once the service runs. */
export function formatWelcome(base: string, key: string | null, documentId: string): string {
  const authorization = key === null ? '' : ` -H 'Authorization: ${key}'`
  const settings = key === null ? '' : ', "settings": {"language": "markdown"}'
  return `
Regent is running at ${base}

${formatKey(key)}
Sign in    ${base}/sign-in with ${DEMO.email} or any other address: emails are printed here
Cleanup    every ${SCHEDULED_JOB_MINUTES} minutes, the scheduled job deletes expired documents

Create a document, read one, read its raw content:

curl -s ${base}/v1/document -H 'Content-Type: application/json'${authorization} -d '{"content": "# Hello"${settings}}'
curl -s ${base}/v1/document/${documentId}
curl -s ${base}/r/${documentId}

Press Ctrl+C to stop. Stored data is kept.
`
}
