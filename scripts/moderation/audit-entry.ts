import { hostname, userInfo } from 'node:os'
import { type AuditAction, auditStatement } from '../../src/platform/audit-log.ts'
import { inlineParameters } from '../support/database.ts'

/** Returns who runs the command, for the audit log. Only as trustworthy as this computer. */
export const getCommandActor = (): string => `cli:${userInfo().username}@${hostname()}`

interface CommandEntry {
  readonly action: AuditAction
  readonly subject?: string
  readonly detail?: string
}

/**
 * Returns the SQL that records an action of the command line. It goes into the same transaction, before the action.
 *
 * @param condition an SQL condition, for actions that may turn out to change nothing.
 */
export const auditSql = (entry: CommandEntry, condition?: string): string =>
  inlineParameters(auditStatement({ ...entry, actor: getCommandActor(), now: Date.now() }, condition))
