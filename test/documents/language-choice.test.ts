import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, createAnonymous, edit } from '../support/client.ts'
import { findDocument } from '../support/storage/find-document.ts'

/** Returns a document's language, and whether somebody chose it. */
async function find(id: string) {
  const document = await findDocument(id)
  return { language: document?.language, chosen: document?.languageChosen }
}

describe('the language of a document', () => {
  it('counts as chosen by nobody if the create names none', async () => {
    const { key } = await account()
    const unchosen = { language: 'plaintext', chosen: false }
    expect(await find((await createAnonymous('x')).id)).toEqual(unchosen)
    expect(await find((await create('x', {}, { key })).id)).toEqual(unchosen)
    expect(await find((await create('x', { language: null, public: true }, { key })).id)).toEqual(unchosen)
  })

  it.each(['plaintext', 'json', 'auto'])('counts as chosen if the create names it: %s', async (language) => {
    const { key } = await account()
    const { id } = await create('Dear all,', { language }, { key })
    expect((await find(id)).chosen).toBe(true)
  })

  it('counts as chosen once an edit names it, even the present one', async () => {
    const { id, headers } = await createAnonymous('x')
    await edit({ id, content: 'y', settings: { image_embed: true, language: null } }, { headers })
    expect(await find(id)).toEqual({ language: 'plaintext', chosen: false })
    await edit({ id, settings: { language: 'plaintext' } }, { headers })
    expect(await find(id)).toEqual({ language: 'plaintext', chosen: true })
    await edit({ id, content: 'z' }, { headers })
    expect((await find(id)).chosen).toBe(true)
  })
})
