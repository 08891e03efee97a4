import { it, type TestContext } from 'vitest'
import { Api } from './api.ts'
import { findServer, type Server } from './server.ts'
import { type Credential, optionFor } from './target.ts'

/** The API, with methods that skip a clause if the run can't check it. */
export class ClauseApi extends Api {
  readonly #context: TestContext

  constructor(context: TestContext, server: Server) {
    super(server)
    this.#context = context
  }

  /** Returns a key. Skips the clause if the run doesn't have that key. */
  need(credential: Credential): string {
    const value = this.target[credential]
    if (value === '') this.#context.skip(`needs ${optionFor(credential)}`)
    return value
  }

  /** Skips the clause unless the server is configured as the clause needs. */
  needServer(matches: boolean, condition: string): void {
    if (!matches) this.#context.skip(`needs ${condition}`)
  }

  /** Skips the clause unless anyone may create documents. */
  needAnonymousDocuments(): void {
    this.needServer(this.target.anonymousDocuments, 'a server that lets anyone create documents')
  }
}

/**
 * Registers the test of one clause: something that the API promises.
 *
 * @param id identifies the clause, such as `create.id`. It never changes.
 * @param statement says what must be true, in one sentence.
 */
export function clause(id: string, statement: string, check: (api: ClauseApi) => Promise<void>): void {
  it(`${id}: ${statement}`, async (context) => {
    const api = new ClauseApi(context, await findServer())
    try {
      await check(api)
    } finally {
      await api.cleanUp()
    }
  })
}
