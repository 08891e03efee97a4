import {
  AppError,
  accountFull,
  anonymousDocumentsRefused,
  serverFull,
  tooManyCreatesToday,
} from '../errors.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'

/** Null for no limit. */
interface Quota {
  readonly documents: number | null
  readonly bytes: number | null
  /** On one day (UTC), including deleted ones. */
  readonly createsPerDay: number | null
}

export interface Quotas {
  readonly account: Quota
  readonly server: Quota
}

/** Of the server's quotas: a flood of anonymous documents leaves room for accounts. */
const ANONYMOUS_SHARE = 0.9

const toShare = (max: number | null): number | null => max && Math.floor(max * ANONYMOUS_SHARE)

const getServerQuota = ({ server }: Quotas, isAnonymous: boolean): Quota =>
  isAnonymous
    ? {
        documents: toShare(server.documents),
        bytes: toShare(server.bytes),
        createsPerDay: toShare(server.createsPerDay),
      }
    : server

const getSecondsUntilTomorrow = (now: Instant): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000)

/** How long an isolate refuses creates without asking D1, once D1 has refused one. */
const MEMORY_MS = 10_000
const MAX_REFUSALS = 1_000

interface Refusal {
  readonly error: AppError
  readonly until: Instant
}

/** By the quotas, which belong to one configuration, and by the account; empty for none. */
const refusals = new WeakMap<Quotas, BoundedMap<string, Refusal>>()

function rememberRefusal(
  quotas: Quotas,
  accountId: string | null,
  { error, now }: { error: AppError; now: Instant },
): void {
  const remembered = refusals.get(quotas) ?? new BoundedMap<string, Refusal>(MAX_REFUSALS)
  refusals.set(quotas, remembered)
  remembered.set(accountId ?? '', { error, until: now + MEMORY_MS })
}

/** In a flood, each create that D1 refuses would cost a KV write. @throws AppError what `insertDocument` threw. */
export function refuseAgain(quotas: Quotas | undefined, accountId: string | null, now: Instant): void {
  const refusal = quotas && refusals.get(quotas)?.get(accountId ?? '')
  if (refusal && refusal.until > now) throw refusal.error
}

interface Check {
  readonly accountId: string | null
  readonly day?: number
  readonly account: Partial<Quota>
  readonly server?: Partial<Quota>
  readonly condition?: string
}

const toCheck = ({ accountId, day, account, server = {}, condition = 'TRUE' }: Check): Statement => [
  `INSERT INTO quota_checks (account_id, day, account_documents, account_bytes, account_creates,
      server_documents, server_bytes, server_creates) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE ${condition}`,
  accountId,
  day ?? null,
  ...[account, server].flatMap(({ documents = null, bytes = null, createsPerDay = null }) => [
    documents,
    bytes,
    createsPerDay,
  ]),
]

/** Comes after the insert, and changes nothing. Checking in the transaction is exact and costs no round trip. */
export function createCheckStatements(
  quotas: Quotas | undefined,
  accountId: string | null,
  now: Instant,
): Statement[] {
  if (!quotas) return []
  const server = getServerQuota(quotas, accountId === null)
  return [toCheck({ accountId, day: Math.floor(now / DAY_MS), account: quotas.account, server })]
}

export function editCheckStatements(
  quotas: Quotas | undefined,
  accountId: string | null,
  addedBytes: number,
): Statement[] {
  if (!quotas || addedBytes <= 0) return []
  const { bytes } = getServerQuota(quotas, accountId === null)
  return [toCheck({ accountId, account: { bytes: quotas.account.bytes }, server: { bytes } })]
}

/**
 * Comes right after the update that takes documents over, and checks nothing if that took none: a repeat of the same
 * transaction must succeed. The creates of the day aren't checked: the documents counted when they were created.
 */
export function addCheckStatements(quotas: Quotas | undefined, accountId: string): Statement[] {
  if (!quotas) return []
  const { documents, bytes } = quotas.account
  return [toCheck({ accountId, account: { documents, bytes }, condition: 'changes() > 0' })]
}

/** By the messages of the trigger `quota_checks_refuse`. */
const ERRORS: Readonly<Record<string, (cause: unknown, now: Instant) => AppError>> = {
  'anonymous documents': anonymousDocumentsRefused,
  'server documents': serverFull,
  'server bytes': serverFull,
  'server creates': (cause, now) => tooManyCreatesToday('server', getSecondsUntilTomorrow(now), cause),
  'account documents': accountFull,
  'account bytes': accountFull,
  'account creates': (cause, now) => tooManyCreatesToday('account', getSecondsUntilTomorrow(now), cause),
}

export const isFullError = (error: unknown): boolean =>
  error instanceof Error && /quota: (?:server|account) bytes/.test(error.message)

/** The next creates are refused at once, except for a full account, which may have deleted something. */
export const throwQuotaError =
  ({ quotas, accountId, now }: { quotas: Quotas | undefined; accountId: string | null; now: Instant }) =>
  (error: unknown): never => {
    const message = error instanceof Error && !(error instanceof AppError) ? error.message : ''
    const [, quota = ''] = /quota: ((?:anonymous|server|account) \w+)/.exec(message) ?? []
    const refusal = ERRORS[quota]?.(error, now)
    if (refusal && quotas && ERRORS[quota] !== accountFull)
      rememberRefusal(quotas, accountId, { error: refusal, now })
    throw refusal ?? error
  }
