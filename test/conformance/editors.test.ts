import { describe, expect } from 'vitest'
import { type ClauseApi, clause } from './support/clause.ts'
import { expectContent, expectError, expectInvalid } from './support/expect.ts'

const getUsername = async (api: ClauseApi, key: string): Promise<string> =>
  ((await api.send('GET', '/v1/users/@me', { key })).data as { username: string }).username

/** Returns a creator, an editor and their document. */
async function share(api: ClauseApi, settings: object = {}) {
  const [key, editorKey] = [api.need('key'), api.need('secondKey')]
  const editor = await getUsername(api, editorKey)
  const document = await api.create(key, 'text', { editors: [editor], ...settings })
  return { key, editorKey, editor, document, id: document.id }
}

const invert = (name: string): string =>
  [...name]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')

describe('Editors', () => {
  clause(
    'editors.stored',
    'Responses contain the usernames of the editors, as their accounts spell them',
    async (api) => {
      const { editor, key } = await share(api)
      const { id, settings } = await api.create(key, 'text', { editors: [invert(editor)] })
      expect(settings.editors).toEqual([editor])
      expect((await api.read(id)).document.settings.editors).toEqual([editor])
    },
  )

  clause('editors.duplicates', 'Duplicates and the creator are left out', async (api) => {
    const { editor, key } = await share(api)
    const editors = [editor, await getUsername(api, key), invert(editor)]
    expect((await api.create(key, 'text', { editors })).settings.editors).toEqual([editor])
  })

  clause(
    'editors.unknown',
    'A username without an account gets a 400 at its place in the list',
    async (api) => {
      const { editor, key } = await share(api)
      const settings = { editors: [editor, 'nobody-has-this-name'] }
      const path = ['settings', 'editors', 1]
      expectInvalid(await api.post({ content: 'text', settings }, { key }), path)
    },
  )

  clause('editors.too-many', 'More than 50 editors get a 400', async (api) => {
    const settings = { editors: Array.from({ length: 51 }, (_, n) => `name-${n}`) }
    const answer = await api.post({ content: 'text', settings }, { key: api.need('key') })
    expectInvalid(answer, ['settings', 'editors'])
  })

  clause('editors.type', 'Editors that are not a list of strings get a 400', async (api) => {
    const key = api.need('key')
    const answer = await api.post({ content: 'text', settings: { editors: 'name' } }, { key })
    expectInvalid(answer, ['settings', 'editors'])
    const numbers = await api.post({ content: 'text', settings: { editors: [5] } }, { key })
    expectInvalid(numbers, ['settings', 'editors', 0])
  })

  clause('editors.edit', 'An editor can change the content and the settings', async (api) => {
    const { id, editorKey, document } = await share(api)
    const settings = { language: 'css', image_embed: true, public: true, expiration: 30 }
    const edited = await api.edit({ id, content: 'edited', settings }, { key: editorKey })
    expect(edited.document).toMatchObject({
      content: 'edited',
      creator: { username: document.creator?.username },
      settings: { language: 'css', image_embed: true, public: true, editors: document.settings.editors },
    })
  })

  clause('editors.list', 'An editor who sends another list of editors gets a 403', async (api) => {
    const { id, editorKey } = await share(api)
    const answer = await api.edit({ id, content: 'edited', settings: { editors: [] } }, { key: editorKey })
    expectError(answer, 403, 'Only the creator can change the editors')
    expect((await api.read(id)).document.content).toBe('text')
  })

  clause(
    'editors.same-list',
    'An editor may send the list of editors unchanged, in any letter case',
    async (api) => {
      const { id, editor, editorKey } = await share(api)
      const change = { id, content: 'edited', settings: { editors: [invert(editor)] } }
      expectContent(await api.edit(change, { key: editorKey }), 'edited')
    },
  )

  clause('editors.delete', 'An editor may not delete the document', async (api) => {
    const { id, editorKey } = await share(api)
    expectError(await api.remove(id, { key: editorKey }), 403, 'You do not own this document')
    expect((await api.read(id)).status).toBe(200)
  })

  clause(
    'editors.expiry',
    'An editor who makes the document expire earlier, or burn after reading, gets a 403',
    async (api) => {
      const { id, editorKey, document } = await share(api)
      for (const settings of [{ expiration: 1 }, { instant_delete: true }]) {
        const answer = await api.edit({ id, settings }, { key: editorKey })
        expectError(answer, 403, 'Only the creator can do that')
      }
      const { expiration } = document.timestamps
      const same = await api.edit({ id, settings: { expiration, instant_delete: false } }, { key: editorKey })
      expect(same.document.timestamps.expiration).toBe(expiration)
    },
  )

  clause('editors.burn', 'A read by an editor does not burn the document', async (api) => {
    const { id, editorKey } = await share(api, { instant_delete: true })
    expectContent(await api.read(id, { key: editorKey }), 'text')
    expectContent(await api.read(id, { key: editorKey }), 'text')
  })

  clause(
    'editors.change',
    'The creator can change the editors, and a removed editor may no longer edit',
    async (api) => {
      const { id, key, editorKey } = await share(api)
      const removed = await api.edit({ id, settings: { editors: [] } }, { key })
      expect(removed.document.settings.editors).toEqual([])
      const answer = await api.edit({ id, content: 'edited' }, { key: editorKey })
      expectError(answer, 403, 'You are not allowed to edit this document')
    },
  )
})
