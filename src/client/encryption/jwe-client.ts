import type { EncryptedText, EncryptOptions } from '../../shared/jwe.ts'
import { requireElement } from '../shared/elements.ts'
import { createWorkerClient, TaskError, type WorkerClient } from '../shared/workers.ts'
import type { JWE_TASKS } from './jwe-worker.ts'

/** Browsers only encrypt on secure pages, which nobody can tamper with. */
export const canEncrypt = (): boolean => isSecureContext && typeof crypto?.subtle === 'object'

type JweTasks = typeof JWE_TASKS

let worker: WorkerClient<JweTasks> | undefined

function getWorker(): WorkerClient<JweTasks> {
  worker ??= createWorkerClient(requireElement<HTMLMetaElement>('meta[name="jwe-worker"]').content)
  return worker
}

function explain(error: unknown): never {
  const isJweError = error instanceof Error && error.name === 'JweError'
  throw isJweError ? error : new Error('Something went wrong in your browser. Try again.')
}

/** Some browsers and extensions refuse workers. The page is blocked for moments, then. */
async function orInPage<Result>(
  asked: Promise<Result>,
  run: (jwe: typeof import('../../shared/jwe.ts')) => Promise<Result>,
): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof TaskError) return explain(error)
    const jwe = await import('../../shared/jwe.ts').catch(() => {
      throw new Error(
        'The encryption code couldn’t be loaded. Try again. If that doesn’t help, copy your text and reload the page.',
      )
    })
    return run(jwe).catch(explain)
  }
}

// Errors of these functions have a message for the user.

/** Neither the text nor the password leaves the browser. */
export const encryptInWorker = (options: EncryptOptions): Promise<EncryptedText> =>
  orInPage(getWorker().ask('encrypt', options), ({ encryptText }) => encryptText(options))

/** Returns null if the password is wrong. */
export const decryptInWorker = (jwe: string, password: string): Promise<string | null> =>
  orInPage(getWorker().ask('decrypt', { jwe, password }), ({ decryptText }) => decryptText(jwe, password))

/** `header` is the JWE's protected header in base64url. */
export const deriveClaimTokenInWorker = (header: string, password: string): Promise<string> =>
  orInPage(
    getWorker().ask('deriveClaimToken', { header, password }),
    async ({ deriveClaimToken, parseJweHeader }) => deriveClaimToken(password, parseJweHeader(header)),
  )
