import { isLocal } from '../../src/platform/addresses.ts'
import { type Finding, formatFinding } from '../doctor/check-config.ts'
import { addUser, type NewKey } from '../support/accounts.ts'
import { listUnknown, requireValid, type Table, type Variables } from '../support/config.ts'
import { applyMigrations, SQL, type StorageClient } from '../support/database.ts'
import type { DeployedDatabase } from '../support/deployed-database.ts'
import { CommandError } from '../support/script.ts'
import { requireSignedIn, type WranglerOutput } from '../support/wrangler.ts'
import {
  type DeployOptions,
  formatFailure,
  formatMoved,
  formatOwners,
  formatReplicationFailure,
  formatResult,
  formatSteps,
  parsePlan,
  parseSite,
  UNMOVABLE,
} from './texts.ts'

const DEPLOYED = { remote: true, persistTo: null } as const
const DATABASE = 'regent'
/** Where the database has the name of its Worker, in the table of switches. Backups leave it out. */
const OWNER = 'worker'

/** What a deployment needs from outside, so that tests can run it without Cloudflare. */
export interface DeployContext {
  /** Runs wrangler until it exits. */
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  /** Runs "wrangler deploy" in the terminal, with secrets to upload. Returns the addresses, or null if it failed. */
  readonly deploy: (
    args: readonly string[],
    secrets: Readonly<Record<string, string>>,
  ) => Promise<string[] | null>
  /** The deployed database. Migrates nothing by itself. */
  readonly storage: StorageClient
  readonly openDatabase: (name: string) => Promise<DeployedDatabase>
  /** Asks the person at the terminal; null if there is nobody. Returns "" for no answer. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Reads the configuration that takes effect. */
  readonly readConfig: () => Promise<DeployedConfig>
  /** Adds values to the operator's file. */
  readonly writeSettings: (added: Table) => void
  /** Moves what somebody has changed in `wrangler.toml` to the operator's file. */
  readonly moveSettings: (options: { dryRun: boolean }) => Table | 'unmovable' | null
  /** Asks a service what is wrong with it. Returns null if nothing answers at the address. */
  readonly examine: (site: string) => Promise<readonly Finding[] | null>
  readonly generateSecret: () => string
  readonly print: (text: string) => void
}

/** What a deployment needs to know of the configuration. */
interface DeployedConfig {
  /** The name of the Worker. */
  readonly worker: string
  readonly databaseName: string | null
  /** The patterns of the routes, such as `paste.example.org` or `*.example.org/*`. */
  readonly routes: readonly string[]
  readonly variables: Variables
  /** Names that wrangler doesn't know: probably misspelt. */
  readonly unknownSettings: readonly string[]
}

