import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../../support/accounts.ts'
import { createAnonymous, edit, ORIGIN, read } from '../../support/client.ts'
import { parseForm, sendForm, visit } from '../../support/site/forms.ts'
import { createHistory } from '../../support/site/history.ts'

const PAGES = ['', '/1', '/2', '/compare', '/compare?from=1&to=2']

describe('the pages of the history', () => {
  it('are for the creator and the editors', async () => {
    const { path, headers, editorHeaders } = await createHistory(['one', 'two'])
    for (const page of PAGES) {
      for (const who of [headers, editorHeaders]) {
        const { status, headers: answered } = await visit(path + page, { headers: who })
        expect(status).toBe(200)
        expect(answered.get('Cache-Control')).toBe('no-store')
        expect(answered.get('X-Robots-Tag')).toBe('noindex')
      }
    }
  })

  it('are not found by readers, exactly like pages of documents that don’t exist', async () => {
    const { path } = await createHistory(['a secret that was taken out', 'two'], { public: true })
    const reader = await session(await account())
    for (const headers of [{}, reader]) {
      for (const page of PAGES) {
        const found = await visit(path + page, { headers })
        const missing = await visit(`/xxxxxxxx/history${page}`, { headers })
        expect(found.status).toBe(404)
        expect(found.html).toBe(missing.html)
      }
    }
  })

  it('can’t be changed by readers, nor by other sites', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'])
    const reader = await session(await account())
    const { version = '' } = await parseForm(
      (await visit(`${path}/1`, { headers })).html,
      `${path}/1/restore`,
    )
    for (const action of ['/1/restore', '/delete', '/stop', '/keep']) {
      expect((await sendForm(path + action, { version }, { headers: reader })).status).toBe(404)
      expect((await sendForm(path + action, { version })).status).toBe(404)
      const elsewhere = { ...headers, Origin: 'https://elsewhere.example' }
      expect((await sendForm(path + action, { version }, { headers: elsewhere })).status).toBe(403)
    }
    expect((await read(id)).body.data.content).toBe('two')
    expect((await visit(path, { headers })).html).toContain('Version 1')
  })

  it('are not found by a suspended account', async () => {
    const { path, headers, creator } = await createHistory(['one', 'two'])
    await suspend(creator)
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('are not found by former editors', async () => {
    const { id, path, creator, editorHeaders } = await createHistory(['one', 'two'])
    await edit({ id, settings: { editors: [] } }, { key: creator.key })
    for (const page of PAGES) expect((await visit(path + page, { headers: editorHeaders })).status).toBe(404)
  })

  it('are not found once the document has expired', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'])
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('show one version of a document that burns after reading, without burning it', async () => {
    const { id, path, headers } = await createHistory(['one', 'two'], { instant_delete: true })
    const { html } = await visit(path, { headers })
    expect(html).toContain('Documents that are deleted after the first read keep none.')
    expect((await visit(`${path}/2`, { headers })).html).toContain('two</code>')
    expect((await read(id)).body.data.content).toBe('two')
    for (const page of PAGES) expect((await visit(path + page, { headers })).status).toBe(404)
  })

  it('are for the browser that has the token of a document without an account', async () => {
    const { id, token, headers } = await createAnonymous('one')
    await edit({ id, content: 'two' }, { headers })
    const cookie = { Cookie: `__Secure-regent.document_token=${token}`, Origin: ORIGIN }
    const path = `/${id}/history`
    for (const page of PAGES) {
      expect((await visit(path + page, { headers: cookie })).status).toBe(200)
      expect((await visit(path + page)).status).toBe(404)
    }
    const { html } = await visit(path, { headers: cookie })
    expect(html).toContain('<td data-column="Author">Anonymous</td>')
    const fields = await parseForm((await visit(`${path}/1`, { headers: cookie })).html, `${path}/1/restore`)
    const restored = await sendForm(`${path}/1/restore`, fields, { headers: cookie })
    expect(restored.location).toBe(`${path}?done=restored`)
    expect((await read(id)).body.data.content).toBe('one')
    expect((await sendForm(`${path}/stop`, {}, { headers: cookie })).location).toBe(`${path}?done=stop`)
    expect((await visit(`${path}/1`, { headers: cookie })).status).toBe(404)
  })

  it('have no versions at other addresses', async () => {
    const { path, headers } = await createHistory(['one', 'two'])
    for (const page of ['/0', '/3', '/01', '/1.0', '/x', '/compare?from=1&to=9', '/compare?from=x']) {
      expect((await visit(path + page, { headers })).status).toBe(404)
    }
  })
})

describe('the page of a document', () => {
  it('links to the history for those who may see it', async () => {
    const { id, headers, editorHeaders } = await createHistory(['one', 'two'])
    const link = `href="/${id}/history"`
    expect((await visit(`/${id}`, { headers })).html).toContain(link)
    expect((await visit(`/${id}`, { headers: editorHeaders })).html).toContain(link)
    expect((await visit(`/${id}`)).html).not.toContain('history"')
  })
})
