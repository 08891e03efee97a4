import { parseArgs } from 'node:util'
import type { Plan } from '../../src/config.ts'
import type { NewKey } from '../support/accounts.ts'
import { listKeys, type Table } from '../support/config.ts'
import { CommandError } from '../support/script.ts'

const OWN_OPTIONS = {
  site: { type: 'string' },
  admin: { type: 'string' },
  email: { type: 'string' },
  plan: { type: 'string' },
  operator: { type: 'string' },
  'no-questions': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  'no-check': { type: 'boolean', default: false },
  'take-over': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export interface DeployOptions {
  readonly help: boolean
  readonly dryRun: boolean
  readonly questions: boolean
  /** Is true if the deployed service is asked how it is. */
  readonly check: boolean
  /** Is true if it may use a database that belongs to another Worker. */
  readonly takeOver: boolean
  /** The address of the site, such as `https://paste.example.org`; null to ask or to keep it as it is. */
  readonly site: string | null
  /** The Workers plan; null to ask or to keep it as it is. */
  readonly plan: Plan | null
  /** Who runs the server; null to ask or to keep it as it is. */
  readonly operator: string | null
  /** The first account; null to ask. */
  readonly admin: { readonly username: string; readonly email: string } | null
  /** Options for "wrangler deploy". */
  readonly others: readonly string[]
}

/** Returns a site's address without a path, from what a person may write. Throws a CommandError if it isn't one. */
export function parseSite(text: string): string {
  const address = text.includes('://') ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' || !url.hostname.includes('.') || url.pathname !== '/') {
    throw new CommandError(`Not an address of a site: ${text}. Use one like https://paste.example.org`)
  }
  return url.origin
}

/** Returns a plan by its name. Throws a CommandError if there is no such plan. */
export function parsePlan(text: string): Plan {
  if (text === 'free' || text === 'paid') return text
  throw new CommandError(`Not a plan: ${text}. Use free or paid.`)
}

/** Options of wrangler that choose another Worker or configuration. The other steps and commands wouldn't know of it. */
const REFUSED = ['config', 'c', 'env', 'e', 'name']

/** Parses the options of `npm run deploy`. Throws a CommandError if they don't fit together. */
export function parseDeployOptions(args: readonly string[]): DeployOptions {
  const { values, tokens } = parseArgs({ args: [...args], strict: false, tokens: true, options: OWN_OPTIONS })
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !Object.hasOwn(OWN_OPTIONS, token.name)) return []
      return token.value === undefined || token.inlineValue ? [token.index] : [token.index, token.index + 1]
    }),
  )
  const refused = tokens.find((token) => token.kind === 'option' && REFUSED.includes(token.name))
  if (refused?.kind === 'option') {
    throw new CommandError(
      `npm run deploy doesn't take ${refused.rawName}. Put the settings of another server into a file of their own: REGENT_SETTINGS=staging.toml npm run deploy`,
    )
  }
  const { site, admin, email, plan, operator } = values
  for (const [name, value] of Object.entries({ site, admin, email, plan, operator })) {
    if (value === true) throw new CommandError(`--${name} needs a value. See: npm run deploy -- --help`)
  }
  if ((admin === undefined) !== (email === undefined)) {
    throw new CommandError('--admin and --email belong together: the first account needs both.')
  }
  return {
    help: values.help === true,
    dryRun: values['dry-run'] === true,
    questions: values['no-questions'] !== true,
    check: values['no-check'] !== true,
    takeOver: values['take-over'] === true,
    plan: plan === undefined ? null : parsePlan(String(plan)),
    operator: operator === undefined ? null : String(operator),
    site: site === undefined ? null : parseSite(String(site)),
    admin: admin === undefined ? null : { username: String(admin), email: String(email) },
    others: args.filter((_, index) => !own.has(index)),
  }
}

/** Names what was moved from `wrangler.toml` to the operator's file. */
export const formatMoved = (moved: Table): string =>
  `Moved your settings from wrangler.toml to regent.toml, which git ignores: ${listKeys(moved).join(', ')}.
Your wrangler.toml is kept as .wrangler/wrangler.toml.before.
`

/** Says why changes to `wrangler.toml` stay where they are. */
export const UNMOVABLE = `You removed something from wrangler.toml. regent.toml can't say that, so your changes stay there,
and "git pull" may refuse to replace the file. Give what you removed another value instead.
`

