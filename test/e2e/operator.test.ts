import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocument } from './support/documents.ts'
import { command, type Service, startService } from './support/service.ts'
import { sessionCookie, WITH_SECRET } from './support/session.ts'

let folder: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  service = await startService(folder, WITH_SECRET)
})

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const run = (script: string, ...args: string[]) => command(script, ...args, '--persist-to', folder)

async function json(script: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(script, ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const addUser = async (name: string): Promise<string> =>
  (await json('user', 'add', name, '--email', `${name}@example.org`)).key

const create = async (key: string, content = 'x', settings: object = {}): Promise<string> =>
  (await createDocument(service, key, content, settings)).id

async function read(id: string) {
  const response = await fetch(`${service.base}/v1/document/${id}`)
  const { data } = (await response.json()) as { data?: { creator: object | null } }
  return { status: response.status, creator: data?.creator }
}

const report = (id: string, words: string) =>
  fetch(`${service.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: service.base },
    body: new URLSearchParams({ reason: 'spam', words }),
    redirect: 'manual',
  })

/** Whether a page of one's own is there for whoever sends the cookie. */
async function statusOf(path: string, { name, value }: { name: string; value: string }): Promise<number> {
  const headers = { Cookie: `${name}=${value}` }
  return (await fetch(service.base + path, { headers, redirect: 'manual' })).status
}

describe('npm run user', () => {
  it('suspends an account, sessions and all, and restores it', async () => {
    const key = await addUser('carol')
    await json('user', 'admin', 'CAROL')
    const session = await sessionCookie(folder, 'carol')
    expect(await statusOf('/moderation', session)).toBe(200)
    await json('user', 'suspend', 'carol')
    await expect(create(key)).rejects.toThrow('401')
    expect(await json('user', 'restore', 'Carol')).toEqual({ username: 'Carol', suspended: false })
    expect((await read(await create(key))).status).toBe(200)
    // The key is valid again; who was signed in signs in again.
    expect(await statusOf('/moderation', session)).toBe(303)
  })

  it('makes an account an admin, and no admin any more', async () => {
    await addUser('dave')
    const session = await sessionCookie(folder, 'dave')
    expect(await statusOf('/moderation', session)).toBe(404)
    expect(await json('user', 'admin', 'dave')).toEqual({ username: 'dave', admin: true })
    expect(await statusOf('/moderation', session)).toBe(200)
    const { users } = await json('user', 'list')
    expect(users).toContainEqual(expect.objectContaining({ username: 'dave', admin: true }))
    await json('user', 'admin', 'dave', '--off')
    expect(await statusOf('/moderation', session)).toBe(404)
  })

  it('deletes an account with its documents, or keeps those without a creator', async () => {
    const [erin, frank] = [await addUser('erin'), await addUser('frank')]
    const deleted = [await create(erin), await create(erin, 'y', { editors: ['frank'] })]
    const kept = await create(frank, 'z', { editors: ['demo'], expiration: null })
    const session = await sessionCookie(folder, 'erin')
    const { code, stdout } = await run('user', 'delete', 'Erin')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'erin is deleted. API keys: 1. Documents, deleted too: 2.\n',
    })
    for (const id of deleted) expect((await read(id)).status).toBe(404)
    await expect(create(erin)).rejects.toThrow('401')
    expect(await statusOf('/moderation', session)).toBe(303)
    expect(await json('user', 'delete', 'frank', '--keep-documents')).toEqual({
      username: 'frank',
      deleted: true,
      documents: 1,
      documents_kept: true,
      keys: 1,
    })
    expect(await read(kept)).toEqual({ status: 200, creator: null })
    await expect(create(frank)).rejects.toThrow('401')
    await addUser('erin')
  })
})

describe('npm run documents', () => {
  it('lists, shows and removes what was reported', async () => {
    const key = await addUser('grace')
    const text = 'a title\u202e with \u001b[31mcolour\rover\n\ttext 😀\r\n'
    const quiet = await create(key)
    const id = await create(key, text, { expiration: null })
    const words = "it's \u001b[2J 'bad'; DROP TABLE documents"
    expect((await report(id, words)).status).toBe(303)

    const { documents } = await json('documents', 'list', '--reported')
    expect(documents).toEqual([
      expect.objectContaining({ id, creator: 'grace', reports: 1, encrypted: false }),
    ])
    const own = await json('documents', 'list', '--creator', 'GRACE')
    expect(own.documents.map((document: { id: string }) => document.id)).toEqual([id, quiet])
    const one = await json('documents', 'list', '--creator', 'grace', '--limit', '1')
    expect(one.documents).toHaveLength(1)

    const shown = await json('documents', 'show', id, '--content')
    expect(shown).toEqual({
      document: expect.objectContaining({ id, creator: 'grace', expires_at: '9999-12-31T23:59:59.999Z' }),
      reports: [{ reason: 'spam', words, reported_at: expect.stringMatching(/^20.*Z$/) }],
      removal: null,
      content: text,
    })
    const { stdout } = await run('documents', 'show', id, '--content')
    expect(stdout).toContain('\ttext 😀\r\n')
    for (const hidden of ['\u001b', '\u202e']) expect(stdout).not.toContain(hidden)

    const reason = "It's <spam>."
    const { removal } = await json('documents', 'remove', id, '--reason', reason)
    expect(removal).toMatchObject({ id, removed_by: 'operator', reason })
    expect((await read(id)).status).toBe(404)
    expect(await json('documents', 'show', id)).toEqual({
      document: null,
      reports: [],
      removal: expect.objectContaining({ removed_by: 'operator', reason }),
    })
    const again = await run('documents', 'remove', id, '--reason', 'again')
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^The document was removed before: 20.*Z, by operator\.\n$/)
  })

  it('keeps to itself what is encrypted', async () => {
    const key = await addUser('heidi')
    const id = await create(key, 'sealed', { encrypted: true })
    const { document } = await json('documents', 'show', id)
    expect(document).toMatchObject({ encrypted: true, title: null })
    expect(await run('documents', 'show', id, '--content')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The document is encrypted: its text can not be shown.\n',
    })
  })

  it.each([
    [['show', 'xxxxxxxx'], 'There is no document with this id: xxxxxxxx\n'],
    [['show'], '"show" takes one id. See: npm run documents -- --help\n'],
    [['remove', 'xxxxxxxx', '--reason', 'x'], 'There is no document with this id: xxxxxxxx\n'],
    [['remove', 'xxxxxxxx'], '"remove" needs --reason TEXT.\n'],
    [['remove', 'xxxxxxxx', '--reason', 'x'.repeat(501)], 'A reason has at most 500 characters.\n'],
    [['list'], '"list" takes --creator NAME, --reported, or both.\n'],
    [['list', '--reported', '--limit', '0'], '--limit is a whole number from 1 to 1000.\n'],
    [['list', '--creator', 'nobody'], 'There is no account with this username: nobody\n'],
    [['frobnicate'], 'There is no command "frobnicate". See: npm run documents -- --help\n'],
  ])('refuses %j in one line', async (args, stderr) => {
    expect(await run('documents', ...args)).toEqual({ code: 1, stdout: '', stderr })
  })
})
