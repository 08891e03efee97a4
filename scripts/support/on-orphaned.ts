import { spawnSync } from 'node:child_process'

/**
 * Calls back once npm has ended. A signal to npm alone, as supervisors send it, doesn't reach what npm runs through a shell.
 */
export function onOrphaned(stop: () => void): void {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(parent)], { encoding: 'utf8' })
  const npm = Number(stdout) || null
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || isAlive(npm))) return
    clearInterval(timer)
    stop()
  }, 250)
  timer.unref()
}
