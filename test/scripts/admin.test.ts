import { hostname, userInfo } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { auditCommands } from '../../scripts/admin/audit.ts'
import { blockCommands } from '../../scripts/admin/blocks.ts'
import { documentCommands } from '../../scripts/admin/documents.ts'
import { limitCommands } from '../../scripts/admin/limits.ts'
import { userCommands } from '../../scripts/admin/user.ts'
import { PLAN_QUOTAS } from '../../src/config.ts'
import { startBeforeMidnight } from '../support/day.ts'
import { emptyStorage, runner } from './support/commands.ts'

describe('npm run admin -- documents', () => {
  const documents = runner(documentCommands, emptyStorage())

  it.each([
    [['show', 'xxxxxxxx'], 'No document has this id: xxxxxxxx'],
    [['show'], '"show" takes one document id. See: npm run admin -- documents --help'],
    [['remove', 'xxxxxxxx', '--reason', 'x'], 'No document has this id: xxxxxxxx'],
    [['remove', 'xxxxxxxx'], '"remove" needs --reason TEXT.'],
    [['remove', 'xxxxxxxx', '--reason', ' '], '"remove" needs --reason TEXT.'],
    [['remove', 'xxxxxxxx', '--reason', 'x'.repeat(501)], 'A reason can have at most 500 characters.'],
    [['list'], '"list" needs a filter, such as --creator NAME or --since 24h. See --help.'],
    [['list', '--reported', '--limit', '0'], '--limit must be a whole number from 1 to 1000.'],
    [['list', '--creator', 'nobody'], 'No account has this username: nobody'],
    [['frobnicate'], 'Unknown command "frobnicate". See: npm run admin -- documents --help'],
  ])('refuses %j with one line', async (args, line) => {
    expect(await documents(...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  })

  it('says so when nothing is listed', async () => {
    expect(await documents('list', '--reported')).toEqual({
      code: 0,
      stdout: 'No documents found.\n',
      stderr: '',
    })
    expect(await documents('list', '--reported', '--json')).toMatchObject({ stdout: '{"documents":[]}\n' })
  })
})

const storage = emptyStorage()
const blocks = runner(blockCommands, storage)
const documents = runner(documentCommands, storage)
const user = runner(userCommands, storage)
const audit = runner(auditCommands, storage)

const list = async () => JSON.parse((await blocks('list', '--json')).stdout).blocks
const entries = async (...args: string[]) =>
  JSON.parse((await audit('list', '--json', ...args)).stdout).entries

const ACTOR = `cli:${userInfo().username}@${hostname()}`

/** Inserts a document without its content. */
const insertDocument = (id: string, hash: string, address: string | null = null) =>
  storage.execute(`INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
      instant_delete, encrypted, public, version, created_at, updated_at, expires_at, content_hash, creator_address)
    VALUES ('${id}', 'content/${id}', 100, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 9999999999999, '${hash}',
      ${address === null ? 'NULL' : `'${address}'`});`)

const HASH = 'a'.repeat(43)

describe('npm run admin -- blocks', () => {
  it('adds, lists and lifts blocks', async () => {
    expect(await blocks('add', 'address:192.0.2.7/24', '--reason', "a flood; it's spam")).toMatchObject({
      code: 0,
    })
    await blocks('add', 'domain:Bad.example', '--reason', 'phishing')
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'address', value: '192.0.2.0/24', reason: "a flood; it's spam" }),
        expect.objectContaining({ kind: 'domain', value: 'bad.example', created_by: 'operator' }),
      ]),
    )
    await blocks('remove', 'address:192.0.2.0/24')
    await blocks('remove', 'domain:Bad.example')
    expect((await blocks('list')).stdout).toBe('Nothing is blocked.\n')
  })

  it.each([
    [['add', 'domain:x.example'], '"add" needs --reason TEXT.'],
    [['add', 'x.example', '--reason', 'x'], 'A block starts with address:, domain: or content:.'],
    [
      ['add', 'address:nowhere', '--reason', 'x'],
      'A block of this kind must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32.',
    ],
    [['remove', 'domain:never.example'], "This isn't blocked: domain:never.example"],
  ])('refuses %j with one line', async (args, line) => {
    expect(await blocks(...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  })
})

