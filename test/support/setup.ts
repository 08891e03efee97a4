import { env } from 'cloudflare:workers'
import { beforeAll } from 'vitest'
import { splitStatements } from '../../scripts/sql.ts'

// Every test file has a database of its own.
beforeAll(async () => {
  await env.DB.batch(splitStatements(env.TEST_SCHEMA).map((statement) => env.DB.prepare(statement)))
})
