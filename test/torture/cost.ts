import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTable, median } from '../../bench/load.ts'
import { bundleService, type RunningWorker, startWorker } from '../../scripts/support/runtime.ts'
import { CommandError, parseOptions, ROOT } from '../../scripts/support/script.ts'
import { PLAN_QUOTAS } from '../../src/config.ts'
import { MAX_EXCERPTS_PER_MINUTE } from '../../src/documents/quotas.ts'
import { LIMITS, type LimitName } from '../../src/http/limits-table.ts'
import { COST_REQUESTS, type CostRequest, createWorld, type Send } from './cost-requests.ts'

const HELP = `Counts what each kind of request costs: storage calls, rows as D1 bills them, emails, CPU time, and the rate limits that count it.
Fails if a request costs more than docs/cost.md says.

Usage: npm run torture -- cost [options]

  --only TEXT   only requests whose name contains TEXT: prints what they cost, and compares it
  --write       write the tables of docs/cost.md
  --help        show this help

It runs the built Worker against local D1 and KV with 10,000 documents. CPU time is that of the whole process, divided by how much
longer a fixed piece of work takes here than where the tables were made. Takes a few minutes.
`

const DOCUMENT = join(ROOT, 'docs/cost.md')
const SECRETS = {
  AUTH_SECRET: 'a secret of the measurement, long enough for it',
  MAIL_FROM: 'Regent <regent@paste.example>',
  SERVER_MAX_EMAILS_PER_HOUR: '0',
  LOG_REQUESTS: 'none',
  RATE_LIMITS: 'on',
  // As the standard settings have them.
  ...Object.fromEntries(
    ['ACCOUNT', 'SERVER'].flatMap((whose) =>
      ['DOCUMENTS', 'BYTES', 'WRITES_PER_DAY'].map((what) => [`${whose}_MAX_${what}`, '']),
    ),
  ),
  LIMITS: JSON.stringify(
    Object.fromEntries(Object.entries(LIMITS).map(([name, { binding }]) => [name, binding])),
  ),
}

/** What is counted, with the titles of its columns. */
const COUNTED = {
  calls: 'D1 calls',
  statements: 'statements',
  rowsRead: 'rows read',
  rowsWritten: 'rows written',
  get: 'KV reads',
  put: 'KV writes',
  delete: 'KV deletions',
  list: 'KV lists',
  emails: 'emails',
} as const
type Counted = keyof typeof COUNTED
const COUNTED_NAMES = Object.keys(COUNTED) as readonly Counted[]

/** A row of the table. */
interface Cost {
  readonly name: string
  readonly counts: Readonly<Record<Counted, number>>
  /** At most this many milliseconds. */
  readonly cpu: number
  /** What limits it: names of rate limits, or how often it can happen in a minute. */
  readonly limitedBy: string
}

/** Bounds of CPU time, in milliseconds. */
const CPU_CLASSES = [2, 10, 50, 200, 500, 1_000, 2_000]
/** A class is written down for what takes less than its share: machines differ, and so do runs. */
const CPU_MARGIN = 0.5
/** What the fixed piece of work took where the tables were made, in milliseconds of CPU time. */
const CALIBRATION_MS = 115

interface Measured {
  readonly counts: Record<Counted, number>
  readonly limits: Set<string>
  readonly cpu: number[]
}

async function measureCpu(worker: RunningWorker, send: Send): Promise<{ answer: Response; ms: number }> {
  const before = await worker.cpuSeconds()
  const answer = await send(worker.url)
  await answer.arrayBuffer()
  return { answer, ms: ((await worker.cpuSeconds()) - before) * 1_000 }
}

const sendTo =
  (path: string): Send =>
  (url) =>
    fetch(url + path)

async function measureMedian(worker: RunningWorker, path: string, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await measureCpu(worker, sendTo(path))).ms)
  return median(times.slice(1))
}

