import { AUDIT_RETENTION_DAYS } from '../../src/platform/audit-log.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { SQL } from '../support/database.ts'
import { auditSql, parseLimit } from './moderation.ts'

const HELP = `Shows the audit log: sign-ins, API keys, and what admins and the command line did.

Usage: npm run admin -- audit list [options]

  list                 list entries, newest first

Options:

  --actor NAME         only what this actor did, such as a username
  --subject TEXT       only what was done to this, such as the id of a document
  --limit N            list at most N entries (default 50)
${COMMON_HELP}
Nobody can change an entry, or delete it within ${AUDIT_RETENTION_DAYS} days.
`

export const auditCommands = defineCommands({
  name: 'audit',
  help: HELP,
  options: {
    actor: { type: 'string' },
    subject: { type: 'string' },
    limit: { type: 'string', default: '50' },
  },
  commands: {
    list: async ({ values: { actor = null, subject = null, limit }, storage, noOperands, print }) => {
      noOperands()
      const conditions = [
        ...(actor === null ? [] : [SQL`actor = ${actor}`]),
        ...(subject === null ? [] : [SQL`subject = ${subject}`]),
      ]
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
      // Sign-ins show networks. The look is recorded after the list, so that it isn't in it.
      const look = {
        action: 'audit.read',
        detail: [actor, subject].filter((part) => part !== null).join(', ') || null,
      } as const
      const [rows = []] = await storage.execute(
        `SELECT at, actor, action, subject, detail, address AS network FROM audit_log ${where}
          ORDER BY at DESC, id DESC LIMIT ${parseLimit(limit)};
        ${auditSql(look)}`,
      )
      const entries = rows.map((row) => ({ ...row, at: new Date(Number(row.at)).toISOString() }))
      print({ entries }, entries.map((entry) => JSON.stringify(entry)).join('\n') || 'No entries found.')
    },
  },
})
