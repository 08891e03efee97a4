import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { runWrangler } from '../../scripts/wrangler.ts'
import { ROOT } from './support/service.ts'

const KiB = 1024

it('the Worker, all of which a read needs, is at most 120 KiB compressed as it is deployed', async () => {
  const out = await mkdtemp(join(tmpdir(), 'regent-'))
  const { code, stderr } = await runWrangler(['deploy', '--dry-run', '--outdir', out])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const script = await readFile(join(out, 'index.js'))
  await rm(out, { recursive: true })
  expect(gzipSync(script).byteLength).toBeLessThanOrEqual(120 * KiB)
})

it('what a browser loads for a page is at most 4 KiB compressed beside the page', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/client/styles.css')],
    bundle: true,
    minify: true,
    write: false,
  })
  const bytes = outputFiles.reduce((sum, file) => sum + gzipSync(file.contents).byteLength, 0)
  expect(bytes).toBeLessThanOrEqual(4 * KiB)
})
