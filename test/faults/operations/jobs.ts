import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { restoreBackup } from '../../../scripts/backup/restore-backup.ts'
import { withTimeout } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { create, edit, read } from '../../support/client.ts'
import { ACTOR, backUp, opener } from '../../support/storage/backups.ts'
import { HOUR_MS, runCleanup, TIMEOUT_MS } from '../../support/storage/faults.ts'
import { startEmpty } from '../../support/storage/wipe.ts'
import { operation } from '../operation.ts'

const cleanUp = operation({
  name: 'cleanup',
  arrange: async () => {
    // Cleanup asks for every content that is left, so each run would make more calls than the one before.
    await startEmpty()
    const { key } = await account()
    const expiring = await create('x', { expiration: 1 / 24 }, { key })
    const edited = await create('x', { expiration: null }, { key })
    await edit({ id: edited.id, content: 'y' }, { key })
    const orphan = `content/orphan${crypto.randomUUID()}`
    await env.CONTENTS.put(orphan, 'x', { metadata: { document: 'gone', putAt: Date.now() } })
    return { expiring, edited, orphan }
  },
  run: (_, bindings) => runCleanup(bindings, Date.now() + 2 * HOUR_MS).catch(() => null),
  check: async ({ edited, expiring }, outcome) => {
    const left = await env.DB.prepare('SELECT 1 FROM documents WHERE id = ?1').bind(expiring.id).first()
    return [
      (await read(edited.id)).body.data?.content !== 'y' && 'a document is damaged',
      outcome.kind === 'acknowledged' && left !== null && 'an expired document is left',
    ]
  },
})

const SCHEMA =
  "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'fault_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name"
let migrations = 0

/** Applies two more migrations to the database: one of two statements, and one that refers to it. */
const migrate = operation({
  name: 'migration',
  arrange: async () => {
    const name = `fault_${++migrations}`
    const { results } = await env.DB.prepare(SCHEMA).all()
    return {
      name,
      before: JSON.stringify(results),
      files: [
        {
          name: `9${migrations}_1.sql`,
          queries: [`CREATE TABLE ${name} (a TEXT)`, `INSERT INTO ${name} VALUES ('x')`],
        },
        {
          name: `9${migrations}_2.sql`,
          queries: [`ALTER TABLE ${name} ADD COLUMN b TEXT`, `UPDATE ${name} SET b = a`],
        },
      ],
    }
  },
  run: ({ files }, bindings) =>
    withTimeout(applyD1Migrations(bindings.DB, files), TIMEOUT_MS).then(
      () => true,
      () => null,
    ),
  check: async ({ name, files, before }, outcome) => {
    const find = () => env.DB.prepare(`SELECT * FROM ${name}`).all()
    const between = await find().catch(() => null)
    const rows = JSON.stringify(between?.results ?? null)
    await applyD1Migrations(env.DB, files)
    const after = JSON.stringify((await find()).results)
    const { results } = await env.DB.prepare(SCHEMA).all()
    return [
      outcome.kind === 'acknowledged' && rows !== after && 'an acknowledged migration is lost',
      !['null', '[{"a":"x"}]', '[{"a":"x","b":"x"}]'].includes(rows) && `half a migration: ${rows}`,
      after !== '[{"a":"x","b":"x"}]' && `the next run leaves ${after}`,
      JSON.stringify(results) !== before && 'other tables have changed',
    ]
  },
})

/** Restores a backup into an empty service. An interrupted restore continues when it's run again. */
const restore = operation({
  name: 'restore',
  isVariant: true,
  arrange: async () => {
    await startEmpty()
    const { key } = await account()
    const texts = ['first', '\uFEFF second \0 😀', 'x'.repeat(3_000)]
    const documents = await Promise.all(
      texts.map(async (text) => ({ id: (await create(text, { expiration: null }, { key })).id, text })),
    )
    const file = await backUp()
    await startEmpty()
    return { key, documents, file }
  },
  run: ({ file }, bindings) =>
    withTimeout(restoreBackup(bindings, opener(file), { now: Date.now(), actor: ACTOR }), TIMEOUT_MS).then(
      () => true,
      () => null,
    ),
  check: async ({ key, documents, file }, outcome) => {
    if (outcome.kind !== 'acknowledged') {
      const again = restoreBackup(env, opener(file), { now: Date.now(), actor: ACTOR })
      // It refuses if the interrupted run had finished. The checks below tell if it had.
      await again.catch((error: unknown) => {
        if (!/already has accounts or documents/.test(String(error))) throw error
      })
    }
    const found = await Promise.all(documents.map(async ({ id }) => (await read(id, { key })).body.data))
    const count = await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')
    return [
      documents.some(({ text }, index) => found[index]?.content !== text) && 'a document differs',
      found.some((document) => document?.creator === null) && 'a document has lost its creator',
      count !== documents.length && `${count} documents`,
    ]
  },
})

export const JOBS = [cleanUp, migrate, restore]
