import { describe, expect, it } from 'vitest'
import { account, reinstate, session, suspend } from '../../support/accounts.ts'
import { create, createAnonymous, edit, ORIGIN, read, submit, withVars } from '../../support/client.ts'
import { expectFormAgain, openForm, readContent, sendForm, visit } from '../../support/site/forms.ts'

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

  it('says how long burn after reading takes to reach readers everywhere, where it can be turned on', async () => {
    const creator = await account()
    const headers = await session(creator)
    const getPage = async (settings: Record<string, unknown>, readFrom: string) => {
      const { id } = await create('text', settings, { key: creator.key })
      return (await visit(`/${id}/edit`, { headers, bindings: withVars({ READ_FROM: readFrom }) })).html
    }
    const hint = 'For up to 2 minutes after you turn on “Delete after first read”'
    const html = await getPage({}, 'nearest')
    expect(html).toContain(hint)
    // It's in no closed menu, but below the bar with the checkbox, which a stylesheet looks at.
    expect(html.slice(html.indexOf('data-part="strip"'))).toContain(hint)
    expect(html).toMatch(/<input[^>]* id="instant_delete"[^>]* aria-describedby="burn-hint"/)
    expect(await getPage({}, 'primary')).not.toContain(hint)
    expect(await getPage({ instant_delete: true }, 'nearest')).not.toContain(hint)
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

const NAME = '__Secure-regent.document_token'
const allow = withVars({ ANONYMOUS_SETTINGS: 'allow' })

const cookie = (token: string) => ({ Cookie: `${NAME}=${token}`, Origin: ORIGIN })

const createOwn = async (content: string, settings?: Record<string, unknown>) => {
  const { id, token, password } = await createAnonymous(content, settings, { bindings: allow })
  return { id, token, password, path: `/${id}/edit`, headers: cookie(token) }
}

describe('the holder of a document token', () => {
  it('edits text and settings, but not what needs an account', async () => {
    const { id, token, path, headers } = await createOwn('before')
    const opened = await visit(path, { headers })
    expect(opened.html).not.toContain(token)
    expect(opened.html).toContain('data-by-token="true"')
    const fields = await openForm({ path, headers })
    expect(Object.keys(fields).sort()).toEqual(['content', 'expires', 'language', 'title', 'version'])
    const typed = { ...fields, content: 'after', title: 'notes.md', language: 'markdown', expires: 'hour' }
    const saved = await sendForm(path, typed, { headers })
    expect({ status: saved.status, location: saved.location }).toEqual({ status: 303, location: `/${id}` })
    // The cookie lasts as long as the document.
    expect(saved.headers.get('Set-Cookie')).toContain(`${NAME}=${token}; Max-Age=3600; Path=/${id}`)
    const { data } = (await read(id)).body
    expect(data).toMatchObject({ content: 'after', settings: { title: 'notes.md', language: 'markdown' } })
    const forged = { ...(await openForm({ path, headers })), visibility: 'public' }
    expect((await sendForm(path, forged, { headers })).status).toBe(403)
  })

  it('keeps a document for at most 7 days from its creation', async () => {
    const { id, path, headers } = await createOwn('x')
    expect((await visit(path, { headers })).html).not.toContain('After 30 days')
    for (const expires of ['month', 'never']) {
      const typed = { ...(await openForm({ path, headers })), content: 'typed', expires }
      const answer = await sendForm(path, typed, { headers })
      expect(answer.status).toBe(400)
      expect(answer.html).toContain('within 7 days of its creation')
    }
    expect(await readContent(id)).toBe('x')
  })

  it('burns no document by editing it', async () => {
    const { id, path, headers } = await createOwn('x', { instant_delete: true })
    const fields = await openForm({ path, headers })
    expect(fields.instant_delete).toBe('yes')
    expect((await sendForm(path, { ...fields, content: 'y' }, { headers })).status).toBe(303)
    expect(await readContent(id)).toBe('y')
    expect((await read(id)).status).toBe(404)
  })

  it('edits an encrypted document with its password', async () => {
    const { id, path, headers, password = '' } = await createOwn('secret', { encrypted: true })
    expect((await visit(path, { headers })).html).toContain('To edit its text, enter the password.')
    expect((await sendForm(path, { password: 'wrong' }, { headers })).status).toBe(400)
    const opened = await sendForm(path, { password }, { headers })
    const version = (await read(id)).headers.get('ETag') ?? ''
    expect(opened.html).toContain('secret')
    const sent = { version, password, content: 'changed', language: 'plaintext', expires: 'keep' }
    expect((await sendForm(path, sent, { headers })).status).toBe(303)
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('changed')
  })

  it('shows the version that somebody else saved first, and loses nothing', async () => {
    const { id, token, path, headers } = await createOwn('one')
    const typed = { ...(await openForm({ path, headers })), content: 'mine' }
    await edit({ id, content: 'theirs' }, { headers: { 'X-Document-Token': token } })
    const conflict = await sendForm(path, typed, { headers })
    expect(conflict.status).toBe(412)
    expect(conflict.html).toContain('theirs')
    expect(conflict.html).toContain('mine')
    expect(await readContent(id)).toBe('theirs')
  })

  it('deletes the document, and the cookie with it', async () => {
    const { id, headers } = await createOwn('x')
    expect((await visit(`/${id}/delete`, { headers })).html).toContain('Delete this document?')
    const deleted = await submit(`/${id}/delete`, {}, headers)
    expect(deleted.status).toBe(303)
    expect(deleted.headers.get('Location')).toBe(`/device?deleted=${id}`)
    expect(deleted.headers.get('Set-Cookie')).toContain(`${NAME}=; Max-Age=0; Path=/${id}`)
    expect((await read(id)).status).toBe(404)
  })

  it('gets the page of the document anew once it has the cookie', async () => {
    const { id, headers } = await createOwn('x')
    const tag = (await visit(`/${id}`)).headers.get('ETag') ?? ''
    expect((await visit(`/${id}`, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    expect((await visit(`/${id}`, { headers: { ...headers, 'If-None-Match': tag } })).status).toBe(200)
  })
})

describe('without the right document token', () => {
  it('nobody edits or deletes the document', async () => {
    const [own, other] = [await createOwn('x'), await createOwn('y')]
    const paths = [own.path, `/${own.id}/delete`]
    const forged = [cookie(other.token), { ...(await session(await account())) }]
    for (const headers of forged) {
      for (const path of paths) expect((await visit(path, { headers })).status).toBe(403)
      expect((await submit(`/${own.id}/delete`, {}, headers)).status).toBe(403)
    }
    for (const path of paths) expect((await visit(path)).location).toMatch(/^\/sign-in/)
    const crossSite = { ...own.headers, Origin: 'https://evil.example' }
    expect((await submit(`/${own.id}/delete`, {}, crossSite)).status).toBe(403)
    const typed = { ...(await openForm(own)), content: 'forged' }
    expect((await sendForm(own.path, typed, { headers: crossSite })).status).toBe(403)
    await expectFormAgain(
      await sendForm(own.path, typed, { headers: cookie(other.token) }),
      own.path,
      403,
      typed,
    )
    expect(await readContent(own.id)).toBe('x')
  })
})
