import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { saveDefaults } from '../../src/accounts/profile.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { CONTENT_MARGIN_MS, ContentStore } from '../../src/documents/content-store.ts'
import { addDocumentsToAccount } from '../../src/documents/document-tokens.ts'
import { hasPublicDocuments, publicDocuments, sitemapEntries } from '../../src/documents/public-lists.ts'
import { MAX_REVISION_MIB, MAX_REVISIONS } from '../../src/documents/revisions.ts'
import { viewCounter } from '../../src/documents/views.ts'
import { retryRefusedGists } from '../../src/gists/gist-store.ts'
import { findReportedDocument } from '../../src/moderation/desk.ts'
import { listRemovals, listRemovalsOfCreator, takeDownDocument } from '../../src/moderation/removals.ts'
import { createReport, dismissReports, listReported } from '../../src/moderation/reports.ts'
import { Database } from '../../src/platform/database.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { SERVICE_DEFAULTS } from '../../src/shared/form-settings.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { SETTINGS, STORED_FLAGS } from '../../src/shared/settings.ts'
import { account, session } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, ORIGIN, read, remove, send } from '../support/client.ts'
import { createAuthor, gitHubBindings, runDueGists } from '../support/github/publishing.ts'
import { openStore } from '../support/storage/contents.ts'

/** Records the statements that are prepared. */
function recordStatements(): { bindings: Env; statements: Set<string> } {
  const statements = new Set<string>()
  const record = <Source extends object>(source: Source): Source =>
    new Proxy(source, {
      get(target, property) {
        const value = Reflect.get(target, property)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (property === 'prepare') statements.add(String(args[0]))
          const result = Reflect.apply(value, target, args)
          return property === 'withSession' ? record(result) : result
        }
      },
    })
  return { bindings: { ...gitHubBindings, DB: record(env.DB) }, statements }
}

/**
 * Scans that cost nothing: of a table with one row or a few, and of lists in the parameters. How a subquery finds its rows
 * is in a line of its own.
 */
const SMALL =
  /^SCAN ((CONSTANT ROW|heartbeat|sweep_progress|missing_contents|json_each|content|counted|i VIRTUAL TABLE)\b|\(subquery-\d+\)$)/

