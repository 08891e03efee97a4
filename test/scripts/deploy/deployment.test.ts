import { beforeEach, describe, expect, it } from 'vitest'
import { type DeployContext, deployService } from '../../../scripts/deploy/deployment.ts'
import { parseDeployOptions } from '../../../scripts/deploy/texts.ts'
import type { Finding } from '../../../scripts/doctor/check-config.ts'
import {
  getVariables,
  listUnknownSettings,
  mergeConfig,
  type Table,
} from '../../../scripts/support/config.ts'
import type { StorageClient } from '../../../scripts/support/database.ts'
import { CommandError, runCommand } from '../../../scripts/support/script.ts'
import { emptyStorage } from '../support/commands.ts'

const VARS = { SITE_URL: '' }

/** An account of Cloudflare: what deployments find and change. */
interface Account {
  storage: StorageClient
  databaseExists: boolean
  /** Null if the token may not list them. */
  secrets: string[] | null
  /** What wrangler says if the secrets can't be listed. */
  listing: string
  /** The operator's file. */
  settings: Table
  /** What somebody has changed in wrangler.toml. */
  changed: Table | 'unmovable' | null
  /** What /health says; null if nothing answers. */
  health: Finding[] | null
  uploadWorks: boolean
  /** The mode of read replication; null if the token may not change it. */
  replication: 'auto' | 'disabled' | null
}

const getPatterns = (routes: Table[string] | undefined): string[] =>
  Array.isArray(routes)
    ? routes.map((route) => String(typeof route === 'object' && 'pattern' in route ? route.pattern : route))
    : []

let account: Account
/** What was done, in order. */
let steps: string[]

beforeEach(() => {
  steps = []
  account = {
    storage: emptyStorage(),
    databaseExists: false,
    secrets: [],
    listing: 'Authentication error [code: 10000]',
    settings: {},
    changed: null,
    health: [],
    uploadWorks: true,
    replication: 'disabled',
  }
})

const output = (code: number, stdout = '', stderr = '') => ({ code, stdout, stderr })

function answerWrangler(args: readonly string[]) {
  const command = args.join(' ')
  steps.push(command)
  if (command.startsWith('d1 migrations apply')) {
    if (account.databaseExists) return output(0)
    return output(1, '', "✘ [ERROR] Couldn't find a D1 DB with the name or binding 'DB'")
  }
  if (command.startsWith('d1 create')) {
    account.databaseExists = true
    return output(0)
  }
  if (account.secrets === null) return output(1, '', account.listing)
  return output(0, JSON.stringify(account.secrets.map((name) => ({ name, type: 'secret_text' }))))
}

/** Runs a deployment. Questions get the answers in turn; without answers, there is nobody to ask. */
async function deploy(args: readonly string[] = [], answers: string[] | null = null) {
  const questions: string[] = []
  let [stdout, stderr] = ['', '']
  const context: DeployContext = {
    runWrangler: async (wranglerArgs) => answerWrangler(wranglerArgs),
    deploy: async (wranglerArgs, secrets) => {
      steps.push(['deploy', ...wranglerArgs].join(' '))
      if (!account.uploadWorks) return null
      account.secrets?.push(...Object.keys(secrets))
      return ['https://regent.someone.workers.dev']
    },
    storage: account.storage,
    openDatabase: async () => {
      if (account.replication === null) throw new CommandError('Authentication error')
      return {
        describe: async () => ({ replicated: account.replication === 'auto', bytes: null }),
        turnOnReplication: async () => {
          account.replication = 'auto'
        },
      }
    },
    ask:
      answers &&
      (async (question) => {
        questions.push(question)
        return answers.shift() ?? ''
      }),
    readConfig: async () => ({
      worker: String(account.settings.name ?? 'regent'),
      databaseName: 'texts',
      routes: getPatterns(account.settings.routes),
      variables: { ...VARS, ...getVariables(account.settings) },
      unknownSettings: listUnknownSettings(account.settings),
    }),
    writeSettings: (added) => {
      account.settings = mergeConfig(account.settings, added)
    },
    moveSettings: ({ dryRun }) => {
      const { changed } = account
      if (changed !== null && changed !== 'unmovable' && !dryRun) {
        account.settings = mergeConfig(account.settings, changed)
      }
      return changed
    },
    examine: async (site) => {
      steps.push(`ask ${site}/health`)
      return account.health
    },
    generateSecret: () => 'a generated secret',
    print: (text) => {
      stdout += text
    },
  }
  const run = async () => deployService(context, parseDeployOptions(args))
  const code = await runCommand(run, (text) => {
    stderr += text
  })
  return { code, stdout, stderr, questions }
}

