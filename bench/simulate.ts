import { parseArgs } from 'node:util'
import { CommandError, runScript } from '../scripts/support/wrangler.ts'
import { simulateLatency } from './simulation/latency.ts'
import { simulateEachOperation, simulateLoad } from './simulation/load.ts'
import { CITIES, DATABASE_BYTES, REGIONS, type Settings } from './simulation/platform.ts'
import { measureRowSizes } from './simulation/storage.ts'

const HELP = `Estimates latency by city, the load that one database can take, and when it is full.

Usage: npm run bench:simulate -- [options]

  --primary REGION        region of the primary: weur, enam, apac or oc (default weur)
  --read-ms N             D1 thread time of one SELECT (default 1)
  --write-ms N            D1 thread time of one committed change (default 3)
  --reads-per-create N    reads for each create (default 20)
  --isolates N,N          how many isolates the reads are spread over (default 20,200)
  --seed N                seed of the random numbers; equal seeds give equal output (default 1)
  --json                  print one JSON object

Only the size of rows is measured. Every constant in the code names its source or says that it is assumed. The
default of --read-ms comes from D1's documentation; the other defaults are assumed.
`

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

type Results = Awaited<ReturnType<typeof simulate>>

const simulate = async (settings: Settings) => ({
  latency: simulateLatency(settings),
  load: simulateLoad(settings),
  each: simulateEachOperation(settings),
  storage: await measureRowSizes(),
})

function toText({ latency, load, each, storage }: Results, { primary, readMs, writeMs }: Settings): string {
  return [
    `Latency in ms (p50 / p99), primary in ${primary}`,
    toTable(
      ['', ...CITIES],
      latency.map(({ operation, cities }) => [
        operation,
        ...cities.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}`),
      ]),
    ),
    `Load that one database can take, at ${readMs} ms per read and ${writeMs} ms per commit`,
    toTable(
      [
        'reads from',
        'views are written',
        'saturated at reads/s',
        'with creates/s',
        'p99 doubles at reads/s',
        'bottleneck',
      ],
      load.map(({ replicas, batchedViews, isolates, ...rates }) => [
        replicas ? 'replicas' : 'primary',
        batchedViews ? `in batches by ${isolates} isolates` : 'with every read',
        rates.readsPerSecond.toFixed(0),
        rates.createsPerSecond.toFixed(0),
        rates.readsPerSecondAtTwiceP99.toFixed(0),
        rates.busiest,
      ]),
    ),
    'The same with a single kind of operation, without views',
    toTable(
      ['', 'saturated at operations/s'],
      each.map(({ operation, perSecond }) => [operation, perSecond.toFixed(0)]),
    ),
    `Storage, ${DATABASE_BYTES / 1e9} GB per database`,
    toTable(
      ['documents', 'bytes each', 'millions per database', 'sustained creates/s'],
      storage.map(({ kind, bytesEach, documents, sustainedCreatesPerSecond }) => [
        kind,
        bytesEach.toFixed(0),
        (documents / 1e6).toFixed(0),
        sustainedCreatesPerSecond?.toFixed(0) ?? '',
      ]),
    ),
  ].join('\n\n')
}

function parsePositive(option: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new CommandError(`--${option} must be a number above 0.`)
  return number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      primary: { type: 'string', default: 'weur' },
      'read-ms': { type: 'string', default: '1' },
      'write-ms': { type: 'string', default: '3' },
      'reads-per-create': { type: 'string', default: '20' },
      isolates: { type: 'string', default: '20,200' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const primary = REGIONS.find((region) => region === values.primary)
  if (!primary) throw new CommandError(`--primary must be one of ${REGIONS.join(', ')}.`)
  const settings: Settings = {
    primary,
    readMs: parsePositive('read-ms', values['read-ms']),
    writeMs: parsePositive('write-ms', values['write-ms']),
    readsPerCreate: parsePositive('reads-per-create', values['reads-per-create']),
    isolates: values.isolates.split(',').map((number) => parsePositive('isolates', number)),
    seed: parsePositive('seed', values.seed),
  }
  const results = await simulate(settings)
  process.stdout.write(
    `${values.json ? JSON.stringify({ settings, ...results }) : toText(results, settings)}\n`,
  )
}

await runScript(main)