it('every statement finds its rows through an index', async () => {
  const { bindings, statements } = recordStatements()
  const { db, contents } = {
    db: new Database(bindings.DB, 5_000),
    contents: new ContentStore(bindings.CONTENTS, 5_000),
  }
  const { key } = await account()
  const options = { key, bindings, settle: true }
  const editor = await account()
  const { id } = await create('x', { editors: [editor.username] }, options)
  await create('x', undefined, { bindings })
  await read(id, options)
  await edit({ id, content: 'y', settings: { editors: [], public: true } }, options)
  const own = await createAnonymous('x', undefined, { bindings })
  await remove(own.id, { headers: own.headers, bindings, settle: true })
  const once = await create('x', { instant_delete: true }, options)
  await read(once.id, { bindings, settle: true })
  await call('GET', `/v1/document/${id}/claim`, undefined, options)
  for (const query of [
    '',
    '?search=x&sort=title',
    '?sort=viewed',
    '?shared=true',
    '?shared=true&sort=oldest',
  ]) {
    await call('GET', `/v1/users/@me/documents${query}`, undefined, options)
  }
  for (const query of ['', '?language=css', '?search=x']) {
    await call('GET', `/v1/public${query}`, undefined, { bindings })
  }
  await db.ask(publicDocuments({ author: editor.username, limit: 1, now: 1 }))
  await db.ask(hasPublicDocuments(editor.username))
  await db.ask(sitemapEntries({ limit: 1, now: 1 }))
  const writer = await createAuthor()
  const gist = { key: writer.key, bindings, settle: true }
  await writer.fail({ on: 'POST', answer: { status: 401 } })
  await writer.fail({ on: 'PATCH', answer: { status: 500 } })
  await writer.fail({ on: 'DELETE', answer: { status: 429 } })
  await create('x', { create_gist: true }, gist)
  const published = await create('x', { create_gist: true }, gist)
  await edit({ id: published.id, content: 'y' }, gist)
  await remove(published.id, gist)
  const withdrawn = await create('x', { create_gist: true }, gist)
  await remove(withdrawn.id, gist)
  await runDueGists(0, { bindings })
  await retryRefusedGists(new Database(bindings.DB, 5_000), writer.id, 0)
  await call('GET', '/v1/users/@me', undefined, options)
  await call('GET', `/v1/users/${editor.username}`, undefined, options)
  await call('POST', '/v1/users/@me/regenerate_api_token', undefined, { ...options, key: editor.key })
  const headers = { ...(await session(editor)) }
  const lists = '/account/documents'
  const selection = { method: 'POST', body: new URLSearchParams({ id }), headers }
  await send(`${lists}/delete`, selection, { bindings, settle: true })
  await edit({ id, settings: { editors: [editor.username] } }, options)
  const leave = { method: 'POST', headers: { ...headers, Origin: ORIGIN } }
  expect((await send(`/${id}/editors/leave`, leave, { bindings })).status).toBe(303)
  for (const path of ['/account/usernames?prefix=us', '/']) {
    expect((await send(path, { headers }, { bindings })).status).toBe(200)
  }
  await saveDefaults(new Database(bindings.DB, 5_000), editor.id, SERVICE_DEFAULTS)
  await remove(id, options)
  const reported = await create('x', undefined, { bindings })
  const now = Date.now()
  const held = await createAnonymous('x', undefined, { bindings })
  const store = { ...openStore(), db, contents, views: viewCounter, defer: () => {} }
  await addDocumentsToAccount(store, [held], { creator: editor, now })
  await createReport(db, reported.id, { reason: 'spam', comment: 'text', now })
  await listReported(db, { cursor: undefined, limit: 1, now })
  await findReportedDocument(db, reported.id, now)
  await dismissReports(db, reported.id, { until: now, by: 'operator', now: Date.now() })
  await takeDownDocument(store, reported.id, { by: 'operator', reason: 'why', now, keepMs: 0 })
  await findReportedDocument(db, reported.id, now)
  await listRemovalsOfCreator(db, 'nobody', { limit: 1 })
  await listRemovals(db, { limit: 1 })
  const later = Date.now() + 86_400_000
  await env.CONTENTS.put('content/orphan', 'x', { metadata: { document: 'none', putAt: 0 } })
  await cleanup({ db, contents }, { now: later, budgetMs: 60_000, clock: () => 0 })

  expect(statements.size).toBeGreaterThan(25)
  for (const statement of statements) {
    const parameters = Math.max(0, ...[...statement.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)))
    const explained = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind(...Array.from({ length: parameters }, () => '[]'))
      .all<{ detail: string }>()
    const plan = explained.results.map(({ detail }) => detail)
    const isSmall = (scan: string) => SMALL.test(scan) || plan.includes(scan.replace('SCAN', 'CO-ROUTINE'))
    expect({
      statement,
      scans: plan.filter((detail) => /^SCAN\b/.test(detail) && !isSmall(detail)),
    }).toEqual({
      statement,
      scans: [],
    })
  }
})

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
    const maxBytes = MAX_REVISION_MIB * 1024 * 1024
    expect(trigger).toContain(`position > ${MAX_REVISIONS} OR bytes > ${maxBytes}`)
    expect(new Set(longNumbers(trigger))).toEqual(new Set([CONTENT_MARGIN_MS, maxBytes, NEVER]))
    expect(new Set(longNumbers(await findSql('documents_outlive_revisions')))).toEqual(
      new Set([CONTENT_MARGIN_MS, NEVER, DAY_MS]),
    )
    expect(new Set(longNumbers(await findSql('usage_count_written')))).toEqual(
      new Set([CONTENT_MARGIN_MS, NEVER, DAY_MS]),
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
