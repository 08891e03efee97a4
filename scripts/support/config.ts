import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse, stringify, TomlError } from 'smol-toml'
import { type Config, ConfigError, isVariable, parseConfig, SECRETS } from '../../src/config.ts'
import { LIMITS } from '../../src/http/limits-table.ts'
import { CommandError, ROOT } from './script.ts'

/**
 * The configuration of a server: `wrangler.toml`, which comes with Regent, and over it the operator's own file,
 * `regent.toml`, which git ignores. Wrangler reads one file only. So the commands write both, merged, to
 * `wrangler.json`, which wrangler prefers to `wrangler.toml`, also when the operator runs wrangler directly.
 */

type Value = string | number | boolean | Table | readonly Value[]

/** A table of TOML. */
export interface Table {
  readonly [key: string]: Value
}

const SETTINGS = 'regent.toml'
const HEADER = `# Your settings for this server. Each value replaces the one in wrangler.toml, which explains them.
# After a change: npm run deploy

`
const GENERATED = '// Written by the npm scripts from wrangler.toml and regent.toml. Changes here are lost.'

const isTable = (value: Value | undefined): value is Table =>
  typeof value === 'object' && !Array.isArray(value)

/** Returns the name of a binding or a route. */
const getName = (entry: Value): Value | undefined =>
  isTable(entry) ? (entry.binding ?? entry.name ?? entry.pattern) : undefined

/** Recognizes lists whose entries have names, such as bindings. */
const isNamed = (value: Value | undefined): value is readonly Value[] =>
  Array.isArray(value) && value.every((entry) => getName(entry) !== undefined)

const findNamed = (list: readonly Value[], entry: Value): Value | undefined =>
  list.find((candidate) => getName(candidate) === getName(entry))

/** Puts the operator's values over others. Bindings are matched by their names; any other list is replaced. */
export function mergeConfig(base: Table, own: Table): Table {
  const merge = (below: Value | undefined, above: Value): Value => {
    if (isTable(below) && isTable(above)) return mergeConfig(below, above)
    if (!isNamed(below) || !isNamed(above)) return above
    const merged = below.map((entry) => merge(entry, findNamed(above, entry) ?? entry))
    return [...merged, ...above.filter((entry) => findNamed(below, entry) === undefined)]
  }
  const merged = Object.entries(own).map(([key, value]) => [key, merge(base[key], value)])
  return { ...base, ...Object.fromEntries(merged) }
}

/** Returns what has to be put over one configuration to get the other, apart from what it lacks. */
function subtractConfig(changed: Table, base: Table): Table {
  const subtract = (above: Value, below: Value | undefined): Value | undefined => {
    if (isDeepStrictEqual(above, below)) return undefined
    if (isTable(above) && isTable(below)) return subtractConfig(above, below)
    if (!isNamed(above) || !isNamed(below)) return above
    return above.flatMap((entry) => {
      const part = subtract(entry, findNamed(below, entry))
      if (part === undefined) return []
      const name = Object.entries(entry).find(([, value]) => value === getName(entry))
      return [isTable(part) && name ? { [name[0]]: name[1], ...part } : part]
    })
  }
  return Object.fromEntries(
    Object.entries(changed).flatMap(([key, value]) => {
      const part = subtract(value, base[key])
      return part === undefined ? [] : [[key, part]]
    }),
  )
}

function parseToml(text: string, file: string): Table {
  try {
    // The parser's objects have no prototype, which a comparison would notice.
    return structuredClone(parse(text)) as Table
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new CommandError(`${file}, line ${error.line}: ${error.message.split('\n', 1)[0]}`)
  }
}

const readIfPresent = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Returns the operator's file, or null for none. `REGENT_SETTINGS` names another one than `regent.toml`. */
function getSettingsPath(root: string): string | null {
  const chosen = process.env.REGENT_SETTINGS
  if (chosen === undefined) return join(root, SETTINGS)
  if (chosen !== '' && !existsSync(chosen)) {
    throw new CommandError(`There is no file ${chosen}, which REGENT_SETTINGS names.`)
  }
  return chosen === '' ? null : resolve(chosen)
}

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Returns a committed `wrangler.toml`; null without a repository or the commit. */
function readCommitted(root: string, commit: string): Table | null {
  try {
    return parseToml(git(root, 'show', `${commit}:./wrangler.toml`), 'wrangler.toml')
  } catch (error) {
    if (error instanceof CommandError) throw error
    return null
  }
}

