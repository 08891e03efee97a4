import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { getIconAddress, isIconFile } from '../src/config.ts'
import { FILE_SECURITY_HEADERS } from '../src/platform/security-headers.ts'
import { buildDiagrams, DIAGRAM_POLICY } from './build/diagrams.ts'
import { copyFonts } from './build/fonts.ts'
import { buildLanguageFiles } from './build/language-files.ts'
import { bundleWholeScript } from './build/whole-script.ts'
import { writeIfChanged } from './build/write-if-changed.ts'
import { runStep } from './support/build-step.ts'
import { getVariables, readConfig } from './support/config.ts'
import { CommandError, ROOT, runScript } from './support/script.ts'

const HELP = `Builds the files that Cloudflare serves without the Worker into dist/client: the scripts
and styles from src/client, the fonts of preview pictures, the OpenAPI document and the
reference of the API from src/reference. Writes their addresses and the names of the migrations into
src/ui/assets.generated.ts for the Worker. Does nothing if that would change nothing.

Usage: node scripts/build-client.ts
`

const CLIENT = 'src/client'
const OUT = 'dist/client'
const IMMUTABLE = join(OUT, 'assets/immutable')
const FONTS = join(OUT, 'assets/fonts')
/** The page that draws diagrams, in a sandbox with a policy of its own. */
const DIAGRAMS = join(OUT, 'assets/diagrams')
/** The OpenAPI document, which the Worker serves with the site's name. */
const OPENAPI = join(OUT, 'assets/openapi.json')
const GENERATED = 'src/ui/assets.generated.ts'

/** The stylesheets of pages, by the names that the Worker uses. Each is one file. */
const STYLESHEETS = {
  STYLES: 'styles/styles.css',
  /** The first paint of a document's page. */
  DOCUMENT_STYLES: 'styles/document-page.css',
  /** The styles that the page needs later, on its creator's page, and where it asks a question first. */
  DOCUMENT_EXTRA_STYLES: 'styles/document-extras.css',
  /** The pages for new documents and for editing. */
  EDITING_STYLES: 'styles/editing-page.css',
  /** The styles of the page of several files, beside those of a document's page. */
  FILES_STYLES: 'styles/files.css',
  HISTORY_STYLES: 'styles/history-page.css',
  /** The colours of the named themes, which pages load only if the reader chose one. */
  THEME_STYLES: 'styles/themes.css',
  /** Documents in frames of other sites. */
  EMBED_STYLES: 'styles/embed-page.css',
  /** How long texts are laid out. It is part of other stylesheets, too. */
  LONG_TEXT_STYLES: 'styles/long-text.css',
  /** Rendered Markdown, which scripts load with it. */
  MARKDOWN_STYLES: 'styles/rendered.css',
  /** The views of logs, tables and JSON, which scripts load with them. */
  VIEW_STYLES: 'styles/data.css',
  REFERENCE_STYLES: 'styles/reference-page.css',
  /** The styles of the pages of moderation, beside those of every page. */
  MODERATION_STYLES: 'styles/moderation-page.css',
}

/** Scripts of pages and web workers, by the name that the Worker uses. Each is one file. */
const SCRIPTS = {
  form: 'forms/form-page.ts',
  everyPage: 'forms/every-page.ts',
  decrypt: 'decrypt/decrypt.ts',
  viewer: 'viewer/viewer.ts',
  files: 'files/files-page.ts',
  embed: 'embed/embed.ts',
  editor: 'editor/editor-page.ts',
  history: 'history/history-page.ts',
  jweWorker: 'encryption/jwe-worker.ts',
  highlightWorker: 'highlight/highlight-worker.ts',
  viewWorker: 'viewer/views/view-worker.ts',
}

/** The script that the editor's page loads unless the document is new, and the one that it loads later. */
const EDIT = 'editor/edit-document.ts'
const CODE_EDITOR = 'editor/code-editor.ts'
/** This script runs in the frame that draws diagrams. */
const DIAGRAM_FRAME = 'diagrams/frame.ts'
/** The module that the viewer loads to show rendered Markdown. */
const MARKDOWN_VIEW = 'markdown/markdown-view.ts'

type Outputs = Metafile['outputs']

