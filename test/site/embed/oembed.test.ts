import { describe, expect, it, vi } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, createAnonymous, ORIGIN, read, remove, send, withVars } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'

const ask = (url: string, query = '', bindings?: Env) =>
  send(`/oembed?url=${encodeURIComponent(url)}${query}`, {}, bindings ? { bindings } : {})

const askJson = async (url: string, query = ''): Promise<Record<string, unknown>> =>
  (await ask(url, query)).json()

describe('oEmbed', () => {
  it('describes a document as a rich embed', async () => {
    const { key, username } = await account()
    const { id } = await create('one\ntwo\nthree\nfour\n', { title: 'Numbers & "more"' }, { key })
    const response = await ask(`${ORIGIN}/${id}`)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await response.json()).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'Numbers & "more"',
      author_name: username,
      provider_name: 'Regent',
      provider_url: `${ORIGIN}/`,
      cache_age: 3600,
      width: 800,
      height: 176,
      html:
        `<iframe src="${ORIGIN}/${id}/embed" title="Numbers &amp; &quot;more&quot;" width="100%" height="176" ` +
        'style="border:0;border-radius:10px;max-width:800px" loading="lazy"></iframe>',
    })
    expect((await read(id)).body.data.views).toBe(1)
  })

  it('has the preview picture as thumbnail, if the document has one and it fits', async () => {
    const { key } = await account()
    const { id } = await create('x', { image_embed: true }, { key })
    const described = await askJson(`${ORIGIN}/${id}`)
    expect(described).toMatchObject({ thumbnail_width: 1200, thumbnail_height: 630 })
    expect(described.thumbnail_url).toMatch(new RegExp(`^${ORIGIN}/${id}/preview\\.png\\?v=`))
    expect(await askJson(`${ORIGIN}/${id}`, '&maxwidth=1199')).not.toHaveProperty('thumbnail_url')
  })

  it('parses no address whose host is longer than a name can be', async () => {
    const parse = vi.spyOn(URL, 'parse')
    expect((await ask(`https://${'\u4E00'.repeat(1_000)}.example/abc`)).status).toBe(404)
    expect(parse).not.toHaveBeenCalled()
  })

  it('obeys the largest width and height', async () => {
    const { id } = await createAnonymous('x\n'.repeat(100))
    const described = await askJson(`${ORIGIN}/${id}`, '&maxwidth=400&maxheight=300')
    expect(described).toMatchObject({ width: 400, height: 300 })
    expect(described.html).toContain('height="300"')
    expect(described.html).toContain('max-width:400px')
    expect(await askJson(`${ORIGIN}/${id}`, '&maxwidth=4000')).toMatchObject({ width: 800, height: 528 })
    for (const query of ['&maxwidth=wide', '&maxheight=-1', '&maxheight=0']) {
      expect((await ask(`${ORIGIN}/${id}`, query)).status).toBe(400)
    }
  })

  it('knows every address of a document, and lines in it', async () => {
    const { id } = await createAnonymous('x\n'.repeat(100))
    for (const path of [`/${id}`, `/${id}.py`, `/p/${id}`, `/r/${id}`, `/raw/${id}`, `/${id}/embed`]) {
      expect((await askJson(ORIGIN + path)).html).toContain(`${ORIGIN}/${id}/embed"`)
    }
    for (const lines of ['?lines=10-20', '#L10-L20']) {
      const described = await askJson(`${ORIGIN}/${id}${lines}`)
      expect(described.html).toContain('/embed?lines=10-20"')
      expect(described.height).toBe(330)
    }
  })

  it.each(['xml', 'yaml'])('answers 501 for another format: %s', async (format) => {
    const { id } = await createAnonymous('x')
    const response = await ask(`${ORIGIN}/${id}`, `&format=${format}`)
    expect(response.status).toBe(501)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  it('answers the same 404 for what may not be embedded and for what is not there', async () => {
    const { key } = await account()
    const encrypted = await create('x', { encrypted: true }, { key })
    const burning = await create('x', { instant_delete: true }, { key })
    const deleted = await create('x', {}, { key })
    await remove(deleted.id, { key })
    const { id } = await create('x', {}, { key })
    const addresses = [
      ...[encrypted, burning, deleted].map((document) => `${ORIGIN}/${document.id}`),
      `${ORIGIN}/bcdfghjk`,
      `${ORIGIN}/about/us`,
      `https://other.example/${id}`,
      `${ORIGIN.replace('https', 'ftp')}/${id}`,
      `${ORIGIN}/${id}/edit`,
      `${ORIGIN}/${id}#L5`,
      `${ORIGIN}.other.example/${id}`,
      'not an address',
      '',
    ]
    const bodies = new Set<string>()
    for (const address of addresses) {
      const response = await ask(address)
      expect({ address, status: response.status }).toEqual({ address, status: 404 })
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      bodies.add(await response.text())
    }
    expect(bodies.size).toBe(1)
    expect((await read(burning.id)).status).toBe(200)
  })

  it('takes the address of the site and the one that it was asked at', async () => {
    const { id } = await createAnonymous('x')
    const bindings = withVars({ SITE_URL: 'https://regent.example' })
    for (const origin of ['https://regent.example', ORIGIN]) {
      const described: Record<string, unknown> = await (await ask(`${origin}/${id}`, '', bindings)).json()
      expect(described.html).toContain(`src="https://regent.example/${id}/embed"`)
    }
  })

  it('is linked from the pages of documents that may be embedded', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { html } = await visit(`/${id}`)
    const links = [...html.matchAll(/<link rel="alternate" type="([^"]+)" href="([^"]+)"/g)]
    expect(links.map(([, type]) => type)).toEqual(['application/json+oembed'])
    for (const [, , href = ''] of links) {
      const { status } = await send(href.replaceAll('&amp;', '&').slice(ORIGIN.length))
      expect(status).toBe(200)
    }
    for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
      const hidden = await create('x', settings, { key })
      for (const headers of [{}, { Authorization: key }]) {
        expect((await visit(`/${hidden.id}`, { headers })).html).not.toContain('oembed')
      }
    }
  })
})
