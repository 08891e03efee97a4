import type { NewKey } from '../support/accounts.ts'
import type { DeployOptions } from './options.ts'

/** Lists what a deployment does, for --dry-run. */
export function formatSteps({ site, admin, others }: DeployOptions): string {
  const steps = [
    'Apply new migrations:          wrangler d1 migrations apply DB --remote',
    '   without a database, first:  wrangler d1 create NAME',
    'Turn on read replication of the database, unless READ_FROM is "primary"',
    'Look for secrets and accounts: wrangler secret list; wrangler d1 execute DB --remote',
    site === null
      ? 'Without an account and SITE_URL, ask for the address of the site'
      : `Write the address of the site to wrangler.toml: ${site}`,
    admin === null ? 'Without an account, ask for its username and email address' : null,
    'Without AUTH_SECRET, generate it',
    `Build and upload the Worker:   ${['wrangler deploy', ...others].join(' ')}`,
    '   the first time, wrangler creates the KV namespace',
    admin === null
      ? 'Create the account as an admin, and print its API key once'
      : `Without an account, create ${admin.username} (${admin.email}) as an admin, and print its API key once`,
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

interface Result {
  /** The address of the site; null if wrangler didn't say. */
  readonly site: string | null
  readonly created: NewKey | null
  readonly hasAccounts: boolean
  readonly secretsKnown: boolean
}

/** Says what was deployed, where it is, and what to do next. */
export function formatResult({ site, created, hasAccounts, secretsKnown }: Result): string {
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
    ...(secretsKnown ? [] : ["The secrets couldn't be listed. If sign-in doesn't work, set AUTH_SECRET."]),
    `Check the deployment:  npm run doctor -- --remote${site === null ? '' : ` --url ${site}`}`,
    'Set up sign-in, mail and more: docs/operating.md',
  ]
  return `\nRegent is deployed.\n\n${[...links, ...account].join('\n')}\n\nNext:\n${next.map((line) => `  ${line}`).join('\n')}\n`
}
