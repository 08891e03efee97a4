import type { AppError } from '../errors.ts'
import type { Quotas } from './model/quotas.ts'

/** How long an isolate refuses creates without asking D1, once D1 has refused one. */
const MEMORY_MS = 10_000
const MAX_REFUSALS = 1_000

interface Refusal {
  readonly error: AppError
  readonly until: number
}

/** By the quotas, which belong to one configuration, and by the account; empty for none. */
const refusals = new WeakMap<Quotas, Map<string, Refusal>>()

/** Remembers that a create was refused, and would be again. */
export function rememberRefusal(
  quotas: Quotas,
  accountId: string | null,
  { error, now }: { error: AppError; now: number },
): void {
  const remembered = refusals.get(quotas) ?? new Map<string, Refusal>()
  refusals.set(quotas, remembered)
  if (remembered.size >= MAX_REFUSALS) remembered.clear()
  remembered.set(accountId ?? '', { error, until: now + MEMORY_MS })
}

/**
 * Refuses a create that D1 would refuse, before its content is written: in a flood of creates, each would cost a KV write.
 *
 * @throws AppError what `insertDocument` threw a moment ago.
 */
export function refuseAgain(quotas: Quotas | undefined, accountId: string | null, now: number): void {
  const refusal = quotas && refusals.get(quotas)?.get(accountId ?? '')
  if (refusal && refusal.until > now) throw refusal.error
}
