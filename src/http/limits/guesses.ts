import type { AppContext } from '../../env.ts'
import { readApiKey } from '../identity/credential.ts'
import { getNetwork, getPolicy, tryCount } from './rate-limits.ts'
import { limitExceeded } from './table.ts'

/**
 * Paths that start with an id, or that look one up. Unknown words of the same form count too: they take the same
 * query.
 */
const LOOKUP = /^\/(?:v1\/(?:documents?|users?)\/|r\/|raw\/|p\/|@)?[A-Za-z0-9]{4,36}(?:[./]|$)/

const MAX_BLOCKS = 10_000

/**
 * When the networks that guessed too often may try again, in milliseconds since 1970. The binding only counts, and
 * only what has been a guess is counted. So this isolate remembers whom to refuse without asking D1.
 */
const blockedUntil = new Map<string, number>()

const isLookup = (c: AppContext): boolean => LOOKUP.test(c.req.path) || readApiKey(c) !== undefined

function block(c: AppContext, network: string): void {
  blockedUntil.delete(network)
  blockedUntil.set(network, c.var.now + getPolicy(c, 'guesses').period * 1_000)
  if (blockedUntil.size <= MAX_BLOCKS) return
  for (const oldest of blockedUntil.keys()) {
    blockedUntil.delete(oldest)
    break
  }
}

const guessedTooOften = (c: AppContext, seconds?: number) =>
  limitExceeded('guesses', getPolicy(c, 'guesses'), seconds)

/**
 * Refuses a request that looks up an id or an API key, if its network has guessed too often.
 *
 * @throws AppError `rate_limited`.
 */
export function refuseGuesser(c: AppContext): void {
  if (blockedUntil.size === 0 || !isLookup(c)) return
  const network = getNetwork(c)
  const until = blockedUntil.get(network)
  if (until === undefined) return
  if (until > c.var.now) throw guessedTooOften(c, Math.ceil((until - c.var.now) / 1_000))
  blockedUntil.delete(network)
}

/**
 * Counts a guess, or a burn, which could be the hit of one.
 *
 * @throws AppError `rate_limited` if the network has guessed too often.
 */
export async function countGuess(c: AppContext): Promise<void> {
  const network = getNetwork(c)
  if (await tryCount(c, 'guesses', network)) return
  block(c, network)
  throw guessedTooOften(c)
}

/** Returns true for a response to an id that doesn't exist, or to an invalid API key. */
export const isGuess = (c: AppContext): boolean =>
  (c.res.status === 404 && LOOKUP.test(c.req.path)) || (c.res.status === 401 && readApiKey(c) !== undefined)
