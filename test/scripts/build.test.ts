import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findPackageFolder, formatNotice, isPermissive } from '../../scripts/build/licences.ts'
import { updateSchema } from '../../scripts/build/schema.ts'
import { buildIfChanged } from '../../scripts/support/build-step.ts'
import { ROOT } from '../../scripts/support/script.ts'
import { PALETTES } from '../../src/previews/picture/palette.ts'

const run = promisify(execFile)

/** When each file that browsers load was written. */
async function listTimes(): Promise<Map<string, number>> {
  const entries = await readdir(join(ROOT, 'dist/client'), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(await Promise.all(paths.map(async (path) => [path, (await stat(path)).mtimeMs] as const)))
}

it('a build leaves files alone that stay the same: a running service may be sending them', async () => {
  const build = async () => {
    // Without the record of the last build, it builds again.
    await rm(join(ROOT, 'dist/build-client'), { force: true })
    await run(process.execPath, ['scripts/build-client.ts'], { cwd: ROOT })
  }
  await build()
  const written = await listTimes()
  expect(written.size).toBeGreaterThan(100)
  await build()
  expect(await listTimes()).toEqual(written)
})

it('a build refuses an icon that isn’t there, even if nothing else has changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const settings = join(folder, 'regent.toml')
  await writeFile(settings, '[vars]\nSITE_ICON = "no-icon.svg"\n')
  const env = { ...process.env, REGENT_SETTINGS: settings }
  const build = run(process.execPath, ['scripts/build-client.ts'], { cwd: ROOT, env })
  await expect(build).rejects.toThrow('SITE_ICON = "no-icon.svg": there is no such file')
})

