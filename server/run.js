// Plain JavaScript that old versions of Node can read, so that they say what is missing.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MIN_VERSION = 24

const [version] = process.versions.node.split('.')
if (Number(version) >= MIN_VERSION) {
  // In a process of its own, which gives back its memory.
  const script = fileURLToPath(new URL('../scripts/build-server.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [script, '--all'], { stdio: 'inherit' })
  if (status === 0) await import('../dist/server/main.js')
  else process.exitCode = status ?? 1
} else {
  console.error(
    `Regent's server needs Node ${MIN_VERSION} or newer, and this is Node ${process.versions.node}. Install it, or run npm ci, which brings it.`,
  )
  process.exitCode = 1
}