/** Sends the requests of a kind. What their counts differ in counts as the most. */
async function measureRequest(
  worker: RunningWorker,
  { name, status }: CostRequest,
  sends: readonly Send[],
): Promise<Measured> {
  const counts = Object.fromEntries(COUNTED_NAMES.map((name) => [name, 0])) as Record<Counted, number>
  const measured: Measured = { counts, limits: new Set(), cpu: [] }
  for (const send of sends) {
    const { answer, ms } = await measureCpu(worker, send)
    if (answer.status !== status) throw new CommandError(`"${name}" answered ${answer.status}, not ${status}`)
    const cost = JSON.parse(decodeURIComponent(answer.headers.get('X-Cost') ?? '{}'))
    for (const counted of COUNTED_NAMES) counts[counted] = Math.max(counts[counted], cost[counted] ?? 0)
    for (const limit of cost.limits) measured.limits.add(limit)
    measured.cpu.push(ms)
  }
  return measured
}

const isPositive = ([, sends]: readonly [unknown, readonly Send[]]) => sends.length > 0

const formatLimits = ({ perMinute }: CostRequest, limits: ReadonlySet<string>): string =>
  perMinute === undefined ? [...limits].join(', ') : `${perMinute} a minute`

async function measure(only: string): Promise<Cost[]> {
  const front = new Uint8Array(await readFile(new URL('cost-worker.js', import.meta.url)))
  const modules = [
    { type: 'ESModule', path: 'cost-worker.js', contents: front } as const,
    ...(await bundleService()),
  ]
  await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-cost-'))
  const prepared: [CostRequest, Send[]][] = []
  {
    await using worker = await startWorker(modules, folder.path, SECRETS)
    const world = await createWorld(worker, SECRETS.AUTH_SECRET)
    for (const request of COST_REQUESTS) {
      const sends: Send[] = []
      if (request.name.includes(only))
        for (let run = 0; run < (request.runs ?? 6); run++) sends.push(await request.prepare(world, run))
      prepared.push([request, sends])
    }
  }
  await using worker = await startWorker(modules, folder.path, SECRETS)
  const nothing = await measureMedian(worker, '/cost/nothing', 20)
  const slowness = (await measureMedian(worker, '/cost/calibrate', 8)) / CALIBRATION_MS
  process.stderr.write(`The fixed piece of work takes ${slowness.toFixed(2)} times as long here.\n`)
  const costs: Cost[] = []
  for (const [request, sends] of prepared.filter(isPositive)) {
    // Without a recent one, each read asks the primary, too.
    await sendTo(`/cost/scheduled?cron=${encodeURIComponent('* * * * *')}`)(worker.url)
    const { counts, limits, cpu } = await measureRequest(worker, request, sends)
    // The first one in an isolate loads its code.
    const later = cpu.length > 1 ? cpu.slice(1) : cpu
    const ms = Math.max(0, median(later) - nothing) / slowness
    costs.push({ name: request.name, counts, cpu: ms, limitedBy: formatLimits(request, limits) })
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  return costs
}

// The tables

const findCpuClass = (ms: number): number =>
  CPU_CLASSES.find((bound) => ms <= bound) ?? Number.POSITIVE_INFINITY

/** Rounds up to what is written down. */
const toRow = (cost: Cost): Cost => ({ ...cost, cpu: findCpuClass(cost.cpu / CPU_MARGIN) })

const formatNumber = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 })

const formatRows = (costs: readonly Cost[], formatCpu: (ms: number) => string): string =>
  formatTable(
    ['Request', ...Object.values(COUNTED), 'CPU ms', 'Limits'],
    costs.map(({ name, counts, cpu, limitedBy }) => [
      name,
      ...COUNTED_NAMES.map((counted) => formatNumber(counts[counted])),
      formatCpu(cpu),
      limitedBy,
    ]),
  )

const parseNumber = (cell: string): number => Number(cell.replaceAll(/[^\d.]/g, ''))

const parseRows = (table: string): Cost[] =>
  table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      const counts = COUNTED_NAMES.map((counted, index) => [counted, parseNumber(cells[index] ?? '')])
      const [cpu = '', limitedBy = ''] = cells.slice(COUNTED_NAMES.length)
      return { name, counts: Object.fromEntries(counts), cpu: parseNumber(cpu), limitedBy }
    })

/** Now and then, a read also asks how old the copy of the database is: one statement and one row more. */
const NOW_AND_THEN: Partial<Record<Counted, number>> = { statements: 1, rowsRead: 1 }

