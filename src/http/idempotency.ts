import type { Account } from '../documents/document.ts'
import type { IdempotentRequest } from '../documents/idempotent-create.ts'
import type { AppContext } from '../env.ts'
import { invalidIdempotencyKey } from '../errors.ts'
import { getNetwork } from './network.ts'

const MAX_KEY_CHARACTERS = 255

/**
 * Returns null without a key. A repeat must come from the same account, or from the same network if there is none.
 *
 * @throws AppError `bad_request` for a bad key.
 */
export function readIdempotentRequest(
  c: AppContext,
  creator: Account | null,
  settings: IdempotentRequest['settings'],
): IdempotentRequest | null {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return null
  if (key === '' || key.length > MAX_KEY_CHARACTERS) throw invalidIdempotencyKey(MAX_KEY_CHARACTERS)
  const sender = creator ? `account ${creator.id}` : `network ${getNetwork(c)}`
  return { key, sender, settings, secret: c.var.config.authSecret }
}
