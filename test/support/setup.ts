import { env } from 'cloudflare:workers'
import { beforeAll } from 'vitest'

/** Statements of schema.sql; those of a trigger stay together. */
const statements = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*\n(?=\s*(?:CREATE|$))/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

// Every test file has a database of its own.
beforeAll(async () => {
  await env.DB.batch(statements(env.TEST_SCHEMA).map((statement) => env.DB.prepare(statement)))
})
