import { formatCount } from '../../src/shared/format.ts'
import { runScript } from '../support/script.ts'
import type { mergeBackup, Reason } from './merge-backup.ts'
import type { Missing } from './restore-backup.ts'
import type { restoreContents } from './restore-contents.ts'

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

type ContentsReport = Awaited<ReturnType<typeof restoreContents>>

export const describeContents = ({ documents, revisions }: Omit<ContentsReport, 'stillMissing'>): string =>
  `Put back the content of ${formatCount(documents, 'document')} and ${formatCount(revisions, 'revision')}.`

/** The words after a number, as in "2 deleted or burned since the backup". */
const REASONS: Readonly<Record<Reason, string>> = {
  deleted: 'deleted or shortened since the backup',
  'removed by staff': 'removed by staff',
  expired: 'expired',
  'burns after reading': 'burn after reading, and may have been read',
  'account is gone': 'of accounts that are deleted or not in the service',
  'text is blocked': 'with a blocked text',
  'content is missing': 'without content, neither here nor in the backup',
  'name or address is taken': 'whose username or email address another account has',
  'never merged': 'of a kind that a merge never brings back',
}

export function describeMerge({
  added,
  kept,
  leftOut,
  contents,
}: Awaited<ReturnType<typeof mergeBackup>>): string {
  const count = (counts: typeof added) =>
    `${formatCount(counts.documents, 'document')} and ${formatCount(counts.users, 'account')}`
  const lines = Object.entries(leftOut).flatMap(([table, reasons]) =>
    Object.entries(reasons).map(([reason, rows]) => `  ${table}: ${rows} ${REASONS[reason as Reason]}`),
  )
  return [
    `Added ${count(added)}. Already there, and unchanged: ${count(kept)}.`,
    describeContents(contents),
    ...(lines.length > 0 ? ['Left out of what the service lacks:', ...lines] : []),
  ].join('\n')
}

/** Shows how far a command has got, on a terminal only. Null ends the line. */
export function showProgress(text: string | null): void {
  if (process.stderr.isTTY) process.stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${text}`)
}

/** Runs a command on backups. */
export const runStorageCommand = (main: () => Promise<void>): Promise<void> =>
  runScript(async () => {
    try {
      await main()
    } catch (error) {
      showProgress(null)
      throw error
    }
  })
