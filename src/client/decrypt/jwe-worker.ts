import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptJwe,
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  JweError,
  parseJwe,
  parseJweHeader,
} from '../../shared/jwe.ts'
import type { EnvelopeAnswer, EnvelopeTask } from './jwe-client.ts'

const utf8 = new TextEncoder()

const isStretched = (envelope: string): boolean =>
  parseJwe(envelope).header.iterations > GENERATED_PASSWORD_ITERATIONS

async function run(task: EnvelopeTask): Promise<EnvelopeAnswer['result']> {
  switch (task.do) {
    case 'seal': {
      const { generated } = task
      const stretches = typeof generated === 'boolean' ? !generated : isStretched(generated.asFor)
      const iterations = stretches ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
      const envelope = await encryptJwe(utf8.encode(task.text), task.password, iterations)
      const { header } = parseJwe(envelope)
      const claimHash = task.once ? await hashClaimToken(await deriveClaimToken(task.password, header)) : null
      return { envelope, claimHash }
    }
    case 'open': {
      parseJwe(task.envelope)
      const bytes = await decryptJwe(task.envelope, task.password)
      return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    }
    case 'claim':
      return deriveClaimToken(task.password, parseJweHeader(task.header))
    default:
      throw new TypeError(`unknown: ${JSON.stringify(task satisfies never)}`)
  }
}

addEventListener(
  'message',
  async ({ data: { number, task } }: MessageEvent<{ number: number; task: EnvelopeTask }>) => {
    try {
      postMessage({ number, result: await run(task) } satisfies EnvelopeAnswer)
    } catch (error) {
      const problem = error instanceof JweError ? error.message : 'This could not be done in the browser.'
      postMessage({ number, result: null, problem } satisfies EnvelopeAnswer)
    }
  },
)
