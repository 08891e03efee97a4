import { addUser, type NewKey } from '../support/accounts.ts'
import { applyMigrations, type StorageClient } from '../support/database.ts'
import type { ReadReplication } from '../support/read-replication.ts'
import { CommandError, type WranglerOutput } from '../support/wrangler.ts'
import { findValue, setSite } from './config-file.ts'
import { type DeployOptions, parseSite } from './options.ts'
import { formatReplicationFailure, formatResult, formatSteps } from './texts.ts'

const DEPLOYED = { remote: true, persistTo: null } as const
const DATABASE = 'regent'

/** What a deployment needs from outside, so that tests can run it without Cloudflare. */
export interface DeployContext {
  /** Runs wrangler until it exits. */
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  /** Runs "wrangler deploy" in the terminal, with secrets to upload. Returns the addresses, or null if it failed. */
  readonly deploy: (
    args: readonly string[],
    secrets: Readonly<Record<string, string>>,
  ) => Promise<string[] | null>
  readonly storage: StorageClient
  readonly openReadReplication: (database: string) => Promise<ReadReplication>
  /** Asks the person at the terminal; null if there is nobody. Returns "" for no answer. */
  readonly ask: ((question: string) => Promise<string>) | null
  readonly readConfig: () => Promise<string>
  readonly writeConfig: (toml: string) => Promise<void>
  readonly generateSecret: () => string
  readonly print: (text: string) => void
}

/** Returns false if the error says that the database doesn't exist yet, and throws any other error. */
function isMissingDatabase(error: unknown): false {
  if (error instanceof CommandError && /couldn't find .*D1 DB/i.test(error.message)) return false
  throw error
}

/** Applies new migrations. The first time, it creates the database. */
async function prepareDatabase({ runWrangler, readConfig, print }: DeployContext): Promise<void> {
  const migrate = () => applyMigrations(DEPLOYED, runWrangler)
  if (await migrate().then(() => true, isMissingDatabase)) return
  const name = findValue(await readConfig(), 'database_name') ?? DATABASE
  print(`Creating the database "${name}".\n`)
  const created = await runWrangler(['d1', 'create', name])
  if (created.code !== 0)
    throw new CommandError(`The database couldn't be created.\n${created.stderr.trim()}`)
  await migrate()
}

/** Lets reads come from copies of the database near people. A deployment works without. */
async function replicate({ readConfig, openReadReplication, print }: DeployContext): Promise<void> {
  const toml = await readConfig()
  if (findValue(toml, 'READ_FROM') === 'primary') return
  try {
    const replication = await openReadReplication(findValue(toml, 'database_name') ?? DATABASE)
    if (await replication.isOn()) return
    await replication.turnOn()
    print('Turned on read replication of the database.\n')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    print(formatReplicationFailure(error.message))
  }
}

/** Returns the names of the Worker's secrets; none if it doesn't exist yet; null if they can't be listed. */
async function listSecrets({ runWrangler }: DeployContext): Promise<readonly string[] | null> {
  const { code, stdout, stderr } = await runWrangler(['secret', 'list', '--format', 'json'])
  if (code !== 0) return /does not exist|not found|10007/i.test(stdout + stderr) ? [] : null
  const secrets: { name: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return secrets.map(({ name }) => name)
}

async function countAccounts(storage: StorageClient): Promise<number> {
  const [rows] = await storage.execute('SELECT count(*) AS accounts FROM users')
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

async function chooseSite(context: DeployContext, options: DeployOptions): Promise<void> {
  const toml = await context.readConfig()
  const present = findValue(toml, 'SITE_URL') ?? ''
  const question = 'Address of the site, such as https://paste.example.org [the one of workers.dev]: '
  const site = options.site ?? (present === '' ? await askFor(context, question, parseSite) : null)
  if (site === null || site === present) return
  await context.writeConfig(setSite(toml, site))
  context.print(`Wrote ${site} to wrangler.toml.\n`)
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

/**
 * Deploys the service. The first time, it also creates the database, the secret that signs sessions, and an account.
 * Can be run again after any failure.
 *
 * @throws CommandError when a step fails.
 */
export async function deployService(context: DeployContext, options: DeployOptions): Promise<void> {
  if (options.dryRun) {
    context.print(formatSteps(options))
    if (!(await context.deploy([...options.others, '--dry-run'], {}))) throw deploymentFailed()
    return
  }
  // Migrations come first: the old code works with them, and the new code needs them.
  await prepareDatabase(context)
  await replicate(context)
  const [secrets, accounts] = await Promise.all([listSecrets(context), countAccounts(context.storage)])
  const first = accounts === 0
  if (first || options.site !== null) await chooseSite(context, options)
  const admin = first ? await chooseAdmin(context, options) : null
  const needsSecret = secrets !== null && !secrets.includes('AUTH_SECRET')
  if (needsSecret) context.print('Generating AUTH_SECRET, which signs sessions.\n')
  const addresses = await context.deploy(
    options.others,
    needsSecret ? { AUTH_SECRET: context.generateSecret() } : {},
  )
  if (!addresses) throw deploymentFailed()
  const created = admin && (await createAdmin(context, admin))
  const site = findValue(await context.readConfig(), 'SITE_URL') || addresses[0] || null
  context.print(formatResult({ site, created, hasAccounts: !first, secretsKnown: secrets !== null }))
}

const deploymentFailed = () => new CommandError("The deployment failed. See wrangler's output above.")
