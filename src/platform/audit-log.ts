import { nanoid } from 'nanoid'
import type { Instant } from '../shared/instant.ts'
import type { SqlParameter, Statement } from '../shared/statement.ts'

/** The words that people read for each action. */
export const ACTION_LABELS = {
  'sign-in': 'Signed in',
  'key.create': 'Created an API key',
  'account.link': 'Let somebody sign in with single sign-on',
  'key.revoke': 'Revoked an API key',
  'key.replace': 'Replaced an API key',
  'account.create': 'Created an account',
  'invitation.create': 'Invited somebody',
  'invitation.use': 'Used an invitation',
  'invitation.revoke': 'Revoked an invitation',
  'account.suspend': 'Suspended an account',
  'account.restore': 'Lifted a suspension',
  'account.delete': 'Deleted an account',
  'account.admin': 'Changed who is an admin',
  'document.remove': 'Removed a document',
  'document.restore': 'Restored a removed document',
  'document.purge': 'Deleted a removed document for good',
  'documents.remove-all': 'Removed many documents',
  'reports.list': 'Listed reported documents',
  'reports.dismiss': 'Dismissed reports',
  'text.read': 'Read a text as staff',
  'document.view': 'Looked at a document as staff',
  'documents.list': 'Listed documents as staff',
  'removals.list': 'Listed removed documents',
  'account.view': 'Looked at an account as staff',
  'accounts.list': 'Listed accounts',
  'account.export': 'Exported an account',
  'audit.read': 'Read the audit log',
  'hash.find': 'Looked up a hash from the log',
  'cleanup.allow': 'Allowed cleanup to delete content',
  'blocks.list': 'Listed blocks',
  'block.add': 'Added a block',
  'block.remove': 'Lifted a block',
  'anonymous-documents.refuse': 'Refused documents without an account',
  'anonymous-documents.allow': 'Allowed documents without an account',
  'backup.create': 'Made a backup',
  'backup.restore': 'Restored a backup',
  'database.recover': 'Recovered the database',
} as const

export type AuditAction = keyof typeof ACTION_LABELS

/** The database refuses to delete entries earlier; see `audit_log` in `schema.sql`. */
export const AUDIT_RETENTION_DAYS = 180

interface AuditEntry {
  /** The name of the actor: a username, or `cli:` and the name of the computer's user. */
  readonly actor: string
  readonly action: AuditAction
  readonly subject?: string | null
  readonly detail?: string | null
  /** The network of the address that it was done from, never a whole address. */
  readonly network?: string | null
  readonly now: Instant
}

/** Put it into the transaction of the action. Running it again changes nothing. */
export const auditStatement = (
  { actor, action, subject = null, detail = null, network = null, now }: AuditEntry,
  condition = 'TRUE',
): Statement => [
  `INSERT OR IGNORE INTO audit_log (id, at, actor, action, subject, detail, address)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${condition}`,
  nanoid(),
  now,
  actor,
  action,
  subject,
  detail,
  network,
]

interface AuditSource {
  readonly action: AuditAction
  readonly now: Instant
  readonly network?: string | null
  /** SQL expressions for who did it and what it was done to. */
  readonly actor: string
  readonly subject: string
  /** `FROM` with a condition. Its parameters count from `?5`. */
  readonly from: string
}

/** Writes one entry for each row of the source. Running it again changes nothing, unless the source has more rows by then. */
export const auditRowsStatement = (
  { action, now, network = null, actor, subject, from }: AuditSource,
  ...parameters: readonly SqlParameter[]
): Statement => [
  `INSERT OR IGNORE INTO audit_log (id, at, actor, action, subject, address)
    SELECT ?1 || row_number() OVER (), ?2, ${actor}, ?3, ${subject}, ?4 ${from}`,
  nanoid(),
  now,
  action,
  network,
  ...parameters,
]
