import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isBuilt, runStep } from '../scripts/support/build-step.ts'
import { CommandError, ROOT, relativePath } from '../scripts/support/script.ts'
import { CODINGS } from './assets.ts'

/** Makes what the server serves: the Worker, the browser's files and compressed copies of them. */

export const CLIENT = join(ROOT, 'dist/client')
export const COMPRESSED = join(ROOT, 'dist/compressed')
export const WORKER = join(ROOT, 'dist/worker/index.js')
/** This server without types, in one file. It's as deep as its sources, which find other files from where they are. */
export const SERVER = join(ROOT, 'dist/server/main.js')

const COMPRESSIBLE = new Set(['.css', '.html', '.ico', '.js', '.json', '.svg', '.txt', '.webmanifest'])
/** The highest takes ten times as long, for a tenth fewer bytes. */
const BROTLI_QUALITY = 9

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
} as const

const listFiles = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Writes a copy of each file that gets smaller, unless there is one of the file as it is. Deletes copies of other files. */
export async function compressAssets(folder: string, compressed: string): Promise<void> {
  const wanted = new Set<string>()
  for (const file of await listFiles(folder)) {
    if (!COMPRESSIBLE.has(extname(file))) continue
    const { mtime } = await stat(file)
    for (const [coding, ending] of Object.entries(CODINGS) as [keyof typeof CODINGS, string][]) {
      const copy = join(compressed, relativePath(folder, file) + ending)
      wanted.add(copy)
      const made = await stat(copy).catch(() => null)
      if (made !== null && made.mtimeMs === mtime.getTime()) continue
      await mkdir(dirname(copy), { recursive: true })
      await writeFile(copy, await compressors[coding](await readFile(file)))
      await utimes(copy, mtime, mtime)
    }
  }
  for (const copy of await listFiles(compressed)) if (!wanted.has(copy)) await rm(copy)
}

/** Bundles the server. Otherwise Node would strip the types at each start, which takes 25 MB for as long as it runs. */
async function bundleServer(): Promise<void> {
  const { build } = await import('rolldown')
  await build({
    cwd: ROOT,
    input: { main: 'server/main.ts' },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !isAbsolute(id),
    output: { dir: dirname(SERVER), format: 'esm', sourcemap: true },
    logLevel: 'warn',
  })
}

/** The last step of a build. */
export async function finishBuild(): Promise<void> {
  await runStep('server', async () => {
    await compressAssets(CLIENT, COMPRESSED)
    await bundleServer()
  })
}

const canBuild = (): boolean => existsSync(join(ROOT, 'node_modules/rolldown'))

/** Builds what has changed. Without devDependencies, what there is must do. */
export async function ensureBuilt(print: (text: string) => void): Promise<void> {
  if (!canBuild()) {
    if (existsSync(SERVER)) return
    throw new CommandError(
      'There is no dist folder. Build it where devDependencies are installed: npm run build',
    )
  }
  if (isBuilt()) return
  print('Building Regent, which takes a while the first time …\n')
  for (const script of ['build-client', 'build-worker', 'build-server']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', `${script}.ts`)], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    if (status !== 0) throw new CommandError(`The build failed:\n${stdout}${stderr}`)
  }
}
