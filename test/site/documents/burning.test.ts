import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { losingFirst } from '../../support/bindings.ts'
import {
  create,
  createAnonymous,
  edit,
  ORIGIN,
  read,
  send,
  sendForText,
  submit,
  withVars,
} from '../../support/client.ts'
import { postForm, requestPage, visit } from '../../support/site/forms.ts'

describe('raw text of a document that burns after reading', () => {
  it('says how to read it: a line for programs, a button for browsers', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    for (let times = 0; times < 3; times++) {
      const line = await sendForText(`/r/${id}`)
      expect(line).toMatchObject({
        status: 200,
        text: expect.stringContaining(`curl -X POST ${ORIGIN}/r/${id}`),
      })
      const page = await sendForText(`/r/${id}`, { headers: { Accept: 'text/html,*/*' } })
      expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
      expect(page.text).toContain(`action="/r/${id}"`)
      expect(page.text).toContain('>Read and delete<')
      expect(page.headers.get('Cache-Control')).toBe('no-store')
    }
    const { status, text, headers } = await sendForText(`/r/${id}`, { method: 'POST' })
    expect({ status, text }).toEqual({ status: 200, text: 'once' })
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect((await sendForText(`/r/${id}`, { method: 'POST' })).status).toBe(404)
  })

  it('leads from a table to no page that is gone', async () => {
    const { key } = await account()
    const settings = { language: 'csv' }
    const kept = await create('a,b\nx,y\n', settings, { key })
    expect((await requestPage(`/${kept.id}`)).html).toContain('?view=source"')
    const { id } = await create('a,b\nx,y\n', { ...settings, instant_delete: true }, { key })
    const { html } = await requestPage(`/${id}`, { method: 'POST' })
    expect(html).toContain('<th scope="col">a</th>')
    expect(html).not.toContain('view=source')
  })

  it('burns an encrypted document only for the right password', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('once', { instant_delete: true, encrypted: true }, { key })
    expect((await sendForText(`/r/${id}`)).text).toContain('X-Document-Password')
    expect((await sendForText(`/r/${id}?password=${password}`)).text).not.toBe('once')
    const missing = await sendForText(`/r/${id}`, { method: 'POST' })
    expect(missing).toMatchObject({
      status: 400,
      text: "This document needs its password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
    expect(await sendForText(`/r/${id}`, { ...postForm({ password: 'wrong' }), headers: {} })).toMatchObject({
      status: 400,
      text: "Invalid password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
    const browser = { headers: { Accept: 'text/html' } }
    const again = await sendForText(`/r/${id}`, { ...postForm({ password: 'wrong' }), ...browser })
    expect(again.status).toBe(400)
    expect(again.text).toMatch(/role="alert"[^>]*>[^<]*Nothing was deleted/)
    expect(await sendForText(`/r/${id}`, postForm({ password }))).toMatchObject({ status: 200, text: 'once' })
    expect((await sendForText(`/r/${id}`)).status).toBe(404)
  })
})

describe('the page of a document that burns after reading', () => {
  it('asks before it burns the document: GET and HEAD never do', async () => {
    const { key, username } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    const asked = (await requestPage(`/${id}`)).html
    for (const part of ['<h1>You can read this once</h1>', `by ${username}`, 'expires <time'])
      expect(asked).toContain(part)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, html, headers } = await requestPage(`/${id}`, {
        method,
        headers: { Purpose: 'prefetch' },
      })
      expect(status).toBe(200)
      expect(html).not.toContain('only once')
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
    const claimed = await requestPage(`/${id}`, { method: 'POST' })
    expect(claimed.status).toBe(200)
    expect(claimed.html).toContain('only once')
    // Browsers keep titles in their history.
    expect(claimed.html).toContain(`<title>${id} · `)
    expect(claimed.html).toMatch(/role="status">[^<]*deleted/)
    expect(claimed.html).not.toContain(`/r/${id}`)
    expect((await requestPage(`/${id}`)).status).toBe(404)
    expect((await requestPage(`/${id}`, { method: 'POST' })).status).toBe(404)
  })

  it('does not burn for forms from other sites', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    for (const path of [`/${id}`, `/r/${id}`]) {
      for (const Origin of ['https://evil.example', 'null']) {
        const refused = await requestPage(path, { ...postForm({}), headers: { Origin } })
        expect(refused.status).toBe(403)
        expect(refused.html).not.toContain('only once')
      }
    }
    expect((await requestPage(`/${id}`)).status).toBe(200)
  })

  it('does not burn for a wrong password', async () => {
    const { key } = await account()
    const { id, password = '' } = await create(
      'only once',
      { instant_delete: true, encrypted: true },
      { key },
    )
    expect((await requestPage(`/${id}`)).html).toContain('Password')
    expect(await requestPage(`/${id}`, postForm({}))).toMatchObject({ status: 400 })
    const wrong = await requestPage(`/${id}`, postForm({ password: 'wrong' }))
    expect(wrong.status).toBe(400)
    expect(wrong.html).toMatch(/role="alert"[^>]*>[^<]*Nothing was deleted/)
    expect((await requestPage(`/${id}`, postForm({ password }))).html).toContain('only once')
    expect((await requestPage(`/${id}`)).status).toBe(404)
  })

  it('shows the document to its creator without burning it', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
    expect((await requestPage(`/${id}`, { headers: { Authorization: key } })).html).toContain('only once')
    expect((await requestPage(`/${id}`)).status).toBe(200)
  })
})

