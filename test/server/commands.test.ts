import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BackupFile } from '../../scripts/backup/backup-file.ts'
import { beginBackup, recordBackup, writeBackup } from '../../scripts/backup/write-backup.ts'
import { SqliteDatabase } from '../../server/database.ts'
import { openFiles } from '../../server/files.ts'
import { createLogHasher } from '../../src/platform/log-hash.ts'
import { runScript } from './support/commands.ts'
import { createFolder, startTestServer } from './support/server.ts'

/** The commands for operators on the folder of a server, without devDependencies. */

/** Runs a command that must succeed, and returns the JSON that it prints. */
async function run<Printed>(script: Parameters<typeof runScript>[0], ...args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await runScript(script, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Printed
}

const create = (url: string, key: string | null, content: string) =>
  fetch(`${url}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key !== null && { Authorization: key }) },
    body: JSON.stringify({ content }),
  })

describe('beside a running server', () => {
  it('changes hold for the next request', async () => {
    const folder = await createFolder()
    await using server = await startTestServer({}, folder)
    const { url } = server
    const admin = (...args: string[]) => run<Record<string, string>>('admin', ...args, '--data', folder)
    const getStatus = async (path: string, key?: string) =>
      (await fetch(`${url}${path}`, key === undefined ? {} : { headers: { Authorization: key } })).status

    const { key = '' } = await admin('user', 'add', 'ada', '--email', 'ada@example.org')
    const second = await admin('user', 'key', 'ada')
    expect(await getStatus('/v1/users/@me', key)).toBe(200)
    const { data } = (await (await create(url, key, "it's; here")).json()) as { data: { id: string } }
    const shown = await admin('documents', 'show', data.id, '--content')
    expect(shown).toMatchObject({ content: "it's; here", document: { creator: 'ada' } })

    const hashId = await createLogHasher(await readFile(join(folder, 'auth-secret'), 'utf8'))
    const found = await admin('find', await hashId('document', data.id))
    expect(found).toMatchObject({ kind: 'document', id: data.id })

    await admin('user', 'revoke', second.key_id ?? '')
    expect(await getStatus('/v1/users/@me', second.key)).toBe(401)
    await admin('user', 'suspend', 'ada')
    expect([await getStatus('/v1/users/@me', key), await getStatus(`/r/${data.id}`)]).toEqual([401, 404])
    await admin('user', 'restore', 'ada')
    expect([await getStatus('/v1/users/@me', key), await getStatus(`/r/${data.id}`)]).toEqual([200, 200])
    await admin('documents', 'remove', data.id, '--reason', "it's; a test")
    expect(await getStatus(`/r/${data.id}`)).toBe(404)
    await admin('documents', 'restore', data.id)
    expect(await (await fetch(`${url}/r/${data.id}`)).text()).toBe("it's; here")
    await admin('limits', 'anonymous', 'refuse')
    expect((await create(url, null, 'refused')).status).toBe(403)
  })

  it('everything that keeps the data works, and what replaces it says that the server has to stop', async () => {
    const folder = await createFolder()
    const file = join(await createFolder(), 'a.backup')
    const data = ['--data', folder]
    await using server = await startTestServer({}, folder)
    await run('admin', 'user', 'add', 'ada', '--email', 'ada@example.org', ...data)
    await create(server.url, null, 'text')
    expect(await run('backup', '--out', file, ...data)).toMatchObject({ documents: 1, users: 1, missing: [] })
    expect(await run('admin', 'cleanup', '--dry-run', ...data)).toMatchObject({ contents: 1, unreadable: 0 })
    expect(await run('admin', 'user', 'export', 'ada', '--output', `${file}.zip`, ...data)).toMatchObject({
      documents: 0,
    })
    expect(await run('recover', '--save', `${file}.rows`, ...data)).toMatchObject({ file: `${file}.rows` })
    expect(await run('recover', '--strict', ...data)).toMatchObject({ applied: false, keys: 1 })
    const { sections } = await run<{ sections: { title: string; findings: { level: string }[] }[] }>(
      'doctor',
      ...data,
    )
    expect(sections.map(({ title }) => title)).toEqual([
      'Settings (wrangler.toml, regent.toml and the environment)',
      `Data (${folder})`,
      'Running service',
    ])
    for (const [script, ...options] of [
      ['restore', '--from', file, '--merge'],
      ['recover', '--strict', '--apply'],
    ] as const) {
      expect(await runScript(script, [...options, ...data])).toEqual({
        code: 1,
        stdout: '',
        stderr: `${folder} is in use by 127.0.0.1 (process ${process.pid}). Stop that, or choose another folder: --data DIR\n`,
      })
    }
    await server.stop()
    expect(await run('restore', '--from', file, '--merge', ...data)).toMatchObject({ kept: { documents: 1 } })
    expect(await run('recover', '--strict', '--apply', ...data)).toMatchObject({ applied: true, keys: 1 })
  })

  it('doctor names a setting that the server would refuse', async () => {
    const folder = await createFolder()
    await (await startTestServer({}, folder)).stop()
    const env = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'regent@example.org', SITE_URL: '' }
    const { code, stdout } = await runScript('doctor', ['--data', folder], { env })
    expect(code).toBe(1)
    expect(stdout).toContain('SITE_URL: set it to the address of the site, because SMTP_URL is set.')
  })

  it('doctor knows single sign-on, and that browsers keep no sessions without https', async () => {
    const folder = await createFolder()
    await (await startTestServer({}, folder)).stop()
    const env = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }
    const check = (SITE_URL: string) => runScript('doctor', ['--data', folder], { env: { ...env, SITE_URL } })
    const secure = await check('https://paste.example.org')
    expect(secure).toMatchObject({ code: 0, stdout: expect.stringContaining('Sign-in: set up') })
    const open = await check('http://192.0.2.7:8787')
    expect(open).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('SITE_URL does not start with https://: http://192.0.2.7:8787'),
    })
  })

  it('neither a command nor the server fails because both write', async () => {
    const folder = await createFolder()
    await using server = await startTestServer({}, folder)
    const writes = async (done: () => boolean) => {
      let statuses = new Set<number>()
      while (!done()) statuses = statuses.add((await create(server.url, null, 'x'.repeat(50_000))).status)
      return statuses
    }
    let isDone = false
    const clients = [1, 2, 3].map(() => writes(() => isDone))
    for (const name of ['ada', 'bob', 'eve'])
      await run('admin', 'user', 'add', name, '--email', `${name}@example.org`, '--data', folder)
    await run('backup', '--out', join(await createFolder(), 'a.backup'), '--data', folder)
    isDone = true
    expect(await Promise.all(clients)).toEqual(clients.map(() => new Set([200])))
  })
})

describe('the folder of a command', () => {
  it('is one in which a server has stored something, and nothing is created', async () => {
    const parent = await createFolder()
    const typo = join(parent, 'dta')
    const empty = await createFolder()
    for (const folder of [typo, empty]) {
      for (const [script, ...options] of [
        ['admin', 'user', 'list'],
        ['backup', '--out', join(parent, 'a.backup')],
        ['recover', '--strict', '--apply'],
      ] as const) {
        const { code, stderr } = await runScript(script, [...options, '--data', folder])
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: `${folder} holds no data of a server. Check the path (--data DIR), or start one: npm start -- --data ${folder}\n`,
        })
      }
      expect((await runScript('doctor', ['--data', folder])).code).toBe(2)
    }
    await expect(stat(typo)).rejects.toThrow('ENOENT')
    expect([await readdir(empty), await readdir(parent)]).toEqual([[], []])
  })

  it('is named once: by an option, or else by DATA_DIR, and then a line says so', async () => {
    const folder = await createFolder()
    await using _ = await startTestServer({}, folder)
    const env = { DATA_DIR: folder }
    expect(await runScript('admin', ['user', 'list'], { env })).toEqual({
      code: 0,
      stdout: 'No accounts yet.\n',
      stderr: `Using the data in ${folder}, because DATA_DIR names it.\n`,
    })
    const other = join(folder, 'other')
    expect((await runScript('admin', ['user', 'list', '--data', other], { env })).stderr).toContain(other)
    for (const [script, ...options] of [
      ['admin', 'user', 'list', '--remote'],
      ['admin', 'find', '0123456789abcdef', '--persist-to', folder],
      ['backup', '--out', 'x', '--persist-to', folder],
      ['doctor', '--remote'],
    ] as const) {
      const { code, stderr } = await runScript(script, [...options, '--data', folder])
      expect({ isRefused: code > 0, stderr }).toEqual({
        isRefused: true,
        stderr: 'Choose one of --remote, --persist-to DIR and --data DIR.\n',
      })
    }
  })

  it('has a damaged file, which the command names in one sentence', async () => {
    const folder = await createFolder()
    await (await startTestServer({}, folder)).stop()
    await writeFile(
      join(folder, 'contents.sqlite'),
      'not a database, but something else that is long enough'.repeat(100),
    )
    const { code, stderr } = await runScript('backup', ['--out', `${folder}.backup`, '--data', folder])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\S+\/contents\.sqlite is damaged.*\n$/)
  })
})

describe('a file that a command cannot use', () => {
  it('is named in one line, and nothing is recorded', async () => {
    const [folder, parent] = [await createFolder(), await createFolder()]
    await using server = await startTestServer({}, folder)
    await create(server.url, null, 'text')
    await run('admin', 'user', 'add', 'ada', '--email', 'ada@example.org', '--data', folder)
    const nowhere = join(parent, 'nowhere', 'a.backup')
    for (const [path, script, ...options] of [
      [`${nowhere}.partial`, 'backup', '--out', nowhere],
      [`${nowhere}.partial`, 'recover', '--save', nowhere],
      [nowhere, 'admin', 'user', 'export', 'ada', '--output', nowhere],
    ] as const) {
      expect(await runScript(script, [...options, '--data', folder])).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${path}: no such file or directory (ENOENT)\n`),
      })
    }
    const { entries } = await run<{ entries: { action: string }[] }>(
      'admin',
      'audit',
      'list',
      '--data',
      folder,
    )
    expect(entries.map(({ action }) => action)).not.toContain('backup.create')
  })

  it('is read only if it is a file', async () => {
    const folder = await createFolder()
    const { code, stderr } = await runScript('restore', ['--from', folder, '--check'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^[^\n]*EISDIR[^\n]*\n$/) })
  })
})

