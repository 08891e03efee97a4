import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll } from 'vitest'
import { wipeContents, wipeDatabase } from './storage/wipe.ts'

// Test files share a runtime, one after the other. Each starts with empty storage.
beforeAll(async () => {
  await Promise.all([wipeContents(), wipeDatabase()])
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
})
