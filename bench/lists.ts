import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serializeSigned } from 'hono/utils/cookie'
import {
  type BenchDatabase,
  bundleService,
  createAccount,
  type RunningWorker,
  startWorker,
} from '../scripts/support/runtime.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { hashSecret } from '../src/shared/hashing.ts'
import {
  formatSpread,
  formatTable,
  getRatios,
  measureInRounds,
  measureLoad,
  type SendRequest,
} from './load.ts'

const HELP = `Compares the lists of an account with many documents to the first page of an account with few.

Usage: npm run bench -- lists [options]

  --few N      documents of the small account (default 100)
  --many N     documents of the large account (default 100000)
  --rounds N   how often each request is measured (default 12)

Each figure is the CPU time per request of the whole runtime process, in microseconds: the median of the rounds, and in
brackets the middle half of them. The ratio compares it with the first page of the small account. Takes about three minutes.
`

const AUTH_SECRET = 'signs the only session of this benchmark'
const SESSION_TOKEN = 'session token of this benchmark'
/** The name of the session cookie on loopback. */
const SESSION_COOKIE = 'regent.session_token'
const DOCUMENTS_PER_DELETE = 100
/** Deletions in a round. A list that is too short for them is measured without. */
const DELETES = 5

/** Gives an account documents whose titles, times, sizes and views differ and aren't correlated. */
async function insertDocuments(database: BenchDatabase, account: string, count: number): Promise<void> {
  await database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
        INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at, views, title, title_key)
        SELECT substr(hex(randomblob(4)) || i, 1, 16), ?1, 'content/' || hex(randomblob(12)),
          1 + i * 7919 % 99991, 1, 'plaintext', 0, 0, 0, 0, hex(randomblob(6)), ?3 + i, ?3,
          ?3 + 86400000 + i * 104729 % 999983, i * 31 % 1009,
          printf('%x Notes about number %d of many', i * 65537 % 1048573, i),
          printf('%x notes about number %d of many', i * 65537 % 1048573, i)
        FROM n`,
    )
    .bind(account, count, Date.now())
    .run()
}

async function signIn(database: BenchDatabase, account: string): Promise<Record<string, string>> {
  await database
    .prepare(
      `INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, 'bench', ?2, 0, ?3)`,
    )
    .bind(await hashSecret(SESSION_TOKEN), account, Date.now() + 86_400_000)
    .run()
  const [cookie = ''] = (await serializeSigned(SESSION_COOKIE, SESSION_TOKEN, AUTH_SECRET)).split(';')
  return { Cookie: cookie }
}

interface ListRequest {
  readonly name: string
  readonly send: SendRequest
  /** Requests per round: enough to measure, because Linux counts CPU time in hundredths of a second. */
  readonly requests: number
}

/** Returns the cursor in the middle of a list; empty if the list has one page. */
async function findMiddle(list: (query: string) => Promise<Response>, length: number): Promise<string> {
  let cursor = ''
  for (let seen = 100; seen < length / 2; seen += 100) {
    const response = await list(`?limit=100${cursor && `&cursor=${cursor}`}`)
    const { data } = (await response.json()) as { data: { cursor: string } }
    cursor = data.cursor
  }
  return cursor
}

async function createRequests(
  { url, database }: RunningWorker,
  keys: { readonly few: string; readonly many: string },
  { many, rounds }: { many: number; rounds: number },
): Promise<ListRequest[]> {
  const list = (key: string, query = '') =>
    fetch(`${url}/v1/users/@me/documents${query}`, { headers: { Authorization: key } })
  const listMany = (name: string, query: string, requests: number): ListRequest => ({
    name,
    send: () => list(keys.many, query),
    requests,
  })

  const cursor = await findMiddle((query) => list(keys.many, query), many)

  const headers = { ...(await signIn(database, 'many')), Origin: url }
  const { results } = await database.prepare("SELECT id FROM documents WHERE creator_id = 'many'").all()
  const deletable = (results as { id: string }[]).map(({ id }) => ['id', id])
  const deleteSome = () =>
    fetch(`${url}/account/documents/delete`, {
      method: 'POST',
      headers,
      redirect: 'manual',
      body: new URLSearchParams(deletable.splice(0, DOCUMENTS_PER_DELETE)),
    })

  return [
    { name: 'first page, few', send: () => list(keys.few), requests: 400 },
    listMany('first page', '', 400),
    listMany('page in the middle', cursor && `?cursor=${cursor}`, 400),
    listMany('oldest', '?sort=oldest', 400),
    listMany('expiring', '?sort=expiring', 32),
    listMany('largest', '?sort=largest', 32),
    listMany('title', '?sort=title', 32),
    listMany('viewed', '?sort=viewed', 16),
    listMany('search, many matches', '?search=NOTES', 400),
    listMany('search, one match', `?search=number+${Math.floor(many / 2)}+of`, 32),
    listMany('search, no match', '?search=nothing+like+it', 32),
    ...(deletable.length >= (rounds + 1) * DELETES * DOCUMENTS_PER_DELETE
      ? [{ name: `delete ${DOCUMENTS_PER_DELETE}`, send: deleteSome, requests: DELETES }]
      : []),
  ]
}

async function measureRequests(
  worker: RunningWorker,
  listRequests: readonly ListRequest[],
  rounds: number,
): Promise<void> {
  const measured = await measureInRounds(
    listRequests,
    rounds,
    async ({ send, requests }, round) =>
      (await measureLoad(worker, send, { requests, from: round * requests })).cpuMicroseconds,
  )
  const rows = listRequests.map(({ name }, index) => {
    const microseconds = measured[index] ?? []
    return [name, formatSpread(microseconds), formatSpread(getRatios(microseconds, measured[0] ?? []), 2)]
  })
  process.stdout.write(formatTable(['request', 'CPU µs', 'ratio'], rows))
}

export async function measureLists(): Promise<void> {
  const values = parseOptions(HELP, {
    few: { type: 'string', default: '100' },
    many: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '12' },
  })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-lists-'))
  await using worker = await startWorker(await bundleService(), folder.path, { AUTH_SECRET })
  const { database } = worker
  const keys = { few: await createAccount(database, 'few'), many: await createAccount(database, 'many') }
  await insertDocuments(database, 'few', Number(values.few))
  await insertDocuments(database, 'many', Number(values.many))
  const [many, rounds] = [Number(values.many), Number(values.rounds)]
  await measureRequests(worker, await createRequests(worker, keys, { many, rounds }), rounds)
}
