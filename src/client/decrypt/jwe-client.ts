import { scriptAddress } from '../shared/trusted-script-url.ts'

/** What the worker does: deriving a key takes a while, and a page must not stand still meanwhile. */
export type EnvelopeTask =
  | {
      readonly do: 'seal'
      readonly text: string
      readonly password: string
      /** Whether the password is a generated one, which needs no stretching; or the envelope that it opened. */
      readonly generated: boolean | { readonly asFor: string }
      /** Whether the document is read once, so that the password must be provable without it. */
      readonly once: boolean
    }
  | { readonly do: 'open'; readonly envelope: string; readonly password: string }
  | { readonly do: 'claim'; readonly header: string; readonly password: string }

interface SealedEnvelope {
  /** A JWE in compact form. */
  readonly envelope: string
  /** What the service keeps so that the password can be proven; null where it is not read once. */
  readonly claimHash: string | null
}

export interface EnvelopeAnswer {
  readonly number: number
  readonly result: SealedEnvelope | string | null
  /** What a person is told, where it could not be done. */
  readonly problem?: string
}

/** Whether this browser can encrypt here: it does so only where nobody on the way could change the page. */
export const canEncrypt = (): boolean => isSecureContext && typeof crypto?.subtle === 'object'

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, (answer: EnvelopeAnswer) => void>()

/** The address of the worker's script stands in the page, whose build knows it. */
function startWorker(): Worker {
  const address = document.querySelector<HTMLMetaElement>('meta[name="envelope-worker"]')?.content
  if (!address) throw new Error('the page does not name the script that encrypts')
  const started = new Worker(scriptAddress(address), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<EnvelopeAnswer>) => {
    waiting.get(data.number)?.(data)
    waiting.delete(data.number)
  })
  // A script that did not come would leave everybody waiting; the next task tries it once more.
  started.addEventListener('error', () => {
    if (worker === started) worker = undefined
    const problem =
      'The part of this page that encrypts could not be loaded. Try again; if it stays like that, copy what you typed and load the page again.'
    for (const [number, answer] of waiting) answer({ number, result: null, problem })
    waiting.clear()
  })
  return started
}

async function ask(task: EnvelopeTask): Promise<EnvelopeAnswer['result']> {
  worker ??= startWorker()
  const number = ++asked
  const answered = new Promise<EnvelopeAnswer>((resolve) => waiting.set(number, resolve))
  worker.postMessage({ number, task })
  const { result, problem } = await answered
  if (problem !== undefined) throw new Error(problem)
  return result
}

/** Encrypts a text, off the main thread. Neither text nor password leaves the browser. */
export const seal = async (
  options: Omit<Extract<EnvelopeTask, { do: 'seal' }>, 'do'>,
): Promise<SealedEnvelope> => (await ask({ do: 'seal', ...options })) as SealedEnvelope

/** The text of an envelope; null when the password is another. Throws an Error with words for a person. */
export const open = async (envelope: string, password: string): Promise<string | null> =>
  (await ask({ do: 'open', envelope, password })) as string | null

/**
 * The token that proves a password to the service without revealing it.
 *
 * @param header the envelope's protected header, base64url, as `GET /v1/document/:id/claim` answers it.
 */
export const claimToken = async (header: string, password: string): Promise<string> =>
  (await ask({ do: 'claim', header, password })) as string