const listAccounts = async () =>
  (await account.storage.execute('SELECT username, email, confirmed, flags FROM users'))[0]

describe('the first deployment', () => {
  it('creates the database, migrates it, asks, deploys, creates an admin and prints links', async () => {
    const { code, stdout, questions } = await deploy(
      [],
      ['paste.example.org', 'paid', 'Example Society', 'ada', 'ada@example.org'],
    )
    expect(code).toBe(0)
    expect(steps).toEqual([
      'secret list --format json',
      'd1 migrations apply DB --remote',
      'd1 create texts',
      'd1 migrations apply DB --remote',
      'deploy',
      'ask https://paste.example.org/health',
    ])
    expect(questions).toHaveLength(5)
    expect(account.settings).toEqual({
      vars: { SITE_URL: 'https://paste.example.org', PLAN: 'paid', OPERATOR_NAME: 'Example Society' },
      routes: [{ pattern: 'paste.example.org', custom_domain: true }],
    })
    expect(account.secrets).toEqual(['AUTH_SECRET'])
    expect(await listAccounts()).toEqual([
      { username: 'ada', email: 'ada@example.org', confirmed: 1, flags: 9 },
    ])
    expect(stdout).toMatch(/^Site {8}https:\/\/paste\.example\.org$/m)
    expect(stdout).toMatch(/^API key {5}imperial_\w{40} {3}\(shown only once\)$/m)
    expect(stdout).toContain('npm run doctor -- --remote --url https://paste.example.org')
    expect(stdout).not.toContain('a generated secret')
  })

  it('changes nothing that is set up when it runs again, and asks nothing', async () => {
    await deploy([], ['paste.example.org', 'paid', 'Example Society', 'ada', 'ada@example.org'])
    const before = { settings: account.settings, accounts: await listAccounts() }
    steps = []
    const { code, stdout, questions } = await deploy(
      [],
      ['other.example.org', 'free', 'Eve', 'eve', 'eve@example.org'],
    )
    expect(code).toBe(0)
    expect(questions).toEqual([])
    expect(steps).toEqual([
      'secret list --format json',
      'd1 migrations apply DB --remote',
      'deploy',
      'ask https://paste.example.org/health',
    ])
    expect({ settings: account.settings, accounts: await listAccounts() }).toEqual(before)
    expect(account.secrets).toEqual(['AUTH_SECRET'])
    expect(stdout).not.toContain('imperial_')
  })

  it('takes every answer from options', async () => {
    const person = ['--admin', 'ada', '--email=ada@example.org']
    const server = ['--site', 'https://regent.someone.workers.dev', '--plan', 'free', '--operator', 'Ada']
    const args = [...server, ...person, '--no-check']
    const { code, questions } = await deploy([...args, '--tag', 'v1'], [])
    expect({ code, questions }).toEqual({ code: 0, questions: [] })
    expect(steps.at(-1)).toBe('deploy --tag v1')
    // The address at workers.dev needs no route.
    expect(account.settings).toEqual({
      vars: { SITE_URL: 'https://regent.someone.workers.dev', PLAN: 'free', OPERATOR_NAME: 'Ada' },
    })
    expect(await listAccounts()).toHaveLength(1)
  })

  it('works without a terminal, and says how to create an account', async () => {
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(account.settings).toEqual({})
    expect(await listAccounts()).toEqual([])
    expect(stdout).toContain('npm run admin -- user add NAME --email EMAIL --remote')
    expect(stdout).toMatch(/^Site {8}https:\/\/regent\.someone\.workers\.dev$/m)
  })

  it('keeps the defaults for empty answers, with the quotas of the free plan', async () => {
    const { code, questions } = await deploy([], [])
    expect({ code, questions: questions.length }).toEqual({ code: 0, questions: 4 })
    expect(account.settings).toEqual({ vars: { PLAN: 'free' } })
    expect(await listAccounts()).toEqual([])
  })

  it('asks again for an address that is not one', async () => {
    const { stdout, questions } = await deploy([], ['http://paste.example.org', 'not an address', ''])
    expect(questions).toHaveLength(6)
    expect(stdout).toContain('Not an address of a site: not an address.')
  })

  it('stands even if the account is refused', async () => {
    const { code, stdout } = await deploy(['--admin', 'a b', '--email', 'ada@example.org'])
    expect(code).toBe(0)
    expect(stdout).toContain("The first account wasn't created. A username has 3 to 30 characters")
    expect(stdout).toContain('npm run admin -- user add NAME --email EMAIL --remote')
  })

  it('creates no account if the upload fails, and continues when it runs again', async () => {
    account.uploadWorks = false
    const args = ['--admin', 'ada', '--email', 'ada@example.org']
    expect(await deploy(args)).toMatchObject({
      code: 1,
      stderr: "The deployment failed. See wrangler's output above.\n",
    })
    expect(await listAccounts()).toEqual([])
    account.uploadWorks = true
    expect((await deploy(args)).code).toBe(0)
    expect(await listAccounts()).toHaveLength(1)
  })
})