describe('an interrupted backup', () => {
  /** Writes everything, but leaves the file as it is while it's written. */
  async function interrupt(folder: string, burnAfterReading: boolean): Promise<string> {
    const path = join(await createFolder(), 'a.backup')
    const file = new BackupFile(path)
    const begun = beginBackup({ kind: 'full', now: Date.now(), burnAfterReading })
    const { database, contents, close } = await openFiles(folder)
    const storage = { DB: new SqliteDatabase(database), CONTENTS: contents }
    await file.begin()
    await recordBackup(storage.DB, begun, { actor: 'test', now: Date.now() })
    for await (const part of writeBackup(storage, begun)) await file.append(part)
    close()
    return path
  }

  it('continues with the options and the service of the first run only', async () => {
    const [folder, other] = [await createFolder(), await createFolder()]
    for (const data of [folder, other]) {
      await using server = await startTestServer({}, data)
      await create(server.url, null, 'text')
    }
    const path = await interrupt(folder, true)
    const again = `Use the same options, or delete ${path}.partial and ${path}.progress to begin again.\n`
    expect(await runScript('backup', ['--out', path, '--data', folder])).toEqual({
      code: 1,
      stdout: '',
      stderr: `The interrupted backup was begun with --burn-after-reading. ${again}`,
    })
    const burning = ['--out', path, '--burn-after-reading']
    expect(await runScript('backup', [...burning, '--data', other])).toEqual({
      code: 1,
      stdout: '',
      stderr: `The interrupted backup was begun from another service. ${again}`,
    })
    expect(await run('backup', ...burning, '--data', folder)).toMatchObject({ documents: 1 })
    const file = await interrupt(folder, false)
    expect(
      (await runScript('backup', ['--out', file, '--burn-after-reading', '--data', folder])).stderr,
    ).toContain('was begun without --burn-after-reading')
    expect(await run('backup', '--out', file, '--data', folder)).toMatchObject({ documents: 1 })
  })
})

describe('without devDependencies', () => {
  it('a command that needs them names one', async () => {
    expect(await runScript('doctor', [])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'This needs the package wrangler, which npm ci installs. Only commands with --data DIR do without it.\n',
    })
  })
})

describe('an old Node', () => {
  it('is refused in one sentence', async () => {
    const old = 'data:text/javascript,Object.defineProperty(process,`versions`,{value:{node:`20.1.0`}})'
    const preload = [old, './scripts/support/require-node.js']
    const { code, stdout, stderr } = await runScript('admin', ['user', 'list'], { preload })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Regent needs Node 24 or newer, and this is Node 20\.1\.0\..*\n$/)
  })
})
