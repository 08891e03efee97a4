import type { Quotas } from '../../src/documents/quotas.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { COMMON_HELP, defineCommands } from '../support/command.ts'
import { readServiceConfig } from '../support/config.ts'
import { SQL } from '../support/database.ts'
import { CommandError } from '../support/script.ts'
import { auditSql } from './moderation.ts'

const HELP = `Shows what the server stores, and switches documents without an account off and on.

Usage: npm run admin -- limits COMMAND [options]

  show                 show the quotas, and what the server and its largest accounts have used of them
  anonymous refuse     refuse new documents without an account from now on
  anonymous allow      accept them again from now on

The switch takes effect without a deployment. The quotas follow from PLAN, or are
variables in regent.toml.

Options:

${COMMON_HELP}`

const BY_VARIABLE = ', because the configuration has ANONYMOUS_DOCUMENTS = "refuse"'

/** How many accounts "show" lists. */
const SHOWN_ACCOUNTS = 20

/** Says how much of a quota is used; null means no limit. */
const describePart = (used: unknown, quota: number | null, what: string): string =>
  quota === null ? `${used} ${what}` : `${used} of ${quota} ${what}`

const describeUsage = (usage: Readonly<Record<string, unknown>>, quota: Quotas['account']): string =>
  [
    describePart(usage.documents, quota.documents, 'documents'),
    describePart(usage.bytes, quota.bytes, 'bytes'),
    describePart(usage.writes_today, quota.writesPerDay, 'writes today'),
  ].join(', ')

export const limitCommands = defineCommands({
  name: 'limits',
  help: HELP,
  options: {},
  commands: {
    show: async ({ target, storage, noOperands, print }) => {
      noOperands()
      const today = Math.floor(Date.now() / DAY_MS)
      const writes = SQL`iif(day = ${today}, created, 0) AS writes_today`
      const [server = [], accounts = [], switches = []] = await storage.execute(
        `SELECT documents, bytes, ${writes} FROM usage WHERE account_id = '';
         SELECT username, documents, bytes, ${writes} FROM usage JOIN users ON users.id = usage.account_id
           ORDER BY bytes DESC LIMIT ${SHOWN_ACCOUNTS};
         SELECT value FROM switches WHERE name = 'anonymous_documents';
         ${auditSql({ action: 'accounts.list', detail: 'limits show' })}`,
      )
      const { plan, quotas, anonymousDocuments } = readServiceConfig(target)
      const usage = server[0] ?? { documents: 0, bytes: 0, writes_today: 0 }
      const byVariable = anonymousDocuments === 'refuse'
      const anonymous = byVariable ? 'refuse' : (switches[0]?.value ?? 'allow')
      const lines = [
        `Plan: ${plan}`,
        `Server: ${describeUsage(usage, quotas.server)}`,
        ...accounts.map((account) => `${account.username}: ${describeUsage(account, quotas.account)}`),
        `Documents without an account: ${anonymous}${byVariable ? BY_VARIABLE : ''}`,
      ]
      print({ plan, quotas, server: usage, accounts, anonymous }, lines.join('\n'))
    },
    anonymous: async ({ target, storage, operand, print }) => {
      const value = operand('value: "refuse" or "allow"')
      if (value !== 'refuse' && value !== 'allow')
        throw new CommandError(`"anonymous" takes "refuse" or "allow", not "${value}".`)
      await storage.execute(
        SQL`INSERT INTO switches (name, value, changed_at) VALUES ('anonymous_documents', ${value}, ${Date.now()})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at;` +
          auditSql({ action: `anonymous-documents.${value}` }),
      )
      const byVariable = readServiceConfig(target).anonymousDocuments === 'refuse'
      const accepted = byVariable
        ? `The server still refuses new documents without an account${BY_VARIABLE}.`
        : 'The server accepts new documents without an account again.'
      print(
        { anonymous: byVariable ? 'refuse' : value },
        value === 'refuse'
          ? 'The server now refuses new documents without an account. To accept them again: npm run admin -- limits anonymous allow'
          : accepted,
      )
    },
  },
})
