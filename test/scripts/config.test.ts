import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { readWorkerConfig } from '../../scripts/doctor/check-config.ts'
import {
  addToToml,
  findWorkerToAsk,
  getLocalIds,
  getVariables,
  listUnknownSettings,
  moveSettings,
  readConfig,
  type Table,
  writeConfig,
  writeDeployConfig,
  writeSettings,
} from '../../scripts/support/config.ts'
import { ROOT } from '../../scripts/support/script.ts'

const NEW = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')

/** The file as it was before operators had one of their own: it set the quotas by numbers. */
const OLD = NEW.replace(/^# The Workers plan[\s\S]*?^PLAN = ""\n/m, '')
  .replace('ACCOUNT_MAX_DOCUMENTS = ""', 'ACCOUNT_MAX_DOCUMENTS = "10000"')
  .replace('SERVER_MAX_BYTES = ""', 'SERVER_MAX_BYTES = "53687091200"')
  .replace(/^# The configuration that Regent comes with[\s\S]*?\n(?=name)/m, '')

/** What an operator writes into `wrangler.toml` by hand. */
function configure(toml: string): string {
  const configured = toml
    .replace('SITE_URL = ""', 'SITE_URL = "https://paste.example.org"')
    .replace('EXPLORE = "on"', 'EXPLORE = "off"')
    .replace('ACCOUNT_MAX_DOCUMENTS = "10000"', 'ACCOUNT_MAX_DOCUMENTS = "7"')
    .replace('limit = 20, period = 60', 'limit = 25, period = 10')
    .replace('database_name = "regent"', 'database_name = "texts"\ndatabase_id = "an-id"')
    .replace('# [[send_email]]\n# name = "EMAIL"', '[[send_email]]\nname = "EMAIL"')
  return `${configured}\n[[routes]]\npattern = "paste.example.org"\ncustom_domain = true\n`
}

/** A server's folder and the repository that it's a clone of. Each test has a copy. */
let template: string
let folder: string
let origin: string
let clone: string

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function commit(root: string, toml: string): void {
  writeFileSync(join(root, 'wrangler.toml'), toml)
  git(root, 'add', '.')
  git(root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'change')
}

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'regent-'))
  const repository = join(template, 'origin')
  mkdirSync(repository)
  git(repository, 'init', '-q', '-b', 'main')
  writeFileSync(join(repository, '.gitignore'), readFileSync(join(ROOT, '.gitignore'), 'utf8'))
  commit(repository, OLD)
  git(template, 'clone', '-q', 'origin', 'clone')
  git(join(template, 'clone'), 'remote', 'set-url', 'origin', '../origin')
})

afterAll(() => {
  rmSync(template, { recursive: true })
})

beforeEach(() => {
  vi.stubEnv('REGENT_SETTINGS', undefined)
  // Pulling with --autostash makes a commit.
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'Ada')
    vi.stubEnv(`GIT_${who}_EMAIL`, 'ada@example.org')
  }
  folder = mkdtempSync(join(tmpdir(), 'regent-'))
  origin = join(folder, 'origin')
  clone = join(folder, 'clone')
  cpSync(template, folder, { recursive: true })
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  vi.unstubAllEnvs()
})

const read = (name: string): string => readFileSync(join(clone, name), 'utf8')

/** What wrangler deploys, without the variables whose defaults are new. */
async function readDeployed() {
  const path = writeConfig(clone)
  const { vars, ...config } = await readWorkerConfig(path)
  const { PLAN, ...others } = vars
  const settings = Object.entries(others).filter(([, value]) => value !== '')
  const { configPath, userConfigPath, topLevelName, ...rest } = config as Record<string, unknown>
  return { ...rest, vars: Object.fromEntries(settings) }
}

