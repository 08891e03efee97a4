import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formatCount, formatSize } from '../src/shared/format.ts'
import { getCommandActor } from './admin/moderation.ts'
import { BackupFile, readBackupFile } from './backup/backup-file.ts'
import { INCOMPLETE, reportMissing, runStorageCommand, showProgress } from './backup/report.ts'
import { verifyBackup } from './backup/restore-backup.ts'
import {
  beginBackup,
  hasRecorded,
  recordBackup,
  requireContents,
  writeBackup,
} from './backup/write-backup.ts'
import { COMMON_HELP } from './support/command.ts'
import { withReadableStorage } from './support/local-storage.ts'
import { CommandError } from './support/script.ts'
import { parseCommand, requireOption } from './support/storage-command.ts'

const HELP = `Writes all rows and all content into a file, while the service runs.

Usage: npm run backup -- --out FILE [options]

If it's interrupted, run it again with the same options: it continues. The file holds email addresses and hashes of API keys, so only you
may read it. Keep it safe, and delete it when you no longer need it: it also holds documents that people delete later.

If KV doesn't have the content of a document, the backup is written without it, lists it, and the command ends with the
exit code ${INCOMPLETE}.

Options:

  --burn-after-reading  include documents that burn after reading. After a restore, they can be read once
                        more, even if they have been burned since. Use it to move a service
${COMMON_HELP}`

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function main(): Promise<void> {
  const { values, target } = parseCommand(HELP, {
    out: { type: 'string' },
    'burn-after-reading': { type: 'boolean', default: false },
  })
  const path = resolve(requireOption(values.out, '--out FILE'))
  if (await exists(path)) throw new CommandError(`${path} already exists. Choose another file.`)
  const file = new BackupFile(path)
  const interrupted = await file.resume()
  const burnAfterReading = values['burn-after-reading']
  if (interrupted && interrupted.burnAfterReading !== burnAfterReading)
    throw new CommandError(
      `The interrupted backup was begun ${burnAfterReading ? 'without' : 'with'} --burn-after-reading. ${file.howToBeginAgain}`,
    )
  const begun = interrupted ?? beginBackup({ kind: 'full', now: Date.now(), burnAfterReading })
  await withReadableStorage(target, async (storage) => {
    if (interrupted && !(await hasRecorded(storage.DB, interrupted)))
      throw new CommandError(`The interrupted backup was begun from another service. ${file.howToBeginAgain}`)
    if (interrupted && !values.json) process.stdout.write(`Continuing after part ${interrupted.parts}.\n`)
    // The last part was written, but the file wasn't renamed any more.
    if (begun.finished) return
    await requireContents(storage, { now: Date.now() })
    if (!interrupted) await file.begin()
    await recordBackup(storage.DB, begun, { actor: getCommandActor(), now: Date.now() })
    for await (const part of writeBackup(storage, begun)) {
      await file.append(part)
      const { rows, content_bytes } = part.progress.counts
      showProgress(`${formatCount(rows.documents ?? 0, 'document')}, ${formatSize(content_bytes)}`)
    }
    showProgress(null)
  })
  await file.finish()
  const { end, missing } = await verifyBackup(() => readBackupFile(path), Date.now())
  const { documents = 0, users = 0 } = end.rows
  const result = {
    file: path,
    bytes: file.bytes,
    documents,
    users,
    content_bytes: end.content_bytes,
    missing,
  }
  const counts = `${formatCount(documents, 'document')} and ${formatCount(users, 'account')}`
  process.stdout.write(
    values.json
      ? `${JSON.stringify(result)}\n`
      : `Backed up ${counts} in ${path} (${formatSize(file.bytes)}), and checked the file.\n`,
  )
  reportMissing(missing, path)
}

await runStorageCommand(main)
