import { inject, it, type TestContext } from 'vitest'
import { Api } from './api.ts'
import { type Credential, optionFor, type Target } from './target.ts'

/** The API for a clause, and what the clause needs from the run. */
export class ClauseApi extends Api {
  readonly #context: TestContext

  constructor(context: TestContext, target: Target) {
    super(target)
    this.#context = context
  }

  /** Returns a key. If it wasn't given, the clause ends, and the run reports that it wasn't checked. */
  need(credential: Credential): string {
    const value = this.target[credential]
    if (value === '') this.#context.skip(`needs ${optionFor(credential)}`)
    return value
  }

  /** Ends the clause, and reports that it wasn't checked, unless the service is configured as the clause says. */
  needServer(matches: boolean, condition: string): void {
    if (!matches) this.#context.skip(`needs ${condition}`)
  }

  /** Ends the clause unless anyone may create documents. */
  needAnonymousDocuments(): void {
    this.needServer(this.target.anonymousDocuments, 'a service that lets anyone create documents')
  }
}

/**
 * Registers a test of one clause of the public interface.
 *
 * @param id names the clause for good, such as `create.status`. It never changes.
 * @param statement what must be true, as one sentence.
 */
export function clause(id: string, statement: string, check: (api: ClauseApi) => Promise<void>): void {
  it(`${id}: ${statement}`, async (context) => {
    const api = new ClauseApi(context, inject('conformance'))
    try {
      await check(api)
    } finally {
      await api.cleanUp()
    }
  })
}
