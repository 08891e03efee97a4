import { auditStatement } from '../../src/platform/audit-log.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { ALLOW_DELETIONS, type CleanupPreview, previewCleanup } from '../backup/preview-cleanup.ts'
import { withBindings } from '../support/bindings.ts'
import { COMMON_HELP } from '../support/command.ts'
import { requireLocalDatabase } from '../support/database.ts'
import { retry } from '../support/storage.ts'
import { parseCommand } from '../support/storage-command.ts'
import { CommandError } from '../support/wrangler.ts'
import { getCommandActor } from './moderation.ts'

const HELP = `Shows what cleanup would delete, and overrides its brake.

Usage: npm run admin -- cleanup --dry-run [options]
       npm run admin -- cleanup --allow N [options]

The scheduled job deletes expired documents, content whose deletion is pending, and orphaned content: content that no
document has referred to for seven days. It refuses to delete orphaned content if there is suspiciously much of it.

Options:

  --dry-run            compare all content in KV with the database, and change nothing
  --allow N            allow the next runs to delete up to N orphaned contents, however many there are; 0
                       withdraws that. The seven days still apply
${COMMON_HELP}`

/** See `ORPHAN_GRACE_MS` in src/documents/orphaned-content.ts. */
const GRACE_MS = 7 * DAY_MS

const describe = (preview: CleanupPreview): string =>
  [
    `Rows of expired documents: ${preview.expired}`,
    `Content whose deletion is due: ${preview.pending}`,
    `Content in KV: ${preview.contents}`,
    `  orphaned: ${preview.orphaned}`,
    `  known for seven days, so that cleanup may delete it: ${preview.due}`,
    `Documents that can't be read, because their content is missing: ${preview.unreadable}`,
    `Last run: ${preview.outcome ?? 'none yet'}${preview.message === null ? '' : `. ${preview.message}`}`,
  ].join('\n')

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 0 || text.trim() === '') {
    throw new CommandError('--allow needs a whole number.')
  }
  return count
}

export async function cleanupCommand(args: readonly string[]): Promise<void> {
  const { values, target, print } = parseCommand(
    HELP,
    {
      'dry-run': { type: 'boolean', default: false },
      allow: { type: 'string' },
    },
    args,
  )
  if (values['dry-run'] === (values.allow !== undefined)) {
    throw new CommandError('Choose --dry-run or --allow N. See --help.')
  }
  await requireLocalDatabase(target)
  if (values.allow === undefined) {
    const preview = await withBindings(target, (bindings) =>
      previewCleanup(bindings, { now: Date.now(), graceMs: GRACE_MS }),
    )
    print(preview, describe(preview))
    return
  }
  const count = parseCount(values.allow)
  const entry = {
    action: 'cleanup.allow',
    detail: String(count),
    actor: getCommandActor(),
    now: Date.now(),
  } as const
  await withBindings(target, ({ DB }) =>
    retry(() =>
      DB.batch(
        [[ALLOW_DELETIONS, count] as const, auditStatement(entry)].map(([sql, ...values]) =>
          DB.prepare(sql).bind(...values),
        ),
      ),
    ),
  )
  print({ allowed_deletions: count }, `Cleanup may delete up to ${count} orphaned contents.`)
}
