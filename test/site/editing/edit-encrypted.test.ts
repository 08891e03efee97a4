import { describe, expect, it } from 'vitest'
import { encryptText } from '../../../src/shared/jwe.ts'
import { account, session } from '../../support/accounts.ts'
import { create, type DocumentBody, edit, read } from '../../support/client.ts'
import {
  expectFormAgain,
  openForm,
  parseForm,
  readContent,
  type Scene,
  sendForm,
  visit,
} from '../../support/site/forms.ts'

describe('the edit page of an encrypted document', () => {
  const createEncrypted = async (
    settings: Record<string, unknown> = {},
  ): Promise<Scene & { made: DocumentBody }> => {
    const creator = await account()
    const made = await create('the secret', { encrypted: true, ...settings }, { key: creator.key })
    return { creator, made, headers: await session(creator), id: made.id, path: `/${made.id}/edit` }
  }

  it('asks for the password, and shows the text only for the right one', async () => {
    const { headers, path, made } = await createEncrypted()
    const asked = await visit(path, { headers })
    expect(asked.status).toBe(200)
    expect(await parseForm(asked.html, path)).not.toHaveProperty('content')
    expect(asked.html).toContain(`<template id="jwe">${await readContent(made.id)}</template>`)
    const wrong = await sendForm(path, { password: 'not it' }, { headers })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('Wrong password')
    expect(wrong.html).not.toContain('not it')
    const right = await sendForm(path, { password: made.password ?? '' }, { headers })
    expect(right.status).toBe(200)
    expect(right.headers.get('Cache-Control')).toBe('no-store')
    expect(await parseForm(right.html, path)).toMatchObject({
      content: 'the secret',
      password: made.password,
    })
  })

  it('saves the text encrypted with the same password', async () => {
    const { headers, path, made, id } = await createEncrypted()
    const { html } = await sendForm(path, { password: made.password ?? '' }, { headers })
    const typed = { ...(await parseForm(html, path)), content: 'another secret', language: 'json' }
    const saved = await sendForm(path, typed, { headers })
    expect({ status: saved.status, location: saved.location }).toEqual({ status: 303, location: `/${id}` })
    expect(await readContent(id)).not.toContain('another secret')
    expect((await read(`${id}?password=${made.password}`)).body.data).toMatchObject({
      content: 'another secret',
      settings: { encrypted: true, language: 'json' },
    })
  })

  it('changes settings without the password, and keeps the text', async () => {
    const { headers, path, made, id } = await createEncrypted()
    const fields = await openForm({ path, headers })
    expect(Object.keys(fields).sort()).toEqual(['expires', 'language', 'name', 'version', 'visibility'])
    expect((await sendForm(path, { ...fields, expires: 'never' }, { headers })).status).toBe(303)
    expect((await read(`${id}?password=${made.password}`)).body.data).toMatchObject({
      content: 'the secret',
      timestamps: { expiration: expect.stringMatching(/^9999/) },
    })
    const again = await openForm({ path, headers })
    const refused = await sendForm(path, { ...again, instant_delete: 'yes' }, { headers })
    await expectFormAgain(refused, path, 400, { instant_delete: 'yes' })
    expect(refused.html).toContain('with its password first')
  })

  it('makes the document burn after reading only with the password', async () => {
    const { headers, path, made, id } = await createEncrypted()
    const password = made.password ?? ''
    const { html } = await sendForm(path, { password }, { headers })
    const typed = { ...(await parseForm(html, path)), instant_delete: 'yes' }
    expect((await sendForm(path, typed, { headers })).status).toBe(303)
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('the secret')
    expect((await read(id)).status).toBe(404)
  })

  it('asks again for a password that was changed meanwhile, and keeps what was typed', async () => {
    const { headers, path, made, id, creator } = await createEncrypted()
    const { html } = await sendForm(path, { password: made.password ?? '' }, { headers })
    const typed = { ...(await parseForm(html, path)), content: 'typed' }
    const elsewhere = await create('theirs', { encrypted: true, password: 'new' }, { key: creator.key })
    const { content } = (await read(elsewhere.id)).body.data
    await edit({ id, content, settings: { client_encrypted: true } }, { key: creator.key })
    const conflict = await sendForm(path, typed, { headers })
    await expectFormAgain(conflict, path, 412, { content: 'typed' })
    expect(conflict.html).toContain('has a new password')
    const wrong = await sendForm(
      path,
      { ...(await parseForm(conflict.html, path)), password: 'x' },
      { headers },
    )
    await expectFormAgain(wrong, path, 400, { content: 'typed', password: '' })
    const right = await sendForm(
      path,
      { ...(await parseForm(wrong.html, path)), password: 'new' },
      { headers },
    )
    expect(right.status).toBe(303)
    expect((await read(`${id}?password=new`)).body.data.content).toBe('typed')
  })
})

const PASSWORD = 'right password'

/** Creates a document that the client encrypted. Returns what its creator's and its editor's browsers send. */
async function shareEncrypted({ withHash }: { withHash: boolean }) {
  const [creator, editor] = [await account(), await account()]
  const { jwe, claimHash } = await encryptText({ text: 'secret', password: PASSWORD, generated: true })
  const { id } = await create(
    jwe,
    {
      encrypted: true,
      client_encrypted: true,
      editors: [editor.username],
      ...(withHash && { claim_hash: claimHash }),
    },
    creator,
  )
  const [byCreator, byEditor] = [await session(creator), await session(editor)]
  return { id, path: `/${id}/edit`, byCreator, byEditor }
}

const JWE_TEMPLATE = '<template id="jwe">'
const REASON = 'Only the author can edit the text of this document without sending the password'

describe('the edit page of an encrypted document', () => {
  it('lets an editor’s browser decrypt it if the service can check their proof', async () => {
    const { path, byEditor } = await shareEncrypted({ withHash: true })
    const { html } = await visit(path, { headers: byEditor })
    expect(html).toContain(JWE_TEMPLATE)
    expect(html).not.toContain(REASON)
  })

  it('asks an editor for the password on the server if it cannot, and says why', async () => {
    const { path, byCreator, byEditor } = await shareEncrypted({ withHash: false })
    const { html } = await visit(path, { headers: byEditor })
    expect(html).not.toContain(JWE_TEMPLATE)
    expect(html).toContain(REASON)
    const own = await visit(path, { headers: byCreator })
    expect(own.html).toContain(JWE_TEMPLATE)
    expect(own.html).not.toContain(REASON)
  })

  it('lets an editor save with the password, without scripts, and prove it from then on', async () => {
    const { id, path, byEditor } = await shareEncrypted({ withHash: false })
    expect(await openForm({ path, headers: byEditor })).not.toHaveProperty('content')
    const opened = await sendForm(path, { password: PASSWORD }, { headers: byEditor })
    const fields = await parseForm(opened.html, path)
    expect(fields.content).toBe('secret')
    const saved = await sendForm(path, { ...fields, content: 'changed' }, { headers: byEditor })
    expect(saved.status).toBe(303)
    expect((await read(`${id}?password=${encodeURIComponent(PASSWORD)}`)).body.data.content).toBe('changed')
    expect((await visit(path, { headers: byEditor })).html).toContain(JWE_TEMPLATE)
  })
})
