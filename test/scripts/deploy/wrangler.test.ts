import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { ROOT } from '../../../scripts/support/script.ts'
import { CloudflareApi } from '../support/cloudflare-api.ts'

let api: CloudflareApi
let env: Record<string, string>

beforeEach(async () => {
  api = new CloudflareApi()
  env = await api.start()
})

afterEach(() => {
  api.stop()
})

async function run(
  script: string,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } }
  return promisify(execFile)(process.execPath, [script, ...args], options).then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const deploy = (...args: string[]) => run('scripts/deploy.ts', args)

// The only tests with the real wrangler: each of its runs takes seconds. The others are in deployment.test.ts.
describe('npm run deploy, with wrangler and a stand-in for the API of Cloudflare', {
  timeout: 180_000,
}, () => {
  it('sets up everything in an empty account', async () => {
    const { code, stdout, stderr } = await deploy(
      '--admin',
      'ada',
      '--email',
      'ada@example.org',
      '--no-check',
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

    const first = (pattern: RegExp) => api.requests.findIndex((request) => pattern.test(request))
    const steps = [/secrets$/, /^POST \/d1\/database$/, /query$/, /^POST \/storage\/kv/, /^PUT .*\/regent$/]
    const order = steps.map(first)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
    expect(api.requests.at(-1)).toMatch(/query$/)

    const rows = (sql: string) => api.databases.get('regent')?.prepare(sql).all()
    expect(rows('SELECT name FROM d1_migrations')?.length).toBeGreaterThan(1)
    expect(rows('SELECT username, email, confirmed, flags FROM users')).toEqual([
      { username: 'ada', email: 'ada@example.org', confirmed: 1, flags: 9 },
    ])
    expect(api.replication).toBe('auto')
    expect(stdout).toContain('Turned on read replication of the database.')
    expect(api.namespaces).toEqual(['regent-contents'])
    expect(api.uploaded).toMatch(/"name":"AUTH_SECRET","type":"secret_text","text":"[\w+/]{43}="/)
    // The Worker in modules, with their source maps.
    expect(api.uploaded).toMatch(/filename="modules\/start\.js"/)
    expect(api.uploaded).toMatch(/filename="modules\/start\.js\.map"/)
    expect(api.uploaded).toMatch(/filename="modules\/schemas\.lazy\.js"/)
    expect(stdout).toMatch(/^API key {5}imperial_\w{40} {3}\(shown only once\)$/m)
    expect(stdout).toMatch(/^Site {8}https:\/\/regent\.someone\.workers\.dev$/m)
    expect(stdout).not.toContain(/"text":"([\w+/]{43}=)"/.exec(api.uploaded ?? '')?.[1])
  })

  it('uploads nothing if a migration fails', async () => {
    const database = new DatabaseSync(':memory:')
    api.databases.set('regent', database)
    database.exec('CREATE TABLE documents (id TEXT PRIMARY KEY)')
    const { code, stderr } = await deploy()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^This database is older than commit 6f0127f, and can't be upgraded \(.*no such column.*\)\. It is unchanged\.\n$/,
    )
    expect(api.requests.some((request) => /^PUT .*\/workers\//.test(request))).toBe(false)
    expect(database.prepare('SELECT name FROM d1_migrations').all()).toEqual([])
  })
})

// Staging and production are clones of the same repository, and the settings of staging are only its name.
describe('a second server in the account, whose settings are only its name', { timeout: 180_000 }, () => {
  let settings: string

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'regent-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    settings = join(folder, 'staging.toml')
    writeFileSync(settings, 'name = "staging"\n')
    env = { ...env, REGENT_SETTINGS: settings }
  })

  const findBinding = (wanted: string) => api.workers.get('staging')?.find(({ name }) => name === wanted)

  it('gets a database, a namespace and limits of its own, and leaves those of the first one alone', async () => {
    const production = new DatabaseSync(':memory:')
    api.databases.set('regent', production)
    api.namespaces = ['regent-contents']
    const { code, stderr } = await deploy('--no-check')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(production.prepare('SELECT name FROM sqlite_master').all()).toEqual([])
    const [owner] = api.databases.get('staging')?.prepare('SELECT name, value FROM switches').all() ?? []
    expect(owner).toEqual({ name: 'worker', value: 'staging' })
    expect(findBinding('DB')).toMatchObject({ id: 'uuid-of-staging' })
    expect(findBinding('CONTENTS')).toMatchObject({ namespace_id: 'namespace 1' })
    expect(api.namespaces).toEqual(['regent-contents', 'staging-contents'])
    expect(findBinding('READ_LIMIT')).toMatchObject({
      namespace_id: expect.stringMatching(/^\d+1004$/),
    })
  })

  it('keeps the database that it has used so far, also for commands before its next deployment', async () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT, applied_at TEXT)')
    for (const name of readdirSync(join(ROOT, 'migrations')).sort()) {
      database.exec(readFileSync(join(ROOT, 'migrations', name), 'utf8'))
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
    }
    api.databases.set('regent', database)
    api.workers.set('staging', [{ type: 'd1', name: 'DB', id: 'uuid-of-regent' }])
    const args = ['user', 'add', 'ada', '--email', 'ada@example.org', '--remote']
    const added = await run('scripts/admin.ts', args)
    expect(added).toMatchObject({
      code: 0,
      stderr: 'Wrote to staging.toml that the Worker "staging" uses the database "regent".\n',
    })
    expect(database.prepare('SELECT username FROM users').all()).toEqual([{ username: 'ada' }])
    expect(readFileSync(settings, 'utf8')).toContain('database_name = "regent"')
    expect([...api.databases.keys()]).toEqual(['regent'])

    expect(await deploy('--no-check')).toMatchObject({ code: 0, stderr: '' })
    expect(findBinding('DB')).toMatchObject({ id: 'uuid-of-regent' })

    database.exec("UPDATE switches SET value = 'regent' WHERE value = 'staging'")
    const uploads = api.requests.length
    const { code, stderr } = await deploy('--no-check')
    expect(code).toBe(1)
    expect(stderr).toContain('The database "regent" belongs to the Worker "regent", not to "staging"')
    expect(api.requests.slice(uploads).filter((request) => !/^GET|query$/.test(request))).toEqual([])
  })
})

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

