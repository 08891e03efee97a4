import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleWorker, listStartModules, type WorkerBuild } from '../../scripts/build/worker.ts'
import { relativePath } from '../../scripts/support/script.ts'
import { ROOT } from './support/service.ts'

const KIB = 1024

interface Loaded {
  /** The size of all files after gzip. */
  readonly bytes: number
  /** The source files in them. */
  readonly inputs: readonly string[]
}

/** Bundles sources of the browser, and returns the files that load at once: the bundles and their static imports. */
async function bundleClient(names: readonly string[]): Promise<Loaded> {
  const sources = names.map((name) => `src/client/${name}`)
  const { outputFiles, metafile } = await build({
    entryPoints: sources.map((source) => join(ROOT, source)),
    outdir: 'out',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
    absWorkingDir: ROOT,
  })
  const outputs = Object.entries(metafile.outputs)
  const loaded = new Set(
    outputs.filter(([, { entryPoint }]) => sources.includes(entryPoint ?? '')).map(([path]) => path),
  )
  for (const path of loaded) {
    for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.outputs[imported]) loaded.add(imported)
    }
  }
  const files = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(`/${name}`)))
  return {
    bytes: files.reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0),
    inputs: [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {})),
  }
}

/** Returns the size of modules after gzip, as wrangler counts it: all of them in one stream. */
const compress = (modules: readonly { readonly code: string }[]): number =>
  gzipSync(modules.map(({ code }) => code).join('')).byteLength

describe('the Worker', () => {
  let worker: WorkerBuild

  beforeAll(async () => {
    worker = await bundleWorker()
  })

  it('is at most 1 MiB after gzip as it is deployed', () => {
    expect(compress(worker.modules)).toBeLessThanOrEqual(1024 * KIB)
    // The free plan of Workers allows 3 MiB for everything.
    const wasm = worker.assets.filter(({ fileName }) => fileName.endsWith('.wasm'))
    expect(wasm.length).toBe(1)
    expect(gzipSync(wasm[0]?.source ?? '').byteLength).toBeLessThanOrEqual(1.75 * 1024 * KIB)
  })

  it('evaluates when it starts what reading a document needs, and nothing heavy', () => {
    const start = listStartModules(worker)
    const inputs = start.flatMap(({ moduleIds }) => moduleIds.map((path) => relativePath(ROOT, path)))
    const later =
      /sign-in-pages|entities|takumi|highlight|jose.*jwe|markdown-it|\/zod\/|jsx\/dom\/render|src\/(?:scheduled|shared\/detection|api|site\/home|documents\/write|gists\/gist-api)/
    expect(inputs.filter((path) => later.test(path))).toEqual([])
    expect(inputs).toContain('src/documents/read.ts')
    // The entry point, which only imports the other.
    expect(start.length).toBe(2)
  })
})

describe('the styles and scripts', () => {
  it('of a form page are at most 10 KiB after gzip', async () => {
    const names = ['every-page', 'form-page']
    const { bytes } = await bundleClient(['styles/styles.css', ...names.map((name) => `forms/${name}.ts`)])
    expect(bytes).toBeLessThanOrEqual(10 * KIB)
  })

  const NEW_DOCUMENT = [
    'styles/editing-page.css',
    'forms/every-page.ts',
    'forms/form-page.ts',
    'editor/editor-page.ts',
  ]

  it('of the page for new documents are at most 40 KiB after gzip before its code editor is loaded', async () => {
    const { bytes, inputs } = await bundleClient(NEW_DOCUMENT)
    expect(inputs.filter((path) => path.includes('@codemirror/'))).toEqual([])
    expect(bytes).toBeLessThanOrEqual(40 * KIB)
  })

  it('of the page for new documents are at most 190 kB after gzip with its code editor, without any language', async () => {
    const { bytes, inputs } = await bundleClient([...NEW_DOCUMENT, 'editor/code-editor.ts'])
    const lazy = /@codemirror\/(lang-|legacy-modes)|cm6-graphql|codemirror-lang|shared\/detection|uqr|jose/
    expect(inputs.filter((path) => lazy.test(path))).toEqual([])
    expect(inputs.some((path) => path.includes('@codemirror/view'))).toBe(true)
    // The page itself adds a few kilobytes, within our limit of 200 kB.
    expect(bytes).toBeLessThanOrEqual(190_000)
    expect(bytes).toBeGreaterThan(50_000)
  })
})
