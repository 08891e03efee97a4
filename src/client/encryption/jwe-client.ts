import type { EncryptedText } from '../../shared/jwe.ts'
import { toTrustedScriptUrl } from '../shared/trusted-script-url.ts'
import type { JweAnswer, JweTask } from './jwe-task.ts'

/** Browsers only encrypt on secure pages, which nobody can tamper with. */
export const canEncrypt = (): boolean => isSecureContext && typeof crypto?.subtle === 'object'

let worker: Worker | undefined
let lastId = 0
const pending = new Map<number, (answer: JweAnswer) => void>()

function startWorker(): Worker {
  const address = document.querySelector<HTMLMetaElement>('meta[name="jwe-worker"]')?.content
  if (!address) throw new Error('The page has no meta element "jwe-worker"')
  const started = new Worker(toTrustedScriptUrl(address), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<JweAnswer>) => {
    pending.get(data.id)?.(data)
    pending.delete(data.id)
  })
  // If the script can't be loaded, no answer would ever come. The next task starts a new worker.
  started.addEventListener('error', () => {
    if (worker === started) worker = undefined
    const error =
      'The encryption code couldn’t be loaded. Try again. If that doesn’t help, copy your text and reload the page.'
    for (const [id, resolve] of pending) resolve({ id, result: null, error })
    pending.clear()
  })
  return started
}

async function runTask(task: JweTask): Promise<JweAnswer['result']> {
  worker ??= startWorker()
  const id = ++lastId
  const answered = new Promise<JweAnswer>((resolve) => pending.set(id, resolve))
  worker.postMessage({ id, task })
  const { result, error } = await answered
  if (error !== undefined) throw new Error(error)
  return result
}

// Errors of these functions have a message for the user.

/** Neither the text nor the password leaves the browser. */
export const encryptInWorker = async (
  options: Omit<Extract<JweTask, { do: 'encrypt' }>, 'do'>,
): Promise<EncryptedText> => (await runTask({ do: 'encrypt', ...options })) as EncryptedText

/** Returns null if the password is wrong. */
export const decryptInWorker = async (jwe: string, password: string): Promise<string | null> =>
  (await runTask({ do: 'decrypt', jwe, password })) as string | null

/** `header` is the JWE's protected header in base64url. */
export const deriveClaimTokenInWorker = async (header: string, password: string): Promise<string> =>
  (await runTask({ do: 'derive-claim-token', header, password })) as string
