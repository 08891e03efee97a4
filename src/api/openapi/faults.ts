import { toAppError, unavailable } from '../../errors.ts'
import { limitExceeded } from '../../http/limits/table.ts'
import type { ErrorCase } from './operation.ts'

/** The error that any operation can return. */
export const INTERNAL_ERROR: ErrorCase = [toAppError(null), 'Something went wrong on the server.']

/** The error for clients that send too much. */
export const TOO_MANY_REQUESTS: ErrorCase = [
  limitExceeded('reads'),
  'You’ve sent too many requests. Try again after `Retry-After` seconds.',
]

/** The errors that any operation with storage can return. */
export const FAULTS: readonly ErrorCase[] = [
  TOO_MANY_REQUESTS,
  INTERNAL_ERROR,
  [unavailable(null), 'Storage failed or didn’t answer in time. Try again after `Retry-After` seconds.'],
]