describe('an upgrade of a server that was configured in wrangler.toml', () => {
  it('keeps every setting, and later upgrades find wrangler.toml unchanged', async () => {
    writeFileSync(join(clone, 'wrangler.toml'), configure(OLD))
    const before = await readDeployed()
    expect(before).toMatchObject({
      vars: { SITE_URL: 'https://paste.example.org', EXPLORE: 'off', ACCOUNT_MAX_DOCUMENTS: '7' },
      routes: [{ pattern: 'paste.example.org', custom_domain: true }],
    })

    // The new version changes a line that the operator has changed, too.
    commit(origin, NEW)
    git(clone, 'pull', '-q', '--autostash')
    expect(read('wrangler.toml')).toContain('<<<<<<<')

    const withoutOldDefaults = ({ vars, ...rest }: Awaited<ReturnType<typeof readDeployed>>) => {
      const { SERVER_MAX_BYTES, ...others } = vars as Record<string, unknown>
      return { ...rest, vars: others }
    }
    // A dry run changes nothing, but has the same settings.
    expect(moveSettings({ dryRun: true }, clone)).toMatchObject({ vars: { EXPLORE: 'off' } })
    expect(existsSync(join(clone, 'regent.toml'))).toBe(false)
    expect(await readDeployed()).toEqual(withoutOldDefaults(before))

    moveSettings({ dryRun: false }, clone)
    expect(await readDeployed()).toEqual(withoutOldDefaults(before))
    expect(read('wrangler.toml')).toBe(NEW)
    expect(git(clone, 'status', '--porcelain')).toBe('')
    expect(moveSettings({ dryRun: false }, clone)).toBeNull()

    commit(origin, NEW.replace('EXPLORE = "on"', 'EXPLORE = "on" # changed'))
    git(clone, 'pull', '-q')
    expect(await readDeployed()).toEqual(withoutOldDefaults(before))
  })

  it('keeps them without a conflict, too', async () => {
    writeFileSync(join(clone, 'wrangler.toml'), OLD.replace('OPERATOR_NAME = ""', 'OPERATOR_NAME = "Ada"'))
    commit(origin, NEW)
    git(clone, 'pull', '-q', '--autostash')
    expect(moveSettings({ dryRun: false }, clone)).toEqual({ vars: { OPERATOR_NAME: 'Ada' } })
    expect(getVariables(readConfig(clone)).OPERATOR_NAME).toBe('Ada')
    expect(git(clone, 'status', '--porcelain')).toBe('')
  })

  it('leaves a fork alone that commits its settings', () => {
    commit(clone, configure(OLD))
    expect(moveSettings({ dryRun: false }, clone)).toBeNull()
    expect(getVariables(readConfig(clone)).EXPLORE).toBe('off')
  })

  it('leaves what was removed, which regent.toml can’t say', () => {
    writeFileSync(join(clone, 'wrangler.toml'), OLD.replace(/^EXPLORE = .*\n/m, ''))
    expect(moveSettings({ dryRun: false }, clone)).toBe('unmovable')
    expect(read('wrangler.toml')).not.toContain('EXPLORE')
  })

  it('stays where it is while REGENT_SETTINGS names the file of another server', () => {
    const base = configure(OLD)
    writeFileSync(join(clone, 'wrangler.toml'), base)
    const staging = 'name = "staging"\n\n[vars]\nSITE_URL = "https://staging.example.org"\n'
    writeFileSync(join(folder, 'staging.toml'), staging)
    vi.stubEnv('REGENT_SETTINGS', join(folder, 'staging.toml'))
    for (const dryRun of [true, false])
      expect(() => moveSettings({ dryRun }, clone)).toThrow('they may belong to another server')
    expect(read('wrangler.toml')).toBe(base)
    expect(readFileSync(join(folder, 'staging.toml'), 'utf8')).toBe(staging)
  })

  it('lets a value in regent.toml win', () => {
    writeFileSync(join(clone, 'regent.toml'), '# Mine\n[vars]\nEXPLORE = "on"\n')
    writeFileSync(join(clone, 'wrangler.toml'), configure(OLD))
    moveSettings({ dryRun: false }, clone)
    expect(getVariables(readConfig(clone))).toMatchObject({
      EXPLORE: 'on',
      SITE_URL: 'https://paste.example.org',
    })
  })
})