/** Returns how a request costs more than its row says. */
function findExcess(measured: Cost, row: Cost | undefined): string[] {
  if (!row) return ['it has no row']
  const counts = COUNTED_NAMES.filter(
    (name) => measured.counts[name] > row.counts[name] + (NOW_AND_THEN[name] ?? 0),
  ).map(
    (name) =>
      `${formatNumber(measured.counts[name])} ${COUNTED[name]}, not ${formatNumber(row.counts[name])}`,
  )
  return [
    ...counts,
    ...(measured.cpu > row.cpu ? [`${measured.cpu.toFixed(1)} ms of CPU time, not ${row.cpu}`] : []),
    ...(measured.limitedBy === row.limitedBy
      ? []
      : [`limited by ${measured.limitedBy}, not ${row.limitedBy}`]),
  ]
}

// What an attack costs

/** Cloudflare's list prices in dollars, and what a day of the free plan includes. */
const PRICES = {
  requests: { title: 'requests', dollars: 0.3e-6, freeDay: 100_000 },
  cpu: { title: 'CPU ms', dollars: 0.02e-6, freeDay: Number.POSITIVE_INFINITY },
  rowsRead: { title: 'rows read', dollars: 0.001e-6, freeDay: 5_000_000 },
  rowsWritten: { title: 'rows written', dollars: 1e-6, freeDay: 100_000 },
  get: { title: 'KV reads', dollars: 0.5e-6, freeDay: 100_000 },
  put: { title: 'KV writes', dollars: 5e-6, freeDay: 1_000 },
  delete: { title: 'KV deletions', dollars: 5e-6, freeDay: 1_000 },
  list: { title: 'KV lists', dollars: 5e-6, freeDay: 1_000 },
} as const
type Billed = keyof typeof PRICES
const BILLED = Object.keys(PRICES) as readonly Billed[]

const getAmount = ({ counts, cpu }: Cost, billed: Billed): number =>
  billed === 'requests' ? 1 : billed === 'cpu' ? cpu : counts[billed]

/** They are counted for each document, so they bound nothing. */
const BY_DOCUMENT: LimitName = 'passwords'

const isLimit = (name: string): name is LimitName => Object.hasOwn(LIMITS, name)

/** The rate limit that an address reaches first; undefined for what another bound limits. */
const getFirstLimit = ({ limitedBy }: Cost): LimitName | undefined =>
  limitedBy
    .split(', ')
    .filter(isLimit)
    .filter((name) => name !== BY_DOCUMENT)
    .sort((one, other) => LIMITS[one].limit - LIMITS[other].limit)[0]

/** How often addresses can cause it in an hour. What stores content is a write, and what deletes it follows one. */
function countPerHour(cost: Cost, plan: keyof typeof PLAN_QUOTAS, addresses = 1): number {
  const limit = getFirstLimit(cost)
  const perHour = limit === undefined ? 0 : addresses * LIMITS[limit].limit * (3_600 / LIMITS[limit].period)
  const texts = Math.max(cost.counts.put, cost.counts.delete)
  return texts > 0 ? Math.min(perHour, PLAN_QUOTAS[plan].server.writesPerDay / texts) : perHour
}

/** What addresses can cause of it in an hour. */
function getPerHour(cost: Cost, billed: Billed, plan: keyof typeof PLAN_QUOTAS, addresses = 1): number {
  const amount = getAmount(cost, billed) * countPerHour(cost, plan, addresses)
  const { excerpts = false } = COST_REQUESTS.find(({ name }) => name === cost.name) ?? {}
  return excerpts && billed === 'get' ? Math.min(amount, addresses * MAX_EXCERPTS_PER_MINUTE * 60) : amount
}

const maxBy = <Item>(items: readonly Item[], getValue: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (most, item) => (most === undefined || getValue(item) > getValue(most) ? item : most),
    undefined,
  )

