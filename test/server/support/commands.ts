import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../scripts/support/script.ts'

interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Loaded before the command. By default, what refuses devDependencies. */
  readonly preload?: readonly string[]
}

/** Runs a command for operators in a process of its own, as the npm script of this name does. */
export async function runScript(
  script: 'admin' | 'backup' | 'doctor' | 'recover' | 'restore',
  args: readonly string[],
  { env = {}, preload = [join(import.meta.dirname, 'production-only.js')] }: CommandOptions = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } }
  const command = [...preload.flatMap((file) => ['--import', file]), `scripts/${script}.ts`, ...args]
  return promisify(execFile)(process.execPath, command, options).then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}
