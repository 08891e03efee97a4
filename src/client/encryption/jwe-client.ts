import type { EncryptedText } from '../../shared/jwe.ts'
import { startWorker } from '../shared/start-worker.ts'
import type { JweAnswer, JweTask } from './jwe-task.ts'

/** Browsers only encrypt on secure pages, which nobody can tamper with. */
export const canEncrypt = (): boolean => isSecureContext && typeof crypto?.subtle === 'object'

let worker: Worker | undefined
let lastId = 0
/** Null means that there is no worker. */
const pending = new Map<number, (answer: JweAnswer | null) => void>()

function startJweWorker(): Worker {
  const address = document.querySelector<HTMLMetaElement>('meta[name="jwe-worker"]')?.content
  if (!address) throw new Error('The page has no meta element "jwe-worker"')
  const started = startWorker(address)
  started.addEventListener('message', ({ data }: MessageEvent<JweAnswer>) => {
    pending.get(data.id)?.(data)
    pending.delete(data.id)
  })
  // If the script can't be loaded, no answer would ever come. The next task starts a new worker.
  started.addEventListener('error', () => {
    if (worker === started) worker = undefined
    for (const resolve of pending.values()) resolve(null)
    pending.clear()
  })
  return started
}

/** Some browsers and extensions refuse workers. The page is blocked for moments, then. */
async function runInPage(task: JweTask): Promise<JweAnswer['result']> {
  const { answerJweTask } = await import('./jwe-task.ts').catch(() => {
    throw new Error(
      'The encryption code couldn’t be loaded. Try again. If that doesn’t help, copy your text and reload the page.',
    )
  })
  return unwrap(await answerJweTask(0, task))
}

function unwrap({ result, error }: JweAnswer): JweAnswer['result'] {
  if (error !== undefined) throw new Error(error)
  return result
}

async function runTask(task: JweTask): Promise<JweAnswer['result']> {
  const id = ++lastId
  const answered = new Promise<JweAnswer | null>((resolve) => pending.set(id, resolve))
  try {
    worker ??= startJweWorker()
    worker.postMessage({ id, task })
  } catch {
    pending.delete(id)
    return runInPage(task)
  }
  const answer = await answered
  return answer ? unwrap(answer) : runInPage(task)
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
