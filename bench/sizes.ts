import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bundleService,
  createAccount,
  type RunningWorker,
  startWorker,
  type WorkerModule,
} from '../scripts/support/runtime.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { LARGE_REQUESTS } from './large-requests.ts'
import { median } from './load.ts'
import { measurePeak, measureStalled } from './memory.ts'

const HELP = `Measures the time, CPU and memory that documents of 1 KiB to 10 MiB take.

Usage: npm run bench -- sizes [--only sizes|memory|stalled]

The first table compares sizes, and the second shows requests at the limit, each in a new process, and hostile ones.

Process memory is how much the whole runtime process grew at its peak. It includes the simulators of D1 and KV (a put of 10
MiB takes 37 MiB there), and garbage: the runtime enforces no limit here, except 80 MiB for the objects and strings of each isolate. Isolate memory is
all memory of the Worker itself, its code included, as its inspector shows it between two pieces of work. For memory, the
figure is the largest of all repetitions, otherwise their median.
`

const KiB = 1024
const SIZES = [1, 100, 1_024, 10_240].map((size) => size * KiB)
const REPETITIONS = 5

interface Figures {
  readonly ms: number
  readonly cpuMs: number
  readonly memoryMiB: number
}

async function measureOnce(
  worker: RunningWorker,
  operation: () => Promise<Response>,
): Promise<[Figures, string]> {
  const { now } = await worker.memory()
  const cpu = await worker.cpuSeconds()
  const started = performance.now()
  const response = await operation()
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const text = await response.text()
  const ms = performance.now() - started
  const { peak } = await worker.memory()
  const cpuMs = ((await worker.cpuSeconds()) - cpu) * 1000
  return [{ ms, cpuMs, memoryMiB: Math.max(0, peak - now) / KiB / KiB }, text]
}

async function measureSize(
  worker: RunningWorker,
  key: string,
  size: number,
): Promise<Record<string, Figures>> {
  const measured: Record<string, Figures[]> = {}
  const measure = async (name: string, operation: () => Promise<Response>) => {
    const [figures, text] = await measureOnce(worker, operation)
    measured[name] = [...(measured[name] ?? []), figures]
    return text
  }
  const headers = { 'Content-Type': 'application/json', Authorization: key }
  const post = (body: object) => () =>
    fetch(`${worker.url}/v1/document`, { method: 'POST', headers, body: JSON.stringify(body) })
  const get = (path: string) => () => fetch(worker.url + path)
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const content = 'é so-called line of text\n'
      .repeat(Math.ceil(size / 26))
      .slice(0, Math.floor(size * (25 / 26)))
    const plain = JSON.parse(await measure('create', post({ content }))) as { data: { id: string } }
    await measure('read', get(`/v1/document/${plain.data.id}`))
    await measure('raw', get(`/r/${plain.data.id}`))
    await measure('page', get(`/${plain.data.id}`))
    const encrypted = JSON.parse(
      await measure('create encrypted', post({ content, settings: { encrypted: true } })),
    ) as {
      data: { id: string; password: string }
    }
    await measure(
      'read encrypted',
      get(`/v1/document/${encrypted.data.id}?password=${encrypted.data.password}`),
    )
  }
  const getMedian = (figures: readonly Figures[], field: keyof Figures) =>
    median(figures.map((figure) => figure[field]))
  return Object.fromEntries(
    Object.entries(measured).map(([name, figures]) => [
      name,
      {
        ms: getMedian(figures, 'ms'),
        cpuMs: getMedian(figures, 'cpuMs'),
        memoryMiB: Math.max(...figures.map((figure) => figure.memoryMiB)),
      },
    ]),
  )
}

async function compareSizes(modules: readonly WorkerModule[], folder: string): Promise<void> {
  await using worker = await startWorker(modules, folder, { RATE_LIMITS: 'off' })
  const key = await createAccount(worker.database)
  process.stdout.write('| size | operation | ms | CPU ms | memory MiB |\n| --- | --- | --- | --- | --- |\n')
  for (const size of SIZES) {
    for (const [name, { ms, cpuMs, memoryMiB }] of Object.entries(await measureSize(worker, key, size))) {
      const cells = [`${size / KiB} KiB`, name, ms.toFixed(1), cpuMs.toFixed(0), memoryMiB.toFixed(1)]
      process.stdout.write(`| ${cells.join(' | ')} |\n`)
    }
  }
}

/** Requests that are also sent several at a time, and how many. */
const SIDE_BY_SIDE: Readonly<Record<string, number>> = {
  'create, one emoji': 4,
  'create, encrypted, one emoji': 4,
  'read with the password': 4,
  'read, one emoji': 8,
}

async function measureMemory(modules: readonly WorkerModule[], folder: string): Promise<void> {
  process.stdout.write(
    '| request | answer | isolate MiB | process MiB | ms |\n| --- | --- | --- | --- | --- |\n',
  )
  for (const request of LARGE_REQUESTS) {
    for (const count of [1, SIDE_BY_SIDE[request.name]]) {
      if (count === undefined) continue
      const { outcome, isolateMiB, processMiB, ms } = await measurePeak(modules, folder, request, count)
      const name = count === 1 ? request.name : `${count} × ${request.name}`
      const cells = [name, outcome, isolateMiB.toFixed(0), processMiB.toFixed(0), ms.toFixed(0)]
      process.stdout.write(`| ${cells.join(' | ')} |\n`)
    }
  }
}

async function measureStalledUploads(modules: readonly WorkerModule[], folder: string): Promise<void> {
  process.stdout.write('| uploads that stop after 15 bytes | process MiB |\n| --- | --- |\n')
  for await (const { name, connections, processMiB } of measureStalled(modules, folder))
    process.stdout.write(`| ${connections} × ${name} | ${processMiB.toFixed(0)} |\n`)
}

export async function measureSizes(): Promise<void> {
  const values = parseOptions(HELP, { only: { type: 'string' } })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-sizes-'))
  const modules = await bundleService()
  const isAsked = (part: string) => values.only === undefined || values.only === part
  if (isAsked('sizes')) await compareSizes(modules, join(folder.path, 'sizes'))
  if (isAsked('memory')) await measureMemory(modules, folder.path)
  if (isAsked('stalled')) await measureStalledUploads(modules, folder.path)
}
