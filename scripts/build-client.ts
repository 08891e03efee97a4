import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Metafile } from 'esbuild'

const HELP = `Builds the scripts and styles for browsers from src/client into dist/client, and
writes their addresses into src/site/assets.generated.ts for the Worker.

Usage: node scripts/build-client.ts
`

const CLIENT = 'src/client'
const OUT = 'dist/client'
const IMMUTABLE = join(OUT, 'assets/immutable')
const GENERATED = 'src/site/assets.generated.ts'

const STYLES = 'styles/styles.css'
/** The styles of the page of a document. */
const DOCUMENT_STYLES = 'styles/document-page.css'
/** The colours of the named themes, which pages load only if the reader chose one. */
const THEME_STYLES = 'styles/themes.css'
/** Rendered Markdown, which scripts load with it. */
const MARKDOWN_STYLES = 'styles/rendered.css'
/** The view of logs, which scripts load with it. */
const LOG_STYLES = 'styles/logs.css'

/** Scripts of pages and web workers, by the name that the Worker uses. Each is one file. */
const SINGLE_SCRIPTS = {
  submitOnce: 'forms/submit-once.ts',
  everyPage: 'forms/every-page.ts',
  usernameCheck: 'forms/username-check.ts',
  copyButton: 'forms/copy-button.ts',
  usernameCompletion: 'forms/username-completion.ts',
  decrypt: 'decrypt/decrypt.ts',
  viewer: 'viewer/viewer.ts',
}

/** Scripts that share much code. They are split into chunks, so that browsers load the shared code once. */
const SPLIT_SCRIPTS = {
  create: 'create/create-page.ts',
  codeEditor: 'code-editor/code-editor.ts',
  edit: 'edit/edit-page.ts',
  jweWorker: 'encryption/jwe-worker.ts',
  highlightWorker: 'highlight/highlight-worker.ts',
  logWorker: 'logs/log-worker.ts',
}

const SCRIPTS = { ...SINGLE_SCRIPTS, ...SPLIT_SCRIPTS }

type Outputs = Metafile['outputs']

/** Returns a hash of the sources. It's part of every page's entity tag, so a new build changes every tag. */
async function getBuildName(): Promise<string> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const hash = createHash('sha256')
  for (const path of paths.filter((path) => path !== GENERATED).sort()) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 8)
}

/** Bundles sources together and returns what was written. */
async function bundle(sources: readonly string[]): Promise<Outputs> {
  const { metafile } = await build({
    entryPoints: sources.map((source) => join(CLIENT, source)),
    outdir: IMMUTABLE,
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
  return metafile.outputs
}

/** Deletes the files of earlier builds. The current ones stay, so that a running service never misses a file. */
async function deleteOutdated(outputs: Outputs): Promise<void> {
  const current = new Set(Object.keys(outputs).map((path) => basename(path)))
  for (const name of await readdir(IMMUTABLE)) if (!current.has(name)) await rm(join(IMMUTABLE, name))
}

/** Returns the module that tells the Worker the addresses of the build. */
async function generateModule(outputs: Outputs): Promise<string> {
  const getAddress = (source: string): string => {
    const [path] =
      Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === join(CLIENT, source)) ?? []
    if (path === undefined) throw new Error(`esbuild wrote nothing for ${source}`)
    return `/assets/immutable/${basename(path)}`
  }
  const scripts = Object.entries(SCRIPTS).map(([name, source]) => `  ${name}: '${getAddress(source)}',`)
  return `// Written by scripts/build-client.ts.
export const BUILD = '${await getBuildName()}'
export const STYLES = '${getAddress(STYLES)}'
export const DOCUMENT_STYLES = '${getAddress(DOCUMENT_STYLES)}'
export const THEME_STYLES = '${getAddress(THEME_STYLES)}'
export const MARKDOWN_STYLES = '${getAddress(MARKDOWN_STYLES)}'
export const LOG_STYLES = '${getAddress(LOG_STYLES)}'
export const SCRIPTS = {
${scripts.join('\n')}
}
`
}

/** Writes a file only if its text changes: otherwise a watcher that runs this build would run it again. */
async function writeIfChanged(path: string, text: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present !== text) await writeFile(path, text)
}

async function main(): Promise<void> {
  const bundles = [
    [STYLES],
    [DOCUMENT_STYLES],
    [THEME_STYLES],
    [MARKDOWN_STYLES],
    [LOG_STYLES],
    Object.values(SPLIT_SCRIPTS),
    ...Object.values(SINGLE_SCRIPTS).map((source) => [source]),
  ]
  const written = await Promise.all(bundles.map(bundle))
  const outputs: Outputs = Object.fromEntries(written.flatMap((bundled) => Object.entries(bundled)))
  await deleteOutdated(outputs)
  // Icons, the manifest and the headers, which are served as they are.
  await cp(join(CLIENT, 'public'), OUT, { recursive: true })
  await writeIfChanged(GENERATED, await generateModule(outputs))
}

if (process.argv.includes('--help')) process.stdout.write(HELP)
else await main()