describe('read replication', () => {
  it('is turned on once', async () => {
    expect((await deploy()).stdout).toContain('Turned on read replication of the database.')
    expect(account.replication).toBe('auto')
    expect((await deploy()).stdout).not.toContain('replication')
  })

  it('stays off with READ_FROM = "primary"', async () => {
    account.settings = { vars: { READ_FROM: 'primary' } }
    await deploy()
    expect(account.replication).toBe('disabled')
  })

  it('is left to the operator if it can’t be turned on, and the deployment goes on', async () => {
    account.replication = null
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(stdout).toContain(
      "Read replication couldn't be turned on, so people far from the database wait longer. Authentication error.",
    )
    expect(steps).toContain('deploy')
  })
})

describe('the database of another Worker', () => {
  it('is refused before anything in it changes, and used with --take-over', async () => {
    account.databaseExists = true
    await deploy()
    account.settings = { name: 'staging' }
    steps = []
    expect(await deploy()).toMatchObject({
      code: 1,
      stderr: `The database "texts" belongs to the Worker "regent", not to "staging", so nothing was done: give "staging" one of its own, with database_name = "staging" under [[d1_databases]] in its settings, or, if "staging" should have this one, run npm run deploy -- --take-over.\n`,
    })
    expect(steps).toEqual(['secret list --format json'])
    expect((await deploy(['--take-over'])).code).toBe(0)
    expect((await deploy()).code).toBe(0)
    // The database has the name of this Worker, so it's the other one that has to change.
    account.settings = { name: 'texts' }
    expect((await deploy()).stderr).toContain(
      'belongs to the Worker "staging", not to "texts", so nothing was done: give "staging" one of its own',
    )
  })

  it('can’t be ruled out while the database doesn’t answer, so nothing happens', async () => {
    const failed = new CommandError('fetch failed')
    account.storage = { ...account.storage, execute: () => Promise.reject(failed) }
    expect(await deploy()).toMatchObject({ code: 1, stderr: 'fetch failed\n' })
    expect(steps).toEqual(['secret list --format json'])
  })
})

