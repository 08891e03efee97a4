import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, parse, resolve } from 'node:path'
import {
  type BuildOptions,
  type BuildResult,
  build,
  type ImportKind,
  type Loader,
  type Metafile,
  type Plugin,
} from 'esbuild'
import { relativePath } from '../support/script.ts'
import { writeIfChanged } from './write-if-changed.ts'

interface WholeScript {
  readonly file: string
  readonly outputs: Metafile['outputs']
}

type Built = BuildResult<{ metafile: true; write: false }>

/** Returns the modules that a module imports at once, directly or not, and the module itself. */
function listModules(inputs: Metafile['inputs'], path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: imported, kind } of inputs[path]?.imports ?? [])
    if (kind !== 'dynamic-import' && imported in inputs) listModules(inputs, imported, found)
  return found
}

/** A module, and the part of the script that it's in: the path of what is loaded later, or null if it's loaded at once. */
interface Place {
  readonly part: string | null
}

const isPlace = (data: unknown): data is Place => typeof data === 'object' && data !== null && 'part' in data

const LOADERS: Readonly<Record<string, Loader>> = { '.ts': 'ts', '.js': 'js', '.mjs': 'js' }

const isRule = (path: string): boolean => path.startsWith(resolve('src/shared'))

interface Modules {
  readonly entry: string
  /** The modules that the script needs at once. */
  readonly atOnce: ReadonlySet<string>
  /** The modules that are loaded later, and need some of those. */
  readonly sharing: ReadonlySet<string>
}

/**
 * Makes modules that share code with the script import the script itself, and gives each part that is loaded later a copy
 * of what it shares with other parts only. So the script is one file, and so is each part.
 */
const keepTogether = ({ entry, atOnce, sharing }: Modules): Plugin => ({
  name: 'keep-together',
  setup: ({ onResolve, onLoad, resolve: find }) => {
    onResolve({ filter: /./ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'found') return undefined
      const found = await find(path, { kind, importer, namespace, resolveDir, pluginData: 'found' })
      const { part } = isPlace(pluginData) ? pluginData : { part: null }
      const isLater = (kind satisfies ImportKind) === 'dynamic-import'
      // Packages may keep something in memory, which all parts must share. Rules never do, and a script needs few of a part's.
      const isShared =
        found.path.includes('/node_modules/') || (atOnce.has(found.path) && !isRule(found.path))
      if (isLater) {
        const suffix = atOnce.has(found.path) ? '?later' : ''
        return { ...found, suffix, pluginData: { part: found.path } satisfies Place }
      }
      if (part === null || isShared) return { ...found, pluginData: { part: null } satisfies Place }
      return { ...found, suffix: `?${part}`, pluginData: { part } satisfies Place }
    })
    onLoad({ filter: /\.(ts|js|mjs)$/ }, async ({ path, pluginData }) => {
      const code = await readFile(path, 'utf8')
      const contents = sharing.has(path) ? `${code}\nimport ${JSON.stringify(entry)}\n` : code
      return { contents, loader: LOADERS[extname(path)] ?? 'js', pluginData }
    })
  },
})

/**
 * Writes the files. If parts import the script, it's in a file without a name, and the file with its name only imports that
 * one: the script gets the name.
 */
async function writeNamed({ outputFiles, metafile }: Built, source: string): Promise<WholeScript> {
  const outputs = Object.entries(metafile.outputs)
  const [named = ''] = outputs.find(([, { entryPoint }]) => entryPoint === source) ?? []
  const [whole = ''] = outputs.find(([, { inputs }]) => source in inputs) ?? []
  const file = join(dirname(whole), `${parse(source).name}-${basename(whole).replace(/^.*-/, '')}`)
  const rename = (path: string) => (path === whole ? file : path)
  await Promise.all(
    outputFiles.map(({ path, text }) => {
      const written = relativePath('', path)
      if (written === named && named !== whole) return undefined
      return writeIfChanged(rename(written), text.replaceAll(basename(whole), basename(file)))
    }),
  )
  const renamed = outputs
    .filter(([path]) => path === whole || path !== named)
    .map(([path, output]) => {
      const imports = output.imports.map((imported) => ({ ...imported, path: rename(imported.path) }))
      return [rename(path), { ...output, imports }] as const
    })
  return { file, outputs: Object.fromEntries(renamed) }
}

/**
 * Bundles a script so that all it needs at once is in one file, and each module that it loads later, too. Usually, what
 * they share would be in further files.
 */
export async function bundleWholeScript(source: string, options: BuildOptions): Promise<WholeScript> {
  const alone = await build({ ...options, metafile: true, write: false })
  const { metafile } = alone
  const atOnce = listModules(metafile.inputs, source)
  const later = Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
    entryPoint && !atOnce.has(entryPoint) ? entryPoint : [],
  )
  if (later.length === 0) return writeNamed(alone, source)
  const sharing = later.filter((path) => !listModules(metafile.inputs, path).isDisjointFrom(atOnce))
  const toPaths = (modules: Iterable<string>) => new Set([...modules].map((path) => resolve(path)))
  const plugin = keepTogether({ entry: resolve(source), atOnce: toPaths(atOnce), sharing: toPaths(sharing) })
  const whole = await build({ ...options, metafile: true, write: false, plugins: [plugin] })
  return writeNamed(whole, source)
}
