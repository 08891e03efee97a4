import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives this process, and those that it starts, a folder of their own for temporary files. It is removed when this process
 * ends, with what browsers, simulators and killed workers have left in it.
 */
export function useOwnTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'regent-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // A browser that has just been told to end may write for a moment.
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  )
}
