import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { verifyBackup } from '../src/backup/restore-backup.ts'
import { beginBackup, writeBackup } from '../src/backup/write-backup.ts'
import { BackupFile, readBackupFile } from './backup/backup-file.ts'
import { withBindings } from './support/bindings.ts'
import { COMMON_HELP } from './support/command.ts'
import { parseCommand, requireOption } from './support/storage-command.ts'
import { CommandError, runScript } from './support/wrangler.ts'

const HELP = `Writes all rows and all content into a file, while the service runs.

Usage: npm run backup -- --out FILE [options]

If it's interrupted, run it again: it continues. The file holds email addresses and hashes of API keys, so only you
may read it. Keep it safe, and delete it when you no longer need it: it also holds documents that people delete later.

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
  const { values, target } = parseCommand(process.argv.slice(2), {
    out: { type: 'string' },
    'burn-after-reading': { type: 'boolean', default: false },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const path = resolve(requireOption(values.out, '--out FILE'))
  if (await exists(path)) throw new CommandError(`${path} already exists. Choose another file.`)
  const file = new BackupFile(path)
  const interrupted = await file.resume()
  if (!interrupted) await file.begin()
  else if (!values.json) process.stdout.write(`Continuing after part ${interrupted.parts}.\n`)
  const begun =
    interrupted ??
    beginBackup({
      kind: 'full',
      now: Date.now(),
      burnAfterReading: values['burn-after-reading'],
    })
  await withBindings(target, async (bindings) => {
    // The last part was written, but the file wasn't renamed any more.
    if (begun.finished) return
    for await (const part of writeBackup(bindings, begun)) await file.append(part)
  })
  await file.finish()
  const { end } = await verifyBackup(() => readBackupFile(path))
  const { documents = 0, users = 0 } = end.rows
  const result = { file: path, bytes: file.bytes, documents, users, content_bytes: end.content_bytes }
  process.stdout.write(
    values.json
      ? `${JSON.stringify(result)}\n`
      : `Backed up ${documents} documents and ${users} accounts in ${path} (${file.bytes} bytes), and checked the file.\n`,
  )
}

await runScript(main)
