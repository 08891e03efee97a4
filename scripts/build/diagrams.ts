import { createHash } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { writeIfChanged } from './write-if-changed.ts'

/** Mermaid writes styles into its diagrams, and measures text in them: both need styles that the site's own pages forbid. */
export const DIAGRAM_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

/** A layout of Mermaid that few diagrams ask for: 1.6 MB, under a licence that isn't permissive. They show their source. */
export const NOT_BUNDLED = ['elkjs/*']

const formatPage = (script: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Diagram</title>
<style>body { margin: 0; overflow-x: auto } svg { display: block; margin: 0 auto }</style>
<script type="module" src="${script}"></script>
</html>
`

/**
 * Builds the page that draws diagrams, and the parts of Mermaid that it loads, each when a diagram needs it. Returns the name
 * of the page's file.
 */
export async function buildDiagrams(
  folder: string,
  source: string,
  target: readonly string[],
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const { outputFiles, metafile } = await build({
    entryPoints: [source],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[hash]',
    bundle: true,
    external: NOT_BUNDLED,
    splitting: true,
    format: 'esm',
    minify: true,
    metafile: true,
    target: [...target],
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  })
  const [script] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (script === undefined) throw new Error(`esbuild wrote nothing for ${source}`)
  const html = formatPage(basename(script))
  const hash = createHash('sha256').update(html).digest('hex').slice(0, 8).toUpperCase()
  const page = `diagram-${hash}.html`
  await Promise.all([
    ...outputFiles.map(({ path, contents }) => writeIfChanged(path, contents)),
    writeIfChanged(join(folder, page), html),
  ])
  const current = new Set([page, ...outputFiles.map(({ path }) => basename(path))])
  for (const name of await readdir(folder)) if (!current.has(name)) await rm(join(folder, name))
  return page
}
