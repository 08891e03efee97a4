import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import { readToEdit } from '../../src/documents/edit.ts'
import { requireDocument } from '../../src/documents/read.ts'
import { ViewCounter } from '../../src/documents/views.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { create, edit, read } from '../support/client.ts'

const store = {
  db: new Database(env.DB, 5_000),
  contents: new ContentStore(env.CONTENTS, 5_000),
  views: new ViewCounter(),
  defer: () => {},
  scheduleGistSync: () => {},
}

async function scene(settings: Record<string, unknown> = {}) {
  const [owner, editor] = [await account(), await account()]
  const made = await create('text', { editors: [editor.username], ...settings }, { key: owner.key })
  return { owner, editor, made, found: await requireDocument(store, made.id, Date.now()) }
}

const open = (
  found: Awaited<ReturnType<typeof scene>>['found'],
  viewer: { id: string },
  password?: string | undefined,
) => readToEdit(store, found, { viewer, password, now: Date.now() })

describe('reading a document to edit it', () => {
  it('counts no view and burns nothing', async () => {
    const { editor, owner, found } = await scene({ instant_delete: true })
    for (const viewer of [owner, editor]) expect((await open(found, viewer)).text).toBe('text')
    expect((await read(found.id)).body.data).toMatchObject({ content: 'text', views: 1 })
  })

  it('is refused for anyone who may not edit it', async () => {
    const { found } = await scene()
    await expect(open(found, await account())).rejects.toMatchObject({ code: 'bad_auth' })
  })

  it('decrypts an encrypted document only with its password', async () => {
    const { owner, made, found } = await scene({ encrypted: true })
    expect((await open(found, owner, made.password)).text).toBe('text')
    await expect(open(found, owner, 'wrong')).rejects.toMatchObject({ message: 'Invalid password' })
    await expect(open(found, owner)).rejects.toMatchObject({ message: 'This document needs its password' })
  })

  it('returns content that replaced the old meanwhile, unless the viewer may no longer edit', async () => {
    const { owner, editor, found } = await scene()
    await edit({ id: found.id, content: 'replaced', settings: { editors: [] } }, { key: owner.key })
    await env.CONTENTS.delete(found.contentKey)
    contentCache.clear()
    const { document, text } = await open(found, owner)
    expect({ text, version: document.version === found.version }).toEqual({
      text: 'replaced',
      version: false,
    })
    await expect(open(found, editor)).rejects.toMatchObject({ code: 'bad_auth' })
  })

  it('reports that missing content is unavailable', async () => {
    const { owner, found } = await scene()
    await env.CONTENTS.delete(found.contentKey)
    contentCache.clear()
    await expect(open(found, owner)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
