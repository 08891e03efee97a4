import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'vitest/config'

const OUT = 'dist/tests'

/** Bundles source files with all that they import, in chunks that they share, and returns where each one is. */
async function bundle(root: string, files: readonly string[]): Promise<Map<string, string>> {
  await rm(join(root, OUT), { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir: OUT,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'node:*', 'vitest'],
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  })
  const outputs = Object.entries(metafile.outputs)
  return new Map(
    outputs.flatMap(([path, { entryPoint }]) => (entryPoint ? [[join(root, entryPoint), join(root, path)]] : [])),
  )
}

/**
 * Has Vitest load test files as bundles. A test file that imports the Worker imports hundreds of modules, and
 * fetching them one by one takes longer than most test files run.
 */
export function bundledTests(root: string, files: readonly string[]): Plugin {
  let bundles: Promise<Map<string, string>> | undefined
  return {
    name: 'bundled-tests',
    enforce: 'pre',
    async load(id) {
      bundles ??= bundle(root, files)
      const path = (await bundles).get(id)
      if (path === undefined) return
      const url = JSON.stringify(path)
      return id.includes('.test.') ? `import ${url}` : `export * from ${url}; export { default } from ${url}`
    },
  }
}
