import type { ChildProcess } from 'node:child_process'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setInterval as everyInterval } from 'node:timers/promises'
import { addUser } from '../support/accounts.ts'
import type { Target } from '../support/bindings.ts'
import { openStorage, SQL } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { isNetworkAddress, type Listening } from './options.ts'

/** A slow machine, or one that is busy with something else, takes minutes to build and start the service. */
const START_TIMEOUT_MS = 10 * 60_000

/** How long a start may take until it says what it waits for. */
const PATIENCE_MS = 30_000

const startFailed = (reason: string) =>
  new CommandError(`The service didn't start: ${reason}. See the output above.`)

/** Prints what a start waits for, again and again while it takes long. Returns a function that ends that. */
function explainWaiting(waitsFor: string): () => void {
  const startedAt = Date.now()
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    process.stderr.write(`Still waiting for ${waitsFor} (${seconds} s) …\n`)
  }, PATIENCE_MS)
  return () => clearInterval(timer)
}

/** Returns the port in wrangler's message that it is listening; null for every other message. */
function readPort(message: unknown): number | null {
  try {
    const { event, port } = JSON.parse(String(message))
    return event === 'DEV_SERVER_READY' ? port : null
  } catch {
    return null
  }
}

/**
 * Waits until the process says over its IPC channel that it listens there. An answer on the port would prove
 * nothing: another program may have taken it since we looked. In that case, the process exits without the message.
 *
 * @throws CommandError if the process exits, listens on another port or takes too long.
 */
export async function waitUntilListening(
  child: ChildProcess,
  { ip, port }: Pick<Listening, 'ip' | 'port'>,
  timeoutMs = START_TIMEOUT_MS,
): Promise<void> {
  const done = new AbortController()
  const waitsFor = `wrangler to build the service and to listen on port ${port}`
  const stopExplaining = explainWaiting(waitsFor)
  try {
    await new Promise<void>((resolve, reject) => {
      const seconds = timeoutMs / 1000
      const timer = setTimeout(
        () => reject(startFailed(`waited ${seconds} seconds for ${waitsFor}`)),
        timeoutMs,
      )
      const end = () => reject(startFailed('wrangler ended before it listened'))
      const listen = (message: unknown) => {
        const announced = readPort(message)
        // On an address of a network, it also listens on a loopback address, and announces the port of that.
        if (announced === port || (announced !== null && isNetworkAddress(ip))) resolve()
        else if (announced !== null)
          reject(startFailed(`wrangler listens on port ${announced} instead of ${port}`))
      }
      child.once('error', end).once('exit', end).on('message', listen)
      done.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        child.off('error', end).off('exit', end).off('message', listen)
      })
    })
  } finally {
    stopExplaining()
    done.abort()
  }
}

interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

interface ServiceRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/**
 * Sends a request to the service that this process has started. `fetch` can't accept the certificate that wrangler signs
 * itself, nor set the Host.
 */
export async function requestService(
  url: string,
  { method = 'GET', headers = {}, body = '', signal }: ServiceRequest,
): Promise<ServiceAnswer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, rejectUnauthorized: false }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString('utf8') }),
        reject,
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Waits until the service answers requests. Throws a CommandError if it exits or takes too long. */
export async function waitUntilReady(base: string, ended: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  const stopExplaining = explainWaiting(`the service to answer at ${base}/v1`)
  try {
    while (!ended.aborted && Date.now() < deadline) {
      const answer = await requestService(`${base}/v1`, { signal: AbortSignal.timeout(10_000) }).catch(
        () => null,
      )
      if (answer?.status === 200) return
      await new Promise((wait) => setTimeout(wait, 100))
    }
  } finally {
    stopExplaining()
  }
  throw startFailed(
    ended.aborted ? 'wrangler ended' : `${base}/v1 didn't answer within ${START_TIMEOUT_MS / 60_000} minutes`,
  )
}

/** How often the scheduled jobs run in production: see [triggers] in wrangler.toml. */
export const SCHEDULED_JOB_MINUTES = 5

const JOBS_CRON = '*/5 * * * *'
export const HEARTBEAT_CRON = '* * * * *'

const TIMEOUT_MS = 60_000

/** Runs the scheduled jobs of a local service once, as Cloudflare's cron trigger does. Throws an Error if they fail. */
export async function triggerScheduledJob(base: string, cron = JOBS_CRON): Promise<void> {
  const query = new URLSearchParams({ cron })
  const { status, text } = await requestService(`${base}/cdn-cgi/handler/scheduled?${query}`, {
    // Wrangler refuses this path to pages from elsewhere, and takes every address but these for one.
    headers: { Host: 'localhost' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (status !== 200) throw new Error(`${status} ${text}`)
}

interface Schedule {
  readonly everyMs: number
  /** Ends the schedule. */
  readonly signal: AbortSignal
  /** Called when a run fails. The next run happens anyway. */
  readonly onError: (error: unknown) => void
}

/** Calls `run` again and again, never twice at the same time, until the signal aborts. */
export async function repeat(
  run: () => Promise<void>,
  { everyMs, signal, onError }: Schedule,
): Promise<void> {
  try {
    for await (const _ of everyInterval(everyMs, undefined, { signal, ref: false })) {
      await run().catch(onError)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const DEMO = { username: 'demo', email: 'demo@example.com', confirmed: true }

interface Demo {
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
    ? 'API key    was shown on the first start; for a new one: npm run admin -- user key demo'
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
