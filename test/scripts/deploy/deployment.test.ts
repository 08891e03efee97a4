import { beforeEach, describe, expect, it } from 'vitest'
import { setSite } from '../../../scripts/deploy/config-file.ts'
import { type DeployContext, deployService } from '../../../scripts/deploy/deployment.ts'
import { parseDeployOptions } from '../../../scripts/deploy/options.ts'
import type { StorageClient } from '../../../scripts/support/database.ts'
import { CommandError, runCommand } from '../../../scripts/support/wrangler.ts'
import { emptyStorage } from '../support/commands.ts'

const CONFIG = 'name = "regent"\ndatabase_name = "texts"\n[vars]\nSITE_URL = ""\n'

/** An account of Cloudflare: what deployments find and change. */
interface Account {
  storage: StorageClient
  databaseExists: boolean
  /** Null if the token may not list them. */
  secrets: string[] | null
  config: string
  uploadWorks: boolean
  /** The mode of read replication; null if the token may not change it. */
  replication: 'auto' | 'disabled' | null
}

let account: Account
/** What was done, in order. */
let steps: string[]

beforeEach(() => {
  steps = []
  account = {
    storage: emptyStorage(),
    databaseExists: false,
    secrets: [],
    config: CONFIG,
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
  if (account.secrets === null) return output(1, '', 'Authentication error [code: 10000]')
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
    openReadReplication: async () => {
      if (account.replication === null) throw new CommandError('Authentication error')
      return {
        isOn: async () => account.replication === 'auto',
        turnOn: async () => {
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
    readConfig: async () => account.config,
    writeConfig: async (toml) => {
      account.config = toml
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
    const { code, stdout, questions } = await deploy([], ['paste.example.org', 'ada', 'ada@example.org'])
    expect(code).toBe(0)
    expect(steps).toEqual([
      'd1 migrations apply DB --remote',
      'd1 create texts',
      'd1 migrations apply DB --remote',
      'secret list --format json',
      'deploy',
    ])
    expect(questions).toHaveLength(3)
    expect(account.config).toBe(setSite(CONFIG, 'https://paste.example.org'))
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
    await deploy([], ['paste.example.org', 'ada', 'ada@example.org'])
    const before = { config: account.config, accounts: await listAccounts() }
    steps = []
    const { code, stdout, questions } = await deploy([], ['other.example.org', 'eve', 'eve@example.org'])
    expect(code).toBe(0)
    expect(questions).toEqual([])
    expect(steps).toEqual(['d1 migrations apply DB --remote', 'secret list --format json', 'deploy'])
    expect({ config: account.config, accounts: await listAccounts() }).toEqual(before)
    expect(account.secrets).toEqual(['AUTH_SECRET'])
    expect(stdout).not.toContain('imperial_')
  })

  it('takes every answer from options', async () => {
    const args = ['--site', 'https://paste.example.org', '--admin', 'ada', '--email=ada@example.org']
    const { code, questions } = await deploy([...args, '--tag', 'v1'], [])
    expect({ code, questions }).toEqual({ code: 0, questions: [] })
    expect(steps.at(-1)).toBe('deploy --tag v1')
    expect(account.config).toContain('SITE_URL = "https://paste.example.org"')
    expect(await listAccounts()).toHaveLength(1)
  })

  it('works without a terminal, and says how to create an account', async () => {
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(account.config).toBe(CONFIG)
    expect(await listAccounts()).toEqual([])
    expect(stdout).toContain('npm run user -- add NAME --email EMAIL --remote')
    expect(stdout).toMatch(/^Site {8}https:\/\/regent\.someone\.workers\.dev$/m)
  })

  it('keeps the defaults for empty answers', async () => {
    const { code, questions } = await deploy([], [])
    expect({ code, questions: questions.length }).toEqual({ code: 0, questions: 2 })
    expect(account.config).toBe(CONFIG)
    expect(await listAccounts()).toEqual([])
  })

  it('asks again for an address that is not one', async () => {
    const { stdout, questions } = await deploy([], ['http://paste.example.org', 'not an address', ''])
    expect(questions).toHaveLength(4)
    expect(stdout).toContain('Not an address of a site: not an address.')
  })

  it('stands even if the account is refused', async () => {
    const { code, stdout } = await deploy(['--admin', 'a b', '--email', 'ada@example.org'])
    expect(code).toBe(0)
    expect(stdout).toContain("The first account wasn't created. A username has 3 to 30 characters")
    expect(stdout).toContain('npm run user -- add NAME --email EMAIL --remote')
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
    account.config += 'READ_FROM = "primary"\n'
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
    expect(steps.at(-1)).toBe('deploy')
  })
})

describe('a deployment', () => {
  it('never replaces a secret that it cannot see', async () => {
    account.secrets = null
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect(stdout).not.toContain('Generating AUTH_SECRET')
    expect(stdout).toContain("The secrets couldn't be listed.")
  })

  it('with --dry-run prints each step, tries the build and touches nothing else', async () => {
    const { code, stdout } = await deploy(['--dry-run', '--admin', 'ada', '--email', 'ada@example.org'], [])
    expect(code).toBe(0)
    expect(steps).toEqual(['deploy --dry-run'])
    expect(account.config).toBe(CONFIG)
    expect(stdout).toBe(`This would:
1. Apply new migrations:          wrangler d1 migrations apply DB --remote
      without a database, first:  wrangler d1 create NAME
2. Turn on read replication of the database, unless READ_FROM is "primary"
3. Look for secrets and accounts: wrangler secret list; wrangler d1 execute DB --remote
4. Without an account and SITE_URL, ask for the address of the site
5. Without AUTH_SECRET, generate it
6. Build and upload the Worker:   wrangler deploy
      the first time, wrangler creates the KV namespace
7. Without an account, create ada (ada@example.org) as an admin, and print its API key once
8. Print links

Nothing is changed. Now only the build of the Worker is tried.

`)
  })

  it.each([
    [['--admin', 'ada'], '--admin and --email belong together: the first account needs both.'],
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

describe('the address of the site in wrangler.toml', () => {
  it('is written with its domain', () => {
    expect(setSite(CONFIG, 'https://paste.example.org')).toBe(
      `${CONFIG.replace('SITE_URL = ""', 'SITE_URL = "https://paste.example.org"')}
# The domain of the site. Its zone must be in the same Cloudflare account.
[[routes]]
pattern = "paste.example.org"
custom_domain = true
`,
    )
  })

  it.each([
    ['on workers.dev', CONFIG, 'https://regent.someone.workers.dev'],
    ['if there are routes', `routes = [{ pattern = "x" }]\n${CONFIG}`, 'https://paste.example.org'],
    ['if it has been written', setSite(CONFIG, 'https://a.example.org'), 'https://b.example.org'],
  ])('is written without another domain %s', (_, toml, site) => {
    const written = setSite(toml, site)
    expect(written).toContain(`SITE_URL = "${site}"`)
    expect(written.split('\n')).toHaveLength(toml.split('\n').length)
  })
})
