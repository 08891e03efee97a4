import { addUser } from '../support/accounts.ts'
import { openStorage, SQL, type Target } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import type { Listening } from './options.ts'
import { requestService } from './ready.ts'
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
 * Creates a document for the example commands and returns its id. Returns null if the service refuses it.
 *
 * @param ended aborted when the service has ended: after that, another program could get the key.
 */
export async function createDemoDocument(
  base: string,
  key: string | null,
  ended: AbortSignal,
): Promise<string | null> {
  const body = JSON.stringify({
    content: 'Hello from Regent.\n',
    ...(key !== null && { settings: { expiration: null } }),
  })
  const headers = { 'Content-Type': 'application/json', ...(key !== null && { Authorization: key }) }
  for (let attempt = 1; ; attempt++) {
    ended.throwIfAborted()
    try {
      const url = `${base}/v1/document`
      const { status, text } = await requestService(url, { method: 'POST', headers, body, signal: ended })
      // The variables may not allow it.
      if (status >= 400 && status < 500) return null
      if (status !== 200) throw new CommandError(`The service can't store a document (${status}): ${text}`)
      const { data } = JSON.parse(text) as { data: { id: string } }
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

/** Says at which addresses other devices reach the service, and what they can't do there. Empty if there are none. */
function formatOtherAddresses({ base, others }: Listening): string {
  if (others.length === 0) return ''
  const isSecure = base.startsWith('https:')
  const risk = isSecure
    ? 'Its certificate is self-signed, so browsers warn first.'
    : "Without HTTPS, others on the network can read everything, and browsers can't encrypt (--local-protocol https)."
  return `Network    ${others.join(' ')}
           Every device that reaches this address can create and read documents. ${risk}
`
}

/** Returns what `npm run dev` prints once the service runs. */
export function formatWelcome(listening: Listening, key: string | null, documentId: string | null): string {
  const { base } = listening
  const authorization = key === null ? '' : ` -H 'Authorization: ${key}'`
  const settings = key === null ? '' : ', "settings": {"language": "markdown"}'
  const curl = base.startsWith('https:') ? 'curl -sk' : 'curl -s'
  const signIn = listening.others.includes(base)
    ? 'not at this address: use --ip 0.0.0.0, and sign in on this machine'
    : `${base}/sign-in${listening.others.length > 0 ? ' (on this machine only)' : ''} with ${DEMO.email} or any other address: emails are printed here`
  return `
Regent is running at ${base}

${formatOtherAddresses(listening)}${formatKey(key)}
Sign in    ${signIn}
Cleanup    every ${SCHEDULED_JOB_MINUTES} minutes, the scheduled job deletes expired documents

Create a document, read one, read its raw content:

${curl} ${base}/v1/document -H 'Content-Type: application/json'${authorization} -d '{"content": "# Hello"${settings}}'
${curl} ${base}/v1/document/${documentId ?? 'ID'}
${curl} ${base}/r/${documentId ?? 'ID'}

Press Ctrl+C to stop. Stored data is kept.
`
}
