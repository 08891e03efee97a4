import { inject, vi } from 'vitest'
import { type Control, control, DROPPED } from '../fake-github/control.ts'

const { fetch } = globalThis

/**
 * Sends a command to the fake GitHub, and returns its answer. A connection that it drops is one that breaks here: the runtime
 * would print a stack trace of each that really breaks, as if nobody expected it.
 */
export async function commandGitHub<Answer>(command: Control): Promise<Answer> {
  if (command.do === 'fail' && command.failure.answer === 'drop') {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await fetch(...request)
      if (response.headers.has(DROPPED)) throw new Error('Network connection lost.')
      return response
    })
  }
  return control<Answer>(inject('gitHubUrl'), command)
}
