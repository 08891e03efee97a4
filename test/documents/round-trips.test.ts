import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { account, session } from '../support/accounts.ts'
import { recordSteps } from '../support/bindings.ts'
import { create, createAnonymous, edit, ORIGIN, read, remove, send } from '../support/client.ts'
import { parseForm, sendForm, visit } from '../support/site/forms.ts'

/** Returns the storage calls of an operation. Those of a step wait only for the steps before. */
async function getSteps(operation: (bindings: Env) => Promise<unknown>): Promise<string[]> {
  // Without a recent one, each read asks the primary, too.
  await recordHeartbeat(new Database(env.DB, 5_000), Date.now())
  const { bindings, steps } = recordSteps()
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

describe('the round trips of a create', () => {
  it('are one after the content is stored', async () => {
    expect(await getSteps((bindings) => create('x', undefined, { bindings }))).toEqual([
      'CONTENTS.put',
      'DB.batch',
    ])
  })

  it('are one more with a key, while the content is stored', async () => {
    const { key } = await account()
    const settings = { language: 'python', expiration: 3, image_embed: true }
    for (const chosen of [{}, settings]) {
      const steps = await getSteps((bindings) => create('x', chosen, { key, bindings }))
      expect(steps).toEqual(['CONTENTS.put and DB.reads', 'DB.batch'])
    }
  })

  it('are the same for a text that a program sends', async () => {
    const { key } = await account()
    const steps = await getSteps((bindings) =>
      send('/', { method: 'POST', body: 'x', headers: { Authorization: key } }, { bindings }),
    )
    expect(steps).toEqual(['CONTENTS.put and DB.reads', 'DB.batch'])
  })
})

describe('the round trips of a change', () => {
  it('are two for an edit: one before the content is stored, and one after', async () => {
    const { id, key } = await scene()
    const steps = await getSteps((bindings) => edit({ id, content: 'y' }, { key, bindings }))
    expect(steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
  })

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

  it('are two for a deletion', async () => {
    const { id, key } = await scene()
    const steps = await getSteps((bindings) => remove(id, { key, bindings }))
    expect(steps.slice(0, 2)).toEqual(['DB.reads', 'DB.batch'])
  })

  it('are two for a deletion on the site', async () => {
    const { id, headers } = await scene()
    const steps = await getSteps((bindings) => sendForm(`/${id}/delete`, {}, { headers, bindings }))
    expect(steps.slice(0, 2)).toEqual(['DB.reads', 'DB.batch'])
  })

  it('are two for the holder of a document token', async () => {
    const { id, headers } = await createAnonymous('x')
    const steps = await getSteps((bindings) => edit({ id, content: 'y' }, { headers, bindings }))
    expect(steps.filter((step) => step.startsWith('DB'))).toEqual(['DB.reads', 'DB.batch'])
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
