import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { ROOT } from '../../scripts/support/script.ts'
import { checkOwnServer } from '../conformance/support/api.ts'
import { createAccount, startTestServer } from './support/server.ts'

/** The clauses that the API promises, checked on the server of one machine. */

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
  const { env, url } = server
  const target = {
    url,
    key: await createAccount(env, 'conformance-creator'),
    secondKey: await createAccount(env, 'conformance-editor'),
    unconfirmedKey: await createAccount(env, 'conformance-unconfirmed', { confirmed: false }),
    disposableKey: await createAccount(env, 'conformance-disposable'),
    legacyClients: false,
    anonymousSettings: 'refuse',
    anonymousDocuments: true,
    maxContentBytes: 10 * 1024 * 1024,
    slow: false,
  } as const
  checkOwnServer(async () => ({ target, fetch }))
})

afterAll(() => server.stop())

const CLAUSES = join(ROOT, 'test/conformance')

for (const name of readdirSync(CLAUSES).filter((name) => name.endsWith('.test.ts')))
  await import(join(CLAUSES, name))
