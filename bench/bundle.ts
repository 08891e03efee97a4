import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { build } from 'esbuild'
import { ENTRY_POINT } from '../scripts/build/worker.ts'
import { CommandError, ROOT, runWrangler } from '../scripts/support/wrangler.ts'

/** A file of a Worker. */
export interface WorkerModule {
  readonly type: 'ESModule' | 'CompiledWasm'
  readonly path: string
  readonly contents: Uint8Array<ArrayBuffer>
}

const TYPES = { '.js': 'ESModule', '.wasm': 'CompiledWasm' } as const

/** Turns files into the modules of a Worker: its entry point comes first, and other files are left out. */
export function toModules(files: ReadonlyMap<string, Uint8Array>): WorkerModule[] {
  if (!files.has(ENTRY_POINT)) throw new Error(`The bundle has no ${ENTRY_POINT}`)
  const modules = [...files].flatMap(([path, contents]): WorkerModule[] => {
    const extension = extname(path)
    if (extension !== '.js' && extension !== '.wasm') return []
    return [{ type: TYPES[extension], path, contents: new Uint8Array(contents) }]
  })
  return modules.sort((one, other) => Number(other.path === ENTRY_POINT) - Number(one.path === ENTRY_POINT))
}

/** Writes to a folder what `wrangler deploy` would upload. */
export async function bundleServiceInto(folder: string): Promise<void> {
  const { code, stderr, stdout } = await runWrangler(['deploy', '--dry-run', '--outdir', folder])
  if (code !== 0) throw new CommandError(`wrangler couldn't bundle the Worker:\n${stdout}${stderr}`)
}

/** Reads the bundle that `bundleServiceInto` wrote to a folder. */
export async function readBundle(folder: string): Promise<WorkerModule[]> {
  const names = (await readdir(folder)).filter((name) => extname(name) in TYPES)
  const files = names.map(async (name) => [name, await readFile(join(folder, name))] as const)
  return toModules(new Map(await Promise.all(files)))
}

/** Returns the modules that `wrangler deploy` would upload. */
export async function bundleService(): Promise<WorkerModule[]> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-bundle-'))
  try {
    await bundleServiceInto(folder)
    return await readBundle(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Bundles one file of `baselines` into a Worker. */
export async function bundleBaseline(name: string): Promise<WorkerModule[]> {
  const { outputFiles } = await build({
    entryPoints: { index: join(ROOT, 'bench/baselines', `${name}.ts`) },
    outdir: 'out',
    bundle: true,
    format: 'esm',
    write: false,
  })
  return toModules(new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])))
}
