import { exports } from 'cloudflare:workers'
import { afterEach, beforeAll } from 'vitest'
import { excerptReads } from '../../src/documents/excerpts.ts'
import { checkedUntil, underWay } from '../../src/documents/refusals.ts'
import { viewCounter } from '../../src/documents/views.ts'
import { checkOwnServer, type Server } from '../conformance/support/api.ts'
import { account } from './accounts.ts'
import { discardAnswers, ORIGIN } from './client.ts'
import { startEmpty } from './storage/wipe.ts'

// Test files share a runtime, one after the other. Each starts with empty storage.
beforeAll(async () => {
  await startEmpty()
  checkedUntil.clear()
  // A request that a test abandoned counts as a write for a minute.
  underWay.clear()
  Object.assign(excerptReads, { minute: 0, count: 0 })
  // The file before may have planned to write its views and ended first. Nobody else would plan it for ten seconds.
  await viewCounter.flush(async () => {})
})

afterEach(discardAnswers)

/** Creates the accounts of the clauses. The server has the default configuration. */
async function createServer(): Promise<Server> {
  const [creator, editor, unconfirmed, disposable] = [
    await account({ username: 'Conformance-Creator' }),
    await account({ username: 'Conformance-Editor' }),
    await account({ username: 'conformance-unconfirmed', confirmed: false }),
    await account({ username: 'conformance-disposable' }),
  ]
  return {
    target: {
      url: ORIGIN,
      key: creator.key,
      secondKey: editor.key,
      unconfirmedKey: unconfirmed.key,
      disposableKey: disposable.key,
      legacyClients: false,
      anonymousSettings: 'refuse',
      anonymousDocuments: true,
      maxContentBytes: 10 * 1024 * 1024,
      slow: false,
    },
    fetch: (url, init) => exports.default.fetch(url, init),
  }
}

// Each file starts with empty storage, so each has accounts of its own.
let server: Promise<Server> | null = null
checkOwnServer(() => (server ??= createServer()))
