import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { runWrangler } from '../../scripts/support/wrangler.ts'
import { ROOT } from './support/service.ts'

const KIB = 1024

interface Loaded {
  /** The size of all files after gzip. */
  readonly bytes: number
  /** The source files in them. */
  readonly inputs: readonly string[]
}

/** Bundles sources, and returns the files that load at once: the bundles and their static imports. */
async function bundle(sources: readonly string[], options: BuildOptions = {}): Promise<Loaded> {
  const { outputFiles, metafile } = await build({
    entryPoints: sources.map((source) => join(ROOT, source)),
    outdir: 'out',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    ...options,
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

const client = (names: readonly string[]) => bundle(names.map((name) => `src/client/${name}`))

const WORKER: BuildOptions = {
  conditions: ['workerd', 'worker'],
  external: ['cloudflare:*', 'node:*', '*.wasm'],
}

describe('the Worker', () => {
  it('is at most 320 KiB after gzip as it is deployed, without what draws pictures', async () => {
    const out = await mkdtemp(join(tmpdir(), 'regent-'))
    const { code, stderr } = await runWrangler(['deploy', '--dry-run', '--outdir', out])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const script = gzipSync(await readFile(join(out, 'index.js'))).byteLength
    const modules = (await readdir(out)).filter((name) => name.endsWith('.wasm'))
    const sizes = await Promise.all(
      modules.map(async (name) => gzipSync(await readFile(join(out, name))).byteLength),
    )
    await rm(out, { recursive: true })
    const { bytes: pictures } = await bundle(['src/site/previews/picture/draw-picture.ts'], WORKER)
    expect(pictures).toBeLessThanOrEqual(24 * KIB)
    expect(script - pictures).toBeLessThanOrEqual(320 * KIB)
    // The free plan of Workers allows 3 MiB for everything.
    expect(sizes.length).toBe(1)
    expect(sizes[0]).toBeLessThanOrEqual(1.75 * 1024 * KIB)
  })

  it('needs at most 120 KiB after gzip to read a document: sign-in is loaded when it is used', async () => {
    const { bytes, inputs } = await bundle(['src/index.ts'], WORKER)
    expect(inputs.filter((path) => /better-auth|takumi|speed-highlight/.test(path))).toEqual([])
    expect(bytes).toBeLessThanOrEqual(120 * KIB)
    expect(bytes).toBeGreaterThan(30 * KIB)
  })
})

describe('the styles and scripts', () => {
  it('of a form page are at most 10 KiB after gzip', async () => {
    const names = ['every-page', 'submit-once', 'username-check', 'copy-button', 'username-completion']
    const { bytes } = await client(['styles/styles.css', ...names.map((name) => `forms/${name}.ts`)])
    expect(bytes).toBeLessThanOrEqual(10 * KIB)
  })

  const NEW_DOCUMENT = [
    'styles/editing-page.css',
    'forms/every-page.ts',
    'forms/username-completion.ts',
    'create/create-page.ts',
  ]

  it('of the page for new documents are at most 40 KiB after gzip before its code editor is loaded', async () => {
    const { bytes, inputs } = await client(NEW_DOCUMENT)
    expect(inputs.filter((path) => path.includes('@codemirror/'))).toEqual([])
    expect(bytes).toBeLessThanOrEqual(40 * KIB)
  })

  it('of the page for new documents are at most 190 kB after gzip with its code editor, without any language', async () => {
    const { bytes, inputs } = await client([...NEW_DOCUMENT, 'code-editor/code-editor.ts'])
    const lazy = /@codemirror\/(lang-|legacy-modes)|cm6-graphql|codemirror-lang|shared\/detection|uqr|jose/
    expect(inputs.filter((path) => lazy.test(path))).toEqual([])
    expect(inputs.some((path) => path.includes('@codemirror/view'))).toBe(true)
    // The page itself adds a few kilobytes, within our limit of 200 kB.
    expect(bytes).toBeLessThanOrEqual(190_000)
    expect(bytes).toBeGreaterThan(50_000)
  })
})
