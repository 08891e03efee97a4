import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createPrivately } from '../scripts/support/data-folder.ts'
import { CommandError, ROOT } from '../scripts/support/script.ts'
import type { SqliteFile } from './sqlite.ts'

/** Wrangler records migrations in the same table, which `/health` reads. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const hasRows = (file: SqliteFile): boolean =>
  file.prepare('SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM documents) AS any').get()
    ?.any === 1

/** How many copies of the database are kept, with the one that a migration makes. */
const KEPT_COPIES = 2

/** The time is at the end of a name: copies of the same version are as old as that. */
const getTime = (name: string): number => Number(/-(\d+)\.sqlite$/.exec(name)?.[1])

async function deleteOldCopies(copyPath: string): Promise<void> {
  const folder = dirname(copyPath)
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(copyPath)}-`) && /-\d{4}-\d+\.sqlite$/.test(name),
  )
  const old = names.toSorted((one, other) => getTime(other) - getTime(one)).slice(KEPT_COPIES)
  for (const name of old) await rm(join(folder, name))
}

/** Part of a copy has another name: it mustn't count as a copy, nor take room for long. */
async function copyDatabase(file: SqliteFile, path: string, partPath: string): Promise<void> {
  await rm(partPath, { force: true })
  try {
    await createPrivately(partPath)
    file.prepare('VACUUM INTO ?1').run(partPath)
    await rename(partPath, path)
  } catch (error) {
    await rm(partPath, { force: true })
    throw error
  }
}

interface MigrationOptions {
  /** The path of the copy of the database, without an ending. */
  readonly copyPath: string
  readonly folder?: string
}

/**
 * Applies the migrations that the database doesn't have yet, in one transaction. If there is something to lose, it copies
 * the database first, and afterwards deletes old copies.
 *
 * @returns the path of the copy, or null if there is none.
 * @throws CommandError if a later version has migrated the database, or if a migration fails. Then nothing has changed.
 */
export async function migrate(
  file: SqliteFile,
  { copyPath, folder = join(ROOT, 'migrations') }: MigrationOptions,
): Promise<string | null> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  file.exec(CREATE_TABLE)
  const applied = file
    .prepare('SELECT name FROM d1_migrations')
    .all()
    .map(({ name }) => String(name))
  const unknown = applied.filter((name) => !names.includes(name)).toSorted()
  if (unknown.length > 0)
    throw new CommandError(
      `The data is from a newer version of Regent, which has the migration ${unknown.at(-1)}. Update Regent, then start it again.`,
    )
  const pending = names.filter((name) => !applied.includes(name))
  if (pending.length === 0) return null
  const migrations = await Promise.all(
    pending.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })),
  )
  const latest = applied.toSorted().at(-1)
  const copy =
    latest !== undefined && hasRows(file) ? `${copyPath}-${latest.slice(0, 4)}-${Date.now()}.sqlite` : null
  if (copy !== null) await copyDatabase(file, copy, `${copyPath}-part.sqlite`)
  const apply = () => {
    for (const { name, sql } of migrations) {
      try {
        file.exec(sql)
      } catch (error) {
        throw new CommandError(
          `The migration ${name} failed, and nothing has changed: ${(error as Error).message}`,
        )
      }
      file.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').run(name)
    }
  }
  await file.write(apply).catch(async (error: unknown) => {
    // Each further start would make another one.
    if (copy !== null) await rm(copy, { force: true })
    throw error
  })
  if (copy !== null) await deleteOldCopies(copyPath)
  return copy
}
