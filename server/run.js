import '../scripts/support/require-node.js'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// In a process of its own, which gives back its memory.
const script = fileURLToPath(new URL('../scripts/build-server.ts', import.meta.url))
const { status } = spawnSync(process.execPath, [script, '--all'], { stdio: 'inherit' })
const main = new URL('../dist/server/main.js', import.meta.url)
const { execArgv, execPath, env } = process
if (status !== 0) process.exitCode = status ?? 1
else if (process.platform === 'linux' && env.MALLOC_ARENA_MAX === undefined) {
  // glibc keeps freed memory for each thread, and reads how many parts it does that in only when a program starts. With
  // one part for the main thread and one for the others, what V8's compilers take leaves no holes in the main one.
  const args = [execPath, ...execArgv, fileURLToPath(main), ...process.argv.slice(2)]
  process.execve(execPath, args, { ...env, MALLOC_ARENA_MAX: '2' })
} else await import(main.href)
