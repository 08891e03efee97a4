import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { ROOT } from '../support/wrangler.ts'

/** The Worker's entry point. */
export const ENTRY_POINT = 'index.js'

/** The folder of all other modules. wrangler.toml names it too: a pattern such as `*.js` would match packages in tests. */
const MODULES = 'modules'

const WRITE =
  /\/src\/(?:documents\/(?!cleanup|orphaned|tombstones)[\w-]+|gists\/gist-permission|http\/idempotency|accounts\/(?:profile|usernames)|platform\/outgoing)\.ts$/

/** A Worker in modules, which import each other by their file names. */
export interface WorkerBuild {
  readonly modules: readonly OutputChunk[]
  /** WebAssembly and source maps. */
  readonly assets: readonly OutputAsset[]
}

/** Deploys WebAssembly as a module of its own, because Workers can't compile it from bytes. */
const webAssembly: Plugin = {
  name: 'web-assembly',
  async resolveId(source, importer, options) {
    if (!source.endsWith('.wasm')) return null
    const file = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!file) return null
    const name = basename(file.id)
    this.emitFile({ type: 'asset', fileName: `${MODULES}/${name}`, source: await readFile(file.id) })
    return { id: `./${name}`, external: true }
  },
}

/**
 * Bundles the Worker. What it needs at its start is one module, and each `import()` is the start of others, which are
 * evaluated when they are first imported. Wrangler's own bundler would put everything into one file.
 *
 * @param source the file that exports the handlers, relative to the project.
 */
export async function bundleWorker(source = 'src/index.ts'): Promise<WorkerBuild> {
  const build = await rolldown({
    cwd: ROOT,
    input: { index: source },
    platform: 'browser',
    external: [/^cloudflare:/, /^node:/],
    plugins: [webAssembly],
    // Nothing of the site renders in a browser: without this, Hono's renderer for browsers is bundled, too.
    treeshake: { moduleSideEffects: [{ test: /[/]hono[/]dist[/]/, sideEffects: false }] },
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    transform: { target: 'es2024', define: { 'process.env.NODE_ENV': '"production"' } },
  })
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: ENTRY_POINT,
      // Without a hash, of which 53 would take more than a kilobyte.
      chunkFileNames: `${MODULES}/[name].js`,
      codeSplitting: {
        groups: [
          { name: 'start', tags: ['$initial'], priority: 1 },
          // What the front ends need to create and edit: one module loads faster than ten.
          { name: 'write', test: WRITE },
        ],
      },
      minify: true,
      // The site serves all licences in one file.
      comments: { legal: false },
      sourcemap: true,
    })
    return {
      modules: output.filter((file) => file.type === 'chunk'),
      assets: output.filter((file) => file.type === 'asset'),
    }
  } finally {
    await build.close()
  }
}

/** Returns the modules that are evaluated when the Worker starts: the entry point, and what it imports statically. */
export function listStartModules({ modules }: WorkerBuild): OutputChunk[] {
  const names = new Set([ENTRY_POINT])
  for (const name of names) {
    for (const imported of modules.find(({ fileName }) => fileName === name)?.imports ?? [])
      names.add(imported)
  }
  return modules.filter(({ fileName }) => names.has(fileName))
}

/** Returns the files of a build by their names. */
export const listFiles = ({ modules, assets }: WorkerBuild): ReadonlyMap<string, Uint8Array<ArrayBuffer>> =>
  new Map([
    ...assets.map(({ fileName, source }) => [fileName, new Uint8Array(Buffer.from(source))] as const),
    ...modules.map(({ fileName, code }) => [fileName, new Uint8Array(Buffer.from(code))] as const),
  ])