/** Returns false if the error says that the database doesn't exist yet, and throws any other error. */
function isMissingDatabase(error: unknown): false {
  if (error instanceof CommandError && /couldn't find .*D1 DB/i.test(error.message)) return false
  throw error
}

/** Returns the name of the Worker that the database belongs to; null if none has recorded itself. */
async function findOwner(storage: StorageClient): Promise<string | null> {
  try {
    const [rows] = await storage.execute(`SELECT value FROM switches WHERE name = '${OWNER}'`)
    return rows?.[0] ? String(rows[0].value) : null
  } catch (error) {
    // It doesn't exist yet, or has no tables.
    if (error instanceof CommandError && /couldn't find .*D1 DB|no such table/i.test(error.message))
      return null
    throw error
  }
}

/** Throws a CommandError if the database belongs to another Worker, before anything in it changes. */
async function requireOwnDatabase({ storage, readConfig }: DeployContext, takeOver: boolean): Promise<void> {
  const owner = takeOver ? null : await findOwner(storage)
  // Reading the database may have found out which one it is.
  const { worker, databaseName } = await readConfig()
  if (owner === null || owner === worker) return
  throw new CommandError(formatOwners({ database: databaseName ?? DATABASE, owner, worker }))
}

/** Applies new migrations. The first time, it creates the database. */
async function prepareDatabase({ runWrangler, readConfig, print }: DeployContext): Promise<void> {
  const migrate = () => applyMigrations(DEPLOYED, runWrangler)
  if (await migrate().then(() => true, isMissingDatabase)) return
  const name = (await readConfig()).databaseName ?? DATABASE
  print(`Creating the database "${name}".\n`)
  const created = await runWrangler(['d1', 'create', name])
  if (created.code !== 0)
    throw new CommandError(`The database couldn't be created.\n${created.stderr.trim()}`)
  await migrate()
}

/** Lets reads come from copies of the database near people. A deployment works without. */
async function replicate({ readConfig, openDatabase, print }: DeployContext): Promise<void> {
  const { variables, databaseName } = await readConfig()
  if (variables.READ_FROM === 'primary') return
  try {
    const database = await openDatabase(databaseName ?? DATABASE)
    if ((await database.describe()).replicated) return
    await database.turnOnReplication()
    print('Turned on read replication of the database.\n')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    print(formatReplicationFailure(error.message))
  }
}

/** Returns the names of the Worker's secrets; none if it doesn't exist yet; null if they can't be listed. */
async function listSecrets({ runWrangler }: DeployContext): Promise<readonly string[] | null> {
  const output = await runWrangler(['secret', 'list', '--format', 'json'])
  requireSignedIn(output)
  const { code, stdout, stderr } = output
  if (code !== 0) return /does not exist|not found|10007/i.test(stdout + stderr) ? [] : null
  const secrets: { name: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return secrets.map(({ name }) => name)
}

/** Records which Worker the database belongs to. Returns how many accounts it has. */
async function takeDatabase({ storage, readConfig }: DeployContext): Promise<number> {
  const { worker } = await readConfig()
  const [rows] = await storage.execute(
    SQL`SELECT count(*) AS accounts FROM users;
      INSERT INTO switches (name, value, changed_at) VALUES (${OWNER}, ${worker}, ${Date.now()})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
        WHERE value <> excluded.value;`,
  )
  return Number(rows?.[0]?.accounts ?? 0)
}

/** Asks again until the answer is empty or can be parsed. */
async function askFor<Answer>(
  { ask, print }: DeployContext,
  question: string,
  parse: (text: string) => Answer,
): Promise<Answer | null> {
  for (;;) {
    const answer = (await ask?.(question))?.trim() ?? ''
    if (answer === '') return null
    try {
      return parse(answer)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      print(`${error.message}\n`)
    }
  }
}

/** Tells whether a route takes requests to a host. Its pattern may have a path, and `*` for any characters. */
function leadsTo(pattern: string, hostname: string): boolean {
  const [host = ''] = pattern.replace(/^https?:\/\//, '').split('/', 1)
  const parts = host.split('*').map((part) => part.replaceAll('.', String.raw`\.`))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(hostname)
}

async function chooseSite(context: DeployContext, options: DeployOptions): Promise<void> {
  const { variables, routes: patterns } = await context.readConfig()
  const present = variables.SITE_URL ?? ''
  const question = 'Address of the site, such as https://paste.example.org [the one of workers.dev]: '
  const site = options.site ?? (present === '' ? await askFor(context, question, parseSite) : null)
  if (site === null || site === present) return
  const { hostname } = new URL(site)
  // The zone of the domain must be in the same Cloudflare account.
  const routes = [{ pattern: hostname, custom_domain: true }]
  const needsRoute =
    !hostname.endsWith('.workers.dev') && !patterns.some((pattern) => leadsTo(pattern, hostname))
  if (needsRoute && patterns.length > 0)
    throw new CommandError(
      `The configuration has routes, and none leads to ${hostname}: ${patterns.join(', ')}. No setting was changed. Add one first: [[routes]] with pattern = "${hostname}" and custom_domain = true`,
    )
  context.writeSettings({ vars: { SITE_URL: site }, ...(needsRoute && { routes }) })
  context.print(`Wrote ${site} to regent.toml.\n`)
}

/** Asks for the plan, which decides the quotas. Without an answer, it's the free one, whose quotas fit both. */
async function choosePlan(context: DeployContext, options: DeployOptions): Promise<void> {
  const question = 'Workers plan of your Cloudflare account, free or paid [free]: '
  const isOpen = context.ask !== null && !(await context.readConfig()).variables.PLAN
  const plan = options.plan ?? (isOpen ? ((await askFor(context, question, parsePlan)) ?? 'free') : null)
  if (plan === null) return
  context.writeSettings({ vars: { PLAN: plan } })
  context.print(`Wrote the plan to regent.toml: ${plan}.\n`)
}

/** Asks who runs the server, for its pages about itself. Without an answer, they say “we”. */
async function chooseOperator(context: DeployContext, options: DeployOptions): Promise<void> {
  const { variables } = await context.readConfig()
  const question = 'Who runs this server, for its privacy and terms pages: your name or organization [none]: '
  const isOpen = !variables.OPERATOR_NAME
  const name = options.operator ?? (isOpen ? await askFor(context, question, (text) => text) : null)
  if (name === null || name === variables.OPERATOR_NAME) return
  context.writeSettings({ vars: { OPERATOR_NAME: name } })
  context.print(`Wrote the name to regent.toml: ${name}.\n`)
}

type Admin = NonNullable<DeployOptions['admin']>

async function chooseAdmin(context: DeployContext, options: DeployOptions): Promise<Admin | null> {
  if (options.admin || !context.ask) return options.admin
  const username = await askFor(context, 'Username of the first account, an admin [none]: ', (text) => text)
  if (username === null) return null
  const email = await askFor(context, 'Email address of this account [none]: ', (text) => text)
  return email === null ? null : { username, email }
}

/** Creates the first account. A mistake in its name or address doesn't undo the deployment. */
async function createAdmin({ storage, print }: DeployContext, admin: Admin): Promise<NewKey | null> {
  try {
    return await addUser(storage, { ...admin, confirmed: true, admin: true })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    print(`The first account wasn't created. ${error.message}\n`)
    return null
  }
}

function requirePublicSite({ SITE_URL = '' }: Variables): void {
  if (isLocal(SITE_URL.replace(/\/+$/, '')))
    throw new CommandError(
      `SITE_URL = "${SITE_URL}" is an address of one machine only, so nothing was done. Set it to the address of the site.`,
    )
}

/** Moves settings from `wrangler.toml`, and checks the configuration before anything happens. */
async function prepareConfig(context: DeployContext, { dryRun }: DeployOptions): Promise<Table | null> {
  const moved = context.moveSettings({ dryRun })
  if (moved === 'unmovable') context.print(UNMOVABLE)
  else if (moved !== null && !dryRun) context.print(formatMoved(moved))
  const { variables, unknownSettings } = await context.readConfig()
  if (unknownSettings.length > 0)
    throw new CommandError(
      `The configuration has names that wrangler doesn't know, so nothing was done: ${unknownSettings.join(', ')}. Check their spelling.`,
    )
  requireValid(variables, null)
  requirePublicSite(variables)
  for (const name of listUnknown(variables))
    context.print(`${name} isn't a variable of Regent, so it has no effect. Check its spelling.\n`)
  return moved === 'unmovable' ? null : moved
}

/** Asks the service how it is. Returns false if it doesn't answer. Throws a CommandError if it doesn't work. */
async function requireHealthy(context: DeployContext, site: string, first: boolean): Promise<boolean> {
  const findings = await context.examine(site)
  const problems = (findings ?? []).filter(({ level }) => level === 'problem')
  if (problems.length > 0)
    throw new CommandError(formatFailure(site, problems.map(formatFinding).join(''), first))
  return findings !== null
}

/**
 * Deploys the service. The first time, it also creates the database, the secret that signs sessions, and an account.
 * Can be run again after any failure.
 *
 * @throws CommandError when a step fails.
 */
export async function deployService(context: DeployContext, options: DeployOptions): Promise<void> {
  const moved = await prepareConfig(context, options)
  if (options.dryRun) {
    context.print(formatSteps(options, moved))
    if (!(await context.deploy([...options.others, '--dry-run'], {}))) throw deploymentFailed()
    return
  }
  const secrets = await listSecrets(context)
  requireValid((await context.readConfig()).variables, secrets)
  await requireOwnDatabase(context, options.takeOver)
  // Migrations come first: the old code works with them, and the new code needs them.
  await prepareDatabase(context)
  await replicate(context)
  const first = (await takeDatabase(context)) === 0
  if (first || options.site !== null) await chooseSite(context, options)
  if (first || options.plan !== null) await choosePlan(context, options)
  if (first || options.operator !== null) await chooseOperator(context, options)
  const admin = first ? await chooseAdmin(context, options) : null
  const needsSecret = secrets !== null && !secrets.includes('AUTH_SECRET')
  if (needsSecret) context.print('Generating AUTH_SECRET, which signs sessions.\n')
  const addresses = await context.deploy(
    options.others,
    needsSecret ? { AUTH_SECRET: context.generateSecret() } : {},
  )
  if (!addresses) throw deploymentFailed()
  const site = (await context.readConfig()).variables.SITE_URL || addresses[0] || null
  const isNew = secrets?.length === 0
  const answers = site !== null && options.check ? await requireHealthy(context, site, isNew) : null
  const created = admin && (await createAdmin(context, admin))
  context.print(formatResult({ site, created, hasAccounts: !first, secretsKnown: secrets !== null, answers }))
}

const deploymentFailed = () => new CommandError("The deployment failed. See wrangler's output above.")
