import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { readToEdit } from '../../src/documents/edit.ts'
import { requireDocument } from '../../src/documents/read.ts'
import { Database } from '../../src/platform/database.ts'
import { recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { account, session } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, edit, ORIGIN, read, send } from '../support/client.ts'
import { parseForm, sendForm, visit } from '../support/site/forms.ts'
import { openStore } from '../support/storage/contents.ts'

/** Returns the storage calls of an operation. Those of a step wait only for the steps before. */
async function getSteps(operation: (bindings: Env) => Promise<unknown>): Promise<string[]> {
  // Without a recent one, each read asks the primary, too.
  await recordHeartbeat(new Database(env.DB, 5_000), Date.now())
  const { bindings, steps } = countCalls()
  await operation(bindings)
  return steps.map((step) => step.join(' and '))
}

/** Returns a document of an account, whose content is in memory. */
async function scene(settings: Record<string, unknown> = {}) {
  const owner = await account()
  const { id } = await create('x', settings, { key: owner.key })
  if (!settings.instant_delete) await read(id, { key: owner.key, settle: true })
  return { id, owner, key: owner.key, headers: await session(owner) }
}

// D1's primary may be on another continent. docs/performance.md calculates with these numbers.
describe('the round trips of a read', () => {
  it('are one with an API key, whoever made the document', async () => {
    const { id, key } = await scene()
    const other = await account()
    for (const credential of [key, other.key]) {
      for (const path of [`/v1/document/${id}`, `/r/${id}`]) {
        const headers = { Authorization: credential }
        expect(await getSteps((bindings) => send(path, { headers }, { bindings }))).toEqual(['DB.reads'])
      }
    }
  })

  it('are one with a key that isn’t valid', async () => {
    const { id } = await scene()
    const steps = await getSteps((bindings) => read(id, { key: `imperial_${'x'.repeat(40)}`, bindings }))
    expect(steps).toEqual(['DB.reads'])
  })

  it('are one for the page of somebody signed in', async () => {
    const { id, headers } = await scene()
    const steps = await getSteps((bindings) => send(`/${id}`, { headers }, { bindings }))
    expect(steps).toEqual(['DB.reads'])
  })

  it('are one for the versions of a document', async () => {
    const { id, key, headers } = await scene()
    const list = `/v1/document/${id}/revisions`
    for (const path of [list, `${list}/1`]) {
      const steps = await getSteps((bindings) =>
        send(path, { headers: { Authorization: key } }, { bindings }),
      )
      expect(steps).toEqual(['DB.reads'])
    }
    expect(await getSteps((bindings) => send(`/${id}/history`, { headers }, { bindings }))).toEqual([
      'DB.reads',
    ])
  })

  it.each(['edit', 'delete', 'editors'])('are one for the page /:id/%s', async (name) => {
    const { id, headers } = await scene()
    const steps = await getSteps((bindings) => send(`/${id}/${name}`, { headers }, { bindings }))
    expect(steps).toEqual(['DB.reads'])
  })

  it('that burns the document are two around the content, with a key, too', async () => {
    const { id } = await scene({ instant_delete: true })
    const { key } = await account()
    const steps = await getSteps((bindings) => read(id, { key, bindings }))
    expect(steps.slice(0, 3)).toEqual(['DB.reads', 'CONTENTS.get', 'DB.batch'])
  })
})

