import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readBackupFile } from './backup/backup-file.ts'
import { INCOMPLETE, reportMissing, runStorageCommand, showProgress } from './backup/report.ts'
import { restoreBackup, verifyBackup } from './backup/restore-backup.ts'
import { withBindings } from './support/bindings.ts'
import { COMMON_HELP } from './support/command.ts'
import { applyMigrations, withoutServer } from './support/database.ts'
import { CommandError, formatCount } from './support/script.ts'
import { parseCommand, requireOption } from './support/storage-command.ts'

const HELP = `Restores a backup into a service without accounts and documents.

Usage: npm run restore -- --from FILE [options]

It checks the whole file before it changes anything. If it's interrupted, run it again: it continues. People have to
sign in again. Documents that were deleted and API keys that were revoked after the backup come back.

If the backup lacks the content of documents, the rest is restored, and the command ends with the exit code ${INCOMPLETE}.

Options:

  --merge              restore into a service that isn't empty: add what it lacks, content that KV has lost
                       included, and keep what it has
  --check              only check the file
${COMMON_HELP}`

/** Names the rows that a restore leaves out, by table. Returns an empty string if there are none. */
function describeLeftOut(leftOut: Readonly<Record<string, number>>, { merge }: { merge: boolean }): string {
  const counts = Object.entries(leftOut).map(([table, rows]) => `${table} ${rows}`)
  if (counts.length === 0) return ''
  const unless = merge ? ', unless the service has it' : ''
  return `\nRows left out, because their document or account isn't in the backup or has expired${unless}: ${counts.join(', ')}.`
}

async function main(): Promise<void> {
  const { values, target, print } = parseCommand(HELP, {
    from: { type: 'string' },
    merge: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  })
  const path = resolve(requireOption(values.from, '--from FILE'))
  await access(path).catch(() => {
    throw new CommandError(`There is no file ${path}.`)
  })
  const open = () => readBackupFile(path)
  if (values.check) {
    const { header, end, missing, leftOut } = await verifyBackup(open, Date.now())
    const { documents = 0, users = 0 } = end.rows
    const startedAt = new Date(header.started_at).toISOString()
    const counts = `${formatCount(documents, 'document')} and ${formatCount(users, 'account')}`
    print(
      {
        started_at: startedAt,
        documents,
        users,
        content_bytes: end.content_bytes,
        missing,
        left_out: leftOut,
      },
      (missing.length === 0
        ? `The backup of ${startedAt} is complete: ${counts}.`
        : `The backup of ${startedAt} is undamaged, and holds ${counts}.`) + describeLeftOut(leftOut, values),
    )
    reportMissing(missing, path)
    return
  }
  const report = await withoutServer(target, 'restore', async () => {
    await applyMigrations(target)
    return withBindings(target, (bindings) =>
      restoreBackup(bindings, open, {
        now: Date.now(),
        merge: values.merge,
        onPart: (part) => showProgress(formatCount(part, 'part')),
      }),
    )
  })
  showProgress(null)
  const { documents, expired, resumedAfter, missing, leftOut } = report
  print(
    { documents, expired, resumed_after_part: resumedAfter, missing, left_out: leftOut },
    `Restored ${formatCount(documents, 'document')}. Left out, because they have expired: ${expired}.${describeLeftOut(leftOut, values)}`,
  )
  reportMissing(missing, path)
}

await runStorageCommand(main)
