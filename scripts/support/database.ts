import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { requireFiles } from '../../server/files.ts'
import { lockFolder, prepareFolder } from '../../server/folder.ts'
import { type Target, withBindings } from './bindings.ts'
import {
  DEFAULT_FOLDER,
  explainStorageFault,
  isBusyOutput,
  lockDataFolder,
  noDatabase,
  prepareDataFolder,
  requireDatabase,
} from './data-folder.ts'
import { settleDatabase } from './deployed-database.ts'
import { migrateServerFiles, openServerStorage } from './one-machine.ts'
import type { Bindings } from './storage.ts'
import { CommandError, explainSignIn, ROOT, runWrangler, type WranglerOutput } from './wrangler.ts'

export type Row = Readonly<Record<string, string | number | null>>

/** The storage of a service, as commands use it. Methods throw a CommandError that says what went wrong. */
export interface StorageClient {
  /** Runs statements as one transaction and returns the rows of each. */
  readonly execute: (sql: string) => Promise<Row[][]>
  /** Returns the content under a key of KV, or null if there isn't exactly this many bytes. */
  readonly readContent: (key: string, bytes: number) => Promise<string | null>
}

/** Formats a value as an SQL literal, because `wrangler d1 execute` takes no parameters. */
function literal(value: string | number | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (value.includes('\0')) throw new CommandError("Values can't contain NUL characters.")
  return `'${value.replaceAll("'", "''")}'`
}

/** Builds statements with values in them: SQL`SELECT … WHERE id = ${id}`. */
export const SQL = (parts: TemplateStringsArray, ...values: readonly (string | number | null)[]): string =>
  parts.map((part, index) => (index === 0 ? part : literal(values[index - 1] ?? null) + part)).join('')

/** Finds parameters. A text in the statement comes first, because it may contain what looks like one. */
const TEXT_OR_PARAMETER = /('(?:[^']|'')*')|\?(\d+)/g

/** Writes the parameters of a statement into it as literals. */
export const inlineParameters = ([sql, ...parameters]: readonly [
  string,
  ...(string | number | null)[],
]): string => {
  const inlined = sql.replaceAll(
    TEXT_OR_PARAMETER,
    (_, text?: string, number?: string) => text ?? literal(parameters[Number(number) - 1] ?? null),
  )
  return `${inlined};`
}

const targetArgs = ({ remote, persistTo }: Target): string[] => {
  if (remote) return ['--remote']
  return ['--local', ...(persistTo === null ? [] : ['--persist-to', resolve(persistTo)])]
}

/** Finds the error in what wrangler printed: JSON with an error in it, or lines of text. */
function findError({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const signIn = explainSignIn({ stdout, stderr })
  if (signIn !== null) return signIn
  // The API's own message comes after the one that a request to it failed.
  const isAboutRequest = (message: string) => /request to the Cloudflare API .* failed/.test(message)
  const [text, note] = Array.from(
    stdout.matchAll(/"text":\s*"((?:[^"\\]|\\.)*)"/g),
    ([, found = '']) => found,
  )
  if (text !== undefined) return isAboutRequest(text) ? (note ?? text) : text
  const lines = stripVTControlCharacters(`${stderr}\n${stdout}`)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const index = lines.findIndex((line) => /error/i.test(line))
  const [line = '', next = ''] = index === -1 ? [] : lines.slice(index)
  const error = isAboutRequest(line) ? next : line
  return error.replace(/^.*\[ERROR\]/, '').trim() || 'wrangler failed without an error message.'
}

/** How often, and after which pause, a command tries again while another program holds a local database. */
const BUSY_ATTEMPTS = 3
const BUSY_PAUSE_MS = 500

/** Returns the folder of a local service, or null for the deployed one. */
const getFolder = ({ remote, persistTo }: Target): string | null =>
  remote ? null : resolve(persistTo ?? DEFAULT_FOLDER)

type Run = (args: readonly string[]) => Promise<WranglerOutput>

/**
 * Runs wrangler on a service's storage. A local database that is busy is tried again: SQLite refuses before anything has
 * changed.
 *
 * @returns what wrangler printed if it succeeded.
 * @throws CommandError if it failed.
 */
async function runOnStorage(
  target: Target,
  args: readonly string[],
  run: Run = runWrangler,
): Promise<string> {
  const folder = getFolder(target)
  if (folder !== null) await prepareDataFolder(folder)
  else await settleDatabase()
  for (let attempt = 1; ; attempt++) {
    const output = await run(args)
    if (output.code === 0) return output.stdout
    const printed = `${output.stdout}\n${output.stderr}`
    if (folder === null || !isBusyOutput(printed) || attempt === BUSY_ATTEMPTS) {
      const fault = folder === null ? null : await explainStorageFault(folder, printed)
      throw new CommandError(fault ?? findError(output))
    }
    await setTimeout(BUSY_PAUSE_MS)
  }
}