interface BaseConfig {
  readonly base: Table
  /** The settings that somebody has changed in `wrangler.toml` and not committed. */
  readonly changed: Table
  /** False if a setting was removed: the operator's file can only add and replace settings. */
  readonly movable: boolean
}

const hasConflict = (toml: string): boolean => toml.includes('\n<<<<<<< ')

/**
 * Reads `wrangler.toml`. If `git pull --autostash` has left conflicts in it, the operator's version is in the stash,
 * with the version that it was made from as its parent.
 */
function readBase(root: string): BaseConfig {
  const text = readFileSync(join(root, 'wrangler.toml'), 'utf8')
  const head = readCommitted(root, 'HEAD')
  if (!hasConflict(text)) {
    const base = parseToml(text, 'wrangler.toml')
    const changed = head === null ? {} : subtractConfig(base, head)
    // Without a repository, nothing tells what somebody has changed.
    return { base, changed, movable: head === null || isDeepStrictEqual(mergeConfig(head, changed), base) }
  }
  const [stashed, before] = [readCommitted(root, 'stash@{0}'), readCommitted(root, 'stash@{0}^1')]
  if (head === null || stashed === null || before === null) {
    throw new CommandError('wrangler.toml has conflicts. Resolve them, and run the command again.')
  }
  const changed = subtractConfig(stashed, before)
  return { base: mergeConfig(head, changed), changed, movable: true }
}

const readSettings = (path: string | null): Table =>
  path === null ? {} : parseToml(readIfPresent(path), basename(path))

/** Returns the policies of limits that aren't as the Worker's own table says: bindings don't reveal theirs. */
function getLimitPolicies({ ratelimits }: Table): string {
  const entries = isNamed(ratelimits) ? ratelimits : []
  return Object.values(LIMITS)
    .flatMap(({ binding, limit, period }) => {
      const entry = entries.find((candidate) => getName(candidate) === binding)
      const simple = isTable(entry) && isTable(entry.simple) ? entry.simple : { limit, period }
      if (simple.limit === limit && simple.period === period) return []
      return [`${binding}=${simple.limit}/${simple.period}`]
    })
    .join(' ')
}

/** The name of the Worker and of its database in `wrangler.toml`, and the ids of its limits there. */
const STANDARD_NAME = 'regent'
const STANDARD_LIMIT = /^10\d\d$/

/** Returns true if the operator's file sets this value of an entry itself. */
function isSet(own: Value | undefined, entry: Table, key: string): boolean {
  const found = isNamed(own) ? findNamed(own, entry) : undefined
  return isTable(found) && found[key] !== undefined
}

const mapTables = (list: Value | undefined, change: (entry: Table) => Table): Table[] =>
  (Array.isArray(list) ? list : []).filter(isTable).map(change)

/** Returns true if a Worker with a name of its own has no database that the operator has chosen. */
const needsDatabaseName = (entry: Table, { name }: Table, own: Table): boolean =>
  name !== STANDARD_NAME &&
  entry.database_name === STANDARD_NAME &&
  entry.database_id === undefined &&
  !isSet(own.d1_databases, entry, 'database_name')

/**
 * Names the database and the limits after the Worker: a second server that only has another name would use the database of
 * the first one, and count requests together with it. What the operator has chosen stays.
 */