/** Lists what a deployment does, for --dry-run. */
export function formatSteps(
  { site, admin, plan, operator, others }: DeployOptions,
  moved: Table | null,
): string {
  const steps = [
    moved === null
      ? null
      : `Move your settings from wrangler.toml to regent.toml: ${listKeys(moved).join(', ')}`,
    'Check the configuration and the names of the secrets: wrangler secret list',
    'Check that the database belongs to no other Worker',
    'Apply new migrations:          wrangler d1 migrations apply DB --remote',
    '   without a database, first:  wrangler d1 create NAME',
    'Turn on read replication of the database, unless READ_FROM is "primary"',
    'Look for accounts:             wrangler d1 execute DB --remote',
    site === null
      ? 'Without an account and SITE_URL, ask for the address of the site'
      : `Write the address of the site to regent.toml: ${site}`,
    plan === null ? 'Without an account, ask for the Workers plan' : `Write the plan to regent.toml: ${plan}`,
    operator === null
      ? 'Without an account and OPERATOR_NAME, ask who runs the server'
      : `Write who runs the server to regent.toml: ${operator}`,
    admin === null ? 'Without an account, ask for its username and email address' : null,
    'Without AUTH_SECRET, generate it',
    `Build and upload the Worker:   ${['wrangler deploy', ...others].join(' ')}`,
    '   the first time, wrangler creates the KV namespace',
    admin === null
      ? 'Create the account as an admin, and print its API key once'
      : `Without an account, create ${admin.username} (${admin.email}) as an admin, and print its API key once`,
    'Ask the service how it is:     /health',
    'Print links',
  ].filter((step) => step !== null)
  let number = 0
  const lines = steps.map((step) => (step.startsWith(' ') ? `   ${step}` : `${++number}. ${step}`))
  return `This would:\n${lines.join('\n')}\n\nNothing is changed. Now only the build of the Worker is tried.\n\n`
}

interface Owners {
  readonly database: string
  readonly owner: string
  readonly worker: string
}

/** Says why a deployment doesn't use a database. The Worker that the database is named after should keep it. */
export function formatOwners({ database, owner, worker }: Owners): string {
  const other = database === worker ? owner : worker
  return `The database "${database}" belongs to the Worker "${owner}", not to "${worker}", so nothing was done: give "${other}" one of its own, with database_name = "${other}" under [[d1_databases]] in its settings, or, if "${worker}" should have this one, run npm run deploy -- --take-over.`
}

/** Says that read replication couldn't be turned on, and how to do that by hand. */
export const formatReplicationFailure = (reason: string): string =>
  `Read replication couldn't be turned on, so people far from the database wait longer. ${reason}.
Turn it on in Cloudflare's dashboard: Storage & Databases > D1 > your database > Settings.
`

/** Says what is wrong with the deployed service, and how to get the previous one back. */
export const formatFailure = (site: string, problems: string, first: boolean): string =>
  `Regent is uploaded, but it doesn't work. ${site}/health says:

${problems}
${first ? 'Fix that, and run npm run deploy again.' : 'To go back to the previous version: npx wrangler rollback'}
`

interface Result {
  /** The address of the site; null if wrangler didn't say. */
  readonly site: string | null
  readonly created: NewKey | null
  readonly hasAccounts: boolean
  readonly secretsKnown: boolean
  /** Is true if the service answers at its address; null if nobody asked. */
  readonly answers: boolean | null
}

/** Says what was deployed, where it is, and what to do next. */
export function formatResult({ site, created, hasAccounts, secretsKnown, answers }: Result): string {
  const links =
    site === null
      ? []
      : [
          `Site        ${site}`,
          `API         ${site}/docs`,
          `Moderation  ${site}/moderation`,
          `Health      ${site}/health`,
        ]
  const account = created
    ? [
        `Account     ${created.username}, an admin`,
        `API key     ${created.key}   (shown only once)`,
        `            To revoke it: npm run admin -- user revoke ${created.key_id} --remote`,
      ]
    : []
  const next = [
    ...(created || hasAccounts
      ? []
      : [
          'Create an account:     npm run admin -- user add NAME --email EMAIL --remote',
          'Make it an admin:      npm run admin -- user admin NAME --remote',
        ]),
    ...(answers === false
      ? [`The site doesn't answer yet. A new domain can take some minutes; then check the deployment.`]
      : []),
    ...(secretsKnown ? [] : ["The secrets couldn't be listed. If sign-in doesn't work, set AUTH_SECRET."]),
    `Check the deployment:  npm run doctor -- --remote${site === null ? '' : ` --url ${site}`}`,
    'Set up sign-in, mail and more: docs/operating.md',
  ]
  return `\nRegent is deployed.\n\n${[...links, ...account].join('\n')}\n\nNext:\n${next.map((line) => `  ${line}`).join('\n')}\n`
}
