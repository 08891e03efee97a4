import { createSigner, signText } from '../shared/hashing.ts'

export type LoggedKind = 'document' | 'account'

/** Letters and digits, so that a command can take it as it is. 95 bits: enough that no two of them are the same. */
const CHARACTERS = 16

/**
 * Returns a function that hashes ids for the log, so that an operator can find what a line is about, and nobody who only
 * has the log can. Its key follows from `AUTH_SECRET`.
 */
export async function createLogHasher(secret: string) {
  const sign = await createSigner(await signText(secret, 'log'))
  return async (kind: LoggedKind, id: string): Promise<string> =>
    (await sign(`${kind} ${id}`)).replaceAll(/[-_]/g, '').slice(0, CHARACTERS)
}

export const isLogHash = (candidate: string): boolean => /^[A-Za-z0-9]{16}$/.test(candidate)
