import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll } from 'vitest'

// Every test file has its own database.
beforeAll(() => applyD1Migrations(env.DB, env.TEST_MIGRATIONS))
