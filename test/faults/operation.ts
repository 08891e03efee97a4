import type { Answer } from '../support/client.ts'

/** What came of an operation. `unanswered`: the process died, or no answer was sent. */
export type Outcome<Result> =
  | { readonly kind: 'acknowledged'; readonly result: Result }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unanswered' }

/** Something that the service does, whose storage calls are hit by faults one after the other. */
export interface Operation<Scene = unknown, Result = unknown> {
  readonly name: string
  /** True for a variant of another operation, which only `npm run torture -- faults` runs: the suite has little time. */
  readonly isVariant?: boolean
  /** Variables of the Worker that it needs. */
  readonly vars?: Record<string, string>
  /** Creates what one run of the operation needs. */
  readonly arrange: () => Promise<Scene>
  /** Runs it, with the work after its response. Returns null for an error that leaves the outcome open: 500 or 503. */
  readonly run: (scene: Scene, bindings: Env) => Promise<Result | null>
  /**
   * Returns what is wrong after the operation. An acknowledged change must have taken place; any other must have taken
   * place as a whole or not at all.
   */
  readonly check: (scene: Scene, outcome: Outcome<Result>) => Promise<readonly (string | false)[]>
}

/** Keeps the types of one operation together, and forgets them. */
export const operation = <Scene, Result>(described: Operation<Scene, Result>): Operation =>
  described as unknown as Operation

/** Returns an answer of the API if it is a success; null for a server error. Throws for any other: faults never cause them. */
export function acceptAnswer<Body>(answer: Answer<Body>): Answer<Body> | null {
  if (answer.status < 300) return answer
  const { message } = (answer.body as { error?: { message?: string } }).error ?? {}
  // No answer tells what failed.
  if ((answer.status === 500 || answer.status === 503) && message === 'Internal server error') return null
  throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`)
}
