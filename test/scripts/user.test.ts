import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { userCommands } from '../../scripts/admin/user.ts'
import type { StorageClient } from '../../scripts/support/database.ts'
import { emptyStorage, type Result, runner } from './support/commands.ts'

let storage: StorageClient
let user: (...args: string[]) => Promise<Result>

beforeEach(async () => {
  storage = emptyStorage()
  user = runner(userCommands, storage)
  await user('add', 'demo', '--email', 'demo@example.com')
})

const json = async (...args: string[]) => JSON.parse((await user(...args, '--json')).stdout)

describe('npm run admin -- user', () => {
  it('prints a new key as text, with the command that revokes it', async () => {
    const { stdout } = await user('add', 'ada', '--email', 'ada@example.org')
    expect(stdout).toMatch(
      /^API key of ada, shown only once: imperial_[A-Za-z0-9]{40}\nTo revoke it later: npm run admin -- user revoke \w+\n$/,
    )
  })

  it('makes invitations where SIGN_UP takes them, for a name or an address', async () => {
    expect(await user('invite', 'Grace')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SIGN_UP is "open" or "closed"'),
    })
    const file = join(await mkdtemp(join(tmpdir(), 'regent-')), 'regent.toml')
    const vars = 'SITE_URL = "https://paste.example"\nSIGN_UP = "invited"\nMAIL_FROM = "mail@paste.example"\n'
    await writeFile(file, `[vars]\n${vars}`)
    vi.stubEnv('REGENT_SETTINGS', file)
    const { stdout } = await user('invite', 'Grace')
    expect(stdout).toMatch(
      /once, for 7 days:\nhttps:\/\/paste\.example\/sign-up\?invitation=[A-Za-z0-9]{32}\n$/,
    )
    expect(await json('invite', 'Ada@Example.org')).toMatchObject({ recipient: 'ada@example.org', days: 7 })
    const rows = await storage.execute(
      `SELECT recipient, email, creator_id FROM invitations ORDER BY recipient;
      SELECT count(*) AS entries FROM audit_log WHERE action = 'invitation.create';`,
    )
    expect(rows).toEqual([
      [
        { recipient: 'Grace', email: null, creator_id: null },
        { recipient: 'ada@example.org', email: 'ada@example.org', creator_id: null },
      ],
      [{ entries: 2 }],
    ])
    expect((await user('invite', 'ada@')).stderr).toContain('Not a name or a valid email address: ada@')
  })

  it('prints help without a command and with --help, and touches no database', async () => {
    const untouched = runner(userCommands, {
      execute: () => Promise.reject(new Error('touched')),
      readContent: () => Promise.reject(new Error('touched')),
    })
    for (const args of [[], ['--help'], ['add', '--help']]) {
      const { code, stdout } = await untouched(...args)
      expect(code).toBe(0)
      expect(stdout).toContain('Usage: npm run admin -- user COMMAND')
    }
  })

  it('lists accounts with their keys, but never the keys themselves', async () => {
    const { key } = await json('add', 'bob', '--email', 'bob@example.org', '--unconfirmed')
    await json('key', 'BOB', '--name', "Bob's laptop")
    await json('admin', 'bob')
    await json('suspend', 'bob')
    // Accounts and keys of the same millisecond are in no particular order.
    const findBob = async () =>
      (await json('list')).users.find(({ username }: { username: string }) => username === 'bob')
    const bob = await findBob()
    expect(bob).toEqual({
      username: 'bob',
      email: 'bob@example.org',
      confirmed: false,
      suspended: true,
      admin: true,
      documents_made: 0,
      keys: expect.toSatisfy(
        (keys: { key_id: string; name: string }[]) =>
          keys.every(({ key_id }) => typeof key_id === 'string') &&
          keys
            .map(({ name }) => name)
            .sort()
            .join() === "Bob's laptop,first key",
      ),
    })
    expect(JSON.stringify(await json('list'))).not.toContain(key)
    await json('admin', 'bob', '--off')
    expect(await json('restore', 'bob')).toEqual({ username: 'bob', suspended: false })
    expect(await findBob()).toMatchObject({ admin: false, suspended: false })
  })

  it.each([false, true])('deletes an account with many documents in steps; keeps them: %s', async (keep) => {
    const storage = emptyStorage()
    const [run, sizes] = [runner(userCommands, storage), [] as number[]]
    const { execute } = storage
    await run('add', 'ada', '--email', 'ada@example.org')
    await execute(`INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
      SELECT 'doc' || value, u.id, 'content/' || value, 4, 9e14, 'plaintext', 0, 0, 0, 0, 'v', 1, 1, 9e14
      FROM users u, (WITH RECURSIVE n (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n WHERE value < 12000)
        SELECT value FROM n)`)
    const count = async () => {
      const [rows] = await execute('SELECT count(*) AS count FROM documents WHERE creator_id IS NOT NULL')
      return Number(rows?.[0]?.count)
    }
    const counting = {
      ...storage,
      execute: async (sql: string) => {
        const before = await count()
        const rows = await execute(sql)
        sizes.push(before - (await count()))
        return rows
      },
    }
    const options = keep ? ['--keep-documents'] : []
    const { stdout } = await runner(userCommands, counting)('delete', 'ada', ...options, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ documents: 12_000, documents_kept: keep, keys: 1 })
    expect(sizes).toEqual([5_000, 5_000, 2_000])
    expect(await run('list')).toMatchObject({ stdout: 'No accounts yet.\n' })
    const [left] = await execute('SELECT count(*) AS count FROM documents')
    expect(left).toEqual([{ count: keep ? 12_000 : 0 }])
    // Nobody else can take the name now.
    await run('add', 'Ada', '--email', 'other@example.org')
  })

  it('says so when there are no accounts', async () => {
    expect(await runner(userCommands, emptyStorage())('list')).toMatchObject({ stdout: 'No accounts yet.\n' })
  })

  it.each([
    [['add', 'demo', '--email', 'other@example.org'], 'That username is taken: demo'],
    [['add', 'DEMO', '--email', 'other@example.org'], 'That username is taken: DEMO'],
    [
      ['add', 'dem0', '--email', 'other@example.org'],
      'That username looks too much like an existing one: dem0',
    ],
    [
      ['add', 'carol', '--email', 'demo@example.com'],
      'Another account has this email address: demo@example.com',
    ],
    [
      ['add', 'x', '--email', 'x@example.org'],
      'A username has 3 to 30 characters: letters, digits, "_" and "-".',
    ],
    [
      ['add', "x'; DROP TABLE users", '--email', 'x@example.org'],
      'A username has 3 to 30 characters: letters, digits, "_" and "-".',
    ],
    [['add', 'carol', '--email', 'nowhere'], 'Not a valid email address: nowhere'],
    [['add', 'carol'], '"add" needs --email EMAIL.'],
    [['add'], '"add" takes one username. See: npm run admin -- user --help'],
    [['key', 'two', 'names'], '"key" takes one username. See: npm run admin -- user --help'],
    [['key', 'nobody'], 'No account has this username: nobody'],
    [['revoke', "no' OR '1'='1"], "No API key has this id: no' OR '1'='1"],
    [['suspend', 'nobody'], 'No account has this username: nobody'],
    [['restore', 'nobody'], 'No account has this username: nobody'],
    [['delete', 'nobody'], 'No account has this username: nobody'],
    [['admin', 'nobody'], 'No account has this username: nobody'],
    [['list', 'demo'], '"list" doesn\'t take "demo". See: npm run admin -- user --help'],
    [['frobnicate'], 'Unknown command "frobnicate". See: npm run admin -- user --help'],
    [['constructor'], 'Unknown command "constructor". See: npm run admin -- user --help'],
  ])('refuses %j with one line', async (args, line) => {
    expect(await user(...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
    expect((await json('list')).users).toHaveLength(1)
  })

  it('connects an account to a subject at a provider, once', async () => {
    const link = ['--issuer', 'https://id.example', '--subject', 'a1']
    expect((await user('link', 'demo', ...link)).stdout).toBe(
      'a1 at https://id.example can now sign in to demo.\n',
    )
    const rows = await storage.execute('SELECT provider_id, account_id FROM linked_accounts')
    expect(rows).toEqual([[{ provider_id: 'https://id.example/', account_id: 'a1' }]])
    await user('add', 'ada', '--email', 'ada@example.org')
    const refused = 'An account at this provider is already connected to demo.\n'
    expect(await user('link', 'ada', ...link)).toMatchObject({ code: 1, stderr: refused })
    const other = ['--issuer', 'https://id.example', '--subject', 'b2']
    expect(await user('link', 'demo', ...other)).toMatchObject({ code: 1, stderr: refused })
    const nobody = await user('link', 'nobody', ...other)
    expect(nobody).toMatchObject({ code: 1, stderr: 'No account has this username: nobody\n' })
    for (const args of [
      ['link', 'ada', '--issuer', 'id.example', '--subject', 'c'],
      ['link', 'ada', ...link.slice(0, 2)],
    ])
      expect((await user(...args)).stderr).toMatch(/^"link" needs --(issuer|subject)/)
  })

  it('refuses unknown options', async () => {
    const { code, stdout, stderr } = await user('list', '--frobnicate')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Unknown option '--frobnicate'/)
  })
})
