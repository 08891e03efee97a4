import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleService, writeModules } from '../../scripts/support/runtime.ts'
import { parseOptions } from '../../scripts/support/script.ts'
import { CommandError } from '../../scripts/support/wrangler.ts'
import { raceBurn, Verdict } from './soak/model.ts'
import { SoakServer } from './soak/server.ts'
import { Client, createRandom } from './soak/traffic.ts'

const HELP = `Keeps a built service busy with mixed traffic, on two Workers with one database, while it kills the service
and lets storage calls fail, lose their answers or come late. Compares every answer with what must be true.

Usage: npm run torture -- soak [options]

  --minutes N          how long (default 10)
  --burns              instead, let 50 readers race for each of 1,000 burn-after-reading documents
  --seed N             repeat the choices of an earlier run
  --help               show this help
`

const CLIENTS = 16
const ACCOUNTS = 400
const FAULT_RATES = [0, 0, 0.005, 0.02]
const SCHEDULED_EVERY_MS = 10_000
const BURNS = 1_000
const READERS = 50
/** How many races take place at once. */
const RACES = 2
const MAX_SHOWN = 20

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Kills the service again and again, and starts it with another rate of faults. */
async function disturb(server: SoakServer, random: () => number, endsAt: number): Promise<number> {
  let kills = 0
  for (;;) {
    const pause = 10_000 + random() * 20_000
    if (Date.now() + pause > endsAt) return kills
    await wait(pause)
    await server.kill()
    kills += 1
    await server.start(FAULT_RATES[Math.floor(random() * FAULT_RATES.length)] ?? 0)
  }
}

async function soak(server: SoakServer, verdict: Verdict, seed: number, minutes: number): Promise<string> {
  const random = createRandom(seed)
  const keys = [...(await server.start(0, ACCOUNTS))]
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    return new Client({ server, verdict, random: createRandom(seed + index + 1), keys })
  })
  const endsAt = Date.now() + minutes * 60_000
  const timer = setInterval(() => server.runScheduled(), SCHEDULED_EVERY_MS)
  const run = async (client: Client) => {
    while (Date.now() < endsAt) await client.act()
  }
  const [kills] = await Promise.all([disturb(server, random, endsAt), ...clients.map(run)])
  clearInterval(timer)
  // Without faults, everything that remains must be right.
  await server.kill()
  await server.start(0)
  await Promise.all(clients.map((client) => client.checkAll()))
  return `${kills} kills`
}

async function burn(server: SoakServer, verdict: Verdict): Promise<string> {
  const [key = ''] = await server.start(0, 1)
  let started = 0
  let delivered = 0
  const work = async () => {
    while (started < BURNS) {
      started += 1
      const race = {
        server,
        verdict,
        key,
        text: `burn-${started}.`,
        readers: READERS,
        encrypted: started % 2 === 0,
      }
      if ((await raceBurn(race)) === 'delivered') delivered += 1
    }
  }
  await Promise.all(Array.from({ length: RACES }, work))
  if (delivered !== BURNS) verdict.violate(`${delivered} of ${BURNS} documents were delivered`)
  return `${BURNS} documents with ${READERS} readers each: ${delivered} deliveries`
}

export async function soakService(): Promise<void> {
  const values = parseOptions(HELP, {
    minutes: { type: 'string', default: '10' },
    burns: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new CommandError('--minutes and --seed need numbers')
  process.stdout.write(`Seed ${seed}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'regent-soak-'))
  await writeModules(folder, await bundleService())
  const server = new SoakServer(folder)
  const verdict = new Verdict()
  const started = performance.now()
  try {
    const summary = await (values.burns ? burn(server, verdict) : soak(server, verdict, seed, minutes))
    const counts = [...verdict.counts].map(([what, count]) => `${what}: ${count}`).join(', ')
    const seconds = Math.round((performance.now() - started) / 1000)
    process.stdout.write(`${summary}, ${verdict.violations.length} violations in ${seconds} s\n${counts}\n`)
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
  if (verdict.violations.length === 0) return
  const shown = verdict.violations.slice(0, MAX_SHOWN).join('\n\n')
  throw new CommandError(`${verdict.violations.length} violations with seed ${seed}. The first:\n\n${shown}`)
}