/** Returns a hash of the sources. It's part of every page's entity tag, so a new build changes every tag. */
async function getBuildName(): Promise<string> {
  const files = await readdir('src', { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const hash = createHash('sha256')
  for (const path of paths.filter((path) => path !== GENERATED).sort()) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 8)
}

const listMigrations = async (): Promise<string[]> =>
  (await readdir('migrations')).filter((name) => name.endsWith('.sql')).sort()

/** The first with light-dark() and popovers. What they lack beyond syntax: test/e2e/oldest-browsers.test.ts. */
const TARGET = ['chrome123', 'firefox125', 'safari17.5']

/** The script of every page, which runs first, has decided it: src/client/forms/every-page.ts. */
const STOP_IF_TOO_OLD = 'if(globalThis.isTooOld)throw 0;'

const toAddress = (path: string): string => `/assets/immutable/${basename(path)}`

interface Loaded {
  /** The start of the paths of the languages' files. */
  readonly languageFiles: string
  /** The file of the page that draws diagrams. */
  readonly diagramFrame: string
}

const getOptions = (
  sources: readonly string[],
  { languageFiles, diagramFrame }: Loaded,
): BuildOptions & { metafile: true } => ({
  entryPoints: sources.map((source) => join(CLIENT, source)),
  outdir: IMMUTABLE,
  entryNames: '[name]-[hash]',
  chunkNames: '[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  metafile: true,
  target: TARGET,
  ...(!sources.includes(SCRIPTS.everyPage) && { banner: { js: STOP_IF_TOO_OLD } }),
  define: {
    LANGUAGE_FILES: JSON.stringify(toAddress(languageFiles)),
    DIAGRAM_FRAME: JSON.stringify(`/assets/diagrams/${diagramFrame}`),
  },
  logLevel: 'warning',
})

/** Bundles sources together and returns the written files. */
async function bundle(sources: readonly string[], loaded: Loaded): Promise<Outputs> {
  const { metafile, outputFiles } = await build({ ...getOptions(sources, loaded), write: false })
  await Promise.all(outputFiles.map(({ path, contents }) => writeIfChanged(path, contents)))
  return metafile.outputs
}

interface ReferenceFiles {
  readonly openApiJson: string
  readonly referenceHtml: string
}

/** Bundles and runs the code that creates the OpenAPI document and the reference: Node can't run its JSX directly. */
async function writeReference(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/reference/reference.tsx'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const { openApiJson, referenceHtml }: ReferenceFiles = await import(`data:text/javascript;base64,${code}`)
  const hash = createHash('sha256').update(referenceHtml).digest('hex').slice(0, 8).toUpperCase()
  const path = join(IMMUTABLE, `reference-${hash}.html`)
  await Promise.all([writeIfChanged(OPENAPI, openApiJson), writeIfChanged(path, referenceHtml)])
  return path
}

/** Copies the fonts, and writes the list of their files. */
async function writeFonts(): Promise<string> {
  const list = await copyFonts(FONTS)
  const hash = createHash('sha256').update(list).digest('hex').slice(0, 8).toUpperCase()
  const path = join(IMMUTABLE, `fonts-${hash}.json`)
  await writeIfChanged(path, list)
  return path
}

/** Copies the operator's icon, if it's a file, to where the Worker says that it is. */
async function copySiteIcon(): Promise<void> {
  const icon = getVariables(readConfig()).SITE_ICON ?? ''
  const address = isIconFile(icon) ? getIconAddress(icon) : null
  if (address === null) return
  const bytes = await readFile(resolve(ROOT, icon)).catch(() => null)
  if (bytes === null) throw new CommandError(`SITE_ICON = ${JSON.stringify(icon)}: there is no such file`)
  await writeIfChanged(join(OUT, address), bytes)
}

/** Deletes the files of earlier builds. The current ones stay, so that a running service never misses a file. */
async function deleteOutdated(paths: readonly string[]): Promise<void> {
  const current = new Set(paths.map((path) => basename(path)))
  for (const name of await readdir(IMMUTABLE)) if (!current.has(name)) await rm(join(IMMUTABLE, name))
}

/** Returns the files that a file imports at once, directly or not. */
function listImports(outputs: Outputs, path: string, found = new Set<string>()): Set<string> {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(imported)) continue
    found.add(imported)
    listImports(outputs, imported, found)
  }
  return found
}

/**
 * Returns the module that tells the Worker the addresses of the build.
 *
 * @param wholes the files of the scripts that are one file each.
 * @param others the file of the reference, the list of the fonts, and what the languages' files start with.
 */
async function generateModule(
  outputs: Outputs,
  wholes: ReadonlyMap<string, string>,
  others: Readonly<Record<'reference' | 'fonts' | 'languageFiles', string>>,
): Promise<string> {
  const findOutput = (source: string): string => {
    const input = join(CLIENT, source)
    const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === input) ?? []
    if (path === undefined) throw new Error(`esbuild wrote nothing for ${source}`)
    return path
  }
  const getAddress = (source: string): string => toAddress(wholes.get(source) ?? findOutput(source))
  const listAddresses = (paths: Iterable<string>): string =>
    [...paths].map((path) => `  '${toAddress(path)}',`).join('\n')
  /** Lists a module that a script loads, and what it imports. */
  const listModule = (script: string, source: string): string => {
    const file = wholes.get(script) ?? findOutput(script)
    const imports = listImports(outputs, file).add(file)
    const loaded = outputs[file]?.imports ?? []
    const path = loaded.find(({ path }) => outputs[path]?.entryPoint === join(CLIENT, source))?.path
    if (path === undefined) throw new Error(`${script} doesn't load ${source}`)
    return listAddresses([path, ...listImports(outputs, path)].filter((file) => !imports.has(file)))
  }
  const stylesheets = Object.entries(STYLESHEETS).map(
    ([name, source]) => `export const ${name} = '${getAddress(source)}'`,
  )
  const scripts = Object.entries(SCRIPTS).map(([name, source]) => `  ${name}: '${getAddress(source)}',`)
  return `// Written by scripts/build-client.ts.
export const BUILD = '${await getBuildName()}'
/** The migrations that this code needs. */
export const MIGRATIONS: readonly string[] = [
${(await listMigrations()).map((name) => `  '${name}',`).join('\n')}
]
${stylesheets.join('\n')}
/** The text of the reference, as HTML. */
export const REFERENCE = '${toAddress(others.reference)}'
/** The list of the fonts, as JSON. */
export const FONTS = '${toAddress(others.fonts)}'
export const SCRIPTS = {
${scripts.join('\n')}
}
/** What the editor's page needs beside its script: to edit a document, and for the code editor. */
export const EDIT_FILES = [
${listModule(SCRIPTS.editor, EDIT)}
]
export const CODE_EDITOR_FILES = [
${listModule(SCRIPTS.editor, CODE_EDITOR)}
]
/** What the file that colours a text in a language starts with. Its name and \`.js\` follow. */
export const LANGUAGE_FILES = '${toAddress(others.languageFiles)}'
/** What the viewer needs to show rendered Markdown. */
export const MARKDOWN_FILES = [
${listModule(SCRIPTS.viewer, MARKDOWN_VIEW)}
]
`
}

