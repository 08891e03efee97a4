import { describe, expect, it } from 'vitest'
import { account, reinstate, session, suspend } from '../../support/accounts.ts'
import { create } from '../../support/client.ts'
import { expectFormAgain, openForm, readContent } from '../../support/site/edit-form.ts'
import { sendForm, visit } from '../../support/site/forms.ts'

describe('access to the edit page', () => {
  const createDocument = async () => {
    const creator = await account()
    const [editor, stranger, unconfirmed] = [
      await account(),
      await account(),
      await account({ confirmed: false }),
    ]
    const settings = { editors: [editor.username, unconfirmed.username] }
    const { id } = await create('text', settings, { key: creator.key })
    return { creator, editor, stranger, unconfirmed, id, path: `/${id}/edit` }
  }

  it('is limited to the creator and the editors', async () => {
    const { creator, editor, stranger, path, id } = await createDocument()
    const fields = await openForm({ path, headers: await session(creator) })
    for (const who of [creator, editor]) {
      expect((await visit(path, { headers: await session(who) })).status).toBe(200)
    }
    const headers = await session(stranger)
    const refused = await visit(path, { headers })
    expect(refused.status).toBe(403)
    expect(refused.html).not.toContain('<textarea')
    const typed = { ...fields, content: 'mine' }
    await expectFormAgain(await sendForm(path, typed, { headers }), path, 403, typed)
    expect((await sendForm(path, { password: 'x' }, { headers })).status).toBe(403)
    expect(await readContent(id)).toBe('text')
  })

  it('is denied for anonymous and missing documents', async () => {
    const { id } = await create('anonymous')
    const headers = await session(await account())
    expect((await visit(`/${id}/edit`, { headers })).status).toBe(403)
    expect((await visit('/xxxxxxxx/edit', { headers })).status).toBe(404)
    expect((await visit('/no/edit', { headers })).status).toBe(404)
    const elsewhere = await sendForm('/%5Cevil.example/edit', { version: '*', content: 'x' }, { headers })
    expect(elsewhere.status).toBe(404)
    expect(elsewhere.html).not.toContain('evil.example')
    expect((await sendForm('/xxxxxxxx/edit', { version: '*', content: 'x' }, { headers })).status).toBe(404)
  })

  it('redirects to the sign-in page and back when signed out', async () => {
    const { path } = await createDocument()
    const { status, location } = await visit(path)
    expect({ status, location }).toEqual({
      status: 303,
      location: `/sign-in?return=${encodeURIComponent(path)}`,
    })
  })

  it('keeps what was typed when the session ended or the account was suspended', async () => {
    const { creator, path, id } = await createDocument()
    const headers = await session(creator)
    const typed = { ...(await openForm({ path, headers })), content: 'hours of work', language: 'json' }
    for (const options of [{ headers: {} }, { headers }]) {
      if (options.headers === headers) await suspend(creator)
      const answer = await sendForm(path, typed, options)
      await expectFormAgain(answer, path, 401, typed)
      expect(answer.html).toContain('href="/sign-in"')
    }
    // The documents of a suspended account are hidden.
    await reinstate(creator)
    expect(await readContent(id)).toBe('text')
  })

  it('is denied to forms from other sites', async () => {
    const { creator, path, id } = await createDocument()
    const headers = await session(creator)
    const typed = { ...(await openForm({ path, headers })), content: 'forged' }
    for (const Origin of ['https://evil.example', 'null']) {
      const answer = await sendForm(path, typed, { headers: { ...headers, Origin } })
      expect(answer.status).toBe(403)
      // The form isn't shown again as if it had been typed here.
      expect(answer.html).not.toContain('forged')
    }
    expect(await readContent(id)).toBe('text')
  })

  it('lets an unconfirmed account change the text but no settings', async () => {
    const { unconfirmed, path, id } = await createDocument()
    const headers = await session(unconfirmed)
    const fields = await openForm({ path, headers })
    expect(Object.keys(fields).sort()).toEqual(['content', 'version'])
    expect((await sendForm(path, { ...fields, content: 'theirs' }, { headers })).status).toBe(303)
    expect(await readContent(id)).toBe('theirs')
    const forged = {
      ...(await openForm({ path, headers })),
      content: 'more',
      language: 'plaintext',
      expires: 'never',
      visibility: 'unlisted',
    }
    await expectFormAgain(await sendForm(path, forged, { headers }), path, 403, forged)
    expect(await readContent(id)).toBe('theirs')
  })
})