function nameAfterWorker(config: Table, own: Table): Table {
  const { name } = config
  if (typeof name !== 'string' || name === STANDARD_NAME) return config
  // Ids of limits are numbers, and belong to the Cloudflare account.
  const number = (createHash('sha256').update(name).digest().readUInt32BE() >>> 15) + 1
  return {
    ...config,
    d1_databases: mapTables(config.d1_databases, (entry) =>
      needsDatabaseName(entry, config, own) ? { ...entry, database_name: name } : entry,
    ),
    ratelimits: mapTables(config.ratelimits, (entry) =>
      STANDARD_LIMIT.test(String(entry.namespace_id)) && !isSet(own.ratelimits, entry, 'namespace_id')
        ? { ...entry, namespace_id: `${number}${entry.namespace_id}` }
        : entry,
    ),
  }
}

/** Returns the name of the Worker if the name of its database only follows from it; otherwise null. */
export function findWorkerToAsk(root: string = ROOT): string | null {
  const own = readSettings(getSettingsPath(root))
  const merged = mergeConfig(readBase(root).base, own)
  const databases = mapTables(merged.d1_databases, (entry) => entry)
  return databases.some((entry) => needsDatabaseName(entry, merged, own)) ? String(merged.name) : null
}

/** Returns the configuration that takes effect. Throws a CommandError if a file isn't valid TOML. */
export function readConfig(root: string = ROOT): Table {
  const own = readSettings(getSettingsPath(root))
  const merged = nameAfterWorker(mergeConfig(readBase(root).base, own), own)
  const RATE_LIMIT_POLICIES = getLimitPolicies(merged)
  return RATE_LIMIT_POLICIES === '' ? merged : mergeConfig(merged, { vars: { RATE_LIMIT_POLICIES } })
}

/** Writes the configuration that takes effect to a file for wrangler. Returns its path. */
function writeMerged(path: string, root: string): string {
  const present = readIfPresent(path)
  if (present !== '' && !present.startsWith(GENERATED)) {
    throw new CommandError(
      `${basename(path)} isn't from Regent. Move its settings to ${SETTINGS}, and delete it.`,
    )
  }
  const text = `${GENERATED}\n${JSON.stringify(readConfig(root), null, 2)}\n`
  if (text === present) return path
  // Renaming replaces the file at once: wrangler never reads half of it.
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
  return path
}

/**
 * Returns the path of the configuration for wrangler: `wrangler.toml` if nothing differs from it, or else a file that it
 * writes.
 */
export function writeConfig(root: string = ROOT): string {
  const standard = join(root, 'wrangler.json')
  const settings = getSettingsPath(root)
  const isStandard = settings === join(root, SETTINGS)
  const base = join(root, 'wrangler.toml')
  if (!hasConflict(readFileSync(base, 'utf8')) && isDeepStrictEqual(readConfig(root), readBase(root).base)) {
    if (isStandard && readIfPresent(standard).startsWith(GENERATED)) rmSync(standard, { force: true })
    return base
  }
  return writeMerged(
    isStandard ? standard : join(root, `wrangler.${basename(settings ?? 'none')}.json`),
    root,
  )
}

/**
 * Returns the path of a configuration for a deployment. Wrangler writes the ids of what it creates into the file that it
 * reads, and later deployments work without them: so that never is a file in git.
 */
export function writeDeployConfig(root: string = ROOT): string {
  writeConfig(root)
  return writeMerged(join(root, 'wrangler.deploy.json'), root)
}