describe('npm run admin -- documents remove-all', () => {
  const remaining = async () =>
    (await storage.execute('SELECT id FROM documents ORDER BY id;'))[0]?.map(({ id }) => id)

  it('removes the documents of an address, with a record of each', async () => {
    await insertDocument('one', HASH, '00000000000000000000ffffc0000205')
    await insertDocument('two', 'b'.repeat(43))
    expect(await documents('remove-all', '--address', '192.0.2.0/24', '--reason', 'flood')).toMatchObject({
      code: 0,
      stdout:
        'Removed documents of address 192.0.2.0/24: 1. For 30 days, "documents restore ID" brings them back.\n',
    })
    expect(await remaining()).toEqual(['two'])
    expect(JSON.parse((await documents('show', 'one', '--json')).stdout).removal).toMatchObject({
      reason: 'flood',
    })
    expect(await list()).toEqual([expect.objectContaining({ kind: 'content', value: HASH })])
  })

  it('says so if it changes nothing, because the clock here is behind', async () => {
    await insertDocument('four', HASH, '00000000000000000000ffffc0000206')
    const now = Date.now()
    const setBack = () => vi.spyOn(Date, 'now').mockImplementation(() => now - 120_000)
    onTestFinished(() => void vi.restoreAllMocks())
    const clock = setBack()
    const late = { code: 1, stdout: '', stderr: expect.stringContaining("this computer's clock") }
    const all = ['remove-all', '--address', '192.0.2.0/24', '--reason', 'flood']
    expect(await documents(...all)).toEqual(late)
    expect(await documents('remove', 'four', '--reason', 'x')).toEqual(late)
    expect(await remaining()).toContain('four')
    const [entries] = await storage.execute(
      "SELECT action FROM audit_log WHERE action = 'documents.remove-all';",
    )
    clock.mockRestore()
    expect(await documents(...all)).toMatchObject({ code: 0 })
    const [more] = await storage.execute(
      "SELECT action FROM audit_log WHERE action = 'documents.remove-all';",
    )
    expect(more).toHaveLength((entries?.length ?? 0) + 1)
    setBack()
    expect(await documents('restore', 'four')).toEqual(late)
    await storage.execute("DELETE FROM removed_documents WHERE id = 'four';")
  })

  it('removes every copy of a text, and blocks it unless told not to', async () => {
    await insertDocument('three', 'b'.repeat(43))
    await documents('remove-all', '--content-hash', 'b'.repeat(43), '--reason', 'x', '--allow-again')
    expect(await remaining()).toEqual([])
    expect(await list()).toHaveLength(1)
    await documents('remove-all', '--content-hash', 'b'.repeat(43), '--reason', 'x')
    expect(await list()).toHaveLength(2)
  })

  it.each([
    [
      ['remove-all', '--reason', 'x'],
      '"remove-all" needs one of --account NAME, --address RANGE and --content-hash SHA256.',
    ],
    [['remove-all', '--account', 'nobody', '--reason', 'x'], 'No account has this username: nobody'],
    [['remove-all', '--account', 'nobody'], '"remove-all" needs --reason TEXT.'],
  ])('refuses %j with one line', async (args, line) => {
    expect(await documents(...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  })
})

describe('npm run admin -- audit', () => {
  it('shows what the command line did, and who ran it', async () => {
    await user('add', 'grace', '--email', 'grace@example.org')
    const { key_id } = JSON.parse((await user('key', 'grace', '--json')).stdout)
    await user('revoke', key_id)
    await user('suspend', 'grace')
    await user('restore', 'grace')
    await user('admin', 'grace')
    await user('delete', 'grace')
    const done = await entries('--actor', ACTOR, '--limit', '7')
    expect(done.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'account.admin',
      'account.create',
      'account.delete',
      'account.restore',
      'account.suspend',
      'key.create',
      'key.revoke',
    ])
    expect(await entries('--subject', 'grace', '--actor', 'somebody')).toEqual([])
  })

  it('records nothing of a command that did nothing', async () => {
    const count = async () => (await entries('--subject', 'nothing', '--limit', '1000')).length
    const before = await count()
    for (const command of ['suspend', 'restore', 'admin', 'delete', 'key']) await user(command, 'nobody')
    await user('revoke', 'nothing')
    await documents('remove', 'nothing', '--reason', 'x')
    expect(await count()).toBe(before)
    expect(await entries('--subject', 'nobody')).toEqual([])
  })
})

describe('npm run admin -- limits', () => {
  const storage = emptyStorage()
  const limits = runner(limitCommands, storage)
  const audit = runner(auditCommands, storage)

  const insertDocument = (id: string, creatorId: string | null) =>
    storage.execute(`INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
        image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
      VALUES ('${id}', ${creatorId === null ? 'NULL' : `'${creatorId}'`}, 'content/${id}', 100, 0, 'plaintext',
        0, 0, 0, 0, 'v', ${Date.now()}, 0, 9999999999999);`)

  it('shows what the server and its accounts store', async () => {
    await startBeforeMidnight()
    await storage.execute(
      "INSERT INTO users (id, username, email, created_at) VALUES ('a', 'ada', 'a@b.c', 0);",
    )
    await insertDocument('one', 'a')
    await insertDocument('two', null)
    await storage.execute("DELETE FROM documents WHERE id = 'two';")
    expect(JSON.parse((await limits('show', '--json')).stdout)).toEqual({
      server: { documents: 1, bytes: 100, writes_today: 2 },
      accounts: [{ username: 'ada', documents: 1, bytes: 100, writes_today: 1 }],
      anonymous: 'allow',
      plan: 'paid',
      quotas: PLAN_QUOTAS.paid,
    })
    expect((await limits('show')).stdout).toContain(
      'ada: 1 of 10000 documents, 100 of 1073741824 bytes, 1 of 2000 writes today',
    )
  })

  it('switches documents without an account off and on, and records it', async () => {
    expect((await limits('anonymous', 'refuse')).stdout).toContain('now refuses')
    expect((await limits('show')).stdout).toContain('Documents without an account: refuse')
    await limits('anonymous', 'allow')
    expect((await limits('show')).stdout).toContain('Documents without an account: allow')
    const { entries } = JSON.parse((await audit('list', '--json')).stdout)
    const actions: Set<string> = new Set(entries.map(({ action }: { action: string }) => action))
    expect([...actions].sort()).toEqual([
      // Each "show".
      'accounts.list',
      'anonymous-documents.allow',
      'anonymous-documents.refuse',
    ])
  })

  it.each([
    [['anonymous', 'maybe'], '"anonymous" takes "refuse" or "allow", not "maybe".'],
    [['anonymous'], '"anonymous" takes one value: "refuse" or "allow".'],
    [['show', 'all'], '"show" doesn\'t take "all".'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await limits(...args)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) })
  })
})