const formatDollars = (dollars: number): string =>
  `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const ADDRESSES = 1_000

function formatDollarTable(costs: readonly Cost[]): string {
  const perHour = (cost: Cost, addresses: number) =>
    BILLED.reduce(
      (sum, billed) => sum + getPerHour(cost, billed, 'paid', addresses) * PRICES[billed].dollars,
      0,
    )
  const byLimit = Map.groupBy(costs, getFirstLimit)
  byLimit.delete(undefined)
  const totals = [0, 0]
  const rows = [...byLimit].map(([limit, alike]) => {
    const cells = [1, ADDRESSES].flatMap((addresses, index) => {
      const dearest = maxBy(alike, (cost) => perHour(cost, addresses))
      if (dearest === undefined) return []
      totals[index] = (totals[index] ?? 0) + perHour(dearest, addresses)
      return [dearest.name, formatDollars(perHour(dearest, addresses))]
    })
    return [limit ?? '', ...cells]
  })
  const [one, thousand] = totals.map(formatDollars)
  return formatTable(
    ['Limit', 'one address', 'in an hour', 'a thousand addresses', 'in an hour'],
    [...rows, ['all of them at once', '', one ?? '', '', thousand ?? '']],
  )
}

const formatDuration = (hours: number): string =>
  hours < 1 ? `${Math.round(hours * 60)} minutes` : `${formatNumber(hours)} hours`

function formatFreeTable(costs: readonly Cost[]): string {
  const rows = BILLED.flatMap((billed) => {
    const { title, freeDay } = PRICES[billed]
    const perHour = (cost: Cost) => getPerHour(cost, billed, 'free')
    const most = maxBy(costs, perHour)
    if (most === undefined || perHour(most) === 0 || freeDay === Number.POSITIVE_INFINITY) return []
    const isBounded = countPerHour(most, 'free', ADDRESSES) === PLAN_QUOTAS.free.server.writesPerDay
    const ends =
      isBounded && perHour(most) <= freeDay ? 'a quota ends first' : formatDuration(freeDay / perHour(most))
    return [[title, formatNumber(freeDay), most.name, formatNumber(perHour(most)), ends]]
  })
  return formatTable(
    ['', 'a day includes', 'most of it takes', 'one address, in an hour', 'the day’s share ends after'],
    rows,
  )
}

// docs/cost.md

const findTable = (text: string, title: string): string =>
  new RegExp(`<!-- ${title} -->(.*?)<!-- end -->`, 's').exec(text)?.[1] ?? ''

const replaceTable = (text: string, title: string, table: string): string =>
  text.replace(new RegExp(`(?<=<!-- ${title} -->).*?(?=<!-- end -->)`, 's'), () => `\n\n${table}\n`)

const formatDocument = (text: string, rows: readonly Cost[]): string =>
  Object.entries({
    requests: formatRows(rows, (ms) => `≤ ${formatNumber(ms)}`),
    dollars: formatDollarTable(rows),
    'free plan': formatFreeTable(rows),
  }).reduce((document, [title, table]) => replaceTable(document, title, table), text)

/** What a document says, with the rows of what was measured. The rows of kinds that no longer exist go. */
function mergeRows(rows: readonly Cost[], measured: readonly Cost[]): Cost[] {
  const known = new Map([...rows, ...measured.map(toRow)].map((row) => [row.name, row]))
  return COST_REQUESTS.flatMap(({ name }) => known.get(name) ?? [])
}

export async function cost(): Promise<void> {
  const values = parseOptions(HELP, {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  })
  const measured = await measure(values.only)
  process.stdout.write(formatRows(measured, (ms) => ms.toFixed(1)))
  const document = await readFile(DOCUMENT, 'utf8')
  const rows = parseRows(findTable(document, 'requests'))
  if (values.write) return writeFile(DOCUMENT, formatDocument(document, mergeRows(rows, measured)))
  const excess = measured.flatMap((found) =>
    findExcess(
      found,
      rows.find(({ name }) => name === found.name),
    ).map((text) => `"${found.name}": ${text}`),
  )
  if (excess.length > 0)
    throw new CommandError(`Requests left their rows in docs/cost.md:\n${excess.join('\n')}`)
  if (formatDocument(document, mergeRows(rows, [])) !== document)
    throw new CommandError('The tables of docs/cost.md don’t follow from its rows. Run this with --write.')
}