async function execute(target: Target, sql: string): Promise<Row[][]> {
  const confirmed = target.remote ? ['--yes'] : []
  const args = ['d1', 'execute', 'DB', ...targetArgs(target), ...confirmed, '--json', '--command', sql]
  const stdout = await runOnStorage(target, args)
  const results: { results?: Row[] }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return results.map((result) => result.results ?? [])
}

/** Throws a CommandError if a local service has no database: a misspelt folder isn't an empty service. */
export async function requireLocalDatabase(target: Target): Promise<void> {
  if (target.data !== undefined) return requireFiles(target.data)
  const folder = getFolder(target)
  if (folder !== null) await requireDatabase(folder)
}

interface StorageOptions {
  /** Asks to migrate a deployed database first that has no tables. */
  readonly migrate?: boolean
}

/** Opens a service's storage: through wrangler, except for a server on one machine. */
export const openStorage = (target: Target, options: StorageOptions = {}): StorageClient =>
  target.data === undefined ? openThroughWrangler(target, options) : openServerStorage(target.data)

const openThroughWrangler = (target: Target, { migrate = true }: StorageOptions): StorageClient => ({
  execute: async (sql) => {
    await requireLocalDatabase(target)
    const folder = getFolder(target)
    try {
      return await execute(target, sql)
    } catch (error) {
      const isEmpty = error instanceof CommandError && error.message.includes('no such table')
      if (isEmpty && folder !== null) throw noDatabase(folder)
      if (!isEmpty || !migrate) throw error
      await applyMigrations(target)
      return execute(target, sql)
    }
  },
  // For a missing key, wrangler prints a message in place of the content. Comparing sizes tells them apart.
  readContent: async (key, bytes) => {
    const args = ['kv', 'key', 'get', key, '--binding', 'CONTENTS', ...targetArgs(target)]
    const content = await runOnStorage(target, args)
    return Buffer.byteLength(content) === bytes ? content : null
  },
})

const MIGRATIONS = join(ROOT, 'migrations')

/** The table of migrations as wrangler creates it. */
const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies migrations to a local database as wrangler does, but in one runtime: wrangler starts one for each migration. */
export async function migrateLocally(target: Target, folder = MIGRATIONS): Promise<WranglerOutput> {
  let faults = ''
  const migrate = async ({ DB }: Bindings) => {
    await DB.prepare(CREATE_MIGRATIONS).all()
    const { results } = await DB.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
    const applied = new Set(results.map(({ name }) => name))
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !applied.has(name))
    for (const name of names.toSorted()) {
      // The simulator takes several statements as one, unlike D1.
      const migration = DB.prepare(await readFile(join(folder, name), 'utf8'))
      await DB.batch([migration, DB.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(name)])
    }
  }
  try {
    await withBindings(target, migrate, (text) => {
      faults += `\n${text}`
    })
    return { code: 0, stdout: '', stderr: '' }
  } catch (error) {
    if (error instanceof CommandError) throw error
    return { code: 1, stdout: '', stderr: String(error).replace('Error: D1_ERROR: ', '') + faults }
  }
}

const NOT_UPGRADABLE = /no such column: (leaving|has_editors|saved_by)/

/**
 * Applies the migrations that a database doesn't have yet, each as one transaction. Afterwards, the schema
 * matches schema.sql.
 *
 * @throws CommandError when a migration fails. That migration then changed nothing.
 */
export async function applyMigrations(
  target: Target,
  run: Run = target.remote ? runWrangler : () => migrateLocally(target),
): Promise<void> {
  if (target.data !== undefined) return migrateServerFiles(target.data)
  try {
    await runOnStorage(target, ['d1', 'migrations', 'apply', 'DB', ...targetArgs(target)], run)
  } catch (error) {
    if (!(error instanceof CommandError) || !NOT_UPGRADABLE.test(error.message)) throw error
    throw new CommandError(
      `This database is older than commit 6f0127f, and can't be upgraded (${error.message}). It is unchanged.`,
    )
  }
}

/**
 * Keeps servers off the folder of a local service during work that replaces its data: a server wouldn't notice.
 *
 * @param command the name of the npm script, for the message that a server prints.
 * @throws CommandError if a server uses the folder.
 */
export async function withoutServer<T>(target: Target, command: string, work: () => Promise<T>): Promise<T> {
  const isServer = target.data !== undefined
  const folder = target.data ?? getFolder(target)
  if (folder === null) return work()
  await (isServer ? prepareFolder : prepareDataFolder)(folder)
  const unlock = (isServer ? lockFolder : lockDataFolder)(folder, `npm run ${command}`)
  try {
    return await work()
  } finally {
    unlock()
  }
}
