import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  EnvelopeError,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  openEnvelope,
  parseEnvelope,
  parseEnvelopeHeader,
  sealEnvelope,
} from '../documents/encryption.ts'
import type { EnvelopeAnswer, EnvelopeTask } from './envelopes.ts'

const utf8 = new TextEncoder()

const isStretched = (envelope: string): boolean =>
  parseEnvelope(envelope).header.iterations > GENERATED_PASSWORD_ITERATIONS

async function run(task: EnvelopeTask): Promise<EnvelopeAnswer['result']> {
  switch (task.do) {
    case 'seal': {
      const { generated } = task
      const stretches = typeof generated === 'boolean' ? !generated : isStretched(generated.asFor)
      const iterations = stretches ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
      const envelope = await sealEnvelope(utf8.encode(task.text), task.password, iterations)
      const { header } = parseEnvelope(envelope)
      const claimHash = task.once ? await hashClaimToken(await deriveClaimToken(task.password, header)) : null
      return { envelope, claimHash }
    }
    case 'open': {
      parseEnvelope(task.envelope)
      const bytes = await openEnvelope(task.envelope, task.password)
      return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    }
    case 'claim':
      return deriveClaimToken(task.password, parseEnvelopeHeader(task.header))
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
      const problem =
        error instanceof EnvelopeError ? error.message : 'This could not be done in the browser.'
      postMessage({ number, result: null, problem } satisfies EnvelopeAnswer)
    }
  },
)
