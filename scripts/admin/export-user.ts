import { type AccountExportRow, selectAccountExport } from '../../src/accounts/export-account.ts'
import { DOCUMENTS, type DocumentRow, toDocument } from '../../src/documents/document.ts'
import { ACCOUNT_README, toAccountJson, toFiles, type ZipFile } from '../../src/download/zip-files.ts'
import { auditStatement } from '../../src/platform/audit-log.ts'
import type { Instant } from '../../src/shared/instant.ts'
import { pageRows } from '../backup/format.ts'
import { CommandError } from '../support/command-error.ts'
import { type Bindings, queryRows, retry } from '../support/storage.ts'

interface ExportOptions {
  readonly actor: string
  readonly siteUrl: string
  readonly now: Instant
}

const DOCUMENTS_PER_PAGE = 100

/**
 * Yields the files that the owner of an account gets from "Download your data", in one part. Counts no views and burns
 * nothing. Records the export first.
 *
 * @throws CommandError if no account has the username.
 */
export async function* exportUser(
  { DB, CONTENTS }: Bindings,
  username: string,
  { actor, siteUrl, now }: ExportOptions,
): AsyncGenerator<ZipFile<ArrayBuffer>> {
  const [user] = await queryRows<{ id: string; username: string }>(
    DB,
    'SELECT id, username FROM users WHERE username = ?1',
    username,
  )
  if (!user) throw new CommandError(`No account has this username: ${username}`)
  const [audit, ...entry] = auditStatement({ actor, action: 'account.export', subject: user.username, now })
  await queryRows(DB, audit, ...entry)
  const lastModified = new Date(now)
  yield { name: 'README.txt', lastModified, input: ACCOUNT_README }
  const [sql, ...parameters] = selectAccountExport(user.id)
  const [row] = await queryRows<AccountExportRow>(DB, sql, ...parameters)
  yield { name: 'account.json', lastModified, input: toAccountJson(row ?? null, now) }
  const pages = pageRows<DocumentRow>(
    DB,
    `${DOCUMENTS} WHERE d.creator_id = ?3 AND d.expires_at > ?4 AND (d.created_at, d.id) > (?1, ?2)
      ORDER BY d.created_at, d.id`,
    {
      from: [0, ''],
      parameters: [user.id, now],
      limit: DOCUMENTS_PER_PAGE,
      getKey: ({ createdAt, id }) => [createdAt, id],
    },
  )
  for await (const rows of pages) {
    for (const document of rows.map(toDocument)) {
      const content = await retry(() => CONTENTS.get(document.contentKey, 'arrayBuffer'))
      yield* toFiles({ document, content }, siteUrl)
    }
  }
}
