import {
  type AppError,
  accountFull,
  anonymousDocumentsRefused,
  blockedAddress,
  blockedContent,
  blockedDomain,
  serverFull,
  tooManyWritesToday,
} from '../errors.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'

const getSecondsUntilTomorrow = (now: Instant): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000)

export type WriteRefusal =
  | `blocked ${'address' | 'content' | 'domain'}`
  | 'quota: anonymous documents'
  | `quota: ${'server' | 'account'} ${'documents' | 'bytes' | 'creates'}`

/** The errors that the messages of the triggers `block_checks_refuse` and `quota_checks_refuse` mean. */
const REFUSALS: Readonly<Record<WriteRefusal, (cause: unknown, now: Instant) => AppError>> = {
  'blocked address': blockedAddress,
  'blocked content': blockedContent,
  'blocked domain': blockedDomain,
  'quota: anonymous documents': anonymousDocumentsRefused,
  'quota: server documents': serverFull,
  'quota: server bytes': serverFull,
  'quota: server creates': (cause, now) => tooManyWritesToday('server', getSecondsUntilTomorrow(now), cause),
  'quota: account documents': accountFull,
  'quota: account bytes': accountFull,
  'quota: account creates': (cause, now) =>
    tooManyWritesToday('account', getSecondsUntilTomorrow(now), cause),
}

const MESSAGES = Object.keys(REFUSALS) as WriteRefusal[]

/** Returns the message of the trigger that refused a write; null for any other error. */
export const findRefusal = (error: unknown): WriteRefusal | null =>
  (error instanceof Error && MESSAGES.find((message) => error.message.includes(message))) || null

export const isByQuota = (refusal: WriteRefusal | null): boolean => refusal?.startsWith('quota: ') ?? false

/** Tells whether there's no room for the bytes, so that fewer bytes may still have room. */
export const isByBytes = (refusal: WriteRefusal | null): boolean => refusal?.endsWith(' bytes') ?? false

/** Tells whether the trigger would probably refuse everybody's writes. */
export const isForEverybody = (refusal: WriteRefusal): boolean =>
  /^quota: (?:anonymous|server) /.test(refusal)

export const toRefusalError = (refusal: WriteRefusal, now: Instant, cause?: unknown): AppError =>
  REFUSALS[refusal](cause, now)

/** @throws AppError in place of D1's error if a trigger refused the write. */
export const throwRefusal =
  (now: Instant) =>
  (error: unknown): never => {
    const refusal = findRefusal(error)
    throw refusal === null ? error : toRefusalError(refusal, now, error)
  }
