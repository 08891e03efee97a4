import { afterAll } from 'vitest'
import { describeStorage } from '../support/storage/contract.ts'
import { startTestServer } from './support/server.ts'

let server: Awaited<ReturnType<typeof startTestServer>> | null = null

// Hooks run in reverse order: the cases clean up before this.
afterAll(() => server?.stop())

describeStorage(async () => {
  server = await startTestServer()
  return server.env
})
