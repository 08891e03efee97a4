import { parseArgs } from 'node:util'
import { CommandError, runScript } from '../scripts/wrangler.ts'
import { simulateLatency } from './simulation/latency.ts'
import { loadOfEach, simulateLoad } from './simulation/load.ts'
import { CITIES, DATABASE_BYTES, REGIONS, type Settings } from './simulation/platform.ts'
import { measureRows } from './simulation/storage.ts'

const HELP = `Simulates the service far away and crowded: latencies by continent, what one database bears, when it is full.

Usage: npm run bench:simulate -- [options]

  --primary REGION        where the primary is: weur, enam, apac, oc (weur)
  --read-ms N             time of D1's thread for one reading statement (1)
  --write-ms N            the same for one committed change (3)
  --reads-per-create N    the mix of the crowd (20)
  --isolates N,N          how many isolates the reads are spread over (20,200)
  --seed N                of the random numbers: equal seeds, equal output (1)
  --json                  print one JSON object and nothing else

Nothing is measured but the size of rows. Each constant names its source, or says that it is assumed; of the
defaults above, --read-ms is that of D1's documentation, and the others are assumed.
`

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

type Results = Awaited<ReturnType<typeof simulate>>

const simulate = async (settings: Settings) => ({
  latency: simulateLatency(settings),
  load: simulateLoad(settings),
  each: loadOfEach(settings),
  storage: await measureRows(),
})

function toText({ latency, load, each, storage }: Results, { primary, readMs, writeMs }: Settings): string {
  return [
    `Latency, p50 / p99 in ms, primary in ${primary}`,
    toTable(
      ['', ...CITIES],
      latency.map(({ operation, cities }) => [
        operation,
        ...cities.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)}`),
      ]),
    ),
    `What one database bears, at ${readMs} ms a read and ${writeMs} ms a commit`,
    toTable(
      [
        'reads by',
        'views written',
        'saturated at reads/s',
        'with creates/s',
        'p99 doubles at reads/s',
        'full first',
      ],
      load.map(({ replicas, coalesced, isolates, ...rates }) => [
        replicas ? 'replicas' : 'primary',
        coalesced ? `gathered in ${isolates} isolates` : 'with every read',
        rates.readsPerSecond.toFixed(0),
        rates.createsPerSecond.toFixed(0),
        rates.readsPerSecondAtTwiceP99.toFixed(0),
        rates.busiest,
      ]),
    ),
    'The same with only one kind of request, views not counted',
    toTable(
      ['', 'saturated at a second'],
      each.map(({ operation, perSecond }) => [operation, perSecond.toFixed(0)]),
    ),
    `Storage, ${DATABASE_BYTES / 1e9} GB a database`,
    toTable(
      ['documents', 'bytes each', 'millions a database', 'creates/s it bears for ever'],
      storage.map(({ kind, bytesEach, documents, createsPerSecondForEver }) => [
        kind,
        bytesEach.toFixed(0),
        (documents / 1e6).toFixed(0),
        createsPerSecondForEver?.toFixed(0) ?? '',
      ]),
    ),
  ].join('\n\n')
}

function positive(option: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new CommandError(`--${option} takes numbers above 0.`)
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
  if (!primary) throw new CommandError(`--primary is one of ${REGIONS.join(', ')}.`)
  const settings: Settings = {
    primary,
    readMs: positive('read-ms', values['read-ms']),
    writeMs: positive('write-ms', values['write-ms']),
    readsPerCreate: positive('reads-per-create', values['reads-per-create']),
    isolates: values.isolates.split(',').map((number) => positive('isolates', number)),
    seed: positive('seed', values.seed),
  }
  const results = await simulate(settings)
  process.stdout.write(
    `${values.json ? JSON.stringify({ settings, ...results }) : toText(results, settings)}\n`,
  )
}

await runScript(main)
