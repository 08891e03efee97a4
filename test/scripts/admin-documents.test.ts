import { beforeEach, describe, expect, it } from 'vitest'
import { auditCommands } from '../../scripts/admin/audit.ts'
import { blockCommands } from '../../scripts/admin/blocks.ts'
import { documentCommands } from '../../scripts/admin/documents.ts'
import { userCommands } from '../../scripts/admin/user.ts'
import type { StorageClient } from '../../scripts/support/database.ts'
import { emptyStorage, type Result, runner } from './support/commands.ts'

const DAY_MS = 86_400_000
const HASH = 'a'.repeat(43)

let storage: StorageClient
let documents: (...args: string[]) => Promise<Result>

beforeEach(() => {
  storage = { ...emptyStorage(), readContent: async () => 'the text' }
  documents = runner(documentCommands, storage)
})

interface Inserted {
  readonly title?: string
  readonly address?: string
  readonly createdAt?: number
  readonly expiresAt?: number
}

/** Inserts a document without its content. */
const insert = (
  id: string,
  { title = 'a title', address, createdAt = Date.now(), expiresAt = 9999999999999 }: Inserted = {},
) =>
  storage.execute(`INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
      instant_delete, encrypted, public, version, created_at, updated_at, expires_at, content_hash, creator_address,
      title, title_key, views)
    VALUES ('${id}', 'content/${id}', 8, ${expiresAt}, 'plaintext', 0, 0, 0, 0, 'v', ${createdAt}, ${createdAt},
      ${expiresAt}, '${HASH}', ${address === undefined ? 'NULL' : `'${address}'`}, '${title}',
      '${title.toLowerCase()}', 3);`)

const NETWORK = '00000000000000000000ffffc0000205'

const parse = async (...args: string[]) => JSON.parse((await documents(...args, '--json')).stdout)

const listIds = async (...args: string[]): Promise<string[]> =>
  (await parse('list', ...args)).documents.map(({ id }: { id: string }) => id)

/** The actions, subjects and details of the audit log. */
async function listAudit(): Promise<string[]> {
  const [rows = []] = await storage.execute(
    'SELECT action, subject, detail FROM audit_log ORDER BY at, action;',
  )
  return rows.map(({ action, subject, detail }) => [action, subject, detail].filter(Boolean).join(' '))
}