// https://developers.cloudflare.com/workers/platform/deploy-buttons/
describe('the "Deploy to Cloudflare" button', () => {
  const config = readConfig({ config: join(ROOT, 'wrangler.toml') })
  const { scripts, cloudflare } = JSON.parse(read('package.json'))
  const secrets = [...read('.dev.vars.example').matchAll(/^(\w+)=(.*)$/gm)]

  it('runs the script that applies migrations, and the one that builds', () => {
    expect(scripts.deploy).toBe('node scripts/deploy.ts')
    expect(scripts.build).toBe(
      'node scripts/build-client.ts && node scripts/build-worker.ts && node scripts/build-server.ts',
    )
  })

  it('describes bindings, variables and secrets that exist', () => {
    const known = new Set([
      ...Object.keys(config.vars),
      ...config.d1_databases.map(({ binding }: { binding: string }) => binding),
      ...config.kv_namespaces.map(({ binding }: { binding: string }) => binding),
      ...secrets.map(([, name]) => name),
    ])
    expect(Object.keys(cloudflare.bindings).filter((name) => !known.has(name))).toEqual([])
  })

  it("finds no ids of somebody's database and namespace, so that it creates new ones", () => {
    expect(config.d1_databases).toEqual([{ binding: 'DB', database_name: 'regent' }])
    expect(config.kv_namespaces).toEqual([{ binding: 'CONTENTS' }])
  })

  it('never suggests a value for a secret', () => {
    expect(secrets.length).toBeGreaterThan(0)
    expect(secrets.filter(([, , value]) => value !== '')).toEqual([])
  })
})
