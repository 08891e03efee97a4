import { describe, expect, it } from 'vitest'
import { type JweTask, runJweTask } from '../../../src/client/encryption/jwe-task.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  type EncryptedText,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  JweError,
  parseJwe,
} from '../../../src/shared/jwe.ts'

const TEXT = '\uFEFFline one\r\n\u0000 😀'

type EncryptTask = Extract<JweTask, { do: 'encrypt' }>

const encrypt = async (options: Partial<EncryptTask> = {}) =>
  (await runJweTask({
    do: 'encrypt',
    text: TEXT,
    password: 'pä#ss',
    generated: true,
    ...options,
  })) as EncryptedText

const getIterations = (jwe: string) => parseJwe(jwe).header.iterations

describe('an encrypt task', () => {
  it('makes a JWE that decrypts to the same text', async () => {
    const { jwe } = await encrypt()
    expect(await runJweTask({ do: 'decrypt', jwe, password: 'pä#ss' })).toBe(TEXT)
  })

  it.each([
    ['stretches a chosen password', false, CHOSEN_PASSWORD_ITERATIONS],
    ['does not stretch a generated one', true, GENERATED_PASSWORD_ITERATIONS],
  ])('%s', async (_, generated, iterations) => {
    expect(getIterations((await encrypt({ generated })).jwe)).toBe(iterations)
  })

  it.each([true, false])('stretches as in an earlier JWE: generated password %s', async (generated) => {
    const earlier = await encrypt({ generated })
    const later = await encrypt({ generated: { asIn: earlier.jwe } })
    expect(getIterations(later.jwe)).toBe(getIterations(earlier.jwe))
  })

  it('returns the hash of the claim token that proves the password', async () => {
    const { jwe, claimHash } = await encrypt()
    const token = await deriveClaimToken('pä#ss', parseJwe(jwe).header)
    expect(claimHash).toBe(await hashClaimToken(token))
    const header = jwe.slice(0, jwe.indexOf('.'))
    expect(await runJweTask({ do: 'derive-claim-token', header, password: 'pä#ss' })).toBe(token)
  })
})

describe('a decrypt task', () => {
  it('returns null if the password is wrong', async () => {
    const { jwe } = await encrypt()
    expect(await runJweTask({ do: 'decrypt', jwe, password: 'wrong' })).toBeNull()
  })

  it('throws a JweError if the content is no JWE', async () => {
    await expect(runJweTask({ do: 'decrypt', jwe: 'not a JWE', password: 'x' })).rejects.toThrow(JweError)
  })
})
