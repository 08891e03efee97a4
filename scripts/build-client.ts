import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const HELP = `Builds what browsers load, from src/client into dist/client, and writes
src/site/assets.generated.ts, which tells the Worker the names.

Usage: node scripts/build-client.ts
`

const CLIENT = 'src/client'
const STYLES = 'styles/styles.css'
const OUT = 'dist/client'
/** The entry points by the name the Worker uses for them: page scripts and web workers. */
const SCRIPTS = {
  submitOnce: 'forms/submit-once',
  everyPage: 'forms/every-page',
  usernameCheck: 'forms/username-check',
  copyButton: 'forms/copy-button',
  usernameCompletion: 'forms/username-completion',
  decrypt: 'decrypt/decrypt',
  create: 'create/create',
  edit: 'edit/edit',
  jweWorker: 'encryption/jwe-worker',
  viewer: 'viewer/viewer',
  highlightWorker: 'highlight/highlight-worker',
}
/** Built together, because they share much that browsers then load once. Every other entry point is one file. */
const BUILT_TOGETHER = ['create/create', 'edit/edit', 'encryption/jwe-worker', 'highlight/highlight-worker']
const GENERATED = 'src/site/assets.generated.ts'

/** Names this state of the site: pages of another build have other tags. */
async function buildName(): Promise<string> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const hash = createHash('sha256')
  for (const path of paths.filter((path) => path !== GENERATED).sort()) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 8)
}

/** Writes only what differs: a watcher that starts this build must not be woken by it. */
async function writeChanged(path: string, text: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present !== text) await writeFile(path, text)
}

/** Builds some of the sources, and tells what was written. */
async function bundle(sources: readonly string[]) {
  const { metafile } = await build({
    entryPoints: sources.map((source) => join(CLIENT, source)),
    outdir: join(OUT, 'assets/immutable'),
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    metafile: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    logLevel: 'warning',
  })
  return Object.entries(metafile.outputs)
}

async function main(): Promise<void> {
  const alone = Object.values(SCRIPTS).filter((name) => !BUILT_TOGETHER.includes(name))
  const bundles = [
    [STYLES],
    BUILT_TOGETHER.map((name) => `${name}.ts`),
    ...alone.map((name) => [`${name}.ts`]),
  ]
  const written = (await Promise.all(bundles.map(bundle))).flat()
  /** The address of what was built from a file of the client. */
  const addressOf = (source: string): string => {
    const [path] = written.find(([, { entryPoint }]) => entryPoint === join(CLIENT, source)) ?? []
    if (path === undefined) throw new Error(`esbuild wrote nothing for ${source}`)
    return `/assets/immutable/${basename(path)}`
  }
  // Only what is outdated goes: a service that runs meanwhile never misses a file.
  const immutable = join(OUT, 'assets/immutable')
  const current = new Set(written.map(([path]) => basename(path)))
  for (const name of await readdir(immutable)) if (!current.has(name)) await rm(join(immutable, name))
  await copyFile(join(CLIENT, 'favicon.svg'), join(OUT, 'assets/favicon.svg'))
  await copyFile(join(CLIENT, '_headers'), join(OUT, '_headers'))
  await writeChanged(
    GENERATED,
    `// Written by scripts/build-client.ts.
export const BUILD = '${await buildName()}'
export const STYLES = '${addressOf(STYLES)}'
export const SCRIPTS = {
${Object.entries(SCRIPTS)
  .map(([name, file]) => `  ${name}: '${addressOf(`${file}.ts`)}',`)
  .join('\n')}
}
`,
  )
}

if (process.argv.includes('--help')) process.stdout.write(HELP)
else await main()
