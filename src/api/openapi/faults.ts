import { toAppError, unavailable } from '../../errors.ts'
import type { ErrorCase } from './operation.ts'

/** The error that any operation can return. */
export const INTERNAL_ERROR: ErrorCase = [toAppError(null), 'Something went wrong on the server.']

/** The errors that any operation with storage can return. */
export const FAULTS: readonly ErrorCase[] = [
  INTERNAL_ERROR,
  [unavailable(null), 'Storage failed or didn’t answer in time. Try again after `Retry-After` seconds.'],
]