describe('the round trips of a create with a key', () => {
  it('are the same with settings, and for a text that a program sends', async () => {
    const { key } = await account()
    const settings = { language: 'python', expiration: 3, image_embed: true }
    const withSettings = await getSteps((bindings) => create('x', settings, { key, bindings }))
    const asText = await getSteps((bindings) =>
      send('/', { method: 'POST', body: 'x', headers: { Authorization: key } }, { bindings }),
    )
    for (const steps of [withSettings, asText])
      expect(steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
  })
})

describe('the round trips of a change', () => {
  it('are two for an edit of settings', async () => {
    const { id, key } = await scene()
    const body = { id, settings: { image_embed: true } }
    expect(await getSteps((bindings) => edit(body, { key, bindings }))).toEqual(['DB.reads', 'DB.batch'])
  })

  it('are two for an edit on the site', async () => {
    const { id, headers } = await scene()
    const path = `/${id}/edit`
    const { html } = await visit(path, { headers })
    const fields = { ...(await parseForm(html, path)), content: 'y' }
    const steps = await getSteps((bindings) => sendForm(path, fields, { headers, bindings }))
    expect(steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
  })

  it('are two for a restored version', async () => {
    const { id, key } = await scene()
    await edit({ id, content: 'y' }, { key })
    contentCache.clear()
    const init = { method: 'POST', headers: { Authorization: key } }
    const steps = await getSteps((bindings) =>
      send(`/v1/document/${id}/revisions/1/restore`, init, { bindings }),
    )
    expect(steps.filter((step) => step.startsWith('DB'))).toEqual(['DB.reads', 'DB.batch'])
  })

  it('are two for a deletion on the site', async () => {
    const { id, headers } = await scene()
    const steps = await getSteps((bindings) => sendForm(`/${id}/delete`, {}, { headers, bindings }))
    expect(steps.slice(0, 2)).toEqual(['DB.reads', 'DB.batch'])
  })

  it.each(['add', 'remove'])('are two to %s an editor', async (action) => {
    const { id, key, headers } = await scene()
    const friend = await account()
    if (action === 'remove') await edit({ id, settings: { editors: [friend.username] } }, { key })
    const fields = action === 'add' ? { username: friend.username } : { editor: friend.id }
    const steps = await getSteps((bindings) =>
      sendForm(`/${id}/editors/${action}`, fields, { headers: { ...headers, Origin: ORIGIN }, bindings }),
    )
    expect(steps).toEqual(['DB.reads', 'DB.batch'])
  })
})

const poll = (id: string, tag: string, bindings?: Env) =>
  send(
    `/r/${id}`,
    { method: 'HEAD', headers: { 'If-None-Match': tag } },
    { ...(bindings && { bindings }), settle: true },
  )

const getTag = async (id: string) => (await poll(id, '"none"')).headers.get('ETag') ?? ''

// Pages that show a document ask this every few seconds.
describe('asking whether a document has changed', () => {
  it.each([{ encrypted: false }, { encrypted: true }])(
    'is one query that writes nothing, fetches no content and counts no view: %o',
    async ({ encrypted }) => {
      const { key } = await account()
      const { id } = await create('x', { encrypted }, { key })
      const tag = await getTag(id)
      const { bindings, calls, rows } = countCalls()
      const answer = await poll(id, tag, bindings)
      expect({ calls, written: rows.written }).toEqual({ calls: ['DB.reads'], written: 0 })
      expect([answer.status, answer.headers.get('ETag')]).toEqual([encrypted ? 200 : 304, tag])
      expect((await read(id, { key })).body.data.views).toBe(1)
    },
  )

  it('shows another version after an edit of the content or the settings', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const tags = new Set([await getTag(id)])
    await edit({ id, content: 'y' }, { key })
    tags.add(await getTag(id))
    await edit({ id, settings: { language: 'python' } }, { key })
    tags.add(await getTag(id))
    expect(tags.size).toBe(3)
  })

  it('burns nothing, and tells no version of a document that burns after reading', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const { status, headers } = await poll(id, '"raw-any"')
    expect([status, headers.get('ETag')]).toEqual([200, null])
    expect((await read(id)).status).toBe(200)
  })
})

const store = openStore()

async function openScene(settings: Record<string, unknown> = {}) {
  const [owner, editor] = [await account(), await account()]
  const made = await create('text', { editors: [editor.username], ...settings }, { key: owner.key })
  return { owner, editor, made, found: await requireDocument(store, made.id, Date.now()) }
}

const open = (
  found: Awaited<ReturnType<typeof openScene>>['found'],
  viewer: { id: string },
  password?: string | undefined,
) => readToEdit(store, found, { viewer, password, now: Date.now() })

describe('reading a document to edit it', () => {
  it('counts no view and burns nothing', async () => {
    const { editor, owner, found } = await openScene({ instant_delete: true })
    for (const viewer of [owner, editor]) expect((await open(found, viewer)).text).toBe('text')
    expect((await read(found.id)).body.data).toMatchObject({ content: 'text', views: 1 })
  })

  it('is refused for anyone who may not edit it', async () => {
    const { found } = await openScene()
    await expect(open(found, await account())).rejects.toMatchObject({ code: 'bad_auth' })
  })

  it('decrypts an encrypted document only with its password', async () => {
    const { owner, made, found } = await openScene({ encrypted: true })
    expect((await open(found, owner, made.password)).text).toBe('text')
    await expect(open(found, owner, 'wrong')).rejects.toMatchObject({ message: 'Invalid password' })
    await expect(open(found, owner)).rejects.toMatchObject({ message: 'This document needs its password' })
  })

  it('returns content that replaced the old meanwhile, unless the viewer may no longer edit', async () => {
    const { owner, editor, found } = await openScene()
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
    const { owner, found } = await openScene()
    await env.CONTENTS.delete(found.contentKey)
    contentCache.clear()
    await expect(open(found, owner)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
