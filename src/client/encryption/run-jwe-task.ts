import { decryptText, deriveClaimToken, encryptText, parseJweHeader } from '../../shared/jwe.ts'
import type { JweAnswer, JweTask } from './jwe-messages.ts'

/**
 * Encrypts, decrypts or derives a claim token.
 *
 * @throws JweError if the JWE or its header is invalid.
 */
export async function runJweTask(task: JweTask): Promise<JweAnswer['result']> {
  switch (task.do) {
    case 'encrypt':
      return encryptText(task)
    case 'decrypt':
      return decryptText(task.jwe, task.password)
    case 'derive-claim-token':
      return deriveClaimToken(task.password, parseJweHeader(task.header))
    default:
      throw new TypeError(`Unknown task: ${JSON.stringify(task satisfies never)}`)
  }
}
