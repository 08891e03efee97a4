import { decryptText, deriveClaimToken, parseJweHeader } from '../../../src/shared/jwe.ts'
import type { RegentClient, TokenOptions } from './client.ts'
import { RegentError } from './errors.ts'
import type { Document } from './types.ts'

export interface ReadTextOptions extends TokenOptions {
  /**
   * Returns the password of an encrypted document. Called again if it was wrong; `attempt` counts from 1. Null gives up.
   */
  readonly getPassword?: ((attempt: number) => string | null | Promise<string | null>) | undefined
}

export interface ReadText {
  readonly text: string
  readonly document: Document
  /** The password of an encrypted document; null for any other. */
  readonly password: string | null
}

/** Thrown if there is no password for an encrypted document, or only wrong ones. */
export class PasswordError extends Error {
  override readonly name = 'PasswordError'
}

async function tryPasswords<Result>(
  { getPassword }: ReadTextOptions,
  attempt: (password: string) => Promise<Result | null>,
): Promise<{ result: Result; password: string }> {
  for (let attempts = 1; ; attempts++) {
    const password = (await getPassword?.(attempts)) ?? null
    if (password === null) {
      throw new PasswordError(attempts === 1 ? 'This document needs its password' : 'The password is wrong')
    }
    const result = await attempt(password)
    if (result !== null) return { result, password }
  }
}

/** @throws PasswordError without the right password. */
export const decryptContent = async (jwe: string, options: ReadTextOptions): Promise<string> =>
  (await tryPasswords(options, (candidate) => decryptText(jwe, candidate))).result

/** Returns the text of a document that was read without its password. Asks for it if the document is encrypted. */
export async function decryptDocument(document: Document, options: ReadTextOptions): Promise<ReadText> {
  if (!document.settings.encrypted) return { text: document.content, document, password: null }
  const { result, password } = await tryPasswords(options, (candidate) =>
    decryptText(document.content, candidate),
  )
  return { text: result, document, password }
}

async function findClaimHeader(client: RegentClient, id: string, options: TokenOptions) {
  try {
    return parseJweHeader(await client.getClaimHeader(id, { signal: options.signal }))
  } catch (error) {
    if (error instanceof RegentError && error.code === 'not_found') return null
    throw error
  }
}

/**
 * Reads a document and decrypts it on this machine: the server never sees the password. If the document burns after
 * reading, this burns it, unless you may edit it. A wrong password never does.
 *
 * @throws RegentError if a request fails, and PasswordError if there's no right password.
 */
export async function readText(
  client: RegentClient,
  id: string,
  options: ReadTextOptions = {},
): Promise<ReadText> {
  const { signal, token } = options
  let refusal: RegentError
  try {
    const { document } = await client.readDocument(id, { signal, token })
    return await decryptDocument(document, options)
  } catch (error) {
    if (!(error instanceof RegentError) || error.code !== 'bad_request') throw error
    refusal = error
  }
  // It's encrypted and burns after reading, so it asks for proof of the password first.
  const header = await findClaimHeader(client, id, options)
  if (!header) throw refusal
  const claim = async (password: string) => {
    try {
      return await client.claimDocument(id, await deriveClaimToken(password, header), { signal, token })
    } catch (error) {
      if (error instanceof RegentError && error.code === 'bad_request') return null
      throw error
    }
  }
  const { result: document, password } = await tryPasswords(options, claim)
  const text = await decryptText(document.content, password)
  if (text === null) throw new PasswordError('The password opened the document, but didn’t decrypt it')
  return { text, document, password }
}
