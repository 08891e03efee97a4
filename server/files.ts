import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivately } from '../scripts/support/data-folder.ts'
import { CommandError } from '../scripts/support/script.ts'
import { SqliteNamespace } from './contents.ts'
import { CONTENTS_FILE, DATABASE_FILE } from './folder.ts'
import { migrate } from './migrations.ts'
import { getSqliteCode, SqliteFile } from './sqlite.ts'

/** Opens the files of a folder: for the server, and for commands beside it. */

/** The meaning of SQLite's codes for the person at the terminal. */
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_CORRUPT: 'is damaged. Restore a backup into another folder',
  SQLITE_NOTADB: "is damaged, or isn't a database. Restore a backup into another folder",
  SQLITE_FULL: "can't be written to, because the disk is full",
  SQLITE_IOERR: "can't be read or written to. Check the disk",
  SQLITE_READONLY: "can't be written to. Check its owner, its permissions and the disk",
  SQLITE_CANTOPEN: "can't be opened. Check its owner, its permissions and the disk",
  SQLITE_PERM: "can't be opened. Check its permissions",
  SQLITE_BUSY: 'is in use by another program',
}

/** @throws CommandError that says in one sentence what is wrong with the file. */
export async function explainFaults<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = FAULTS[getSqliteCode(error) ?? '']
    throw fault === undefined ? error : new CommandError(`${path} ${fault}.`)
  }
}

const openFile = (path: string, options?: { autoVacuum: boolean }) =>
  explainFaults(path, async () => {
    await createPrivately(path)
    const file = new SqliteFile(path, options)
    // A damaged file often shows only when something is read.
    file.prepare('SELECT count(*) FROM sqlite_schema').get()
    return file
  })

interface OpenFiles<Metadata> {
  readonly database: SqliteFile
  readonly contents: SqliteNamespace<Metadata>
  readonly close: () => void
}

/** Opens the files of a folder, and creates them if there are none. @throws CommandError if it can't. */
export async function openFiles<Metadata = unknown>(folder: string): Promise<OpenFiles<Metadata>> {
  const path = join(folder, CONTENTS_FILE)
  const database = await openFile(join(folder, DATABASE_FILE))
  try {
    const file = await openFile(path, { autoVacuum: true })
    const close = () => {
      file.close()
      database.close()
    }
    const contents = await explainFaults(path, () => new SqliteNamespace<Metadata>(file))
    return { database, contents, close }
  } catch (error) {
    database.close()
    throw error
  }
}

/** @returns the path of a copy of the database, or null if there is none. */
export const migrateFolder = (folder: string, database: SqliteFile): Promise<string | null> =>
  explainFaults(join(folder, DATABASE_FILE), () =>
    migrate(database, { copyPath: join(folder, 'regent-before') }),
  )

/** Throws a CommandError if no server has stored anything in the folder, such as a misspelt one. Creates nothing. */
export async function requireFiles(folder: string): Promise<void> {
  for (const name of [DATABASE_FILE, CONTENTS_FILE]) {
    try {
      await access(join(folder, name))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        throw new CommandError(
          `Can't read ${join(folder, name)} (${code}). Check its owner and its permissions.`,
        )
      throw noData(folder)
    }
  }
}

export const noData = (folder: string): CommandError =>
  new CommandError(
    `${folder} holds no data of a server. Check the path (--data DIR), or start one: npm start -- --data ${folder}`,
  )