/**
 * Returns the headers of all files, in the format of Cloudflare's `_headers`. Cloudflare joins the values of all rules
 * that match, so a rule first removes what the rule for all files says about its headers.
 */
function formatHeaders(): string {
  const rules = {
    '/*': FILE_SECURITY_HEADERS,
    '/assets/immutable/*': { 'Cache-Control': 'public, max-age=31536000, immutable' },
    // Embeds have this header, so browsers expect it of their web worker.
    '/assets/immutable/highlight-worker-*': { 'Cross-Origin-Embedder-Policy': 'require-corp' },
    // An embed in a sandbox has an origin of its own.
    '/assets/immutable/embed-page-*': { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    '/assets/immutable/long-text-*': { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    // The page in a sandbox has an origin of its own, to which its scripts are those of another site.
    '/assets/diagrams/*': {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': DIAGRAM_POLICY,
      'X-Frame-Options': 'SAMEORIGIN',
      'Origin-Agent-Cluster': '?0',
      'Access-Control-Allow-Origin': '*',
    },
    '/assets/fonts/*': { 'Cache-Control': 'public, max-age=31536000, immutable' },
    // The pictures of link previews, which chats show in their own pages.
    '/assets/*.png': { 'Cross-Origin-Resource-Policy': 'cross-origin' },
  }
  const formatRule = ([path, headers]: [string, Readonly<Record<string, string>>]) => {
    const replaced = path === '/*' ? [] : Object.keys(headers).filter((name) => name in FILE_SECURITY_HEADERS)
    const removals = replaced.map((name) => `  ! ${name}`)
    const values = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
    return [path, ...removals, ...values, ''].join('\n')
  }
  return Object.entries(rules).map(formatRule).join('')
}

async function main(): Promise<void> {
  await mkdir(IMMUTABLE, { recursive: true })
  const [languages, diagramFrame] = await Promise.all([
    buildLanguageFiles(IMMUTABLE, TARGET),
    buildDiagrams(DIAGRAMS, join(CLIENT, DIAGRAM_FRAME), TARGET),
  ])
  const loaded = { languageFiles: languages.prefix, diagramFrame }
  const [written, wholes, reference, fonts] = await Promise.all([
    Promise.all(Object.values(STYLESHEETS).map((source) => bundle([source], loaded))),
    Promise.all(
      Object.values(SCRIPTS).map(async (source) => ({
        source,
        ...(await bundleWholeScript(join(CLIENT, source), getOptions([source], loaded))),
      })),
    ),
    writeReference(),
    writeFonts(),
  ])
  const all = [...written, ...wholes.map(({ outputs }) => outputs)]
  const outputs: Outputs = Object.fromEntries(all.flatMap((bundled) => Object.entries(bundled)))
  // Earlier releases put the OpenAPI document there, and it would be served in place of the Worker's.
  await rm(join(OUT, 'v1'), { recursive: true, force: true })
  await deleteOutdated([...Object.keys(outputs), ...languages.paths, reference, fonts])
  // Icons and the manifest, which are served as they are.
  for (const file of await readdir('public', { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    if (file.isFile()) await writeIfChanged(join(OUT, relative('public', path)), await readFile(path))
  }
  const scripts = new Map(wholes.map(({ source, file }) => [source, file]))
  await writeIfChanged(join(OUT, '_headers'), formatHeaders())
  await writeIfChanged(
    GENERATED,
    await generateModule(outputs, scripts, {
      reference,
      fonts,
      languageFiles: languages.prefix,
    }),
  )
}

await runScript(async () => {
  if (process.argv.includes('--help')) process.stdout.write(HELP)
  else {
    // It isn't part of the step: Cloudflare needs the copy, and one machine serves the icon from where it is.
    await copySiteIcon()
    await runStep('client', main)
  }
})
