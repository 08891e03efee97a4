import '../scripts/support/require-node.js'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// In a process of its own, which gives back its memory.
const script = fileURLToPath(new URL('../scripts/build-server.ts', import.meta.url))
const { status } = spawnSync(process.execPath, [script, '--all'], { stdio: 'inherit' })
if (status === 0) await import('../dist/server/main.js')
else process.exitCode = status ?? 1
