import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { checkAccount } from '../../scripts/doctor/check-account.ts'
import {
  COMPATIBILITY_DATE,
  checkConfig,
  type Finding,
  formatSections,
  listProblems,
  type WorkerConfig,
} from '../../scripts/doctor/check-config.ts'
import { checkService } from '../../scripts/doctor/check-service.ts'
import { addUser } from '../../scripts/support/accounts.ts'
import type { StorageClient } from '../../scripts/support/database.ts'
import type { DeployedDatabase } from '../../scripts/support/deployed-database.ts'
import { CommandError, ROOT } from '../../scripts/support/wrangler.ts'
import { LIMITS } from '../../src/http/limits-table.ts'
import { emptyStorage } from './support/commands.ts'

const PROJECT: WorkerConfig = readConfig({
  config: join(ROOT, 'wrangler.toml'),
})

const getProblems = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level === 'problem').map(({ text }) => text)

const withVars = (vars: Record<string, string>): Partial<WorkerConfig> => ({
  vars: { ...PROJECT.vars, ...vars },
})

describe('npm run doctor, about the configuration', () => {
  it('finds no problem in the one that Regent comes with', () => {
    expect(getProblems(checkConfig(PROJECT))).toEqual([])
    expect(PROJECT.compatibility_date).toBe(COMPATIBILITY_DATE)
  })

  it.each<[string, Partial<WorkerConfig>, string]>([
    ['no database', { d1_databases: [] }, 'D1: there is no binding DB.'],
    ['no KV', { kv_namespaces: [{ binding: 'CONTENT' }] }, 'KV: there is no binding CONTENTS.'],
    [
      'no limit on reports',
      { ratelimits: PROJECT.ratelimits.filter(({ name }) => name !== 'REPORT_LIMIT') },
      'Limit "reports": there is no binding REPORT_LIMIT, so it doesn\'t apply.',
    ],
    [
      'an invalid variable',
      withVars({ MAX_CONTENT_BYTES: '10 MiB' }),
      'MAX_CONTENT_BYTES = "10 MiB": use a whole number from 1 to 18874368.',
    ],
    [
      'a secret',
      withVars({ AUTH_SECRET: 'a secret that is long enough for it' }),
      "AUTH_SECRET is in the configuration, which isn't a place for secrets.",
    ],
    [
      'mail without SITE_URL',
      { ...withVars({ MAIL_FROM: 'a@b.example' }), send_email: [{ name: 'EMAIL' }] },
      'SITE_URL is empty, so links in emails lead to whichever address a request came for.',
    ],
    [
      'mail without its binding',
      withVars({ MAIL_FROM: 'a@b.example', SITE_URL: 'https://paste.example.org' }),
      'MAIL_FROM is set, but there is no binding EMAIL, so no emails are sent.',
    ],
    [
      'mail in the terminal',
      withVars({ MAIL_FROM: 'terminal' }),
      'MAIL_FROM is "terminal", which sends no emails on a deployed server.',
    ],
    [
      'a site without https',
      withVars({ SITE_URL: 'http://paste.example.org' }),
      'SITE_URL does not start with https://: http://paste.example.org',
    ],
    [
      'a site on one machine',
      withVars({ SITE_URL: 'http://127.0.0.1:8787' }),
      'SITE_URL is an address of one machine only: http://127.0.0.1:8787',
    ],
    [
      'reports without mail',
      withVars({ REPORT_EMAIL: 'me@example.org' }),
      'REPORT_EMAIL is set, but MAIL_FROM isn’t, so reports are never sent.',
    ],
    [
      'limits that are off',
      withVars({ RATE_LIMITS: 'off' }),
      'RATE_LIMITS is "off": nothing limits scanning, guessing and spam.',
    ],
    [
      'a second address',
      { workers_dev: true, routes: [{ pattern: 'paste.example.org' }] },
      'The site has a second address, on workers.dev.',
    ],
    [
      'preview URLs by default',
      { preview_urls: undefined },
      'Preview URLs are on: old versions stay reachable, with the same data but without fixes.',
    ],
    ['no schedule', { triggers: { crons: [] } }, 'Scheduled jobs never run, so nothing is cleaned up.'],
    [
      'invocation logs',
      { observability: { enabled: true } },
      'Invocation logs are on. They contain URLs with passwords.',
    ],
    [
      'traces',
      { observability: { ...PROJECT.observability, traces: { enabled: true } } },
      'Traces are on. They contain URLs with passwords.',
    ],
    ['logpush', { logpush: true }, 'Logpush is on. It sends URLs with passwords.'],
    [
      'a cache',
      { cache: { enabled: true } },
      "Cloudflare's cache is in front of the Worker. It serves documents after they are deleted.",
    ],
    [
      'an old date',
      { compatibility_date: '2025-01-01' },
      "Compatibility date 2025-01-01: Regent isn't tested with it.",
    ],
  ])('finds %s, and nothing else', (_, changed, text) => {
    expect(getProblems(checkConfig({ ...PROJECT, ...changed }))).toEqual([text])
  })

  it('says when only accounts may read, and everyone can create one', () => {
    const getAdvice = (vars: Record<string, string>) =>
      checkConfig({ ...PROJECT, ...withVars(vars) }).flatMap(({ level, text }) =>
        level === 'advice' ? [text] : [],
      )
    const text = 'READERS is "accounts", but SIGN_UP is "open": everyone can create an account, and read.'
    expect(getAdvice({ READERS: 'accounts' })).toContain(text)
    expect(getAdvice({ READERS: 'accounts', SIGN_UP: '@example.org' })).not.toContain(text)
  })

  it('says when reads can’t come from copies for want of a heartbeat', () => {
    const crons = { triggers: { crons: ['*/5 * * * *'] } }
    const getAdvice = (config: WorkerConfig) =>
      checkConfig(config).flatMap(({ level, text }) => (level === 'advice' ? [text] : []))
    expect(getAdvice({ ...PROJECT, ...crons })).toContain(
      'There is no heartbeat, so reads never come from copies of the database.',
    )
    expect(getAdvice({ ...PROJECT, ...crons, ...withVars({ READ_FROM: 'primary' }) })).not.toContain(
      'There is no heartbeat, so reads never come from copies of the database.',
    )
  })

  it('finds limits that count together', () => {
    const ratelimits = PROJECT.ratelimits.map((limit) => ({ ...limit, namespace_id: '1' }))
    expect(getProblems(checkConfig({ ...PROJECT, ratelimits })).length).toBe(PROJECT.ratelimits.length)
  })

  it('finds each limit that is missing', () => {
    const findings = checkConfig({ ...PROJECT, ratelimits: [] })
    expect(getProblems(findings)).toEqual(
      Object.entries(LIMITS).map(
        ([name, { binding }]) => `Limit "${name}": there is no binding ${binding}, so it doesn't apply.`,
      ),
    )
  })

  it.each([
    ['SERVER_MAX_WRITES_PER_DAY', '50000', 'free', 'allows 50000, but the free plan ends at 975.'],
    ['SERVER_MAX_BYTES', '0', 'free', 'sets no limit, but the free plan ends at 1000000000.'],
    ['SERVER_MAX_DOCUMENTS', '60000000', 'paid', 'allows 60000000, but the paid plan ends at 50000000.'],
  ])('advises about a quota that does not fit the plan: %s = %s, %s', (name, value, PLAN, text) => {
    const findings = checkConfig({ ...PROJECT, ...withVars({ PLAN, [name]: value }) })
    expect(findings).toContainEqual(expect.objectContaining({ level: 'advice', text: `${name} ${text}` }))
  })

  it('advises to rename a quota that had another name, whose value still counts', () => {
    const vars = withVars({
      PLAN: 'free',
      SERVER_MAX_WRITES_PER_DAY: '',
      SERVER_MAX_CREATES_PER_DAY: '50000',
    })
    const texts = checkConfig({ ...PROJECT, ...vars }).map(({ text }) => text)
    expect(texts).toContain(
      'SERVER_MAX_CREATES_PER_DAY is now called SERVER_MAX_WRITES_PER_DAY, and counts edits, too.',
    )
    expect(texts).toContain('SERVER_MAX_WRITES_PER_DAY allows 50000, but the free plan ends at 975.')
    expect(texts.filter((text) => text.includes('not a variable'))).toEqual([])
    const both = withVars({ SERVER_MAX_WRITES_PER_DAY: '9', SERVER_MAX_CREATES_PER_DAY: '50000' })
    expect(checkConfig({ ...PROJECT, ...both }).map(({ text }) => text)).toContain(
      'SERVER_MAX_CREATES_PER_DAY has no effect, because SERVER_MAX_WRITES_PER_DAY is set.',
    )
  })

  it('advises about a limit that Regent does not know', () => {
    const unknown = { name: 'READS_LIMIT', namespace_id: '9999', simple: { limit: 1, period: 60 } }
    const findings = checkConfig({ ...PROJECT, ratelimits: [...PROJECT.ratelimits, unknown] })
    expect(findings.map(({ text }) => text)).toContain(
      'READS_LIMIT in [[ratelimits]] is not a limit of Regent.',
    )
  })

  it('advises about a variable that Regent does not know', () => {
    const findings = checkConfig({ ...PROJECT, ...withVars({ SITE_ULR: 'https://paste.example.org' }) })
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'advice', text: 'SITE_ULR is not a variable of Regent.' }),
    )
  })

  it('says how to fix everything that it finds', () => {
    const broken: WorkerConfig = { ...PROJECT, d1_databases: [], ratelimits: [], triggers: {} }
    for (const { level, fix } of checkConfig(broken)) expect(fix === undefined).toBe(level === 'ok')
  })
})

