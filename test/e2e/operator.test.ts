import { beforeAll, describe, expect, it } from 'vitest'
import { documentCommands } from '../../scripts/admin/documents.ts'
import { userCommands } from '../../scripts/admin/user.ts'
import { runner } from '../scripts/support/commands.ts'
import { addAccount } from './support/accounts.ts'
import { openStorage } from './support/database.ts'
import { createDocument } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'
import { sessionCookie } from './support/session.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})

const run = (script: 'user' | 'documents', ...args: string[]) =>
  runner({ user: userCommands, documents: documentCommands }[script], openStorage(service.env))(...args)

async function json(script: 'user' | 'documents', ...args: string[]) {
  const { code, stdout, stderr } = await run(script, ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const addUser = async (username: string): Promise<string> => (await addAccount(service.env, username)).key

const create = async (key: string, content = 'x', settings: object = {}): Promise<string> =>
  (await createDocument(service, key, content, settings)).id

async function read(id: string) {
  const response = await fetch(`${service.base}/v1/document/${id}`)
  const { data } = (await response.json()) as { data?: { creator: object | null } }
  return { status: response.status, creator: data?.creator }
}

const report = (id: string, comment: string) =>
  fetch(`${service.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: service.base },
    body: new URLSearchParams({ reason: 'spam', comment }),
    redirect: 'manual',
  })

/** Returns the status of a page for the browser that holds a cookie. */
async function getStatus(path: string, { name, value }: { name: string; value: string }): Promise<number> {
  const headers = { Cookie: `${name}=${value}` }
  return (await fetch(service.base + path, { headers, redirect: 'manual' })).status
}

describe('npm run admin -- user', () => {
  it('adds an account whose key works until it is revoked', async () => {
    const added = await json('user', 'add', 'operator-judy', '--email', 'operator-judy@example.org')
    expect((await read(await create(added.key))).status).toBe(200)
    await json('user', 'revoke', added.key_id)
    await expect(create(added.key)).rejects.toThrow('401')
  })

  it('suspends an account with its sessions, and restores it', async () => {
    const key = await addUser('operator-carol')
    await json('user', 'admin', 'OPERATOR-CAROL')
    const session = await sessionCookie(service.env, 'operator-carol')
    expect(await getStatus('/moderation', session)).toBe(200)
    await json('user', 'suspend', 'operator-carol')
    await expect(create(key)).rejects.toThrow('401')
    expect(await json('user', 'restore', 'Operator-Carol')).toEqual({
      username: 'Operator-Carol',
      suspended: false,
    })
    expect((await read(await create(key))).status).toBe(200)
    // The key works again, but the browser has to sign in again.
    expect(await getStatus('/moderation', session)).toBe(303)
  })

  it('deletes an account with its documents', async () => {
    const erin = await addUser('operator-erin')
    await addUser('operator-ed')
    const deleted = [await create(erin), await create(erin, 'y', { editors: ['operator-ed'] })]
    const session = await sessionCookie(service.env, 'operator-erin')
    expect(await run('user', 'delete', 'Operator-Erin')).toEqual({
      code: 0,
      stdout: 'Deleted operator-erin. API keys deleted: 1. Documents deleted: 2.\n',
      stderr: '',
    })
    for (const id of deleted) expect((await read(id)).status).toBe(404)
    await expect(create(erin)).rejects.toThrow('401')
    expect(await getStatus('/moderation', session)).toBe(303)
    // The username is free again.
    await json('user', 'add', 'operator-erin', '--email', 'operator-erin@example.org')
  })

  it('deletes an account and keeps its documents without a creator', async () => {
    const frank = await addUser('operator-frank')
    const kept = await create(frank, 'z', { editors: ['demo'], expiration: null })
    expect(await json('user', 'delete', 'operator-frank', '--keep-documents')).toEqual({
      username: 'operator-frank',
      deleted: true,
      documents: 1,
      documents_kept: true,
      keys: 1,
    })
    expect(await read(kept)).toEqual({ status: 200, creator: null })
    await expect(create(frank)).rejects.toThrow('401')
  })
})

describe('npm run admin -- documents', () => {
  it("lists an account's documents, newest first", async () => {
    const key = await addUser('operator-grace')
    const ids = [await create(key), await create(key)]
    const all = await json('documents', 'list', '--creator', 'OPERATOR-GRACE')
    expect(all.documents.map(({ id }: { id: string }) => id)).toEqual(ids.reverse())
    const one = await json('documents', 'list', '--creator', 'operator-grace', '--limit', '1')
    expect(one.documents).toHaveLength(1)
  })

  it('lists, shows and removes a reported document', async () => {
    const key = await addUser('operator-ivan')
    const text = 'a title\u202e with \u001b[31mcolour\rover\n\ttext 😀\r\n'
    const id = await create(key, text, { expiration: null })
    const words = "it's \u001b[2J 'bad'; DROP TABLE documents"
    expect((await report(id, words)).status).toBe(303)

    const [{ documents }, shown, { stdout }] = await Promise.all([
      json('documents', 'list', '--reported'),
      json('documents', 'show', id, '--content'),
      run('documents', 'show', id, '--content'),
    ])
    expect(documents).toContainEqual(
      expect.objectContaining({ id, creator: 'operator-ivan', reports: 1, encrypted: false }),
    )
    expect(shown).toEqual({
      document: expect.objectContaining({
        id,
        creator: 'operator-ivan',
        expires_at: '9999-12-31T23:59:59.999Z',
      }),
      reports: [{ reason: 'spam', words, times: 1, reported_at: expect.stringMatching(/^20.*Z$/) }],
      removal: null,
      content: text,
    })
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
    expect(again.stderr).toMatch(/^The document was already removed on 20.*Z by operator\.\n$/)
  })

  it('never shows the content of an encrypted document', async () => {
    const key = await addUser('operator-heidi')
    const id = await create(key, 'content', { encrypted: true })
    const { document } = await json('documents', 'show', id)
    expect(document).toMatchObject({ encrypted: true, title: null })
    expect(await run('documents', 'show', id, '--content')).toEqual({
      code: 1,
      stdout: '',
      stderr: "The document is encrypted, so its content can't be shown.\n",
    })
  })
})
