import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { type Interceptor, wrap } from '../bindings.ts'
import { copyDatabase } from './time-travel.ts'
import { runStatements, wipeDatabase } from './wipe.ts'

type Source = Pick<D1Database, 'prepare' | 'batch'>

/** Returns the state that the primary has now. */
async function getBookmark(): Promise<string> {
  const session = env.DB.withSession('first-primary')
  await session.prepare('SELECT 1').first()
  return session.getBookmark() ?? ''
}

/** A session of the primary. It fails if it's used twice: any copy may answer then. */
function openPrimary(): D1DatabaseSession {
  const session = env.DB.withSession('first-primary')
  let used = false
  return wrap(session, 'DB', (_, run) => {
    if (used) throw new Error('a copy that is behind may answer the second call of a session')
    used = true
    return run()
  })
}

/**
 * Bindings whose database has a copy that is behind. It's a database of its own, with the rows that the real one had when
 * it last caught up. As in D1, it answers sessions alone, and only those whose bookmark it has reached.
 */
export class LaggingCopy {
  bindings: Env
  /** How many calls the copy answered. */
  calls = 0
  /** Runs a call of the copy, or fails in its place. */
  intercept: Interceptor = (_, run) => run()
  #reached = ''

  constructor(vars: Record<string, string> = {}) {
    const DB = new Proxy(env.DB, {
      get: (target, property) => {
        const value = Reflect.get(target, property)
        if (property === 'withSession') return (start: string) => this.#openSession(start)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    this.bindings = { ...env, ...vars, DB }
  }

  /** Makes the next request one of another isolate, which hasn't met the copy. */
  startIsolate(): void {
    this.bindings = { ...this.bindings }
  }

  /** Puts another copy in its place, which has reached no state that anybody knows of. */
  replace(): void {
    this.#reached = ''
  }

  #openSession(start: string): D1DatabaseSession {
    if (start === 'first-primary') return openPrimary()
    if (start !== 'first-unconstrained' && start > this.#reached) return env.DB.withSession(start)
    const copy: Source = wrap(env.COPY, 'DB', (call, run) => {
      this.calls += 1
      return this.intercept(call, run)
    })
    return {
      prepare: (sql) => {
        if (!/^\s*SELECT/.test(sql)) throw new Error(`not a read: ${sql}`)
        return copy.prepare(sql)
      },
      batch: (statements) => copy.batch(statements),
      getBookmark: () => this.#reached,
    }
  }

  /** Copies all rows. */
  async catchUp(): Promise<this> {
    prepared ??= prepareCopy()
    await prepared
    const bookmark = await getBookmark()
    const tables = [...(await copyDatabase())]
    await env.COPY.batch([
      env.COPY.prepare('PRAGMA defer_foreign_keys = TRUE'),
      ...tables.map(([table]) => env.COPY.prepare(`DELETE FROM ${table}`)),
      ...tables.flatMap(([table, rows]) => rows.map((row) => insert(table, row))),
    ])
    this.#reached = bookmark
    return this
  }
}

let prepared: Promise<void> | undefined

/** Creates the tables of the copy. It has no triggers: it gets what those of the primary write. */
async function prepareCopy(): Promise<void> {
  await wipeDatabase(env.COPY)
  await applyD1Migrations(env.COPY, env.TEST_MIGRATIONS)
  const { results } = await env.COPY.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all<{
    name: string
  }>()
  await runStatements(
    results.map(({ name }) => `DROP TRIGGER ${name}`),
    env.COPY,
  )
}

function insert(table: string, row: Record<string, unknown>): D1PreparedStatement {
  const columns = Object.keys(row)
  const values = columns.map((_, index) => `?${index + 1}`)
  return env.COPY.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()})`).bind(
    ...Object.values(row),
  )
}
