import type { Readable, Writable } from 'node:stream'
import type { Instant } from '../../../src/shared/instant.ts'
import type { Surroundings } from '../storage/folders.ts'

export type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The terminal at which a person can be asked, even if standard input is a pipe. */
export interface Conversation {
  readonly input: Readable
  readonly output: Writable
  readonly close: () => void
}

/** From outside the program, so that tests can run it in their own process. */
export interface Terminal extends Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  /** Aborts with `Interrupted` after Ctrl+C. */
  readonly signal: AbortSignal
  readonly now: () => Instant
  readonly openConversation: () => Conversation | null
  /** Leaves Ctrl+C to a program that was started, such as the editor. */
  readonly whileIgnoringInterrupts: <Result>(run: () => Promise<Result>) => Promise<Result>
}