/** Adds values to the text of a TOML file. Keeps its comments where the values are simple ones. */
export function addToToml(text: string, added: Table): string {
  const present = parseToml(text, SETTINGS)
  let result = text === '' ? HEADER : text
  const { vars = {}, ...rest } = added
  for (const [name, value] of Object.entries(isTable(vars) ? vars : {})) {
    const line = stringify({ [name]: value }).trim()
    const existing = new RegExp(`^${name}\\s*=.*$`, 'm')
    if (existing.test(result)) result = result.replace(existing, () => line)
    else if (/^\[vars\]\s*$/m.test(result))
      result = result.replace(/^\[vars\]\s*$/m, (header) => `${header.trim()}\n${line}`)
    else result = `${result.trimEnd()}\n\n[vars]\n${line}\n`
  }
  for (const [key, value] of Object.entries(rest)) {
    const part = stringify({ [key]: value }).trim()
    // A value of its own belongs before the first table.
    if (typeof value !== 'object') result = result.replace(/^(?=\[)|$(?![\s\S])/m, () => `${part}\n`)
    else result = `${result.trimEnd()}\n\n${part}\n`
  }
  const wanted = mergeConfig(present, added)
  try {
    if (isDeepStrictEqual(parseToml(result, SETTINGS), wanted)) return result
  } catch {
    // The parts can't be put together as text, so the whole file is written anew.
  }
  return HEADER + stringify(wanted)
}

/** Adds values to the operator's file. Returns its name. */
export function writeSettings(added: Table, root: string = ROOT): string {
  const path = getSettingsPath(root)
  if (path === null) throw new CommandError('REGENT_SETTINGS is empty, so no setting can be stored.')
  writeFileSync(path, addToToml(readIfPresent(path), added))
  return basename(path)
}

/** Lists the values in a table, such as `vars.SITE_URL`. */
export const listKeys = (table: Table): string[] =>
  Object.entries(table).flatMap(([key, value]) =>
    isTable(value) ? listKeys(value).map((rest) => `${key}.${rest}`) : [key],
  )

/**
 * Moves what somebody has changed in `wrangler.toml` to the operator's file, and restores `wrangler.toml`, so that
 * `git pull` works. Returns what was moved, or would be with `dryRun`. Returns `null` if nothing has changed, and
 * `unmovable` if something was taken away: the operator's file can't say that.
 *
 * @throws CommandError if `REGENT_SETTINGS` names another server's file.
 */
export function moveSettings(
  { dryRun }: { dryRun: boolean },
  root: string = ROOT,
): Table | 'unmovable' | null {
  const { changed, movable } = readBase(root)
  const path = getSettingsPath(root)
  if (!movable) return 'unmovable'
  if (path === null || Object.keys(changed).length === 0) return null
  if (path !== join(root, SETTINGS)) {
    throw new CommandError(
      `wrangler.toml has changes: ${listKeys(changed).join(', ')}. REGENT_SETTINGS names another file than ${SETTINGS}, so they may belong to another server. Move them to the file that they belong to, and undo them: git checkout wrangler.toml`,
    )
  }
  if (dryRun) return changed
  const present = readSettings(path)
  writeSettings(subtractConfig(mergeConfig(changed, present), present), root)
  mkdirSync(join(root, '.wrangler'), { recursive: true })
  copyFileSync(join(root, 'wrangler.toml'), join(root, '.wrangler/wrangler.toml.before'))
  git(root, 'checkout', 'HEAD', '--', 'wrangler.toml')
  return changed
}

/** Returns the ids under which wrangler stores the data of a local service. */
export function getLocalIds({ d1_databases, kv_namespaces }: Table): { DB: string; CONTENTS: string } {
  const find = (list: Value | undefined, binding: string): Table => {
    const entry = isNamed(list) ? findNamed(list, { binding }) : undefined
    return isTable(entry) ? entry : {}
  }
  const database = find(d1_databases, 'DB')
  const namespace = find(kv_namespaces, 'CONTENTS')
  return {
    DB: String(database.preview_database_id ?? database.database_id ?? 'DB'),
    CONTENTS: String(namespace.preview_id ?? namespace.id ?? 'CONTENTS'),
  }
}

/** Variables as the Worker reads them. */
export type Variables = Readonly<Record<string, string>>

export const getVariables = ({ vars }: Table): Variables =>
  Object.fromEntries(Object.entries(isTable(vars) ? vars : {}).map(([name, value]) => [name, String(value)]))

/** Returns the variables in an environment, of those that Regent knows. */
export const pickVariables = (environment: Readonly<Record<string, string | undefined>>): Variables =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isVariable(name) ? [[name, value]] : [],
    ),
  )

/**
 * Parses the settings of the service that a command works on: a server on one machine also takes them from its
 * environment.
 */
export const readServiceConfig = ({ data }: { readonly data?: string }): Config =>
  requireValid({ ...getVariables(readConfig()), ...(data !== undefined && pickVariables(process.env)) }, null)

