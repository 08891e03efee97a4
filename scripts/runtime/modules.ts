import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { bundleWorker, ENTRY_POINT, listFiles } from '../build/worker.ts'
import { ROOT } from '../support/wrangler.ts'

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

/** Reads the modules of a Worker from the folder that a build has written. */
export async function readModules(folder: string): Promise<WorkerModule[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
  const files = paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)
  return toModules(new Map(await Promise.all(files)))
}

/** Writes modules to a folder, for `readModules`. */
export async function writeModules(folder: string, modules: readonly WorkerModule[]): Promise<void> {
  for (const { path, contents } of modules) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), contents)
  }
}

/** Builds the service, and returns the modules that `npm run deploy` would upload. */
export async function bundleService(): Promise<WorkerModule[]> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
  return readModules(join(ROOT, 'dist/worker'))
}

/** Bundles another Worker as the service is bundled. */
export const bundleOther = async (source: string): Promise<WorkerModule[]> =>
  toModules(listFiles(await bundleWorker(source)))
