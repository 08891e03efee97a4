import { parseDefaults } from '../shared/form-settings.ts'
import type { Statement } from '../shared/statement.ts'
import { GITHUB } from './user.ts'

/* Also for the command line. */

/** Returns `2026-11-20T12:00:00.000Z`, for example; null stays null. */
const time = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`

const flag = (column: string): string => `json(iif(${column} = 1, 'true', 'false'))`

const list = (element: string, from: string): string =>
  `(SELECT json_group_array(${element}) FROM (SELECT * FROM ${from}))`

/** Everything besides the documents. It contains no secrets and no hashes of any. */
const ACCOUNT = `
  SELECT u.defaults, json_object(
    'profile', json_object(
      'id', u.id, 'username', u.username, 'email', u.email, 'email_confirmed', ${flag('u.confirmed')},
      'flags', u.flags, 'documents_made', u.documents_made, 'joined', ${time('u.created_at')},
      'has_profile_page', ${flag('u.has_profile')}),
    'reserved_usernames', ${list(
      `json_object('looks_like', look, 'reserved_until', ${time('reserved_until')})`,
      'former_usernames WHERE user_id = ?1 ORDER BY look',
    )},
    'github', iif(l.id IS NULL, NULL, json_object('login', l.login, 'connected', ${time('l.created_at')})),
    'single_sign_on', ${list(
      `json_object('issuer', provider_id, 'subject', account_id, 'connected', ${time('created_at')})`,
      `linked_accounts WHERE user_id = ?1 AND provider_id <> '${GITHUB}' ORDER BY created_at`,
    )},
    'invitations', ${list(
      `json_object('for', recipient, 'made', ${time('created_at')}, 'expires', ${time('expires_at')})`,
      'invitations WHERE creator_id = ?1 ORDER BY created_at, id',
    )},
    'api_keys', ${list(
      `json_object('name', name, 'scope', scope, 'created', ${time('created_at')},
        'last_used', ${time('last_used_at')}, 'expires', ${time('expires_at')})`,
      'api_keys WHERE user_id = ?1 ORDER BY created_at, id',
    )},
    'sessions', ${list(
      `json_object('signed_in', ${time('created_at')}, 'expires', ${time('expires_at')})`,
      'sessions WHERE user_id = ?1 ORDER BY created_at',
    )},
    'documents_shared_with_you', ${list('document_id', 'document_editors WHERE user_id = ?1 ORDER BY document_id')},
    'removed_documents', ${list(
      `json_object('id', document_id, 'title', title, 'removed', ${time('removed_at')}, 'reason', reason)`,
      'removals WHERE creator_id = ?1 ORDER BY removed_at',
    )}) AS account
  FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = '${GITHUB}'
  WHERE u.id = ?1`

export const selectAccountExport = (userId: string): Statement => [ACCOUNT, userId]

/** The row that `selectAccountExport` returns. */
export interface AccountExportRow {
  readonly account: string
  readonly defaults: string | null
}

export const parseAccountExport = ({ account, defaults }: AccountExportRow): object => ({
  ...JSON.parse(account),
  defaults_for_new_documents: defaults === null ? null : parseDefaults(defaults),
})