describe('npm run doctor -- --remote', () => {
  const MIGRATIONS = ['0001_a.sql', '0002_b.sql']

  interface Remote {
    readonly secrets?: readonly string[]
    readonly applied?: readonly string[]
    readonly vars?: Record<string, string>
    readonly failure?: string
    readonly openDatabase?: () => Promise<DeployedDatabase>
  }

  const withDatabase =
    (replicated: boolean, bytes: number | null = null) =>
    async () => ({
      describe: async () => ({ replicated, bytes }),
      turnOnReplication: async () => {},
    })
  const replicated = withDatabase(true)

  async function check(
    { secrets = [], applied = MIGRATIONS, vars = {}, failure, openDatabase = replicated }: Remote,
    admin = false,
  ) {
    const storage = emptyStorage()
    await addUser(storage, { username: 'ada', email: 'ada@example.org', confirmed: true, admin })
    const withMigrations: StorageClient = {
      ...storage,
      execute: async (sql) =>
        sql.includes('d1_migrations') ? [applied.map((name) => ({ name }))] : storage.execute(sql),
    }
    const stdout = JSON.stringify(secrets.map((name) => ({ name })))
    const runWrangler = async () =>
      failure === undefined ? { code: 0, stdout, stderr: '' } : { code: 1, stdout: '', stderr: failure }
    const context = { runWrangler, storage: withMigrations, migrations: MIGRATIONS, openDatabase }
    return checkAccount(context, vars)
  }

  it('finds no problem in a complete deployment', async () => {
    const secrets = ['AUTH_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']
    const findings = await check({ secrets, vars: { MAIL_FROM: 'a@b.example' } }, true)
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  })

  it('finds no problem if single sign-on is the only way to sign in', async () => {
    const secrets = ['AUTH_SECRET', 'OIDC_CLIENT_SECRET']
    const findings = await check({ secrets, vars: { OIDC_ISSUER: 'https://id.example' } }, true)
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  })

  it.each<[string, Remote, string]>([
    [
      'a missing AUTH_SECRET where mail is on',
      { vars: { MAIL_FROM: 'a@b.example' } },
      'AUTH_SECRET is missing, so nobody can sign in.',
    ],
    [
      'a missing AUTH_SECRET where single sign-on is on',
      { secrets: ['OIDC_CLIENT_SECRET'], vars: { OIDC_ISSUER: 'https://id.example' } },
      'AUTH_SECRET is missing, so nobody can sign in.',
    ],
    [
      'a missing secret of single sign-on',
      { secrets: ['AUTH_SECRET'], vars: { OIDC_ISSUER: 'https://id.example' } },
      'OIDC_CLIENT_SECRET is missing, which OIDC_ISSUER needs, so every request fails.',
    ],
    [
      'a missing secret of Turnstile',
      { secrets: ['AUTH_SECRET'], vars: { TURNSTILE_SITE_KEY: 'x' } },
      'TURNSTILE_SECRET is missing, which TURNSTILE_SITE_KEY needs, so every request fails.',
    ],
    [
      'half of the GitHub app',
      { secrets: ['AUTH_SECRET', 'GITHUB_CLIENT_ID'] },
      'GitHub: GITHUB_CLIENT_SECRET is missing, so sign-in with GitHub is off.',
    ],
    [
      'an old schema',
      { secrets: ['AUTH_SECRET'], applied: ['0001_a.sql'] },
      'The schema is too old. Missing: 0002_b.sql',
    ],
    [
      'no Worker',
      { failure: 'This Worker does not exist on your account. [code: 10007]' },
      "The Worker isn't deployed.",
    ],
    [
      'no permission',
      { failure: 'Authentication error [code: 10000]' },
      "The Worker's secrets couldn't be listed.",
    ],
  ])('finds %s', async (_, remote, text) => {
    expect(getProblems(await check(remote))).toEqual([text])
  })

  it('says when read replication is off, and when it can’t tell', async () => {
    const getAdvice = async (remote: Remote) =>
      (await check(remote, true)).flatMap(({ text }) => (text.includes('ead replication') ? [text] : []))
    expect(await getAdvice({})).toEqual(['Read replication: on'])
    expect(await getAdvice({ openDatabase: withDatabase(false) })).toEqual([
      'Read replication is off, so people far from the database wait longer.',
    ])
    const openDatabase = () => Promise.reject(new CommandError("wrangler isn't signed in"))
    expect(await getAdvice({ openDatabase })).toEqual([
      "The database's size and its read replication weren't checked: wrangler isn't signed in.",
    ])
    expect(await getAdvice({ vars: { READ_FROM: 'primary' } })).toEqual([
      'Read replication: not used, because READ_FROM is "primary"',
    ])
  })

  it.each([
    ['paid', 7_900_000_000, 'ok', 'D1: 7900 MB, 79 % of what the paid plan allows'],
    [
      'paid',
      8_000_000_000,
      'problem',
      'D1: 8000 MB, 80 % of what the paid plan allows. When it is full, nobody can create documents.',
    ],
    [
      'free',
      450_000_000,
      'problem',
      'D1: 450 MB, 90 % of what the free plan allows. When it is full, nobody can create documents.',
    ],
  ])('compares the size of the database with the %s plan: %d bytes', async (PLAN, bytes, level, text) => {
    const findings = await check({ vars: { PLAN }, openDatabase: withDatabase(true, bytes) })
    expect(findings).toContainEqual(expect.objectContaining({ level, text }))
  })

  it('says how to sign in, and which accounts there are to choose from', async () => {
    const failure =
      'In a non-interactive environment, it’s necessary to set a CLOUDFLARE_API_TOKEN environment'
    await expect(check({ failure })).rejects.toThrow(
      "Wrangler isn't signed in to Cloudflare. Run: npx wrangler login",
    )
    const id = '0123456789abcdef0123456789abcdef'
    const several = `More than one account available but unable to select one in non-interactive mode.
Available accounts are (\`<name>\`: \`<account_id>\`):
  \`Ada's account\`: \`${id}\`
  \`Company\`: \`f${id.slice(1)}\``
    await expect(check({ failure: several })).rejects.toThrow(
      `put its id into regent.toml, as account_id = "…".\n  ${id}  Ada's account\n  f${id.slice(1)}  Company`,
    )
  })

  it('finds a database that cannot be read', async () => {
    const storage: StorageClient = {
      execute: () => Promise.reject(new CommandError('no such table: d1_migrations')),
      readContent: () => Promise.resolve(null),
    }
    const runWrangler = async () => ({ code: 0, stdout: '[]', stderr: '' })
    const context = { runWrangler, storage, migrations: MIGRATIONS, openDatabase: replicated }
    expect(getProblems(await checkAccount(context, {}))).toEqual([
      "The database couldn't be read: no such table: d1_migrations",
    ])
  })
})

