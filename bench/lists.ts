import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serializeSigned } from 'hono/utils/cookie'
import { runScript } from '../scripts/wrangler.ts'
import { hashSecret } from '../src/accounts/hashing.ts'
import { addAccount } from './account.ts'
import { median } from './measure.ts'
import { type Operation, takeTurn } from './turns.ts'
import { bundleService, type RunningWorker, type Sql, startWorker } from './worker.ts'

const HELP = `Measures lists of one account with many documents, against the first page of one with few.

Usage: npm run bench:lists -- [options]

  --few N      documents of the small account (100)
  --many N     documents of the large one (100000)
  --rounds N   turns of each request (12)

CPU is that of the whole runtime process, in microseconds a request: the median of the turns. The ratio is the
median of the ratios to the first page of the small account, of turns of the same round.
`

const SECRET = 'the bench signs its one session with this'
const TOKEN = 'session of the bench'
/** What the session's cookie is called on loopback. */
const COOKIE = 'regent.session_token'
const DELETED_AT_ONCE = 100

/** Fills an account: titles, times, sizes and views all differ, and are in no order with each other. */
async function fill(database: Sql, account: string, count: number): Promise<void> {
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

async function signIn(database: Sql, account: string): Promise<Record<string, string>> {
  await database
    .prepare(
      `INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, 'bench', ?2, 0, ?3)`,
    )
    .bind(await hashSecret(TOKEN), account, Date.now() + 86_400_000)
    .run()
  const [cookie = ''] = (await serializeSigned(COOKIE, TOKEN, SECRET)).split(';')
  return { Cookie: cookie }
}

interface Measured {
  readonly name: string
  readonly operation: Operation
  /** Requests of a turn: a process counts its CPU in hundredths of a second. */
  readonly operations: number
}

async function measuredOf(
  { url, database }: RunningWorker,
  keys: { readonly few: string; readonly many: string },
  many: number,
): Promise<Measured[]> {
  const list = (key: string, query = '') =>
    fetch(`${url}/v1/users/@me/documents${query}`, { headers: { Authorization: key } })
  const of = (name: string, query: string, operations: number): Measured => ({
    name,
    operation: () => list(keys.many, query),
    operations,
  })

  let cursor = ''
  for (let seen = 0; seen < many / 2; seen += 100) {
    const response = await list(keys.many, `?limit=100${cursor && `&cursor=${cursor}`}`)
    const { data } = (await response.json()) as { data: { cursor: string } }
    cursor = data.cursor
  }

  const headers = { ...(await signIn(database, 'many')), Origin: url }
  const { results } = await database.prepare("SELECT id FROM documents WHERE creator_id = 'many'").all()
  const deletable = (results as { id: string }[]).map(({ id }) => ['id', id])
  const deleteSome = () =>
    fetch(`${url}/account/documents/delete`, {
      method: 'POST',
      headers,
      redirect: 'manual',
      body: new URLSearchParams(deletable.splice(0, DELETED_AT_ONCE)),
    })

  return [
    { name: 'first page, few', operation: () => list(keys.few), operations: 400 },
    of('first page', '', 400),
    of('page in the middle', `?cursor=${cursor}`, 400),
    of('oldest', '?sort=oldest', 400),
    of('expiring', '?sort=expiring', 32),
    of('largest', '?sort=largest', 32),
    of('title', '?sort=title', 32),
    of('viewed', '?sort=viewed', 16),
    of('search, many hits', '?search=NOTES', 400),
    of('search, one hit', `?search=number+${Math.floor(many / 2)}+of`, 32),
    of('search, no hit', '?search=nothing+like+it', 32),
    { name: `delete of ${DELETED_AT_ONCE}`, operation: deleteSome, operations: 5 },
  ]
}

async function measureAll(worker: RunningWorker, all: readonly Measured[], rounds: number): Promise<void> {
  const turns: number[][] = all.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { operation, operations }] of all.entries()) {
      const microseconds = await takeTurn(worker, operation, { round, operations })
      // The first round warms up.
      if (round > 0) turns[index]?.push(microseconds)
    }
  }
  for (const [index, { name }] of all.entries()) {
    const own = turns[index] ?? []
    const ratio = median(own.map((microseconds, round) => microseconds / (turns[0]?.[round] ?? Number.NaN)))
    process.stdout.write(
      `| ${name} | ${median(own).toFixed(0)} | ${Math.min(...own).toFixed(0)}–${Math.max(...own).toFixed(0)} | ${ratio.toFixed(2)} |\n`,
    )
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      few: { type: 'string', default: '100' },
      many: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '12' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'regent-lists-'))
  const worker = await startWorker(await bundleService(), folder, { AUTH_SECRET: SECRET })
  try {
    const { database } = worker
    const keys = { few: await addAccount(database, 'few'), many: await addAccount(database, 'many') }
    await fill(database, 'few', Number(values.few))
    await fill(database, 'many', Number(values.many))
    process.stdout.write('| request | CPU µs | from–to | ratio |\n| --- | --- | --- | --- |\n')
    await measureAll(worker, await measuredOf(worker, keys, Number(values.many)), Number(values.rounds))
  } finally {
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await runScript(main)
