import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, runScript } from '../scripts/wrangler.ts'
import { type Measurement, measure, median } from './measure.ts'
import { seed } from './seed.ts'
import { TARGETS, type Target } from './targets.ts'
import { bundleFloor, bundleService, type RunningWorker, startWorker } from './worker.ts'

const HELP = `Measures the service against floors: Workers that do nothing but the storage calls.

Usage: npm run bench -- [options]

  --rounds N      how often each target takes its turn (15)
  --seconds N     how long each turn is (1)
  --only TEXT     only targets whose name has TEXT in it, and their floors
  --json          print one JSON object and nothing else

CPU is that of the whole runtime process, for each request. A ratio is the median of the ratios of the
rounds, each to the floor's turn of the same round: many short turns, since what else the machine does
comes and goes within seconds. Takes about five minutes.
`

const CONNECTIONS = 32

interface Result {
  readonly target: Target
  readonly rounds: readonly Measurement[]
  /** One connection: what a request takes when nothing else is going on. */
  readonly alone: Measurement
}

function chosenTargets(only: string | undefined): Target[] {
  if (only === undefined) return [...TARGETS]
  const chosen = TARGETS.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new CommandError(`No target has "${only}" in its name.`)
  const floors = new Set(chosen.map(({ floor }) => floor))
  return TARGETS.filter((target) => chosen.includes(target) || floors.has(target.name))
}

/** One process for each Worker, each on a copy of the same storage. */
async function startAll(targets: readonly Target[], folder: string) {
  const service = await bundleService()
  const seeding = await startWorker(service, join(folder, 'seed'))
  const seeded = await seed(seeding)
  await seeding.stop()
  const workers = new Map<string, RunningWorker>()
  for (const name of new Set(targets.map(({ worker }) => worker))) {
    await cp(join(folder, 'seed'), join(folder, name), { recursive: true })
    const script = name === 'service' ? service : await bundleFloor(name)
    workers.set(name, await startWorker(script, join(folder, name)))
  }
  return { workers, seeded }
}

async function runAll(targets: readonly Target[], rounds: number, seconds: number): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-bench-'))
  const { workers, seeded } = await startAll(targets, folder)
  // Made once: what rotates goes on where its last turn ended, or it would be no longer cold.
  const requests = new Map(targets.map((target) => [target, target.request(seeded)]))
  const take = (target: Target, connections: number) => {
    const worker = workers.get(target.worker)
    const request = requests.get(target)
    if (!worker || !request) throw new Error(`not prepared: ${target.name}`)
    return measure(worker, { request, status: target.status, connections, seconds })
  }
  try {
    // The first turn warms the runtime up, and is not counted.
    for (const target of targets) await take(target, CONNECTIONS)
    const measured = new Map<Target, Measurement[]>(targets.map((target) => [target, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [target, results] of measured) results.push(await take(target, CONNECTIONS))
    }
    const results: Result[] = []
    for (const [target, turns] of measured)
      results.push({ target, rounds: turns, alone: await take(target, 1) })
    return results
  } finally {
    for (const worker of workers.values()) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Line {
  readonly target: string
  readonly floor: string | null
  readonly cpuMicroseconds: number
  readonly ratio: number | null
  readonly ratioSpread: readonly [least: number, most: number] | null
  readonly beyondFloorMs: number | null
  readonly goal: string
  readonly met: boolean | null
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly alone: Measurement
}

function toLine({ target, rounds, alone }: Result, results: readonly Result[]): Line {
  const floor = results.find((result) => result.target.name === target.floor)
  const cpu = (result: { rounds: readonly Measurement[] }) =>
    result.rounds.map((round) => round.cpuMicrosecondsPerRequest)
  const own = cpu({ rounds })
  const floors = floor && cpu(floor)
  const ratios = floors?.map((microseconds, round) => (own[round] ?? Number.NaN) / microseconds)
  const beyond = floors?.map((microseconds, round) => ((own[round] ?? Number.NaN) - microseconds) / 1000)
  const { goal, goalBeyondMs } = target
  const ratio = ratios ? median(ratios) : null
  const beyondFloorMs = beyond ? median(beyond) : null
  return {
    target: target.name,
    floor: target.floor ?? null,
    cpuMicroseconds: median(own),
    ratio,
    ratioSpread: ratios ? [Math.min(...ratios), Math.max(...ratios)] : null,
    beyondFloorMs,
    goal: goal ? `≤ ${goal.toFixed(2)} ×` : goalBeyondMs ? `≤ floor + ${goalBeyondMs} ms` : '',
    met:
      goal && ratio !== null
        ? ratio <= goal
        : goalBeyondMs && beyondFloorMs !== null
          ? beyondFloorMs <= goalBeyondMs
          : null,
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    alone,
  }
}

function toTable(lines: readonly Line[]): string {
  const head = [
    'target',
    'floor',
    'CPU µs',
    'ratio',
    'spread',
    'goal',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs alone',
  ]
  const rows = lines.map((line) => [
    line.target,
    line.floor ?? '',
    line.cpuMicroseconds.toFixed(0),
    line.ratio?.toFixed(2) ?? '',
    line.ratioSpread?.map((ratio) => ratio.toFixed(2)).join('–') ?? '',
    line.met === null ? line.goal : `${line.goal} ${line.met ? 'met' : 'NOT met'}`,
    line.requestsPerSecond.toFixed(0),
    String(line.p50Ms),
    String(line.p99Ms),
    line.alone.cpuMicrosecondsPerRequest.toFixed(0),
  ])
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '1' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (!(rounds >= 1 && seconds >= 1)) throw new CommandError('--rounds and --seconds are at least 1.')
  const results = await runAll(chosenTargets(values.only), rounds, seconds)
  const lines = results.map((result) => toLine(result, results))
  process.stdout.write(`${values.json ? JSON.stringify({ rounds, seconds, lines }) : toTable(lines)}\n`)
}

await runScript(main)
