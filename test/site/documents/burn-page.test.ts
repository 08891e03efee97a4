import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create } from '../../support/client.ts'
import { postForm, requestPage } from '../../support/site/forms.ts'

describe('the page of a document that burns after reading', () => {
  it('asks before it burns the document: GET and HEAD never do', async () => {
    const { key } = await account()
    const { id } = await create('only once', { instant_delete: true }, { key })
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
