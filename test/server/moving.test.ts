import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBackupFile } from '../../scripts/backup/backup-file.ts'
import { readRecords } from '../../scripts/backup/read-records.ts'
import { runScript } from './support/commands.ts'
import { createAccount, createFolder, startTestServer } from './support/server.ts'

/** A backup of the local simulators of D1 and KV has the form of one of Cloudflare. */

const PASSWORD = 'a password'
const TEXT = '\ufeffline\r\nü 😀\n'
const LARGE = 'é'.repeat(5 * 1024 * 1024)

async function fill(url: string, key: string) {
  const send = async (method: 'POST' | 'PATCH', body: object) => {
    const response = await fetch(`${url}/v1/document`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { id: string } }
    return data.id
  }
  const create = (content: string, settings = {}) => send('POST', { content, settings })
  const edited = await create('first')
  await send('PATCH', { id: edited, content: 'second' })
  await send('PATCH', { id: edited, content: TEXT })
  return {
    edited,
    large: await create(LARGE, { expiration: null }),
    encrypted: await create(TEXT, { encrypted: true, password: PASSWORD, expiration: 3 }),
    burning: await create('once', { instant_delete: true, expiration: 1 }),
    shared: await create('shared', { editors: ['bob'], public: true, title: "it's" }),
  }
}

/** What differs although nothing was lost: a restore is an action, and each database remembers its own backups. */
const OWN = new Set(['audit_log', 'backups'])

/** Returns the rows and the content that a backup holds, in an order of their own. */
async function readData(path: string): Promise<string[]> {
  const data: string[] = []
  for await (const { record, content } of readRecords(readBackupFile(path))) {
    if (record.type === 'row' && !OWN.has(record.table)) data.push(JSON.stringify(record))
    if (record.type === 'content' && content !== null)
      data.push(`${JSON.stringify(record)} ${createHash('sha256').update(content).digest('hex')}`)
  }
  return data.toSorted()
}

describe('a service', () => {
  it('moves from one machine to D1 and KV and back by backups, byte for byte', async () => {
    const [folder, simulators, back, files] = await Promise.all([1, 2, 3, 4].map(createFolder))
    const paths = ['first', 'second', 'third'].map((name) => join(files ?? '', `${name}.backup`))
    const [first = '', second = '', third = ''] = paths
    // The simulators come with the devDependencies.
    const run = async (script: 'backup' | 'restore', ...args: string[]) => {
      const isLocal = args.includes('--persist-to')
      const { code, stderr } = await runScript(script, args, isLocal ? { preload: [] } : {})
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    }
    const backUp = (path: string, ...target: string[]) =>
      run('backup', '--out', path, '--burn-after-reading', ...target)

    let key: string
    let ids: Awaited<ReturnType<typeof fill>>
    {
      await using server = await startTestServer({}, folder)
      await createAccount(server.env, 'bob')
      key = await createAccount(server.env, 'ada')
      ids = await fill(server.url, key)
      await backUp(first, '--data', folder ?? '')
    }
    await run('restore', '--from', first, '--persist-to', simulators ?? '')
    await backUp(second, '--persist-to', simulators ?? '')
    // A folder in which no server has run yet.
    const moved = join(back ?? '', 'data')
    await mkdir(moved)
    await chmod(moved, 0o755)
    await writeFile(join(moved, 'notes.txt'), 'mine')
    await run('restore', '--from', second, '--data', moved)
    for (const name of ['regent.sqlite', 'contents.sqlite'])
      expect((await stat(join(moved, name))).mode & 0o777).toBe(0o600)
    await backUp(third, '--data', moved)

    const data = await readData(first)
    expect(data.filter((line) => line.startsWith('{"type":"content"'))).toHaveLength(7)
    for (const table of ['users', 'api_keys', 'documents', 'revisions', 'document_editors'])
      expect(data.some((line) => line.startsWith(`{"type":"row","table":"${table}"`))).toBe(true)
    expect(await readData(second)).toEqual(data)
    expect(await readData(third)).toEqual(data)

    await using server = await startTestServer({}, moved)
    const read = async (path: string, headers = {}) => {
      const response = await fetch(`${server.url}${path}`, { headers })
      return response.ok ? Buffer.from(await response.arrayBuffer()).toString('utf8') : response.status
    }
    expect(await read(`/r/${ids.edited}`)).toBe(TEXT)
    expect(await read(`/r/${ids.large}`)).toBe(LARGE)
    expect(await read(`/r/${ids.encrypted}`, { 'X-Document-Password': PASSWORD })).toBe(TEXT)
    expect(await read('/v1/users/@me', { Authorization: key })).toContain('"ada"')
    const burn = () => read(`/v1/document/${ids.burning}`)
    expect([await burn(), await burn()]).toEqual([expect.stringContaining('"once"'), 404])
    // Nobody needs more than the folder.
    expect((await readFile(join(moved, 'auth-secret'), 'utf8')).length).toBeGreaterThanOrEqual(32)
  })
})
