import { type Module, SourceTextModule, SyntheticModule } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { bundleWorker, ENTRY_POINT, listStartModules } from '../scripts/build/worker.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { formatSpread, formatTable, getRatios, measureInRounds } from './load.ts'

const HELP = `Measures what starting the Worker takes, compared with an empty Worker that also uses Hono.

Usage: npm run bench -- startup [options]

  --rounds N   how often each is started (default 30)

Each round compiles and evaluates the modules that a start evaluates, in this process, whose V8 is close to that of Workers.
Figures are milliseconds of CPU time: the median, and in brackets the middle half of all rounds. Takes seconds.
`

interface Start {
  readonly name: string
  /** The code of each module by its file name. */
  readonly codes: ReadonlyMap<string, string>
}

async function bundle(name: string, source: string): Promise<Start> {
  const modules = listStartModules(await bundleWorker(source))
  return { name, codes: new Map(modules.map(({ code, fileName }) => [fileName, code])) }
}

/** Stands in for a module of the runtime. */
async function createRuntimeModule(specifier: string): Promise<Module> {
  const exports: Record<string, unknown> = specifier.startsWith('node:')
    ? await import(specifier)
    : { env: {} }
  const names = Object.keys(exports)
  return new SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, exports[name])
  })
}

let starts = 0

/** Compiles and evaluates the modules of a Worker. Returns the milliseconds of CPU time that it takes. */
async function measureStart({ codes }: Start): Promise<number> {
  starts += 1
  const runtimeModules = new Map<string, Module>()
  const imported = [...codes.values()].flatMap(
    (code) => code.match(/(?<=["'`])(?:node|cloudflare):\w+(?=["'`])/g) ?? [],
  )
  for (const specifier of new Set(imported))
    runtimeModules.set(specifier, await createRuntimeModule(specifier))
  const before = process.cpuUsage()
  const modules = new Map<string, SourceTextModule>()
  for (const [name, code] of codes) {
    // V8 remembers code that it has compiled before.
    modules.set(name, new SourceTextModule(`${code}\n// ${starts}`, { identifier: `${name}?${starts}` }))
  }
  const entry = modules.get(ENTRY_POINT)
  if (!entry) throw new Error(`There is no ${ENTRY_POINT}`)
  await entry.link((specifier, { identifier }) => {
    const path = new URL(specifier, `file:///${identifier}`)
    const found = runtimeModules.get(specifier) ?? modules.get(path.pathname.slice(1))
    if (!found) throw new Error(`${identifier} imports ${specifier}, which isn't there`)
    return found
  })
  await entry.evaluate()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const getKib = ({ codes }: Start): number => gzipSync([...codes.values()].join('')).byteLength / 1024

export async function measureStartup(): Promise<void> {
  const values = parseOptions(HELP, {
    rounds: { type: 'string', default: '30' },
  })
  const workers = [
    await bundle('empty Worker', 'bench/workers/empty.ts'),
    await bundle('Regent', 'src/index.ts'),
  ]
  const measured = await measureInRounds(workers, Number(values.rounds), measureStart)
  const [empty = []] = measured
  const rows = workers.map((worker, index) => [
    worker.name,
    getKib(worker).toFixed(1),
    formatSpread(measured[index] ?? [], 1),
    formatSpread(getRatios(measured[index] ?? [], empty), 1),
  ])
  process.stdout.write(formatTable(['', 'KiB compressed', 'CPU ms', 'ratio'], rows))
}