describe('a step of the build', () => {
  const write = async (folder: string, path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }

  const STEP = {
    inputs: { paths: ['src', 'icon.png'], except: ['src/made.ts'] },
    outputs: { paths: ['dist/out', 'src/made.ts'], except: ['dist/out/other'] },
  }

  /** A step that has joined the files of a folder. */
  async function createStep() {
    const folder = await mkdtemp(join(tmpdir(), 'regent-'))
    let builds = 0
    const joinFiles = async () => {
      builds += 1
      const names = (await readdir(join(folder, 'src'))).filter((name) => name !== 'made.ts').sort()
      const texts = await Promise.all(names.map((name) => readFile(join(folder, 'src', name), 'utf8')))
      await write(folder, 'dist/out/all.js', texts.join(''))
      await write(folder, 'src/made.ts', `${names.length}`)
    }
    const build = (run = joinFiles, step = STEP) =>
      buildIfChanged(join(folder, 'dist/record'), step, run, folder)
    await write(folder, 'src/a.ts', 'a')
    await write(folder, 'src/b.ts', 'b')
    await build()
    return { folder, build, count: () => builds }
  }

  it('is skipped as long as nothing has changed, also in a copy of the folder', async () => {
    const { folder, build, count } = await createStep()
    await write(folder, 'src/a.ts', 'a')
    await write(folder, 'dist/out/all.js', 'ab')
    await write(folder, 'dist/out/other', 'of another step')
    await build()
    expect(count()).toBe(1)
  })

  it.each<[string, (folder: string) => Promise<void>]>([
    ['a source has changed', (folder) => write(folder, 'src/a.ts', 'A')],
    ['there is one more source', (folder) => write(folder, 'src/c.ts', '')],
    ['a source is gone', (folder) => rm(join(folder, 'src/b.ts'))],
    ['there is a file that was missing', (folder) => write(folder, 'icon.png', 'x')],
    ['what it made has changed', (folder) => write(folder, 'dist/out/all.js', 'else')],
    ['what it made is gone', (folder) => rm(join(folder, 'src/made.ts'))],
    ['there is no record', (folder) => rm(join(folder, 'dist/record'))],
  ])('runs again if %s', async (_, change) => {
    const { folder, build, count } = await createStep()
    await change(folder)
    await build()
    expect(count()).toBe(2)
    await build()
    expect(count()).toBe(2)
  })

  it('runs again if it is to read another file, even one that isn’t there', async () => {
    const { build, count } = await createStep()
    const inputs = { ...STEP.inputs, paths: ['src', 'logo.png'] }
    await build(undefined, { ...STEP, inputs })
    expect(count()).toBe(2)
  })

  it('runs again after one that failed', async () => {
    const { folder, build, count } = await createStep()
    await write(folder, 'src/a.ts', 'A')
    await expect(build(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await write(folder, 'src/a.ts', 'a')
    await build()
    expect(count()).toBe(2)
  })

  it('runs again if a source changed while it ran', async () => {
    const { folder, build, count } = await createStep()
    await write(folder, 'src/a.ts', 'A')
    await build(() => write(folder, 'src/a.ts', 'AA'))
    await build()
    expect(count()).toBe(2)
  })
})

describe('the licences of bundled packages', () => {
  it.each(['MIT', '(MPL-2.0 OR Apache-2.0)', 'MIT AND ISC'])('may be %s', (licence) => {
    expect(isPermissive(licence)).toBe(true)
  })

  it.each(['', 'GPL-3.0', 'MIT AND GPL-3.0', 'MPL-2.0'])('may not be "%s"', (licence) => {
    expect(isPermissive(licence)).toBe(false)
  })

  it('are found by the file of a package', () => {
    expect(findPackageFolder('node_modules/@scope/name/dist/a.js')).toBe('node_modules/@scope/name')
    expect(findPackageFolder('node_modules/a/node_modules/b/c.js')).toBe('node_modules/a/node_modules/b')
    expect(findPackageFolder('src/index.ts')).toBeNull()
  })

  it('are listed with every package, and each text once', () => {
    const packages = ['one', 'two'].map((name) => ({ name, version: '1.0.0', licence: 'MIT', text: 'Free.' }))
    expect(formatNotice(packages)).toContain('one 1.0.0 (MIT)\ntwo 1.0.0 (MIT)\n\nFree.\n')
  })
})

it('draws pictures in the colours of the site', async () => {
  const css = await readFile('src/client/styles/tokens.css', 'utf8')
  for (const name of Object.keys(PALETTES.light) as (keyof typeof PALETTES.light)[]) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
    expect({ name, light: PALETTES.light[name], dark: PALETTES.dark[name] }).toEqual({ name, light, dark })
  }
})

const folder = join(ROOT, 'migrations')
const names = (await readdir(folder)).sort()
const migrations = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
const schema = await readFile(join(ROOT, 'schema.sql'), 'utf8')

describe('schema.sql', () => {
  it('is what the migrations produce', () => {
    expect(updateSchema(schema, migrations)).toBe(schema)
  })

  it('gets what a migration adds, and keeps its comments', () => {
    const migration = `
      CREATE TABLE stars (
        -- Of the document.
        id TEXT PRIMARY KEY
      ) STRICT;
      ALTER TABLE users ADD COLUMN motto TEXT CHECK (length(motto) <= 80);
      ALTER TABLE documents ADD COLUMN stars INTEGER NOT NULL DEFAULT 0;
      DROP INDEX mails_sent_by_time;
      DROP TRIGGER audit_log_keep_entries;
      CREATE TRIGGER audit_log_keep_entries BEFORE UPDATE OF at ON audit_log
      BEGIN
        SELECT RAISE(ABORT, 'no'); SELECT 1;
      END;`
    const updated = updateSchema(schema, [...migrations, migration])
    expect(updated).toMatch(
      /has_profile +INTEGER .*,\n {2}motto TEXT CHECK\(length\(motto\)<= 80\)\n\) STRICT/,
    )
    expect(updated).toMatch(
      / language_detected INTEGER .*,\n {2}stars INTEGER NOT NULL DEFAULT 0,\n {2}CHECK/,
    )
    expect(updated).toMatch(/CREATE TABLE stars \(\n.*-- Of the document\.\n/)
    expect(updated).not.toContain('mails_sent_by_time')
    expect(updated).toContain('BEFORE UPDATE OF at ON audit_log')
    const comments = (sql: string) => sql.match(/--.*/g) ?? []
    expect(comments(updated)).toEqual([...comments(schema), '-- Of the document.'])
    expect(updateSchema(updated, [...migrations, migration])).toBe(updated)
  })

  it('is left to its author where a column changes', () => {
    const migration = 'ALTER TABLE users RENAME COLUMN icon TO picture;'
    expect(() => updateSchema(schema, [...migrations, migration])).toThrow('write the table users by hand')
  })
})
