import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { create, createAnonymous, edit, read } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

const CREATOR_ONLY = 'Only the creator can do that'

/** Creates a document with an editor. Returns the keys of both. */
async function sharedDocument(settings: Record<string, unknown> = {}) {
  const [creator, editor] = [await account(), await account()]
  const document = await create('shared', { editors: [editor.username], ...settings }, { key: creator.key })
  return { ...document, creator, editor }
}

describe('an editor', () => {
  it.each([
    ['days from now that end before the present expiry', 6.9],
    ['a minute', 1.1 / 1440],
    ['an earlier date', new Date(Date.now() + 86_400_000).toISOString()],
  ])('cannot make a document expire earlier: %s', async (_, expiration) => {
    const { id, editor, timestamps } = await sharedDocument()
    expectError(await edit({ id, settings: { expiration } }, editor), 403, CREATOR_ONLY)
    const { data } = (await read(id, editor)).body
    expect(data.timestamps).toEqual(timestamps)
  })

  it('cannot give a document an expiry that never expires', async () => {
    const { id, editor } = await sharedDocument({ expiration: null })
    expectError(await edit({ id, settings: { expiration: 3650 } }, editor), 403, CREATOR_ONLY)
  })

  it('can make a document expire later, and send the present expiry', async () => {
    const { id, editor, timestamps } = await sharedDocument({ expiration: 2 })
    const same = await edit({ id, settings: { expiration: timestamps.expiration } }, editor)
    expect(same.body.data.timestamps).toEqual(timestamps)
    expect((await edit({ id, settings: { expiration: 3 } }, editor)).status).toBe(200)
    const never = await edit({ id, settings: { expiration: 0 } }, editor)
    expect(never.body.data.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
    const again = await edit({ id, settings: { expiration: null } }, editor)
    expect(again.status).toBe(200)
  })

  it('cannot turn on burn after reading', async () => {
    const { id, editor } = await sharedDocument()
    expectError(await edit({ id, settings: { instant_delete: true } }, editor), 403, CREATOR_ONLY)
    // Somebody else can still read it twice.
    expect((await read(id)).status).toBe(200)
    expect((await read(id)).status).toBe(200)
  })

  it('can send the present burn after reading, and turn it off', async () => {
    const { id, editor } = await sharedDocument({ instant_delete: true })
    expect((await edit({ id, settings: { instant_delete: true } }, editor)).status).toBe(200)
    const off = await edit({ id, settings: { instant_delete: false } }, editor)
    expect(off.body.data.settings.instant_delete).toBe(false)
    expectError(await edit({ id, settings: { instant_delete: true } }, editor), 403, CREATOR_ONLY)
  })

  it('changes nothing at all with an edit that is refused', async () => {
    const { id, editor } = await sharedDocument()
    expectError(
      await edit({ id, content: 'replaced', settings: { expiration: 0.5, language: 'css' } }, editor),
      403,
      CREATOR_ONLY,
    )
    const { content, settings } = (await read(id, editor)).body.data
    expect({ content, language: settings.language }).toEqual({ content: 'shared', language: 'plaintext' })
  })

  it('is refused before the version is compared', async () => {
    const { id, editor } = await sharedDocument()
    const answer = await edit(
      { id, settings: { expiration: 1 } },
      { ...editor, headers: { 'If-Match': '"json-outdated"' } },
    )
    expectError(answer, 403, CREATOR_ONLY)
  })
})

describe('the creator', () => {
  it('can make a document expire earlier and burn after reading', async () => {
    const { id, creator } = await sharedDocument()
    const answer = await edit({ id, settings: { expiration: 1, instant_delete: true } }, creator)
    expect(answer.body.data.settings.instant_delete).toBe(true)
  })

  it('can do so with a document token', async () => {
    const { id, headers } = await createAnonymous('mine')
    const answer = await edit({ id, settings: { expiration: 1, instant_delete: true } }, { headers })
    expect(answer.body.data.settings.instant_delete).toBe(true)
  })
})
