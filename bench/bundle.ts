import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { CommandError, ROOT, runWrangler } from '../scripts/support/wrangler.ts'

/** A file of a Worker. */
export interface WorkerModule {
  readonly type: 'ESModule' | 'CompiledWasm'
  readonly path: string
  readonly contents: Uint8Array<ArrayBuffer>
}

const ENTRY_POINT = 'index.js'

/** Turns files into the modules of a Worker: its entry point comes first, and source maps are left out. */
export function toModules(files: ReadonlyMap<string, Uint8Array>): WorkerModule[] {
  const script = files.get(ENTRY_POINT)
  if (!script) throw new Error(`The bundle has no ${ENTRY_POINT}`)
  const wasm = [...files].filter(([path]) => path.endsWith('.wasm'))
  return [
    { type: 'ESModule', path: ENTRY_POINT, contents: new Uint8Array(script) },
    ...wasm.map(
      ([path, contents]): WorkerModule => ({
        type: 'CompiledWasm',
        path,
        contents: new Uint8Array(contents),
      }),
    ),
  ]
}

/** Writes to a folder what `wrangler deploy` would upload. */
export async function bundleServiceInto(folder: string): Promise<void> {
  const { code, stderr, stdout } = await runWrangler(['deploy', '--dry-run', '--outdir', folder])
  if (code !== 0) throw new CommandError(`wrangler couldn't bundle the Worker:\n${stdout}${stderr}`)
}

/** Reads the bundle that `bundleServiceInto` wrote to a folder. */
export async function readBundle(folder: string): Promise<WorkerModule[]> {
  const names = (await readdir(folder)).filter((name) => name === ENTRY_POINT || name.endsWith('.wasm'))
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
