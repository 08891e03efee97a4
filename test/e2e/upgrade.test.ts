import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWrangler } from '../../scripts/support/wrangler.ts'
import { putContent, queryDatabase } from './support/database.ts'
import { command, findCurls, ROOT, runInShell, type Service, startService } from './support/service.ts'

let folder: string
/** A service of this file alone, on the database of an earlier version. */
let service: Service
let old: typeof import('../upgrade/fixtures/6f0127f.json')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const fixture = join(ROOT, 'test/upgrade/fixtures/6f0127f')
  old = JSON.parse(await readFile(`${fixture}.json`, 'utf8'))
  const dump = ['--yes', '--file', `${fixture}.sql`]
  const loaded = await runWrangler(['d1', 'execute', 'DB', '--local', '--persist-to', folder, ...dump])
  expect(loaded.code).toBe(0)
  service = await startService(folder)
  await Promise.all(old.contents.map(({ key, value }) => putContent(folder, key, value)))
})

afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('npm run dev on the database of an earlier version', () => {
  it('upgrades it and keeps its accounts and documents', async () => {
    // The earlier version has already created the demo account and its document.
    expect(service.printed()).not.toMatch(/imperial_/)
    const [createLine = '', , rawLine = ''] = findCurls(service.printed())
    expect(await runInShell(rawLine)).toBe('Hello from Regent.\n')
    expect(JSON.parse(await runInShell(createLine))).toMatchObject({ success: true, data: { creator: null } })
    const { edited } = old.documents
    const response = await fetch(`${service.base}/v1/document`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: old.keys.ada },
      body: JSON.stringify({ id: edited, content: 'after the upgrade' }),
    })
    expect(response.status).toBe(200)
    expect(await (await fetch(`${service.base}/r/${edited}`)).text()).toBe('after the upgrade')
    expect((await queryDatabase(folder, 'SELECT name FROM d1_migrations')).length).toBeGreaterThan(1)
  })
})

describe('npm run admin -- documents beside a running service', () => {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(
      'admin',
      'documents',
      ...args,
      '--json',
      '--persist-to',
      folder,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  it('shows a document with its content, and removes it', async () => {
    const { reported } = old.documents
    expect(await json('show', reported, '--content')).toMatchObject({
      document: { id: reported, creator: 'mallory' },
      reports: [{ words: "It's an advertisement; see line 1" }],
      content: 'Buy cheap watches.\n',
    })
    await json('remove', reported, '--reason', "It's spam.")
    expect((await fetch(`${service.base}/r/${reported}`)).status).toBe(404)
  })
})
