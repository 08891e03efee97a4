import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formatCount } from '../src/shared/format.ts'
import { getCommandActor } from './admin/moderation.ts'
import { BackupFile, readBackupFile } from './backup/backup-file.ts'
import { type RecoveryReport, recoverDatabase } from './backup/recover.ts'
import { runStorageCommand } from './backup/report.ts'
import { beginBackup, recordBackup, writeBackup } from './backup/write-backup.ts'
import { type Target, withBindings } from './support/bindings.ts'
import { COMMON_HELP } from './support/command.ts'
import { applyMigrations, requireLocalDatabase, withoutServer } from './support/database.ts'
import { withReadableStorage } from './support/local-storage.ts'
import { CommandError } from './support/script.ts'
import { parseCommand } from './support/storage-command.ts'

const HELP = `Makes a database that was restored to an earlier time safe to use (D1 Time Travel).

Usage: npm run recover -- --save FILE [options]             before the restore
       npm run recover -- --from FILE [--apply] [options]   after the restore
       npm run recover -- --strict [--apply] [options]      after the restore, without a saved state

--save writes every row into a file, without content. With it, what had been deleted, burned or revoked before the
restore goes again, and everything else is as it was before the restore. Without --apply, the command only says what it
would do. See docs/recovery.md.

--strict ends every API key and session, and deletes every document that burns after reading: without a saved
state, nobody knows which of them had been revoked or burned.

Options:

  --keep-accounts      keep accounts that the saved state doesn't have, because they were lost, not deleted
  --without-content    go on even if nearly all content is missing: these documents are deleted
${COMMON_HELP}`

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function save(target: Target, path: string): Promise<number> {
  if (await exists(path)) throw new CommandError(`${path} already exists. Choose another file.`)
  const file = new BackupFile(path)
  await file.begin()
  const begun = beginBackup({ kind: 'rows', now: Date.now(), burnAfterReading: true })
  let rows = 0
  await withReadableStorage(target, async (storage) => {
    await recordBackup(storage.DB, begun, { actor: getCommandActor(), now: Date.now() })
    for await (const part of writeBackup(storage, begun)) {
      await file.append(part)
      rows = Object.values(part.progress.counts.rows).reduce((sum, count) => sum + count, 0)
    }
  })
  await file.finish()
  return rows
}

const describe = (report: RecoveryReport, { apply, exact }: { apply: boolean; exact: boolean }): string =>
  [
    apply ? 'Done:' : 'With --apply, this command would do the following:',
    `  API keys revoked: ${report.keys}`,
    `  browsers signed out: ${report.sessions}`,
    `  documents deleted: ${report.documents}`,
    ...(exact
      ? [`  accounts deleted: ${report.accounts}`, `  documents brought back: ${report.broughtBack}`]
      : ['  suspensions, removals and connections to GitHub: as they were at the time of the restore']),
    ...(report.leftOut.length > 0
      ? [`  left out, because this version of Regent doesn't have it: ${report.leftOut.join(', ')}`]
      : []),
  ].join('\n')

async function main(): Promise<void> {
  const { values, target, print } = parseCommand(HELP, {
    save: { type: 'string' },
    from: { type: 'string' },
    strict: { type: 'boolean', default: false },
    apply: { type: 'boolean', default: false },
    'keep-accounts': { type: 'boolean', default: false },
    'without-content': { type: 'boolean', default: false },
  })
  const modes = [values.save, values.from, values.strict || undefined].filter((mode) => mode !== undefined)
  if (modes.length !== 1)
    throw new CommandError('Choose one of --save FILE, --from FILE and --strict. See --help.')
  if (values.save !== undefined) {
    const path = resolve(values.save)
    const rows = await save(target, path)
    print({ file: path, rows }, `Saved ${formatCount(rows, 'row')} in ${path}.`)
    return
  }
  const path = values.from === undefined ? null : resolve(values.from)
  if (path && !(await exists(path))) throw new CommandError(`There is no file ${path}.`)
  await requireLocalDatabase(target)
  const recover = () =>
    withBindings(target, (bindings) =>
      recoverDatabase(bindings, path === null ? null : () => readBackupFile(path), {
        now: Date.now(),
        actor: getCommandActor(),
        apply: values.apply,
        keepAccounts: values['keep-accounts'],
        withoutContent: values['without-content'],
      }),
    )
  const applyRecovery = async () => {
    await applyMigrations(target)
    return recover()
  }
  const report = await (values.apply ? withoutServer(target, 'recover', applyRecovery) : recover())
  print({ applied: values.apply, ...report }, describe(report, { apply: values.apply, exact: path !== null }))
}

await runStorageCommand(main)
