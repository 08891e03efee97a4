import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CONTENT_MARGIN_MS } from '../../src/documents/content-store.ts'
import { MAX_REVISION_BYTES, MAX_REVISIONS } from '../../src/documents/revisions.lazy.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { SETTINGS, STORED_FLAGS } from '../../src/shared/settings.ts'

const findSql = async (name: string): Promise<string> =>
  (await env.DB.prepare('SELECT sql FROM sqlite_master WHERE name = ?1').bind(name).first<string>('sql')) ??
  ''

/** Returns the numbers of at least six digits in a statement. */
const longNumbers = (sql: string): number[] => (sql.match(/\d{6,}/g) ?? []).map(Number)

async function findStatementsWith(part: string): Promise<Record<string, number[]>> {
  const { results } = await env.DB.prepare(
    'SELECT name, sql FROM sqlite_master WHERE instr(sql, ?1) AND type IN (?2, ?3)',
  )
    .bind(part, 'trigger', 'index')
    .all<{ name: string; sql: string }>()
  return Object.fromEntries(results.map(({ name, sql }) => [name, longNumbers(sql)]))
}

describe('the schema', () => {
  it('has the same "never" as the code', async () => {
    const found = Object.values(await findStatementsWith('2534'))
    expect(found.length).toBeGreaterThan(0)
    for (const numbers of found) expect(numbers).toContain(NEVER)
  })

  it('keeps replaced content for as long as KV keeps expired content', async () => {
    const found = Object.values(await findStatementsWith('INSERT INTO detached_contents'))
    expect(found.length).toBe(4)
    expect(new Set(found.flat())).toEqual(new Set([CONTENT_MARGIN_MS]))
  })

  it('keeps as many revisions as the code says', async () => {
    const trigger = await findSql('documents_keep_revision')
    expect(trigger).toContain(`position > ${MAX_REVISIONS} OR bytes > ${MAX_REVISION_BYTES}`)
    expect(new Set(longNumbers(trigger))).toEqual(new Set([CONTENT_MARGIN_MS, MAX_REVISION_BYTES, NEVER]))
    expect(new Set(longNumbers(await findSql('documents_outlive_revisions')))).toEqual(
      new Set([CONTENT_MARGIN_MS, NEVER]),
    )
  })

  it('has a column for every flag that documents keep', async () => {
    const table = await findSql('documents')
    for (const name of STORED_FLAGS) {
      const { column } = SETTINGS[name]
      expect(table).toMatch(
        new RegExp(`\\b${column} +INTEGER NOT NULL .*CHECK \\(${column} IN \\(0, 1\\)\\)`),
      )
    }
  })
})
