import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
} from '../../../src/client/encryption/jwe-client.ts'
import { stubJweWorker } from '../support/jwe-worker.ts'

const TASK = { text: 'x', password: 'right', generated: true }

const encrypt = (text: string) => encryptInWorker({ ...TASK, text })

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('encryption in a worker', () => {
  it('fails with a message if the worker cannot be loaded, and works on the next try', async () => {
    // A page that has no worker yet.
    vi.resetModules()
    const { encryptInWorker } = await import('../../../src/client/encryption/jwe-client.ts')
    stubJweWorker({ broken: true })
    await expect(encryptInWorker(TASK)).rejects.toThrow('couldn’t be loaded')
    stubJweWorker()
    expect(await encryptInWorker(TASK)).toMatchObject({ jwe: expect.any(String) })
  })

  it('gives each of several tasks its own answer', async () => {
    stubJweWorker()
    const texts = ['one', 'two', 'three']
    const encrypted = await Promise.all(texts.map(encrypt))
    expect(await Promise.all(encrypted.map(({ jwe }) => decryptInWorker(jwe, 'right')))).toEqual(texts)
  })

  it('returns null for a wrong password, and a claim token for the right one', async () => {
    stubJweWorker()
    const { jwe } = await encrypt('x')
    expect(await decryptInWorker(jwe, 'wrong')).toBeNull()
    expect(await deriveClaimTokenInWorker(jwe.slice(0, jwe.indexOf('.')), 'right')).toMatch(/^[\w-]{43}$/)
  })
})