describe('npm run doctor -- --url', () => {
  let server: Server | undefined

  afterEach(() => {
    server?.close()
  })

  const HEALTH = {
    status: 'ok',
    configuration: { status: 'ok' },
    d1: { status: 'ok', duration_ms: 1 },
    kv: { status: 'ok', duration_ms: 1 },
    schema: { status: 'ok', latest_migration: '0002_b.sql', missing_migrations: [] },
    cleanup: { status: 'ok', finished_at: null, age_seconds: 12 },
    contents: { status: 'ok', missing: 0 },
  }

  async function serve(
    health: unknown,
    site?: string,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const listening = createServer((request, response) => {
      const base = `http://${request.headers.host}`
      const body = request.url === '/health' ? health : { data: { documentation: `${site ?? base}/docs` } }
      response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    server = listening
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  it('finds no problem in a service that works', async () => {
    expect(getProblems(await checkService(await serve(HEALTH)))).toEqual([])
  })

  it.each([
    ['D1', { d1: { status: 'failed', duration_ms: 3 } }, "D1 doesn't work."],
    ['KV', { kv: { status: 'failed', duration_ms: 3 } }, "KV doesn't work."],
    [
      'an old schema',
      { schema: { status: 'outdated', latest_migration: null, missing_migrations: ['0002_b.sql'] } },
      'The schema is older than the code. Missing: 0002_b.sql',
    ],
    ['late jobs', { cleanup: { status: 'late', age_seconds: 3_600 } }, 'Cleanup last ran 60 minutes ago.'],
    ['jobs that never ran', { cleanup: { status: 'late', age_seconds: null } }, 'Cleanup has never run.'],
    [
      'content that is missing',
      { status: 'degraded', contents: { status: 'incomplete', missing: 3 } },
      'KV has lost content of documents or revisions (3 known), so reading them answers 503.',
    ],
    ['a failed cleanup', { cleanup: { status: 'failed', age_seconds: 3 } }, 'The last cleanup failed.'],
    [
      'a cleanup that refuses',
      { cleanup: { status: 'refused', age_seconds: 3 } },
      'Cleanup refuses to delete: the database does not seem to fit the content in KV.',
    ],
    [
      'an invalid variable',
      { configuration: { status: 'invalid' } },
      'A variable is invalid, so every request fails.',
    ],
  ])('finds %s', async (_, changed, text) => {
    expect(getProblems(await checkService(await serve({ ...HEALTH, ...changed })))).toEqual([text])
  })

  it('advises commands for the local service without --remote', async () => {
    const lost = { ...HEALTH, status: 'degraded', contents: { status: 'incomplete', missing: 3 } }
    const fixes = (await checkService(await serve(lost))).map(({ fix }) => fix)
    expect(fixes).toContain(
      'Check the binding CONTENTS in regent.toml, and run npm run admin -- cleanup --dry-run. See docs/recovery.md.',
    )
  })

  it('finds links that lead elsewhere', async () => {
    const base = await serve(HEALTH, 'https://other.example')
    expect(getProblems(await checkService(base))).toEqual([
      `Links lead to https://other.example, not to ${base}.`,
    ])
  })

  it('finds a cache', async () => {
    const base = await serve(HEALTH, undefined, { 'CF-Cache-Status': 'HIT' })
    expect(getProblems(await checkService(base))).toEqual(['A cache is in front of the Worker.'])
  })

  it('finds something else than Regent', async () => {
    const base = await serve('<h1>Hello</h1>')
    expect(getProblems(await checkService(base))).toEqual([`${base}/health answers 200, without a report.`])
  })

  it('finds an address that does not answer', async () => {
    const base = await serve(HEALTH)
    await new Promise((done) => server?.close(done))
    expect(getProblems(await checkService(base))[0]).toMatch(/doesn't answer: connect ECONNREFUSED/)
  })
})

describe('the report', () => {
  it('lists each finding with its fix, and counts the problems', () => {
    const sections = [
      { title: 'Part', findings: checkConfig({ ...PROJECT, d1_databases: [], triggers: {} }) },
    ]
    expect(listProblems(sections)).toHaveLength(2)
    const report = formatSections(sections)
    expect(report).toContain(
      '  problem  D1: there is no binding DB.\n           Add [[d1_databases]] with binding = "DB" to regent.toml.\n',
    )
    expect(report).toMatch(/\n2 problems\.\n$/)
  })
})
