import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formatCount } from '../src/shared/format.ts'
import { getCommandActor } from './admin/moderation.ts'
import { readBackupFile } from './backup/backup-file.ts'
import { mergeBackup } from './backup/merge-backup.ts'
import {
  describeContents,
  describeMerge,
  INCOMPLETE,
  reportMissing,
  runStorageCommand,
  showProgress,
} from './backup/report.ts'
import { restoreBackup, verifyBackup } from './backup/restore-backup.ts'
import { restoreContents } from './backup/restore-contents.ts'
import { withBindings } from './support/bindings.ts'
import { COMMON_HELP } from './support/command.ts'
import { applyMigrations, requireLocalDatabase, withoutServer } from './support/database.ts'
import { CommandError } from './support/script.ts'
import type { Bindings } from './support/storage.ts'
import { parseCommand, requireOption } from './support/storage-command.ts'

const HELP = `Restores a backup into a service without accounts and documents.

Usage: npm run restore -- --from FILE [options]

It checks the whole file before it changes anything. If it's interrupted, run it again: it continues. People have to
sign in again. Documents that were deleted and API keys that were revoked after the backup come back.

If the backup lacks the content of documents, the rest is restored, and the command ends with the exit code ${INCOMPLETE}.

Options:

  --contents-only      only put back content that KV has lost, of documents and revisions that the service
                       has; change no row
  --merge              add documents and accounts that the service lacks, and content that KV has lost, and keep
                       what it has. What was deleted, removed or burned since the backup stays away, and so do
                       API keys, editors, revisions and everything else
  --check              only check the file
${COMMON_HELP}`

/** Names the rows that a restore leaves out, by table. Returns an empty string if there are none. */
function describeLeftOut(leftOut: Readonly<Record<string, number>>): string {
  const counts = Object.entries(leftOut).map(([table, rows]) => `${table} ${rows}`)
  if (counts.length === 0) return ''
  return `\nRows left out, because their document or account isn't in the backup or has expired: ${counts.join(', ')}.`
}

async function main(): Promise<void> {
  const { values, target, print } = parseCommand(HELP, {
    from: { type: 'string' },
    merge: { type: 'boolean', default: false },
    'contents-only': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  })
  const path = resolve(requireOption(values.from, '--from FILE'))
  const modes = [values.check, values.merge, values['contents-only']]
  if (modes.filter(Boolean).length > 1)
    throw new CommandError('Choose one of --check, --merge and --contents-only. See --help.')
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
        : `The backup of ${startedAt} is undamaged, and holds ${counts}.`) + describeLeftOut(leftOut),
    )
    reportMissing(missing, path)
    return
  }
  const options = { now: Date.now(), actor: getCommandActor() }
  if (values['contents-only'] || values.merge) await requireLocalDatabase(target)
  const run = <Report>(work: (bindings: Bindings) => Promise<Report>): Promise<Report> =>
    withoutServer(target, 'restore', async () => {
      // Content needs no newer schema.
      if (!values['contents-only']) await applyMigrations(target)
      return withBindings(target, work)
    }).finally(() => showProgress(null))
  if (values['contents-only']) {
    const contents = await run((bindings) => restoreContents(bindings, open, options))
    const { documents, revisions, stillMissing } = contents
    print({ put_back: { documents, revisions }, still_missing: stillMissing }, describeContents(contents))
    reportMissing(stillMissing, path)
    return
  }
  if (values.merge) {
    const report = await run((bindings) =>
      mergeBackup(bindings, open, {
        ...options,
        onRows: (rows) => showProgress(formatCount(rows, 'document')),
      }),
    )
    const { added, kept, leftOut, withoutContent, contents } = report
    const { documents, revisions, stillMissing } = contents
    print(
      {
        added,
        kept,
        left_out: leftOut,
        put_back: { documents, revisions },
        without_content: withoutContent,
        still_missing: stillMissing,
      },
      describeMerge(report),
    )
    const lost = withoutContent.map((document) => ({ document, revision: null }))
    reportMissing([...lost, ...stillMissing], path)
    return
  }
  const report = await run((bindings) =>
    restoreBackup(bindings, open, {
      ...options,
      onPart: (part) => showProgress(formatCount(part, 'part')),
    }),
  )
  const { documents, expired, resumedAfter, missing, leftOut } = report
  print(
    { documents, expired, resumed_after_part: resumedAfter, missing, left_out: leftOut },
    `Restored ${formatCount(documents, 'document')}. Left out, because they have expired: ${expired}.${describeLeftOut(leftOut)}`,
  )
  reportMissing(missing, path)
}

await runStorageCommand(main)
