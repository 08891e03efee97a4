import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseOptions, ROOT } from '../scripts/support/script.ts'
import { ensureBuilt } from '../server/build.ts'
import { formatSpread, formatTable, getRatios, measureInRounds } from './load.ts'

const HELP = `Measures the server of one machine (npm start).

Usage: npm run bench -- server [options]

  --rounds N     how often each figure is measured (default 5)
  --requests N   how many requests a round has (default 2000)

Compares creates and reads, at 16 connections, with a server that only makes the same calls of SQLite, one
after the other, and reads with one that makes none. Then stores 10,000 documents and 30 of 10 MiB, and prints the memory. Takes about two minutes.
`

const CONNECTIONS = 16
const MIB = 1024 * 1024

/** The server gives memory back a second after the last large text. */
const SETTLED_MS = 3_000

/** Limits would end the measurement. */
const ENVIRONMENT = {
  RATE_LIMITS: 'off',
  LOG_REQUESTS: 'none',
  REGENT_SETTINGS: '',
  ...Object.fromEntries(
    ['DOCUMENTS', 'BYTES', 'WRITES_PER_DAY'].flatMap((what) =>
      ['ACCOUNT', 'SERVER'].map((whose) => [`${whose}_MAX_${what}`, '0']),
    ),
  ),
}

interface Measured {
  readonly name: string
  readonly url: string
  readonly child: ChildProcess
  readonly readyMs: number
  readonly agent: Agent
}

async function start(name: string, args: readonly string[]): Promise<Measured> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const found = /"server started","url":"([^"]+)"/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  return { name, url, child, readyMs: performance.now() - startedAt, agent }
}

interface Sent {
  readonly path: string
  readonly body?: string
}

/** Sends one request. Undici would need more time than some of the servers. */
function send({ url, agent }: Measured, { path, body }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' } }),
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        const text = String(Buffer.concat(chunks))
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${response.statusCode}: ${text}`))
      })
    })
    sent.end(body)
  })
}

const create = (content: string): Sent => ({ path: '/v1/document', body: JSON.stringify({ content }) })

const toId = (text: string): string => (JSON.parse(text) as { data: { id: string } }).data.id

/** Returns microseconds for each request. */
async function measureRequests(
  server: Measured,
  requests: number,
  next: (n: number) => Sent,
): Promise<number> {
  let count = 0
  const startedAt = performance.now()
  const sendInTurn = async () => {
    for (let n = count++; n < requests; n = count++) await send(server, next(n))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn))
  return ((performance.now() - startedAt) * 1_000) / requests
}

async function readMemory({ child }: Measured): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MIB
}

export async function measureServer(): Promise<void> {
  const options = parseOptions(HELP, {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '2000' },
  })
  const [rounds, requests] = [Number(options.rounds), Number(options.requests)]
  await ensureBuilt((text) => process.stderr.write(text))
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'regent-bench-'))))
  const [ours = '', floors = ''] = folders
  // With the flags of `npm start`, which keep its memory small.
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const command = scripts.start.split(' ').slice(1)
  const server = await start('npm start', [...command, '--port', '0', '--data', ours])
  const floor = await start('only SQLite', ['bench/server-floor.ts', floors])
  try {
    const idle = await readMemory(server)
    const text = 'A line of a document that somebody shares.\n'.repeat(20)
    const creating = await measureInRounds([server, floor], rounds, (item, round) =>
      measureRequests(item, requests, (n) => create(`${round} ${n} ${text}`)),
    )
    const ids = new Map<Measured, string[]>()
    for (const item of [server, floor]) {
      const made: string[] = []
      for (let n = 0; n < 200; n += 1) made.push(toId(await send(item, create(`read ${n} ${text}`))))
      ids.set(item, made)
    }
    const read = (item: Measured) => (n: number) => ({ path: `/r/${ids.get(item)?.[n % 200]}` })
    const reading = await measureInRounds([server, floor], rounds, (item) =>
      measureRequests(item, requests, read(item)),
    )
    const empty = await measureInRounds([floor], rounds, (item) =>
      measureRequests(item, requests, () => ({ path: '/empty' })),
    )
    const [creates = [], floorCreates = []] = creating
    const [reads = [], floorReads = []] = reading
    const row = (name: string, own: readonly number[], base: readonly number[]) => [
      name,
      formatSpread(own),
      formatSpread(base),
      formatSpread(getRatios(own, base), 2),
    ]
    process.stdout.write(
      `Microseconds for each request, at ${CONNECTIONS} connections: the median, and the middle half of ${rounds} rounds.\n\n${formatTable(
        ['', 'npm start', 'only SQLite', 'ratio'],
        [row('create', creates, floorCreates), row('read', reads, floorReads)],
      )}\nAn empty @hono/node-server: ${formatSpread(empty[0] ?? [])}\n\n`,
    )
    for (let n = creates.length * requests; n < 10_000; n += requests)
      await measureRequests(server, requests, (index) => create(`more ${n + index} ${text}`))
    const large = text.repeat(Math.ceil((10 * MIB - 1_000) / text.length)).slice(0, 10 * MIB - 1_000)
    for (let n = 0; n < 30; n += 1) {
      const id = toId(await send(server, create(`${n} ${large}`)))
      await send(server, { path: `/r/${id}` })
    }
    await setTimeout(SETTLED_MS)
    const after = await readMemory(server)
    process.stdout.write(
      `Ready after ${Math.round(server.readyMs)} ms. Memory: ${Math.round(idle)} MiB at the start, ${Math.round(after)} MiB ${SETTLED_MS / 1_000} s after 10,000 documents and 30 of 10 MiB.\n`,
    )
  } finally {
    for (const { child, agent } of [server, floor]) {
      agent.destroy()
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    }
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}
