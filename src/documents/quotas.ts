import { DAY_MS, type Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { toRefusalError, type WriteRefusal } from './refusal-messages.ts'

/** The limits of an account or of the server; null sets no limit. */
interface Quota {
  readonly documents: number | null
  readonly bytes: number | null
  /** Creates, edits of content, and content stored again for a later expiry, on one day (UTC). */
  readonly writesPerDay: number | null
}

export interface Quotas {
  readonly account: Quota
  readonly server: Quota
}

/**
 * Anyone can ask for many lists of texts that aren't in memory, and each of these texts is a read of KV. Beyond this, an
 * isolate shows the excerpts that are in its memory.
 */
export const MAX_EXCERPTS_PER_MINUTE = 250

/** Anonymous documents get this share of the server's quotas: a flood of them leaves room for accounts. */
const ANONYMOUS_SHARE = 0.9

const toShare = (max: number | null): number | null => max && Math.floor(max * ANONYMOUS_SHARE)

const getServerQuota = ({ server }: Quotas, isAnonymous: boolean): Quota =>
  isAnonymous
    ? {
        documents: toShare(server.documents),
        bytes: toShare(server.bytes),
        writesPerDay: toShare(server.writesPerDay),
      }
    : server

/** The amounts that a write which is about to happen will add to those that the triggers have counted. */
export interface Added {
  readonly documents: number
  readonly bytes: number
  readonly writes: number
}

const NOTHING: Added = { documents: 0, bytes: 0, writes: 0 }

interface Check {
  readonly accountId: string | null
  /** Includes the writes of this day. */
  readonly day?: number
  readonly isEdit?: boolean
  readonly account: Partial<Quota>
  readonly server?: Partial<Quota>
  readonly added?: Added
  readonly condition?: string
}

const toBounds = ({ documents, bytes, writesPerDay }: Partial<Quota>, added: Added) => {
  const leave = (max: number | null = null, less: number) => (max === null ? null : max - less)
  return [leave(documents, added.documents), leave(bytes, added.bytes), leave(writesPerDay, added.writes)]
}

const toCheck = ({
  accountId,
  day,
  isEdit = false,
  account,
  server = {},
  added = NOTHING,
  condition = 'TRUE',
}: Check): Statement => [
  `INSERT INTO quota_checks (account_id, day, account_documents, account_bytes, account_creates,
      server_documents, server_bytes, server_creates, is_edit)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${condition}`,
  accountId,
  day ?? null,
  ...toBounds(account, added),
  ...toBounds(server, added),
  Number(isEdit),
]

export const toDay = (now: Instant): number => Math.floor(now / DAY_MS)

/**
 * Comes after the insert. The table of checks stays empty: its trigger makes the transaction fail, or ignores the row, which is
 * exact and costs no round trip.
 *
 * @param added for a check without the insert.
 */
export function createCheckStatements(
  quotas: Quotas,
  accountId: string | null,
  now: Instant,
  added?: Added,
): Statement[] {
  const server = getServerQuota(quotas, accountId === null)
  return [toCheck({ accountId, day: toDay(now), account: quotas.account, server, ...(added && { added }) })]
}

export interface EditToCheck {
  /**
   * The account that the document counts for, its creator. The write counts for who edits it. Both are null for people
   * without an account.
   */
  readonly creatorId: string | null
  readonly writerId: string | null
  /** The bytes that the edit adds; negative if the content gets shorter. */
  readonly addedBytes: number
  /** Is true if the edit stores content, now or by cleanup. */
  readonly storesContent: boolean
  readonly now: Instant
}

/** @param ahead how many edits like this one are only about to happen; 0 after the update. */
export function editCheckStatements(
  quotas: Quotas,
  { creatorId, writerId, addedBytes, storesContent, now }: EditToCheck,
  { ahead = 0 }: { ahead?: number } = {},
): Statement[] {
  const added = { documents: 0, bytes: ahead * addedBytes, writes: ahead }
  const statements: Statement[] = []
  if (addedBytes > 0) {
    const { bytes } = getServerQuota(quotas, creatorId === null)
    const account = { bytes: quotas.account.bytes }
    statements.push(toCheck({ accountId: creatorId, isEdit: true, account, server: { bytes }, added }))
  }
  if (storesContent) {
    const { writesPerDay } = getServerQuota(quotas, writerId === null)
    const account = { writesPerDay: quotas.account.writesPerDay }
    const server = { writesPerDay }
    statements.push(toCheck({ accountId: writerId, day: toDay(now), isEdit: true, account, server, added }))
  }
  return statements
}

/**
 * Comes right after the update that takes documents over, and checks nothing if that took none: a repeat of the same
 * transaction must succeed. The writes of the day aren't checked: the documents counted when they were created.
 */
export function addCheckStatements(quotas: Quotas, accountId: string): Statement[] {
  const { documents, bytes } = quotas.account
  return [toCheck({ accountId, account: { documents, bytes }, condition: 'changes() > 0' })]
}

/** The names in the trigger's messages, in the order of `toBounds`. */
const COUNTED = ['documents', 'bytes', 'creates'] as const

/** Refuses what exceeds a whole quota by itself. @throws AppError like the trigger. */
export function requireRoomFor(
  quotas: Quotas,
  accountId: string | null,
  { added, now }: { added: Added; now: Instant },
): void {
  const refusal = findExcess(quotas, accountId, added)
  if (refusal) throw toRefusalError(refusal, now)
}

/** Tells whether a quota could have room for this, if nothing else were stored. */
export const canHaveRoomFor = (quotas: Quotas, accountId: string | null, added: Added): boolean =>
  findExcess(quotas, accountId, added) === null

function findExcess(quotas: Quotas, accountId: string | null, added: Added): WriteRefusal | null {
  const find = (quota: Quota) =>
    COUNTED[toBounds(quota, added).findIndex((bound) => bound !== null && bound < 0)]
  const server = find(getServerQuota(quotas, accountId === null))
  if (server !== undefined) return `quota: server ${server}`
  const account = accountId === null ? undefined : find(quotas.account)
  return account === undefined ? null : `quota: account ${account}`
}
