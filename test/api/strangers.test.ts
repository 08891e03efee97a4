import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, edit, read, remove } from '../support/client.ts'

/** Returns a document with an editor, and the key of an account that has nothing to do with it. */
async function arrange(settings: Record<string, unknown> = {}) {
  const [owner, editor, stranger] = [await account(), await account(), await account()]
  const { id } = await create('text', { editors: [editor.username], ...settings }, { key: owner.key })
  return { id, owner, editor, key: stranger.key }
}

describe('an account that is neither the creator nor an editor of a document with editors', () => {
  it('can’t edit or delete it', async () => {
    const { id, key } = await arrange()
    expect((await edit({ id, content: 'changed' }, { key })).status).toBe(403)
    expect((await edit({ id, settings: { language: 'json' } }, { key })).status).toBe(403)
    expect((await remove(id, { key })).status).toBe(403)
    expect((await read(id)).body.data.content).toBe('text')
  })

  it('burns it by reading, as an editor doesn’t', async () => {
    const { id, editor, key } = await arrange({ instant_delete: true })
    expect((await read(id, { key: editor.key })).body.data.content).toBe('text')
    expect((await read(id, { key })).body.data.content).toBe('text')
    expect((await read(id, { key: editor.key })).status).toBe(404)
  })
})