describe('the configuration of a server', () => {
  it('is wrangler.toml if there are no settings', () => {
    expect(writeConfig(clone)).toBe(join(clone, 'wrangler.toml'))
    expect(git(clone, 'status', '--porcelain', '--ignored')).toBe('')
  })

  it('has the settings in a file that wrangler finds by itself, as long as there are any', () => {
    writeSettings({ name: 'pastes', vars: { EXPLORE: 'off' } }, clone)
    expect(writeConfig(clone)).toBe(join(clone, 'wrangler.json'))
    const found = unstable_readConfig({ config: join(clone, 'wrangler.json') })
    expect(found).toMatchObject({ name: 'pastes', main: join(clone, 'dist/worker/index.js') })
    expect(git(clone, 'status', '--porcelain')).toBe('')
    rmSync(join(clone, 'regent.toml'))
    writeConfig(clone)
    expect(existsSync(join(clone, 'wrangler.json'))).toBe(false)
  })

  it('tells the Worker the limits that aren’t the usual ones', () => {
    const simple = { limit: 900, period: 60 }
    writeSettings({ ratelimits: [{ name: 'READ_LIMIT', simple }] }, clone)
    expect(getVariables(readConfig(clone)).RATE_LIMIT_POLICIES).toBe('READ_LIMIT=900/60')
    const { ratelimits } = unstable_readConfig({ config: writeConfig(clone) })
    expect(ratelimits[0]).toEqual({ name: 'READ_LIMIT', namespace_id: '1004', simple })
    expect(ratelimits).toHaveLength(13)
  })

  it('replaces lists whose entries have no names', () => {
    writeSettings({ triggers: { crons: ['*/5 * * * *'] } }, clone)
    expect(readConfig(clone).triggers).toEqual({ crons: ['*/5 * * * *'] })
  })

  it('can come from another file, or from none', () => {
    writeFileSync(join(clone, 'regent.toml'), '[vars]\nEXPLORE = "off"\n')
    writeFileSync(join(folder, 'staging.toml'), 'name = "staging"\n')
    vi.stubEnv('REGENT_SETTINGS', join(folder, 'staging.toml'))
    expect(readConfig(clone)).toMatchObject({ name: 'staging', vars: { EXPLORE: 'on' } })
    expect(writeConfig(clone)).toBe(join(clone, 'wrangler.staging.toml.json'))
    vi.stubEnv('REGENT_SETTINGS', '')
    expect(getVariables(readConfig(clone)).EXPLORE).toBe('on')
    vi.stubEnv('REGENT_SETTINGS', join(folder, 'missing.toml'))
    expect(() => readConfig(clone)).toThrow('which REGENT_SETTINGS names')
  })

  it('names the database and the limits after the Worker, unless the operator has named them', () => {
    writeSettings({ name: 'staging' }, clone)
    const { d1_databases, ratelimits } = unstable_readConfig({ config: writeConfig(clone) })
    expect(d1_databases).toEqual([{ binding: 'DB', database_name: 'staging' }])
    expect(findWorkerToAsk(clone)).toBe('staging')
    const ids = ratelimits.map(({ namespace_id }: { namespace_id: string }) => namespace_id)
    expect(new Set(ids).size).toBe(13)
    for (const id of ids) expect(id).toMatch(/^\d{5,10}$/)
    expect(ids).not.toContain('1004')

    const chosen = {
      d1_databases: [{ binding: 'DB', database_name: 'regent' }],
      ratelimits: [{ name: 'READ_LIMIT', namespace_id: '1004' }],
    }
    writeSettings(chosen, clone)
    const renamed = readConfig(clone)
    expect(renamed).toMatchObject({ d1_databases: chosen.d1_databases })
    expect(renamed.ratelimits).toContainEqual(expect.objectContaining({ namespace_id: '1004' }))
    expect(findWorkerToAsk(clone)).toBe(null)
  })

  it('also names them after a Worker that is renamed in wrangler.toml, in a fork', () => {
    writeFileSync(
      join(clone, 'wrangler.toml'),
      read('wrangler.toml').replace('name = "regent"', 'name = "pastes"'),
    )
    git(clone, 'commit', '-qam', 'Rename')
    expect(readConfig(clone).d1_databases).toEqual([{ binding: 'DB', database_name: 'pastes' }])
    expect(findWorkerToAsk(clone)).toBe('pastes')
    writeSettings({ d1_databases: [{ binding: 'DB', database_id: 'an-id' }] }, clone)
    expect(readConfig(clone)).toMatchObject({ d1_databases: [{ database_name: 'regent' }] })
    expect(findWorkerToAsk(clone)).toBe(null)
  })

  it('is never written over a file of somebody else', () => {
    writeFileSync(join(clone, 'wrangler.json'), '{}')
    writeSettings({ vars: { EXPLORE: 'off' } }, clone)
    expect(() => writeConfig(clone)).toThrow(
      "wrangler.json isn't from Regent. Move its settings to regent.toml",
    )
    expect(read('wrangler.json')).toBe('{}')
  })

  it('is deployed from a file that isn’t in git, because wrangler writes into it', () => {
    expect(writeDeployConfig(clone)).toBe(join(clone, 'wrangler.deploy.json'))
    expect(git(clone, 'status', '--porcelain')).toBe('')
  })

  it.each([
    {},
    { database_id: 'an-id', id: 'of-kv' },
    { database_id: 'an-id', preview_database_id: 'another', id: 'of-kv', preview_id: 'of-kv-too' },
  ])('names local storage as wrangler does: %o', ({ id, preview_id, ...database }) => {
    const namespace = { ...(id && { id }), ...(preview_id && { preview_id }) }
    writeSettings(
      {
        d1_databases: [{ binding: 'DB', ...database }],
        kv_namespaces: [{ binding: 'CONTENTS', ...namespace }],
      },
      clone,
    )
    const { workerOptions } = unstable_getMiniflareWorkerOptions(writeConfig(clone))
    const { DB, CONTENTS } = getLocalIds(readConfig(clone))
    expect(workerOptions).toMatchObject({
      d1Databases: { DB: { id: DB } },
      kvNamespaces: { CONTENTS: { id: CONTENTS } },
    })
  })

  it('says where a file isn’t TOML', () => {
    writeFileSync(join(clone, 'regent.toml'), '[vars]\nEXPLORE = off\n')
    expect(() => readConfig(clone)).toThrow(/^regent\.toml, line 2: /)
  })
})

