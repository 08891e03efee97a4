import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
  getPasswordHint,
} from '../../src/client/encryption/encryption.ts'
import { JWE_TASKS } from '../../src/client/encryption/jwe-worker.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptText,
  deriveClaimToken,
  type EncryptOptions,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  JweError,
  parseJwe,
} from '../../src/shared/jwe.ts'
import { stubJweWorker } from './support/browser.ts'

const TEXT = '\uFEFFline one\r\n\u0000 😀'

const encrypt = (options: Partial<EncryptOptions> = {}) =>
  JWE_TASKS.encrypt({ text: TEXT, password: 'pä#ss', generated: true, ...options })

const getIterations = (jwe: string) => parseJwe(jwe).header.iterations

describe('an encrypt task', () => {
  it('makes a JWE that decrypts to the same text', async () => {
    const { jwe } = await encrypt()
    expect(await JWE_TASKS.decrypt({ jwe, password: 'pä#ss' })).toBe(TEXT)
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
    expect(await JWE_TASKS.deriveClaimToken({ header, password: 'pä#ss' })).toBe(token)
  })
})

describe('a decrypt task', () => {
  it('returns null if the password is wrong', async () => {
    const { jwe } = await encrypt()
    expect(await JWE_TASKS.decrypt({ jwe, password: 'wrong' })).toBeNull()
  })

  it('throws a JweError if the content is no JWE', async () => {
    await expect(JWE_TASKS.decrypt({ jwe: 'not a JWE', password: 'x' })).rejects.toThrow(JweError)
  })
})

const TASK = { text: 'x', password: 'right', generated: true }

const encryptText = (text: string) => encryptInWorker({ ...TASK, text })

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('encryption in a worker', () => {
  it.each(['broken', 'refused'] as const)('happens in the page if the worker is %s', async (worker) => {
    // A page that has no worker yet.
    vi.resetModules()
    const client = await import('../../src/client/encryption/encryption.ts')
    stubJweWorker(worker)
    const { jwe } = await client.encryptInWorker(TASK)
    expect(await decryptText(jwe, 'right')).toBe('x')
    expect(await client.decryptInWorker(jwe, 'wrong')).toBeNull()
    await expect(client.decryptInWorker('not a JWE', 'x')).rejects.toThrow(/parts|header/i)
  })

  it('gives each of several tasks its own answer', async () => {
    stubJweWorker()
    const texts = ['one', 'two', 'three']
    const encrypted = await Promise.all(texts.map(encryptText))
    expect(await Promise.all(encrypted.map(({ jwe }) => decryptInWorker(jwe, 'right')))).toEqual(texts)
  })

  it('returns null for a wrong password, and a claim token for the right one', async () => {
    stubJweWorker()
    const { jwe } = await encryptText('x')
    expect(await decryptInWorker(jwe, 'wrong')).toBeNull()
    expect(await deriveClaimTokenInWorker(jwe.slice(0, jwe.indexOf('.')), 'right')).toMatch(/^[\w-]{43}$/)
  })
})

describe('the hint below a password field', () => {
  it.each([
    ['in the browser', true, true, 'Neither the password nor the text is sent'],
    ['on the server', false, true, 'the password is sent to the server'],
    ['on the server, without HTTPS', false, false, 'others on the network could read it'],
  ])('says who sees the password when the document is decrypted %s', (_, inBrowser, isSecure, expected) => {
    expect(getPasswordHint(inBrowser, isSecure)).toContain(expected)
  })
})