describe('npm run admin -- documents list', () => {
  beforeEach(async () => {
    const now = Date.now()
    await insert('old', { title: 'Old Straße', createdAt: now - 10 * DAY_MS })
    await insert('middle', { title: 'middle', createdAt: now - 3 * DAY_MS, address: NETWORK })
    await insert('new', { title: '100% new', createdAt: now - DAY_MS / 2 })
  })

  it.each([
    [
      ['--since', '4d'],
      ['new', 'middle'],
    ],
    [
      ['--until', '24h'],
      ['middle', 'old'],
    ],
    [['--since', '4d', '--until', '1d'], ['middle']],
    [['--since', new Date(Date.now() - DAY_MS).toISOString()], ['new']],
    [['--until', '2020-01-01'], []],
    [['--network', '192.0.2.0/24'], ['middle']],
    [['--network', '192.0.2.6'], []],
    [['--text', 'STRASSE'], []],
    [['--text', 'STRA\u00dfe'], ['old']],
    [['--text', '0%'], ['new']],
  ])('filters by %j', async (args, ids) => {
    expect(await listIds(...args)).toEqual(ids)
  })

  it.each([
    [['--since', 'yesterday'], '--since takes a time such as'],
    [['--until', '2026-13-01'], '--until takes a time such as'],
    [['--network', 'nowhere'], '--network must be an address or a range'],
    [[], '"list" needs a filter'],
  ])('refuses %j', async (args, message) => {
    expect(await documents('list', ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  })

  it('shows the network, and leaves one entry in the audit log', async () => {
    const [found] = (await parse('list', '--text', 'middle')).documents
    expect(found).toMatchObject({ id: 'middle', network: '192.0.2.5' })
    expect(await listAudit()).toEqual(['documents.list text middle, limit 50'])
  })
})

describe('npm run admin -- documents show', () => {
  it('shows the network, and leaves one entry in the audit log for each look', async () => {
    await insert('one', { address: NETWORK })
    expect((await parse('show', 'one')).document).toMatchObject({ id: 'one', network: '192.0.2.5' })
    expect(await listAudit()).toEqual(['document.view one'])
    expect((await parse('show', 'one', '--content')).content).toBe('the text')
    expect(await listAudit()).toEqual(['document.view one', 'text.read one'])
    await documents('show', 'nothing')
    expect(await listAudit()).toHaveLength(2)
  })

  it.each(['a?1b', "?5); DELETE FROM documents; SELECT '?1", "'?2''?3"])(
    'takes the id %j as nothing but an id',
    async (id) => {
      await insert('one')
      const { code, stderr } = await documents('show', id)
      expect(code).toBe(1)
      expect(stderr).toContain('No document has this id')
      const [rows] = await storage.execute('SELECT id FROM documents;')
      expect(rows).toEqual([{ id: 'one' }])
    },
  )
})

describe('npm run admin -- documents restore', () => {
  it('brings back what "remove" removed, and says until when it can', async () => {
    await insert('one', { address: NETWORK })
    const removed = await documents('remove', 'one', '--reason', 'a mistake')
    expect(removed.stdout).toBe('Removed one. For 30 days, "documents restore ID" brings it back.\n')
    const { document, removal } = await parse('show', 'one')
    expect(document).toBeNull()
    expect(Date.parse(removal.kept_until) - Date.parse(removal.removed_at)).toBe(30 * DAY_MS)
    expect(await documents('show', 'one', '--content')).toMatchObject({
      code: 1,
      stderr: 'The document was removed, so nobody can read its content.\n',
    })
    expect(await documents('restore', 'one')).toMatchObject({
      code: 0,
      stdout: 'Restored one. Its earlier versions and reports are gone.\n',
    })
    // Whoever created it isn't known any more.
    expect(await parse('show', 'one')).toMatchObject({ document: { views: 3, network: null }, removal: null })
    expect((await storage.execute('SELECT * FROM blocks;'))[0]).toEqual([])
    expect(await listAudit()).toContain('document.restore one')
  })

  it.each([
    ['a document that is there', "isn't removed: one"],
    ['an id that nothing has', 'No document has this id: nothing'],
    ['a document that was deleted for good', 'Nothing is left of the document, which was removed on'],
    ['a document that was deleted for good later', 'Nothing is left of the document, which was removed on'],
    ['a document that has expired', "so it can't be restored."],
  ])('refuses %s', async (what, message) => {
    await insert('one')
    if (what.includes('deleted')) {
      const later = what.endsWith('later')
      await documents('remove', 'one', '--reason', 'x', ...(later ? [] : ['--purge']))
      if (later) expect((await documents('remove', 'one', '--reason', 'x', '--purge')).code).toBe(0)
      expect((await storage.execute('SELECT content_key FROM detached_contents;'))[0]).toEqual([
        { content_key: 'content/one' },
      ])
    }
    if (what.endsWith('expired')) {
      await documents('remove', 'one', '--reason', 'x')
      await storage.execute('UPDATE removed_documents SET expires_at = 1, kept_until = 1;')
    }
    expect(await documents('restore', what.startsWith('an id') ? 'nothing' : 'one')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  })
})

describe('npm run admin -- documents remove-all --dry-run', () => {
  it('says what it would remove, and changes nothing', async () => {
    await insert('one', { address: NETWORK })
    await insert('two', { address: NETWORK })
    await insert('three')
    const tables = ['documents', 'removals', 'removed_documents', 'blocks', 'detached_contents']
    const readAll = () => storage.execute(tables.map((table) => `SELECT * FROM ${table};`).join('\n'))
    const before = await readAll()
    const args = ['remove-all', '--address', '192.0.2.0/24', '--dry-run']
    expect(await parse(...args, '--limit', '1')).toMatchObject({
      kind: 'address',
      value: '192.0.2.0/24',
      would_remove: 2,
      bytes: 16,
      documents: [{ network: '192.0.2.5' }],
    })
    expect((await documents(...args)).stdout).toContain('Would remove documents of address 192.0.2.0/24: 2')
    expect(await readAll()).toEqual(before)
    expect(await documents('remove-all', '--address', '192.0.2.0/24', '--reason', 'x')).toMatchObject({
      stdout: expect.stringContaining(': 2.'),
    })
    expect(await listAudit()).toContain('documents.remove-all address 192.0.2.0/24 2 documents: x')
  })
})

describe('the audit log', () => {
  it('has an entry for each command that shows people', async () => {
    const user = runner(userCommands, storage)
    const audit = runner(auditCommands, storage)
    await user('list')
    await audit('list', '--actor', 'ada')
    await runner(blockCommands, storage)('list')
    expect(await listAudit()).toEqual(['accounts.list user list', 'audit.read ada', 'blocks.list'])
  })
})

describe('a command that hides documents', () => {
  /** Runs a command until it waits, and returns what it has done and printed then and at the end. */
  async function pause(commands: typeof documentCommands, args: readonly string[]) {
    let printed = ''
    const waiting = Promise.withResolvers<void>()
    const forgotten = Promise.withResolvers<void>()
    const context = {
      openStorage: () => storage,
      print: (text: string) => {
        printed += text
      },
      outlastRowMemory: () => {
        waiting.resolve()
        return forgotten.promise
      },
    }
    const done = commands(args, context)
    await Promise.race([waiting.promise, done])
    const before = { printed, audit: await listAudit() }
    forgotten.resolve()
    await done
    return { before, after: printed }
  }

  it.each<[typeof documentCommands, string[], string, RegExp]>([
    [documentCommands, ['remove', 'd', '--reason', 'x'], 'document.remove d x', /^Removed d\./],
    [
      documentCommands,
      ['remove-all', '--content-hash', HASH, '--reason', 'x', '--allow-again'],
      `documents.remove-all content ${HASH} 1 documents: x`,
      /^Removed documents of content .*: 1\./,
    ],
    [userCommands, ['suspend', 'ada'], 'account.suspend ada', /^Suspended ada\./],
    [userCommands, ['delete', 'ada'], 'account.delete ada deleted its documents', /^Deleted ada\./],
  ])('%# answers once no isolate of the server remembers them', async (commands, args, entry, text) => {
    await insert('d')
    await runner(userCommands, storage)('add', 'ada', '--email', 'ada@example.org')
    const { before, after } = await pause(commands, args)
    expect(before.audit).toContain(entry)
    expect(before.printed).toBe('')
    expect(after).toMatch(text)
  })
})
