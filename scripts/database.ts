import { join, resolve } from 'node:path'
import { CommandError, ROOT, runWrangler } from './wrangler.ts'

/** Which database a command speaks to. */
export interface Target {
  readonly remote: boolean
  /** The folder of a local database; null is the one that `npm run dev` uses. */
  readonly persistTo: string | null
}

export type Row = Readonly<Record<string, string | number | null>>

/** A value as an SQL literal, since `wrangler d1 execute` takes no parameters. */
function literal(value: string | number | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (value.includes('\0')) throw new CommandError('A value can not hold a NUL character.')
  return `'${value.replaceAll("'", "''")}'`
}

/** Statements with values in them: SQL`SELECT … WHERE id = ${id}`. */
export const SQL = (parts: TemplateStringsArray, ...values: readonly (string | number | null)[]): string =>
  parts.map((part, index) => (index === 0 ? part : literal(values[index - 1] ?? null) + part)).join('')

/** A statement of the service itself, with its parameters as literals. */
export const inlined = ([sql, ...parameters]: readonly [string, ...(string | number)[]]): string =>
  `${sql.replaceAll(/\?(\d+)/g, (_, number) => literal(parameters[Number(number) - 1] ?? null))};`

const localArgs = (persistTo: string | null): string[] => [
  '--local',
  ...(persistTo === null ? [] : ['--persist-to', resolve(persistTo)]),
]

const targetArgs = ({ remote, persistTo }: Target): string[] =>
  remote ? ['--remote', '--yes'] : localArgs(persistTo)

/** What went wrong, from what wrangler printed: JSON with an error in it, or lines. */
function complaint({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const text = /"text":\s*"((?:[^"\\]|\\.)*)"/.exec(stdout)?.[1]
  const line = `${stderr}\n${stdout}`.split('\n').find((line) => /error/i.test(line))
  return text ?? line?.trim() ?? 'wrangler failed without a word'
}

async function wranglerExecute(target: Target, source: readonly string[]): Promise<Row[][]> {
  const output = await runWrangler(['d1', 'execute', 'DB', ...targetArgs(target), '--json', ...source])
  if (output.code !== 0) throw new CommandError(complaint(output))
  const results: { results?: Row[] }[] = JSON.parse(output.stdout.slice(output.stdout.indexOf('[')))
  return results.map((result) => result.results ?? [])
}

/** Columns that tables got after they were first made; `schema.sql` has them for new databases. */
const ADDED_COLUMNS = [
  ['users', 'defaults', 'TEXT'],
  ['users', 'leaving', "TEXT CHECK (leaving IN ('delete', 'keep'))"],
  ['api_keys', 'last_used_at', 'INTEGER'],
  ['documents', 'title', 'TEXT'],
  ['documents', 'title_key', 'TEXT'],
  ['documents', 'saved_by', 'TEXT'],
] as const

/** Indexes that others have replaced. */
const DROPPED_INDEXES = ['documents_by_creator'] as const

/** Brings tables that an earlier version made up to date. Running it again changes nothing. */
async function migrate(target: Target): Promise<void> {
  const tables = [...new Set(ADDED_COLUMNS.map(([table]) => table))]
  const present = await wranglerExecute(target, [
    '--command',
    tables.map((table) => `PRAGMA table_info(${table});`).join(''),
  ])
  const columnsOf = new Map(
    tables.map((table, index) => [table, (present[index] ?? []).map((row) => row.name)]),
  )
  const missing = ADDED_COLUMNS.filter(([table, column]) => {
    const columns = columnsOf.get(table) ?? []
    return columns.length > 0 && !columns.includes(column)
  })
  if (missing.length === 0) return
  const statements = [
    ...missing.map(([table, column, type]) => `ALTER TABLE ${table} ADD COLUMN ${column} ${type};`),
    ...DROPPED_INDEXES.map((index) => `DROP INDEX IF EXISTS ${index};`),
  ]
  await wranglerExecute(target, ['--command', statements.join('')])
}

/** Makes the tables that are not there yet, and brings those that are up to date. */
export async function applySchema(target: Target): Promise<void> {
  await migrate(target)
  await wranglerExecute(target, ['--file', join(ROOT, 'schema.sql')])
}

/** Runs statements and returns the rows of each. A database without tables gets them first. */
export async function execute(target: Target, sql: string): Promise<Row[][]> {
  try {
    return await wranglerExecute(target, ['--command', sql])
  } catch (error) {
    if (!(error instanceof CommandError && error.message.includes('no such table'))) throw error
    await applySchema(target)
    return wranglerExecute(target, ['--command', sql])
  }
}

/** What KV holds under a key; null when it does not answer so many bytes, which is how wrangler tells of none. */
export async function readContent(target: Target, key: string, bytes: number): Promise<string | null> {
  const args = target.remote ? ['--remote'] : localArgs(target.persistTo)
  const output = await runWrangler(['kv', 'key', 'get', key, '--binding', 'CONTENTS', ...args])
  if (output.code !== 0) throw new CommandError(complaint(output))
  return Buffer.byteLength(output.stdout) === bytes ? output.stdout : null
}
