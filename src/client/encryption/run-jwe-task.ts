import { deriveClaimToken, hashClaimToken } from '../../shared/claim-token.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptJwe,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
  parseJweHeader,
} from '../../shared/jwe.ts'
import type { JweAnswer, JweTask } from './jwe-messages.ts'

const isStretched = (jwe: string): boolean => parseJwe(jwe).header.iterations > GENERATED_PASSWORD_ITERATIONS

/**
 * Encrypts, decrypts or derives a claim token.
 *
 * @throws JweError if the JWE or its header is invalid.
 */
export async function runJweTask(task: JweTask): Promise<JweAnswer['result']> {
  switch (task.do) {
    case 'encrypt': {
      const { text, password, generated, burnAfterReading } = task
      const stretched = typeof generated === 'boolean' ? !generated : isStretched(generated.asIn)
      const iterations = stretched ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
      const jwe = await encryptJwe(new TextEncoder().encode(text), password, iterations)
      if (!burnAfterReading) return { jwe, claimHash: null }
      const token = await deriveClaimToken(password, parseJwe(jwe).header)
      return { jwe, claimHash: await hashClaimToken(token) }
    }
    case 'decrypt': {
      parseJwe(task.jwe)
      const bytes = await decryptJwe(task.jwe, task.password)
      return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    }
    case 'derive-claim-token':
      return deriveClaimToken(task.password, parseJweHeader(task.header))
    default:
      throw new TypeError(`Unknown task: ${JSON.stringify(task satisfies never)}`)
  }
}
