import type { BlockKind } from '../../moderation/block-rules.ts'
import type { TargetKind } from '../../moderation/remove-all-statements.ts'
import type { AuditAction } from '../../platform/audit-log.ts'

export const BLOCK_LABELS: Readonly<Record<BlockKind, string>> = {
  address: 'Address range',
  content: 'Text (SHA-256)',
  domain: 'Link domain',
}

export const TARGET_LABELS: Readonly<Record<TargetKind, string>> = {
  account: 'Account',
  address: 'Address range',
  content: 'Text (SHA-256)',
}

export const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  'sign-in': 'Signed in',
  'key.create': 'Created an API key',
  'key.revoke': 'Revoked an API key',
  'key.replace': 'Replaced an API key',
  'account.create': 'Created an account',
  'account.suspend': 'Suspended an account',
  'account.restore': 'Lifted a suspension',
  'account.delete': 'Deleted an account',
  'account.admin': 'Changed who is an admin',
  'document.remove': 'Removed a document',
  'documents.remove-all': 'Removed many documents',
  'reports.dismiss': 'Dismissed reports',
  'text.read': 'Read a text as staff',
  'block.add': 'Added a block',
  'block.remove': 'Lifted a block',
  'anonymous-documents.refuse': 'Switched documents without an account off',
  'anonymous-documents.allow': 'Switched documents without an account on',
}