describe('a deployment', () => {
  it.each([
    ['misspelt tables', { var: { EXPLORE: 'off' }, observability: { log: {} } }, 'var, observability.log.'],
    [
      'a site on this machine',
      { vars: { SITE_URL: 'http://localhost:8787/' } },
      'SITE_URL = "http://localhost',
    ],
  ])('does nothing with %s, and names them', async (_, settings, message) => {
    account.settings = settings
    const { code, stderr } = await deploy()
    expect(code).toBe(1)
    expect(stderr).toContain(message)
    expect(steps).toEqual([])
  })

  it('never replaces a secret that it cannot see', async () => {
    account.secrets = null
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(stdout).not.toContain('Generating AUTH_SECRET')
    expect(stdout).toContain("The secrets couldn't be listed.")
  })

  it('does nothing if only accounts may read and nobody can sign in, and knows the secrets for that', async () => {
    account.settings = { vars: { READERS: 'accounts' } }
    const { code, stderr } = await deploy()
    expect(code).toBe(1)
    expect(stderr).toContain('READERS = "accounts": set MAIL_FROM, GITHUB_CLIENT_ID or OIDC_ISSUER, too')
    account.secrets = ['AUTH_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']
    expect((await deploy()).code).toBe(0)
  })

  it('does nothing if a variable is invalid, and names each of them', async () => {
    account.settings = { vars: { EXPLORE: 'On', MAIL_FROM: 'garbage!' } }
    for (const args of [[], ['--dry-run']]) {
      expect(await deploy(args)).toMatchObject({
        code: 1,
        stderr: `The configuration has mistakes, so nothing was done:
  EXPLORE = "On": use "on" or "off"
  MAIL_FROM = "garbage!": use a sender such as "Regent <mail@example.org>"
`,
      })
    }
    expect(steps).toEqual([])
  })

  it.each([
    ['GITHUB_CLIENT_ID', {}, 'GITHUB_CLIENT_SECRET: set it too, because GITHUB_CLIENT_ID is set'],
    [
      'AUTH_SECRET',
      { TURNSTILE_SITE_KEY: 'key' },
      'TURNSTILE_SECRET: set it too, because TURNSTILE_SITE_KEY is set',
    ],
  ])('changes nothing if a secret is missing beside %s', async (secret, vars, line) => {
    account.secrets = [secret]
    account.settings = { vars }
    expect(await deploy()).toMatchObject({ code: 1, stderr: expect.stringContaining(`  ${line}\n`) })
    expect(steps).toEqual(['secret list --format json'])
  })

  it('says that a variable is unknown, and goes on', async () => {
    account.settings = { vars: { EXPLOR: 'off' } }
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(stdout).toContain("EXPLOR isn't a variable of Regent, so it has no effect. Check its spelling.")
  })

  it('fails if the service says that it doesn’t work, and says how to go back', async () => {
    account.secrets = ['AUTH_SECRET']
    account.health = [{ level: 'problem', text: "KV doesn't work.", fix: 'Check the binding CONTENTS.' }]
    const { code, stdout, stderr } = await deploy()
    expect(code).toBe(1)
    expect(stdout).not.toContain('Regent is deployed')
    expect(stderr).toContain(
      "https://regent.someone.workers.dev/health says:\n\n  problem  KV doesn't work.\n",
    )
    expect(stderr).toContain('To go back to the previous version: npx wrangler rollback')
    account.secrets = []
    expect((await deploy()).stderr).toContain('Fix that, and run npm run deploy again.')
  })

  it('stands if nothing answers at a new domain yet', async () => {
    account.health = null
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(stdout).toContain("The site doesn't answer yet.")
  })

  it('is refused for an address that no route leads to, before any setting changes', async () => {
    account.settings = { routes: [{ pattern: 'old.example.org', custom_domain: true }] }
    const before = account.settings
    const { code, stderr } = await deploy(['--site', 'https://new.example.org'])
    expect(code).toBe(1)
    expect(stderr).toContain('none leads to new.example.org: old.example.org')
    expect(account.settings).toEqual(before)
    expect(steps.filter((step) => step.startsWith('deploy'))).toEqual([])
  })

  it.each(['new.example.org', '*.example.org/*', 'https://new.example.org/*'])(
    'takes an address that the route "%s" leads to',
    async (pattern) => {
      account.settings = { routes: [{ pattern }] }
      expect((await deploy(['--site', 'https://new.example.org'])).code).toBe(0)
      expect(account.settings).toMatchObject({
        vars: { SITE_URL: 'https://new.example.org' },
        routes: [{ pattern }],
      })
    },
  )

  it('moves what somebody has set in wrangler.toml', async () => {
    account.changed = { vars: { EXPLORE: 'off' } }
    const { stdout } = await deploy()
    expect(stdout).toContain(
      'Moved your settings from wrangler.toml to regent.toml, which git ignores: vars.EXPLORE.',
    )
    expect(account.settings).toEqual({ vars: { EXPLORE: 'off' } })
    account.changed = 'unmovable'
    expect((await deploy()).stdout).toContain('You removed something from wrangler.toml.')
  })

  it('says how to sign in', async () => {
    account.secrets = null
    account.listing = "it's necessary to set a CLOUDFLARE_API_TOKEN environment variable"
    const stderr = "Wrangler isn't signed in to Cloudflare. Run: npx wrangler login\n"
    expect(await deploy()).toMatchObject({ code: 1, stderr })
    expect(steps).toEqual(['secret list --format json'])
  })

  it('with --dry-run prints each step, tries the build and touches nothing else', async () => {
    account.changed = { vars: { EXPLORE: 'off' } }
    const { code, stdout } = await deploy(['--dry-run', '--admin', 'ada', '--email', 'ada@example.org'], [])
    expect(code).toBe(0)
    expect(steps).toEqual(['deploy --dry-run'])
    expect(account.settings).toEqual({})
    expect(stdout).toBe(`This would:
1. Move your settings from wrangler.toml to regent.toml: vars.EXPLORE
2. Check the configuration and the names of the secrets: wrangler secret list
3. Check that the database belongs to no other Worker
4. Apply new migrations:          wrangler d1 migrations apply DB --remote
      without a database, first:  wrangler d1 create NAME
5. Turn on read replication of the database, unless READ_FROM is "primary"
6. Look for accounts:             wrangler d1 execute DB --remote
7. Without an account and SITE_URL, ask for the address of the site
8. Without an account, ask for the Workers plan
9. Without an account and OPERATOR_NAME, ask who runs the server
10. Without AUTH_SECRET, generate it
11. Build and upload the Worker:   wrangler deploy
      the first time, wrangler creates the KV namespace
12. Without an account, create ada (ada@example.org) as an admin, and print its API key once
13. Ask the service how it is:     /health
14. Print links

Nothing is changed. Now only the build of the Worker is tried.

`)
  })

  it.each([
    [['--admin', 'ada'], '--admin and --email belong together: the first account needs both.'],
    ...['--name', '--env', '--config', '-e'].map((option): [string[], string] => [
      [option, 'staging'],
      `npm run deploy doesn't take ${option}. Put the settings of another server into a file of their own: REGENT_SETTINGS=staging.toml npm run deploy`,
    ]),
    [['--plan', 'Free'], 'Not a plan: Free. Use free or paid.'],
    [['--site'], '--site needs a value. See: npm run deploy -- --help'],
    [
      ['--site', 'https://paste.example.org/path'],
      'Not an address of a site: https://paste.example.org/path. Use one like https://paste.example.org',
    ],
  ])('refuses %j before it does anything', async (args, line) => {
    expect(await deploy(args)).toMatchObject({ code: 1, stderr: `${line}\n` })
    expect(steps).toEqual([])
  })
})
