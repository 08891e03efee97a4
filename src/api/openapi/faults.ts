import { toAppError, unavailable } from '../../errors.ts'
import type { ErrorCase } from './operation.ts'

/** What any operation answers if the server is at fault. */
export const INTERNAL_ERROR: ErrorCase = [toAppError(null), 'The server is at fault.']

/** What the operations that use storage answer beside it. */
export const FAULTS: readonly ErrorCase[] = [
  INTERNAL_ERROR,
  [unavailable(null), 'Storage failed or didn’t answer in time. Try again after `Retry-After` seconds.'],
]
