import { hostname, userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { auditCommands } from '../../scripts/admin/audit.ts'
import { blockCommands } from '../../scripts/admin/blocks.ts'
import { documentCommands } from '../../scripts/admin/documents.ts'
import { userCommands } from '../../scripts/admin/user.ts'
import { emptyStorage, runner } from './support/commands.ts'

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
      stdout: 'Removed documents of address 192.0.2.0/24: 1. The next cleanup deletes their content.\n',
    })
    expect(await remaining()).toEqual(['two'])
    expect(JSON.parse((await documents('show', 'one', '--json')).stdout).removal).toMatchObject({
      reason: 'flood',
    })
    expect(await list()).toEqual([expect.objectContaining({ kind: 'content', value: HASH })])
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
    const before = (await entries('--limit', '1000')).length
    for (const command of ['suspend', 'restore', 'admin', 'delete', 'key']) await user(command, 'nobody')
    await user('revoke', 'nothing')
    await documents('remove', 'nothing', '--reason', 'x')
    expect((await entries('--limit', '1000')).length).toBe(before)
  })
})
