import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ROOT } from '../support/script.ts'

/** Longer than a build takes on a slow machine. */
const MAX_WAIT_MS = 5 * 60_000

/**
 * Builds one after the other: two services that start at the same time would read files that the other one's build is
 * writing. The operating system ends the lock with the process, however it ends.
 */
export async function lockBuild(build: () => Promise<void>): Promise<void> {
  const folder = join(ROOT, 'dist')
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(join(folder, 'build-lock.sqlite'), { timeout: MAX_WAIT_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    await build()
  } finally {
    lock.close()
  }
}
