import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createNotice } from './build/licences.ts'
import { bundleWorker, ENTRY_POINT, listFiles } from './build/worker.ts'
import { writeIfChanged } from './build/write-if-changed.ts'
import { runStep } from './support/build-step.ts'
import { ROOT, relativePath } from './support/script.ts'

const HELP = `Builds the Worker into dist/worker, after scripts/build-client.ts has written the addresses of the
browser's files. Wrangler deploys these files as they are. Also writes the licences of all bundled packages.
Does nothing if that would change nothing.

Usage: node scripts/build-worker.ts
`

const OUT = join(ROOT, 'dist/worker')
const LICENCES = join(ROOT, 'dist/client/assets/licences.txt')

/** The types of the entry point, for the types that wrangler generates. */
const TYPES: readonly [string, Uint8Array] = [
  'index.d.ts',
  Buffer.from("export { default } from '../../src/index.ts'\n"),
]

async function main(): Promise<void> {
  const files = new Map([...listFiles(await bundleWorker()), TYPES])
  // The entry point comes last: it imports the others.
  const names = [...files.keys()].sort(
    (one, other) => Number(one === ENTRY_POINT) - Number(other === ENTRY_POINT),
  )
  for (const name of names) await writeIfChanged(join(OUT, name), files.get(name) ?? new Uint8Array())
  const written = await readdir(OUT, { recursive: true, withFileTypes: true })
  for (const file of written) {
    const path = join(file.parentPath, file.name)
    if (file.isFile() && !files.has(relativePath(OUT, path))) await rm(path)
  }
  await writeIfChanged(LICENCES, await createNotice())
}

if (process.argv.includes('--help')) process.stdout.write(HELP)
else await runStep('worker', main)
