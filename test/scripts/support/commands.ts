import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandContext } from '../../../scripts/support/command.ts'
import type { Row, StorageClient } from '../../../scripts/support/database.ts'
import { CommandError, ROOT, runCommand } from '../../../scripts/support/wrangler.ts'

const MIGRATIONS = join(ROOT, 'migrations/')

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Splits statements at semicolons outside of string literals. */
export const splitStatements = (sql: string): string[] =>
  (sql.match(/(?:'(?:[^']|'')*'|[^';])+/g) ?? []).filter((statement) => statement.trim() !== '')

/** Returns the storage of a new, empty service: a SQLite database in this process, without KV. */
export function emptyStorage(): StorageClient {
  const database = new DatabaseSync(':memory:')
  for (const name of readdirSync(MIGRATIONS).sort()) {
    database.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
  }
  return {
    // One transaction, like D1.
    execute: async (sql) => {
      database.exec('BEGIN')
      try {
        const results = splitStatements(sql).map((statement) => database.prepare(statement).all() as Row[])
        database.exec('COMMIT')
        return results
      } catch (error) {
        database.exec('ROLLBACK')
        throw new CommandError(String(error))
      }
    },
    readContent: async () => {
      throw new Error('There is no KV here.')
    },
  }
}

type Commands = (args: readonly string[], context: CommandContext) => Promise<void>

/**
 * Runs commands in this process on some storage, and returns what a terminal would show.
 *
 * @param outlastRowMemory stands in for the second until no isolate remembers a document.
 */
export const runner =
  (commands: Commands, storage: StorageClient, outlastRowMemory = async () => {}) =>
  async (...args: string[]): Promise<Result> => {
    let [stdout, stderr] = ['', '']
    const context: CommandContext = {
      openStorage: () => storage,
      print: (text) => {
        stdout += text
      },
      outlastRowMemory,
    }
    const code = await runCommand(
      () => commands(args, context),
      (text) => {
        stderr += text
      },
    )
    return { code, stdout, stderr }
  }
