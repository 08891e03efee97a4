import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { runWrangler } from '../../scripts/wrangler.ts'
import { ROOT } from './support/service.ts'

const KiB = 1024

it('the Worker is at most 260 KiB compressed as it is deployed', async () => {
  const out = await mkdtemp(join(tmpdir(), 'regent-'))
  const { code, stderr } = await runWrangler(['deploy', '--dry-run', '--outdir', out])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const script = await readFile(join(out, 'index.js'))
  await rm(out, { recursive: true })
  expect(gzipSync(script).byteLength).toBeLessThanOrEqual(260 * KiB)
})

it('what a read needs of it is at most 120 KiB compressed: signing in is loaded where it is served', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, 'src/index.ts')],
    outdir: 'worker',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:*', 'node:*'],
    metafile: true,
    write: false,
    absWorkingDir: ROOT,
  })
  const needed = new Set(['worker/index.js'])
  for (const path of needed) {
    for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.outputs[imported]) needed.add(imported)
    }
  }
  const inputs = [...needed].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
  expect(inputs.filter((path) => path.includes('better-auth'))).toEqual([])
  const bytes = outputFiles
    .filter(({ path }) => [...needed].some((name) => path.endsWith(`/${name}`)))
    .reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0)
  expect(bytes).toBeLessThanOrEqual(120 * KiB)
  expect(bytes).toBeGreaterThan(30 * KiB)
})

it('what a browser loads for a page is at most 10 KiB compressed beside the page', async () => {
  const { outputFiles } = await build({
    entryPoints: ['styles.css', 'frame.ts', 'once.ts', 'username.ts', 'copy.ts', 'completion.ts'].map(
      (name) => join(ROOT, 'src/client', name),
    ),
    outdir: 'client',
    bundle: true,
    minify: true,
    write: false,
  })
  const bytes = outputFiles.reduce((sum, file) => sum + gzipSync(file.contents).byteLength, 0)
  expect(bytes).toBeLessThanOrEqual(10 * KiB)
})

it('the editor is usable after at most 200 KB compressed, with no language in it', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['styles.css', 'completion.ts', 'editor.ts'].map((name) => join(ROOT, 'src/client', name)),
    outdir: 'client',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
    absWorkingDir: ROOT,
  })
  const needed = new Set(['client/styles.css', 'client/completion.js', 'client/editor.js'])
  for (const path of needed) {
    for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') needed.add(imported)
    }
  }
  const inputs = [...needed].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
  expect(inputs.filter((path) => /@codemirror\/(lang-|legacy-modes)|flourite|uqr|jose/.test(path))).toEqual(
    [],
  )
  const bytes = outputFiles
    .filter(({ path }) => [...needed].some((name) => path.endsWith(`/${name}`)))
    .reduce((sum, { contents }) => sum + gzipSync(contents).byteLength, 0)
  // The page itself has a few kilobytes.
  expect(bytes).toBeLessThanOrEqual(190_000)
  expect(bytes).toBeGreaterThan(50_000)
})
