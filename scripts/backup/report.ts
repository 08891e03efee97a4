import { CommandError, formatCount, runScript } from '../support/script.ts'
import { OperatorError } from '../support/storage.ts'
import type { Missing } from './restore-backup.ts'

/** The exit code of commands whose backup lacks content, and is otherwise in order. */
export const INCOMPLETE = 3

const MAX_LISTED = 20

/** Lists what a backup lacks on standard error, and sets the exit code. Does nothing if the backup is complete. */
export function reportMissing(missing: readonly Missing[], file: string): void {
  if (missing.length === 0) return
  process.exitCode = INCOMPLETE
  const documents = missing.filter(({ revision }) => revision === null).length
  const counts = [
    ...(documents > 0 ? [formatCount(documents, 'document')] : []),
    ...(documents < missing.length ? [formatCount(missing.length - documents, 'revision')] : []),
  ]
  const listed = missing
    .slice(0, MAX_LISTED)
    .map(({ document, revision }) => `  ${document}${revision === null ? '' : `, revision ${revision}`}`)
  const rest =
    missing.length > MAX_LISTED
      ? [`  and ${missing.length - MAX_LISTED} more: npm run restore -- --from ${file} --check --json`]
      : []
  process.stderr.write(`The backup is incomplete: KV doesn't have the content of ${counts.join(' and ')}.
${[...listed, ...rest].join('\n')}
Everything else is in it and can be restored. See "Missing content" in docs/recovery.md.
`)
}

/** Shows how far a command has got, on a terminal only. Null ends the line. */
export function showProgress(text: string | null): void {
  if (process.stderr.isTTY) process.stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${text}`)
}

/** Runs a command on backups. What the person at the terminal can fix is one sentence. */
export const runStorageCommand = (main: () => Promise<void>): Promise<void> =>
  runScript(async () => {
    try {
      await main()
    } catch (error) {
      showProgress(null)
      throw error instanceof OperatorError ? new CommandError(error.message) : error
    }
  })