/** Values that the Worker accepts, for secrets that only Cloudflare knows. */
const PLACEHOLDERS: Readonly<Record<(typeof SECRETS)[number], string>> = {
  AUTH_SECRET: 'x'.repeat(32),
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
  OIDC_CLIENT_SECRET: 'secret',
  REPORT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  TURNSTILE_SECRET: 'secret',
}

/** Secrets that a variable in the configuration needs. */
export const NEEDED = {
  GITHUB_CLIENT_SECRET: 'GITHUB_CLIENT_ID',
  OIDC_CLIENT_SECRET: 'OIDC_ISSUER',
  REPORT_WEBHOOK_SECRET: 'REPORT_WEBHOOK_URL',
  TURNSTILE_SECRET: 'TURNSTILE_SITE_KEY',
} as const

/** A way to sign in that only Cloudflare may know of, and that other variables need. */
const MAY_BE_SET = ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'] as const

/**
 * Parses the variables with the Worker's own parser.
 *
 * @param secrets the names of the Worker's secrets; null if they aren't known: then those that are needed, or may be, count as set.
 * @throws ConfigError with one line for each mistake.
 */
export function parseVariables(variables: Variables, secrets: readonly string[] | null): Config {
  const needed = Object.entries(NEEDED).flatMap(([secret, variable]) => (variables[variable] ? [secret] : []))
  const known = SECRETS.filter((name) => (secrets ?? [...needed, ...MAY_BE_SET]).includes(name))
  return parseConfig({
    ...Object.fromEntries(known.map((name) => [name, PLACEHOLDERS[name]])),
    ...variables,
  })
}

/** Throws a CommandError with one line for each mistake in the variables. */
export function requireValid(variables: Variables, secrets: readonly string[] | null): Config {
  try {
    return parseVariables(variables, secrets)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.mistakes.map((mistake) => `  ${mistake}`).join('\n')
    throw new CommandError(`The configuration has mistakes, so nothing was done:\n${lines}`)
  }
}

/** The parts of a JSON Schema that say which names a table may have. */
interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
}

/**
 * Lists the tables and values that wrangler doesn't know, such as `[var]`, by their paths. Wrangler only warns of them,
 * and the settings in them have no effect.
 */
export function listUnknownSettings(config: Table, root: string = ROOT): string[] {
  const file = join(root, 'node_modules/wrangler/config-schema.json')
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema & {
    readonly definitions: Readonly<Record<string, Schema>>
  }
  const resolveAll = (node: Schema): Schema[] => {
    const name = node.$ref?.replace('#/definitions/', '')
    const referred = name === undefined ? undefined : schema.definitions[name]
    const inner = [...(referred ? [referred] : []), ...(node.anyOf ?? []), ...(node.allOf ?? [])]
    return [node, ...inner.flatMap(resolveAll)]
  }
  const list = (value: Value, node: Schema, path: string): string[] => {
    const nodes = resolveAll(node)
    if (Array.isArray(value)) {
      const items = { anyOf: nodes.flatMap(({ items }) => items ?? []) }
      return value.flatMap((entry) => list(entry, items, path))
    }
    if (!isTable(value)) return []
    const others = nodes.flatMap(({ additionalProperties }) =>
      typeof additionalProperties === 'object' ? [additionalProperties] : [],
    )
    const known = nodes.filter(({ properties }) => properties !== undefined)
    if (known.length + others.length === 0) return []
    return Object.entries(value).flatMap(([key, inner]) => {
      const child = path === '' ? key : `${path}.${key}`
      const named = known.flatMap(({ properties }) => properties?.[key] ?? [])
      const nodesOfKey = named.length === 0 ? others : named
      return nodesOfKey.length === 0 ? [child] : list(inner, { anyOf: nodesOfKey }, child)
    })
  }
  return [...new Set(list(config, { $ref: '#/definitions/RawConfig' }, ''))]
}

/** Returns the names in the configuration that Regent doesn't know: probably misspelt. */
export const listUnknown = (variables: Variables): string[] =>
  Object.keys(variables).filter((name) => !isVariable(name))
