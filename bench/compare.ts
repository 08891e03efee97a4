import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, runScript } from '../scripts/support/wrangler.ts'
import { bundleBaseline, bundleService } from './bundle.ts'
import { type Measurement, runLoadTest } from './load-test.ts'
import { seed } from './seed.ts'
import { median } from './statistics.ts'
import { TARGETS, type Target } from './targets.ts'
import { type RunningWorker, startWorker } from './worker.ts'

const HELP = `Compares the service to baselines: Workers that only make the storage calls.

Usage: npm run bench -- [options]

  --rounds N      how often each target is measured (default 15)
  --seconds N     how long each measurement takes (default 1)
  --only TEXT     only targets whose name contains TEXT, and their baselines
  --json          print one JSON object

Each figure is the CPU time per request of the whole runtime process. Each round compares a target to its
baseline; the report shows the median ratio. Many short rounds even out other load on the machine.
Takes about five minutes.
`

const CONNECTIONS = 32

interface Result {
  readonly target: Target
  readonly rounds: readonly Measurement[]
  /** Measured with one connection: what a request takes on its own. */
  readonly singleConnection: Measurement
}

function selectTargets(only: string | undefined): Target[] {
  if (only === undefined) return [...TARGETS]
  const chosen = TARGETS.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new CommandError(`No target's name contains "${only}".`)
  const baselines = new Set(chosen.map(({ baseline }) => baseline))
  return TARGETS.filter((target) => chosen.includes(target) || baselines.has(target.name))
}

/** Starts one process for each Worker, each on a copy of the same storage. */
async function startWorkers(targets: readonly Target[], folder: string) {
  const service = await bundleService()
  const seeding = await startWorker(service, join(folder, 'seed'))
  const seeded = await seed(seeding)
  await seeding.stop()
  const workers = new Map<string, RunningWorker>()
  for (const name of new Set(targets.map(({ worker }) => worker))) {
    await cp(join(folder, 'seed'), join(folder, name), { recursive: true })
    const script = name === 'service' ? service : await bundleBaseline(name)
    workers.set(name, await startWorker(script, join(folder, name)))
  }
  return { workers, seeded }
}

async function measureTargets(
  targets: readonly Target[],
  rounds: number,
  seconds: number,
): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-bench-'))
  const { workers, seeded } = await startWorkers(targets, folder)
  // Created once: a rotating request continues where its last round ended, so that reads stay cold.
  const requests = new Map(targets.map((target) => [target, target.request(seeded)]))
  const measure = (target: Target, connections: number) => {
    const worker = workers.get(target.worker)
    const request = requests.get(target)
    if (!worker || !request) throw new Error(`${target.name} isn't prepared`)
    return runLoadTest(worker, { request, expectedStatus: target.expectedStatus, connections, seconds })
  }
  try {
    // The first round warms up the runtime and isn't counted.
    for (const target of targets) await measure(target, CONNECTIONS)
    const measured = new Map<Target, Measurement[]>(targets.map((target) => [target, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [target, results] of measured) results.push(await measure(target, CONNECTIONS))
    }
    const results: Result[] = []
    for (const [target, ownRounds] of measured) {
      results.push({ target, rounds: ownRounds, singleConnection: await measure(target, 1) })
    }
    return results
  } finally {
    for (const worker of workers.values()) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface ReportRow {
  readonly target: string
  readonly baseline: string | null
  readonly cpuMicroseconds: number
  readonly ratio: number | null
  readonly ratioSpread: readonly [min: number, max: number] | null
  readonly extraMs: number | null
  readonly goal: string
  readonly met: boolean | null
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly singleConnection: Measurement
}

const getCpu = ({ rounds }: Pick<Result, 'rounds'>): number[] =>
  rounds.map((round) => round.cpuMicrosecondsPerRequest)

/** Compares a target to its baseline, round by round. Returns null without a baseline. */
function compare(result: Result, results: readonly Result[]) {
  const baseline = results.find(({ target }) => target.name === result.target.baseline)
  if (!baseline) return null
  const baselineCpu = getCpu(baseline)
  const pairs = getCpu(result).map((cpu, round) => ({ cpu, baselineCpu: baselineCpu[round] ?? Number.NaN }))
  const ratios = pairs.map((pair) => pair.cpu / pair.baselineCpu)
  return {
    ratio: median(ratios),
    ratioSpread: [Math.min(...ratios), Math.max(...ratios)] as const,
    extraMs: median(pairs.map((pair) => (pair.cpu - pair.baselineCpu) / 1000)),
  }
}

function isGoalMet({ goal, goalExtraMs }: Target, comparison: ReturnType<typeof compare>): boolean | null {
  if (comparison && goal !== undefined) return comparison.ratio <= goal
  if (comparison && goalExtraMs !== undefined) return comparison.extraMs <= goalExtraMs
  return null
}

function formatGoal({ goal, goalExtraMs }: Target): string {
  if (goal !== undefined) return `≤ ${goal.toFixed(2)} times the baseline`
  return goalExtraMs === undefined ? '' : `≤ baseline + ${goalExtraMs} ms`
}

function toReportRow(result: Result, results: readonly Result[]): ReportRow {
  const { target, rounds, singleConnection } = result
  const comparison = compare(result, results)
  return {
    target: target.name,
    baseline: target.baseline ?? null,
    cpuMicroseconds: median(getCpu(result)),
    ratio: comparison?.ratio ?? null,
    ratioSpread: comparison?.ratioSpread ?? null,
    extraMs: comparison?.extraMs ?? null,
    goal: formatGoal(target),
    met: isGoalMet(target, comparison),
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    singleConnection,
  }
}

function toTable(rows: readonly ReportRow[]): string {
  const head = [
    'target',
    'baseline',
    'CPU µs',
    'ratio',
    'spread',
    'goal',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs, 1 connection',
  ]
  const cells = rows.map((row) => [
    row.target,
    row.baseline ?? '',
    row.cpuMicroseconds.toFixed(0),
    row.ratio?.toFixed(2) ?? '',
    row.ratioSpread?.map((ratio) => ratio.toFixed(2)).join('–') ?? '',
    row.met === null ? row.goal : `${row.goal} (${row.met ? 'met' : 'missed'})`,
    row.requestsPerSecond.toFixed(0),
    String(row.p50Ms),
    String(row.p99Ms),
    row.singleConnection.cpuMicrosecondsPerRequest.toFixed(0),
  ])
  const toLine = (line: readonly string[]) => `| ${line.join(' | ')} |`
  return [toLine(head), toLine(head.map(() => '---')), ...cells.map(toLine)].join('\n')
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
  if (!(rounds >= 1 && seconds >= 1)) throw new CommandError('--rounds and --seconds must be at least 1.')
  const results = await measureTargets(selectTargets(values.only), rounds, seconds)
  const rows = results.map((result) => toReportRow(result, results))
  process.stdout.write(
    `${values.json ? JSON.stringify({ rounds, seconds, targets: rows }) : toTable(rows)}\n`,
  )
}

await runScript(main)