it('lets the creator delete a document, after a confirmation', async () => {
  const creator = await account()
  const { id } = await create('x', {}, { key: creator.key })
  const headers = await session(creator)
  const page = await visit(`/${id}`, { headers })
  expect(page.html).toMatch(/<dialog id="delete" [^>]*aria-labelledby="delete-title">/)
  expect(page.html).toContain(`<form method="post" action="/${id}/delete">`)
  const confirmation = await visit(`/${id}/delete`, { headers })
  expect(confirmation.status).toBe(200)
  expect(confirmation.headers.get('Cache-Control')).toBe('no-store')
  expect(confirmation.html).toContain('<h1>Delete this document?</h1>')
  expect(confirmation.html).toContain(`<form method="post" action="/${id}/delete">`)
  expect((await read(id)).status).toBe(200)
  const deleted = await submit(`/${id}/delete`, {}, headers)
  expect({ status: deleted.status, location: deleted.headers.get('Location') }).toEqual({
    status: 303,
    location: '/account/documents',
  })
  expect((await read(id)).status).toBe(404)
  expect((await submit(`/${id}/delete`, {}, headers)).status).toBe(404)
})

it('lets nobody else delete it', async () => {
  const [creator, editor, stranger] = [await account(), await account(), await account()]
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  const anonymous = await create('x')
  for (const who of [editor, stranger]) {
    const headers = await session(who)
    for (const path of [`/${id}/delete`, `/${anonymous.id}/delete`]) {
      expect((await visit(path, { headers })).status).toBe(403)
      expect((await submit(path, {}, headers)).status).toBe(403)
    }
    expect((await visit(`/${id}`, { headers })).html).not.toContain('delete')
  }
  const forged = { ...(await session(creator)), Origin: 'https://evil.example' }
  expect((await submit(`/${id}/delete`, {}, forged)).status).toBe(403)
  expect((await submit(`/${id}/delete`, {})).headers.get('Location')).toMatch(/^\/sign-in/)
  const signedOut = await visit(`/${id}/delete`)
  expect(signedOut.location).toBe(`/sign-in?return=${encodeURIComponent(`/${id}/delete`)}`)
  expect((await read(id)).status).toBe(200)
})

it('reports a deletion as done although the response of the database is lost', async () => {
  const creator = await account()
  const { id } = await create('x', {}, { key: creator.key })
  const { bindings } = losingFirst('DB.batch')
  const headers = { ...(await session(creator)), Origin: ORIGIN }
  expect((await send(`/${id}/delete`, { method: 'POST', headers }, { bindings })).status).toBe(303)
  expect((await read(id)).status).toBe(404)
})

const NAME = '__Secure-regent.document_token'
const allow = withVars({ ANONYMOUS_SETTINGS: 'allow' })

const createBurning = () => createAnonymous('secret', { instant_delete: true }, { bindings: allow })

const cookie = (token: string) => ({ Cookie: `theme=dark; ${NAME}=${token}` })

describe('the cookie with a document’s token', () => {
  it('lets its browser open a burn-after-reading document without burning it', async () => {
    const { id, token } = await createBurning()
    const page = await send(`/${id}`, { headers: cookie(token) })
    expect(await page.text()).toContain('secret')
    expect((await read(id)).body.data.content).toBe('secret')
  })

  it('does nothing if the token is wrong', async () => {
    const { id } = await createBurning()
    const other = await createBurning()
    const page = await send(`/${id}`, { headers: cookie(other.token) })
    expect(await page.text()).not.toContain('secret')
  })

  it('makes no change that another site asks for', async () => {
    const { id, token } = await createAnonymous('x')
    const headers = { ...cookie(token), Origin: 'https://evil.example' }
    expect((await edit({ id, content: 'y' }, { headers })).status).toBe(401)
    expect((await edit({ id, content: 'y' }, { headers: { ...headers, Origin: ORIGIN } })).status).toBe(200)
  })
})
