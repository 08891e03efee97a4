import type { Account } from '../documents/document.ts'
import type { IdempotentRequest } from '../documents/keyed-create.lazy.ts'
import type { AppContext } from '../env.ts'
import { invalidIdempotencyKey } from '../errors.ts'
import { toNetwork } from './limits.ts'

const MAX_CHARACTERS = 255

/**
 * Returns what makes a create repeatable; null without the header `Idempotency-Key`.
 *
 * @param creator the account that makes the request. Without one, a repeat must come from the same network.
 * @param settings what the request asks for, besides its content.
 * @throws AppError `bad_request` for a key that is empty or too long.
 */
export function readIdempotentRequest(
  c: AppContext,
  creator: Account | null,
  settings: IdempotentRequest['settings'],
): IdempotentRequest | null {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return null
  if (key === '' || key.length > MAX_CHARACTERS) throw invalidIdempotencyKey(MAX_CHARACTERS)
  const sender = creator
    ? `account ${creator.id}`
    : `network ${toNetwork(c.req.header('CF-Connecting-IP') ?? '')}`
  return { key, sender, settings, secret: c.var.config.authSecret }
}
