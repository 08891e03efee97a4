import type { NewKey } from '../support/accounts.ts'
import { listKeys, type Table } from '../support/config.ts'
import type { DeployOptions } from './options.ts'

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
export function formatSteps({ site, admin, plan, others }: DeployOptions, moved: Table | null): string {
  const steps = [
    moved === null
      ? null
      : `Move your settings from wrangler.toml to regent.toml: ${listKeys(moved).join(', ')}`,
    'Check the configuration and the names of the secrets: wrangler secret list',
    'Apply new migrations:          wrangler d1 migrations apply DB --remote',
    '   without a database, first:  wrangler d1 create NAME',
    'Turn on read replication of the database, unless READ_FROM is "primary"',
    'Look for accounts:             wrangler d1 execute DB --remote',
    site === null
      ? 'Without an account and SITE_URL, ask for the address of the site'
      : `Write the address of the site to regent.toml: ${site}`,
    plan === null ? 'Without an account, ask for the Workers plan' : `Write the plan to regent.toml: ${plan}`,
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
  /** Whether the service answers at its address; null if nobody asked. */
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
        `            To revoke it: npm run user -- revoke ${created.key_id} --remote`,
      ]
    : []
  const next = [
    ...(created || hasAccounts
      ? []
      : [
          'Create an account:     npm run user -- add NAME --email EMAIL --remote',
          'Make it an admin:      npm run user -- admin NAME --remote',
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
