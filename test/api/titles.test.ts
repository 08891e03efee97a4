import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, createAnonymous, edit, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const TITLE_PATH = ['settings', 'title']

/** Returns the title of a document in its account's list. */
async function listedTitle(key: string, id: string, search = '') {
  const path = `/v1/users/@me/documents?search=${encodeURIComponent(search)}`
  const { body } = await call<{ documents: { id: string; title: string | null }[] }>('GET', path, undefined, {
    key,
  })
  return body.data.documents.find((document) => document.id === id)?.title
}

describe('a given title', () => {
  it('is returned by create, read and edit, on one line', async () => {
    const { key } = await account()
    const { id, settings } = await create('x', { title: ' app\tconfig.json\n' }, { key })
    expect(settings.title).toBe('app config.json')
    expect((await read(id)).body.data.settings.title).toBe('app config.json')
    expect((await edit({ id, content: 'y' }, { key })).body.data.settings.title).toBe('app config.json')
  })

  it('keeps the joiners of emoji and scripts, and loses what reverses it', async () => {
    const { key } = await account()
    const storeTitle = async (title: string) => (await create('x', { title }, { key })).settings.title
    expect(await storeTitle('👩‍👩‍👧‍👦  می‌خواهم')).toBe('👩‍👩‍👧‍👦  می‌خواهم')
    expect(await storeTitle('🏴󠁧󠁢󠁳󠁣󠁴󠁿\u202Egpj\u2066.exe')).toBe('🏴󠁧󠁢󠁳󠁣󠁴󠁿gpj.exe')
  })

  it('names the language, until somebody chooses one', async () => {
    const { key } = await account()
    const findLanguage = async (id: string) => {
      const { body } = await call<{ documents: { id: string; settings: { language: string } }[] }>(
        'GET',
        '/v1/users/@me/documents',
        undefined,
        { key },
      )
      return body.data.documents.find((document) => document.id === id)?.settings.language
    }
    const go = await create('x', { title: 'main.go' }, { key })
    const toml = await create('x', { title: 'Cargo.toml' }, { key })
    const prose = await create('x', { title: 'How I like Node.js' }, { key })
    const chosen = await create('x', { title: 'App.vue', language: 'html' }, { key })
    const languages = [go, toml, prose, chosen].map(({ id }) => findLanguage(id))
    expect(await Promise.all(languages)).toEqual(['go', 'toml', 'plaintext', 'html'])
    await edit({ id: go.id, settings: { title: 'main.rs' } }, { key })
    expect(await findLanguage(go.id)).toBe('rust')
    await edit({ id: go.id, settings: { title: 'Notes' } }, { key })
    expect(await findLanguage(go.id)).toBe('plaintext')
    await edit({ id: chosen.id, settings: { title: 'main.rs' } }, { key })
    expect(await findLanguage(chosen.id)).toBe('html')
  })

  it('is the language and length where the text has no words to name it by', async () => {
    const { key } = await account()
    const { id } = await create('a = 1\nb = 2\n', {}, { key })
    expect(await listedTitle(key, id)).toBe('2 lines')
    await edit({ id, settings: { language: 'python' } }, { key })
    expect(await listedTitle(key, id)).toBe('Python, 2 lines')
    await edit({ id, content: 'a = 1' }, { key })
    expect(await listedTitle(key, id)).toBe('Python, 1 line')
  })

  it('stays when the content changes, and gives way to the first line when it is removed', async () => {
    const { key } = await account()
    const { id } = await create('one', { title: 'Title' }, { key })
    await edit({ id, content: 'two' }, { key })
    expect(await listedTitle(key, id)).toBe('Title')
    const { body } = await edit({ id, settings: { title: '' } }, { key })
    expect(body.data.settings).not.toHaveProperty('title')
    expect(await listedTitle(key, id)).toBe('two')
    expect(await listedTitle(key, id, 'two')).toBe('two')
  })

  it('can be added by an edit, and null keeps it', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const before = (await read(id)).headers.get('ETag')
    const added = await edit({ id, settings: { title: 'new' } }, { key })
    expect(added.headers.get('ETag')).not.toBe(before)
    const kept = await edit({ id, settings: { title: null } }, { key })
    expect(kept.body.data.settings.title).toBe('new')
    expect(kept.headers.get('ETag')).toBe(added.headers.get('ETag'))
  })

  it('needs a confirmed account or the document’s token, like every setting', async () => {
    const settings = { title: 'x' }
    expectError(await call('POST', '/v1/document', { content: 'x', settings }), 401, 'Unauthorized')
    const { id, headers } = await createAnonymous('x')
    expect((await edit({ id, settings }, { headers })).body.data.settings.title).toBe('x')
  })

  it('tells which language to detect', async () => {
    const { key } = await account()
    const { settings } = await create('x = 1\n', { title: 'main.py', language: 'auto' }, { key })
    expect(settings.language).toBe('python')
  })
})

describe('an encrypted document', () => {
  it('is given none by an edit', async () => {
    const { key } = await account()
    const { id } = await create('x', { encrypted: true }, { key })
    expectInvalid(await edit({ id, settings: { title: 'secret' } }, { key }), TITLE_PATH)
    expect((await edit({ id, settings: { title: '' } }, { key })).status).toBe(200)
    expect((await read(id)).body.data.settings).not.toHaveProperty('title')
  })
})
