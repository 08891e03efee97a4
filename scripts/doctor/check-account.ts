import { ADMIN_FLAG } from '../../src/accounts/user.ts'
import { NEEDED, type Variables } from '../support/config.ts'
import { SQL, type StorageClient } from '../support/database.ts'
import type { DeployedDatabase } from '../support/deployed-database.ts'
import { CommandError } from '../support/script.ts'
import { requireSignedIn, type WranglerOutput } from '../support/wrangler.ts'
import { advice, type Finding, ok, problem, sendsMail } from './check-config.ts'

/** What these checks need from outside. */
export interface AccountContext {
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  readonly storage: StorageClient
  readonly openDatabase: () => Promise<DeployedDatabase>
  /** The files in migrations/. */
  readonly migrations: readonly string[]
}

function checkSecrets(names: readonly string[], variables: Variables): Finding[] {
  const [id, secret] = ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'].map((name) => names.includes(name))
  const github = id && secret
  const signIn = github || sendsMail(variables) || Boolean(variables.OIDC_ISSUER)
  const put = (name: string) => `Run: npx wrangler secret put ${name}`
  const findings: Finding[] = []
  if (names.includes('AUTH_SECRET')) findings.push(ok('AUTH_SECRET: set'))
  else if (signIn)
    findings.push(problem('AUTH_SECRET is missing, so nobody can sign in.', put('AUTH_SECRET')))
  else findings.push(advice('AUTH_SECRET is missing.', put('AUTH_SECRET')))
  for (const [name, variable] of Object.entries(NEEDED)) {
    if (name !== 'GITHUB_CLIENT_SECRET' && variables[variable] && !names.includes(name))
      findings.push(
        problem(`${name} is missing, which ${variable} needs, so every request fails.`, put(name)),
      )
  }
  if (id !== secret) {
    const missing = id ? 'GITHUB_CLIENT_SECRET' : 'GITHUB_CLIENT_ID'
    findings.push(problem(`GitHub: ${missing} is missing, so sign-in with GitHub is off.`, put(missing)))
  } else {
    findings.push(ok(`GitHub: ${github ? 'set up' : 'off'}`))
  }
  if (!signIn) {
    findings.push(
      advice(
        'Neither email nor GitHub nor single sign-on is set up, so nobody can sign in.',
        'Accounts exist on the command line only. See "Sign-in" in docs/operating.md.',
      ),
    )
  }
  return findings
}

async function checkWorker({ runWrangler }: AccountContext, variables: Variables): Promise<Finding[]> {
  const output = await runWrangler(['secret', 'list', '--format', 'json'])
  requireSignedIn(output)
  const { code, stdout, stderr } = output
  if (code === 0) {
    const secrets: { name: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
    return [
      ok('Worker: deployed'),
      ...checkSecrets(
        secrets.map(({ name }) => name),
        variables,
      ),
    ]
  }
  if (/does not exist|not found|10007/i.test(stdout + stderr)) {
    return [problem("The Worker isn't deployed.", 'Run: npm run deploy')]
  }
  return [problem("The Worker's secrets couldn't be listed.", 'Run: npx wrangler login')]
}

interface SchemaContext extends Pick<AccountContext, 'storage' | 'migrations'> {
  /** The command that applies migrations. */
  readonly upgrade: string
  /** The option that other commands need to find the service. */
  readonly option: string
}

/** Checks the schema of a database, and whether somebody moderates. */
export async function checkSchema({
  storage,
  migrations,
  upgrade,
  option,
}: SchemaContext): Promise<Finding[]> {
  try {
    const [applied = []] = await storage.execute('SELECT name FROM d1_migrations')
    const names = new Set(applied.map(({ name }) => name))
    const missing = migrations.filter((name) => !names.has(name))
    if (missing.length > 0) {
      return [problem(`The schema is too old. Missing: ${missing.join(', ')}`, `Run: ${upgrade}`)]
    }
    const [admins = []] = await storage.execute(
      SQL`SELECT count(*) AS admins FROM users WHERE flags & ${ADMIN_FLAG} <> 0`,
    )
    const count = Number(admins[0]?.admins ?? 0)
    return [
      ok(`Schema: ${migrations.at(-1)}`),
      count > 0
        ? ok(`Admins: ${count}`)
        : advice(
            'No account is an admin, so nobody sees reports.',
            `Run: npm run admin -- user admin NAME ${option}`,
          ),
    ]
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return [problem(`The database couldn't be read: ${error.message}`, `Run: ${upgrade}`)]
  }
}

/** What D1 allows for a database on each plan, and the share of it from which the doctor warns. */
const MAX_DATABASE_BYTES = { free: 500_000_000, paid: 10_000_000_000 }
const WARNING_SHARE = 0.8

function checkSize(bytes: number, plan: 'free' | 'paid'): Finding {
  const share = bytes / MAX_DATABASE_BYTES[plan]
  const text = `D1: ${Math.ceil(bytes / 1_000_000)} MB, ${Math.round(share * 100)} % of what the ${plan} plan allows`
  if (share < WARNING_SHARE) return ok(text)
  return problem(
    `${text}. When it is full, nobody can create documents.`,
    'See "When one database is full" in docs/operating.md.',
  )
}

/** Checks what only Cloudflare knows of the database: its size, and whether it has copies. */
async function checkDeployedDatabase(
  { openDatabase }: AccountContext,
  { READ_FROM, PLAN }: Variables,
): Promise<Finding[]> {
  try {
    const { replicated, bytes } = await (await openDatabase()).describe()
    const size = bytes === null ? [] : [checkSize(bytes, PLAN === 'free' ? 'free' : 'paid')]
    if (READ_FROM === 'primary') {
      return [...size, ok('Read replication: not used, because READ_FROM is "primary"')]
    }
    if (replicated) return [...size, ok('Read replication: on')]
    return [
      ...size,
      advice('Read replication is off, so people far from the database wait longer.', 'Run: npm run deploy'),
    ]
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return [
      advice(
        `The database's size and its read replication weren't checked: ${error.message}.`,
        'Run: npx wrangler login',
      ),
    ]
  }
}

/** Checks the Worker and the database in the account that wrangler is signed in to. */
export const checkAccount = async (context: AccountContext, variables: Variables): Promise<Finding[]> =>
  (
    await Promise.all([
      checkWorker(context, variables),
      checkSchema({ ...context, upgrade: 'npm run deploy', option: '--remote' }),
      checkDeployedDatabase(context, variables),
    ])
  ).flat()

export const SKIPPED_ACCOUNT = advice(
  "Secrets and the deployed database weren't checked.",
  'Add --remote, after npx wrangler login.',
)