describe('a value that is added to regent.toml', () => {
  const add = (text: string, added: Table) => addToToml(text, added)

  it('keeps the comments and the order of the others', () => {
    const text = '# Mine\nname = "pastes" # short\n\n[vars]\n# Nobody lists them\nEXPLORE = "off"\n'
    expect(
      add(text, { account_id: 'abc', vars: { EXPLORE: 'on', PLAN: 'free' }, routes: [{ pattern: 'a' }] }),
    ).toBe(
      '# Mine\nname = "pastes" # short\n\naccount_id = "abc"\n[vars]\nPLAN = "free"\n# Nobody lists them\nEXPLORE = "on"\n\n[[routes]]\npattern = "a"\n',
    )
  })

  it('is there even where the text can’t be kept', () => {
    const text = 'vars = { EXPLORE = "off" }\n[[routes]]\npattern = "a"\n'
    const changed = add(text, { vars: { EXPLORE: 'on' }, routes: [{ pattern: 'b' }] })
    writeFileSync(join(clone, 'regent.toml'), changed)
    expect(readConfig(clone)).toMatchObject({
      vars: { EXPLORE: 'on' },
      routes: [{ pattern: 'a' }, { pattern: 'b' }],
    })
  })
})

describe('names that wrangler doesn’t know', () => {
  it('are listed by their paths, in tables, lists and environments', () => {
    const config = {
      name: 'pastes',
      var: { EXPLORE: 'off' },
      vars: { ANYTHING: 'x' },
      ratelimit: [{ name: 'READ_LIMIT' }],
      ratelimits: [{ name: 'READ_LIMIT', namespace_id: '1', simpel: { limit: 1, period: 60 } }],
      observability: { log: { invocation_logs: false } },
      env: { staging: { var: {} } },
      routes: [{ pattern: 'a', custom_domain: true }],
    }
    expect(listUnknownSettings(config)).toEqual([
      'var',
      'ratelimit',
      'ratelimits.simpel',
      'observability.log',
      'env.staging.var',
    ])
    expect(listUnknownSettings(readConfig())).toEqual([])
  })
})
