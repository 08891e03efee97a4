import { DatabaseSync } from 'node:sqlite'

/** The part of `schema.sql` about one table, index or trigger. */
interface Block {
  /** Such as `table users`. */
  readonly name: string
  /** The statement, with the comments above it. */
  readonly text: string
}

const CREATE = /^CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER) (?:IF NOT EXISTS )?"?(\w+)"?/im

/** Lines that aren't about a column: constraints, and what follows the list. */
const AFTER_COLUMNS = /^(?:CHECK|FOREIGN KEY|PRIMARY KEY|UNIQUE|\))/

/** Leaves out what makes no difference to SQLite. */
const normalize = (sql: string): string =>
  sql
    .replaceAll(/--.*$/gm, '')
    .replace('IF NOT EXISTS ', '')
    .replaceAll(/["`;]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*([(),])\s*/g, '$1')
    .trim()

/** Runs migrations in an empty database, and returns its tables, indexes and triggers, the oldest first. */
function migrate(migrations: readonly string[]): ReadonlyMap<string, string> {
  using database = new DatabaseSync(':memory:')
  for (const migration of migrations) database.exec(migration)
  const rows = database
    .prepare('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid')
    .all()
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]))
}

/** Cuts SQL after each statement. A trigger ends with the line `END;`. */
function parseBlocks(sql: string): Block[] {
  const blocks: Block[] = []
  let text = ''
  for (const line of sql.split('\n')) {
    if (text !== '' || line !== '') text += `${line}\n`
    const [, type = '', name = ''] = CREATE.exec(text) ?? []
    const isEnd = type === 'TRIGGER' ? line.trim() === 'END;' : /^(?!\s*--).*;$/.test(line)
    if (!isEnd) continue
    blocks.push({ name: `${type.toLowerCase()} ${name}`, text })
    text = ''
  }
  if (text !== '') throw new Error('schema.sql: there is something after the last statement.')
  return blocks
}

/** Returns the columns and constraints of a table. */
function parseEntries(createTable: string): string[] {
  const list = normalize(createTable)
    .replace(/^[^(]*\(/, '')
    .replace(/\)[^)]*$/, '')
  const entries: string[] = []
  let depth = 0
  let start = 0
  for (const [index, character] of [...list].entries()) {
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      entries.push(list.slice(start, index))
      start = index + 1
    }
  }
  return [...entries, list.slice(start)]
}

/** Adds the columns that a table lacks, after its other columns. */
function addColumns(block: string, createTable: string): string {
  const present = new Set(parseEntries(block))
  const added = parseEntries(createTable).filter((entry) => !present.has(entry))
  const lines = block.split('\n')
  const end = lines.findIndex((line) => AFTER_COLUMNS.test(line.trim()))
  const isLast = lines[end]?.startsWith(')')
  const columns = lines.slice(0, end).join('\n')
  const separator = isLast ? ',' : ''
  const definitions = added.map((entry) => `\n  ${entry}`).join(',')
  return [`${columns}${separator}${definitions}${isLast ? '' : ','}`, ...lines.slice(end)].join('\n')
}

/**
 * Makes the text of `schema.sql` say what the migrations produce. Its order and its comments stay.
 *
 * @throws Error for a table that has lost or changed a column: such a table is changed by hand.
 */
export function updateSchema(schema: string, migrations: readonly string[]): string {
  const produced = migrate(migrations)
  const [intro = ''] = schema.split('\n\n', 1)
  const blocks = parseBlocks(schema.slice(intro.length))
  const known = new Set(blocks.map(({ name }) => name))
  const updated = blocks.flatMap(({ name, text }) => {
    const sql = produced.get(name)
    if (sql === undefined) return []
    const [comments = ''] = /^(?:--.*\n)*/.exec(text) ?? []
    const statement = text.slice(comments.length)
    if (normalize(statement) === normalize(sql)) return [{ name, text }]
    const changed = name.startsWith('table ') ? addColumns(statement, sql) : `${sql};\n`
    if (normalize(changed) !== normalize(sql)) throw new Error(`schema.sql: write the ${name} by hand.`)
    return [{ name, text: comments + changed }]
  })
  const added = [...produced]
    .filter(([name]) => !known.has(name))
    .map(([name, sql]) => ({ name, text: `${sql};\n` }))
  return [`${intro}\n`, ...[...updated, ...added].map(({ text }) => text)].join('\n')
}
