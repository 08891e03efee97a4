import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { account, session, suspend } from '../../support/accounts.ts'
import { create, edit, ORIGIN, remove, send, withVars } from '../../support/client.ts'
import { parseForm } from '../../support/site/forms.ts'

async function open(path: string, init: RequestInit = {}, vars: Record<string, string> = {}) {
  const response = await send(path, { redirect: 'manual', ...init }, { bindings: withVars(vars) })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Returns the ids that a page lists, in order. */
const listIds = (html: string): string[] =>
  [...html.matchAll(/<div class="list-title row"><a href="\/([A-Za-z0-9]+)">/g)].map(([, id]) => id ?? '')

const linkNamed = (html: string, name: string): string =>
  (new RegExp(`<a href="([^"]*)"[^>]*>${name}</a>`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

const makePublic = (key: string, settings: Record<string, unknown> = {}, content = 'text') =>
  create(content, { public: true, ...settings }, { key })

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM documents').run()
})

describe('/explore', () => {
  it('lists public documents with their authors, newest first', async () => {
    const { key, username } = await account()
    const first = await makePublic(key, { title: 'A <b>bold</b> title', language: 'css' })
    await create('unlisted', {}, { key })
    const second = await makePublic(key, {}, '\u202Eevil')
    const { status, headers, html } = await open('/explore')
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
    expect(headers.get('X-Robots-Tag')).toBeNull()
    expect(listIds(html)).toEqual([second.id, first.id])
    expect(html).toContain('A &lt;b&gt;bold&lt;/b&gt; title')
    expect(html).not.toContain('\u202E')
    expect(html).toContain(`<a href="/@${username}">${username}</a>`)
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/explore"/>`)
  })

  it('filters by language', async () => {
    const { key } = await account()
    const css = await makePublic(key, { language: 'css' })
    await makePublic(key, { language: 'go' })
    await create('unlisted', { language: 'lua' }, { key })
    const filtered = await open('/explore?language=CSS')
    expect(listIds(filtered.html)).toEqual([css.id])
    expect(filtered.html).toContain('<option value="css" selected="">CSS</option>')
    expect(filtered.html).toContain('href="/explore.atom?language=css"')
    const unknown = await open(`/explore?language=${encodeURIComponent('"><script>')}`)
    expect(unknown.html).not.toContain('"><script>')
    expect(unknown.html).toContain('No public documents found')
  })

  it('searches titles, and asks search engines not to index the results', async () => {
    const { key } = await account()
    const wanted = await makePublic(key, { title: '100% Wanted' })
    await makePublic(key, { title: '100 other' })
    const { headers, html } = await open('/explore?search=0%25')
    expect(listIds(html)).toEqual([wanted.id])
    expect(headers.get('X-Robots-Tag')).toBe('noindex')
    expect((await open('/explore?search=%F0%9F%98%80')).html).toContain('No public documents found')
  })

  it('shows how documents begin, without counting views', async () => {
    const { key } = await account()
    const { id } = await makePublic(key, {}, '\n# The title\n\n  first <b>\n\u202Esecond\nthird\nfourth')
    await makePublic(key, { title: 'Given' }, 'Given is not the line\r\nonly')
    const { html } = await open('/explore')
    expect(html).toContain('>  first &lt;b&gt;\n second\nthird</div>')
    expect(html).toContain('>Given is not the line\nonly</div>')
    const row = html.split('<tr ').find((part) => part.includes(`href="/${id}"`))
    expect(row).toContain('<td data-column="Views">0<')
    expect(html).toMatch(/role="status">2 documents</)
  })

  it('shows as much of a text whose characters take three bytes, also after a byte order mark', async () => {
    const { key } = await account()
    const [first, second] = ['漢'.repeat(600), '字'.repeat(240)]
    await makePublic(key, { title: 'Wide' }, `\uFEFF${first}\n${second}`)
    contentCache.clear()
    expect((await open('/explore')).html).toContain(`>${first.slice(0, 240)}\n${second}</div>`)
  })

  it('is complete without the excerpts that storage refuses', async () => {
    const { key } = await account()
    const { id } = await makePublic(key, { title: 'Lost' }, 'never read before')
    const contentKey =
      (await env.DB.prepare('SELECT content_key FROM documents').first<string>('content_key')) ?? ''
    const content = (await env.CONTENTS.get(contentKey)) ?? ''
    await env.CONTENTS.delete(contentKey)
    contentCache.clear()
    const { status, html } = await open('/explore')
    expect({ status, ids: listIds(html) }).toEqual({ status: 200, ids: [id] })
    expect(html).not.toContain('never read before')
    // Storage that has it a moment later is asked again.
    await env.CONTENTS.put(contentKey, content)
    expect((await open('/explore')).html).toContain('never read before')
  })

  it('has pages that keep the filter', async () => {
    const { key } = await account()
    const ids: string[] = []
    for (let n = 0; n < 27; n++) ids.unshift((await makePublic(key, { language: 'go' })).id)
    const first = await open('/explore?language=go')
    expect(listIds(first.html)).toEqual(ids.slice(0, 25))
    const second = await open(linkNamed(first.html, 'Next page'))
    expect(listIds(second.html)).toEqual(ids.slice(25))
    expect(linkNamed(second.html, 'Next page')).toBe('')
    expect(linkNamed(second.html, 'First page')).toBe('/explore?language=go')
    expect((await open('/explore?cursor=x')).status).toBe(400)
  })

  it('says so if there is nothing', async () => {
    const { html } = await open('/explore')
    expect(html).toContain('Nothing here yet')
    expect(html).not.toContain('type="search"')
  })

  it('answers HEAD, and 405 to other methods', async () => {
    expect((await open('/explore', { method: 'HEAD' })).status).toBe(200)
    const { status, headers } = await open('/explore', { method: 'POST' })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })
})

describe('/@username', () => {
  it('shows the public documents of an account, and since when it exists', async () => {
    const [one, other] = [await account(), await account()]
    await env.DB.prepare('UPDATE users SET created_at = ?2 WHERE id = ?1')
      .bind(one.id, Date.UTC(2026, 4, 31))
      .run()
    const listed = await makePublic(one.key)
    await create('unlisted', {}, { key: one.key })
    await makePublic(other.key)
    const { status, html } = await open(`/@${one.username}`)
    expect(status).toBe(200)
    expect(listIds(html)).toEqual([listed.id])
    expect(html).toContain('May 2026')
    expect(html).toContain(`src="/icons/${one.id}.svg"`)
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/@${one.username}"/>`)
    expect(html).not.toContain(one.email)
  })

  it('links a document by its name, and so does Explore', async () => {
    const { key, username } = await account()
    await makePublic(key, { name: 'weekly-report' })
    for (const path of [`/@${username}`, '/explore'])
      expect((await open(path)).html).toContain(
        `<div class="list-title row"><a href="/@${username}/weekly-report">`,
      )
  })

  it('is searched by title, and stays there if nothing is found', async () => {
    const { key, username } = await account()
    const wanted = await makePublic(key, { title: 'Wanted' })
    await makePublic(key, { title: 'Other' })
    const found = await open(`/@${username}?search=want`)
    expect(listIds(found.html)).toEqual([wanted.id])
    expect(found.html).toMatch(/role="status">1 document</)
    expect(found.headers.get('X-Robots-Tag')).toBe('noindex')
    const nothing = await open(`/@${username}?search=nothing`)
    expect({ status: nothing.status, ids: listIds(nothing.html) }).toEqual({ status: 200, ids: [] })
    const { username: nobody } = await account()
    expect((await open(`/@${nobody}?search=nothing`)).status).toBe(404)
  })

  it('looks the same for accounts that don’t exist, share nothing, are suspended or want no profile', async () => {
    const [empty, unlisted, suspended, hidden] = [
      await account(),
      await account(),
      await account(),
      await account(),
    ]
    await create('text', {}, { key: unlisted.key })
    for (const { key } of [suspended, hidden]) await makePublic(key)
    await suspend(suspended)
    const headers = await session(hidden)
    await send('/account/profile', { method: 'POST', headers, body: new URLSearchParams() })
    const answers = []
    for (const name of ['nobody', empty.username, unlisted.username, suspended.username, hidden.username]) {
      for (const path of [`/@${name}`, `/@${name.toUpperCase()}`, `/@${name}.atom`]) {
        const { status, html } = await open(path)
        answers.push([status, path.endsWith('.atom') || html.replaceAll(/"[^"]*"/g, '')])
      }
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(2)
    expect(answers.every(([status]) => status === 404)).toBe(true)
  })

  it('ends with the last public document', async () => {
    const { key, username } = await account()
    const { id } = await makePublic(key)
    expect((await open(`/@${username}`)).status).toBe(200)
    await remove(id, { key })
    expect((await open(`/@${username}`)).status).toBe(404)
  })

  it('is shown to its account before that', async () => {
    const [own, other] = [await account(), await account()]
    const path = `/@${own.username}`
    const mine = await open(path, { headers: await session(own) })
    expect({ status: mine.status, cache: mine.headers.get('Cache-Control') }).toEqual({
      status: 200,
      cache: 'no-store',
    })
    expect(mine.html).toContain('No public documents yet')
    expect((await open(path, { headers: await session(other) })).status).toBe(404)
  })

  it('redirects to the spelling of the username', async () => {
    const { key } = await account({ username: 'Spelled-Name' })
    await makePublic(key)
    for (const [path, location] of [
      ['/@spelled-NAME?cursor=', '/@Spelled-Name?cursor='],
      ['/@spelled-name.atom', '/@Spelled-Name.atom'],
    ]) {
      const { status, headers } = await open(path ?? '')
      expect({ status, location: headers.get('Location') }).toEqual({ status: 302, location })
    }
  })

  it('doesn’t lead on from a former username', async () => {
    const { id, key, username } = await account()
    await makePublic(key)
    await env.DB.prepare("UPDATE users SET username = 'renamed-lately' WHERE id = ?1").bind(id).run()
    expect((await open(`/@${username}`)).status).toBe(404)
    expect((await open('/@renamed-lately')).status).toBe(200)
  })

  it('answers 404 for what can’t be a username', async () => {
    for (const path of [
      '/@',
      '/@ab',
      `/@${'x'.repeat(31)}`,
      '/@a%00b',
      '/@%F0%9F%98%80',
      '/@:handle',
      '/@demo/x',
    ]) {
      expect({ path, status: (await open(path)).status }).toEqual({ path, status: 404 })
    }
  })
})

describe('the page of a document', () => {
  it('links to its author and names its address only while it is listed', async () => {
    const { key, username } = await account()
    const { id } = await makePublic(key)
    const link = `<a href="/@${username}">`
    const canonical = `<link rel="canonical" href="${ORIGIN}/${id}"/>`
    const listed = await open(`/${id}`)
    expect(listed.headers.get('X-Robots-Tag')).toBeNull()
    expect(listed.html).toContain(link)
    expect(listed.html).toContain(canonical)
    await edit({ id, settings: { public: false } }, { key })
    const unlisted = await open(`/${id}`)
    expect(unlisted.headers.get('X-Robots-Tag')).toBe('noindex')
    expect(unlisted.html).not.toContain(link)
    expect(unlisted.html).not.toContain(canonical)
  })

  it('doesn’t link to a profile that is switched off', async () => {
    const { id: user, key, username } = await account()
    const { id } = await makePublic(key)
    await env.DB.prepare('UPDATE users SET has_profile = 0 WHERE id = ?1').bind(user).run()
    for (const path of [`/${id}`, '/explore']) expect((await open(path)).html).not.toContain(`/@${username}`)
  })
})

describe('EXPLORE=off', () => {
  const off = { EXPLORE: 'off' }

  it('removes the pages and every link to them', async () => {
    const own = await account()
    const { id } = await makePublic(own.key)
    const headers = await session(own)
    for (const path of ['/explore', `/@${own.username}`]) expect((await open(path, {}, off)).status).toBe(404)
    for (const path of ['/', `/${id}`, '/account', '/account/profile', '/about']) {
      const { status, html } = await open(path, { headers }, off)
      expect(status).toBe(200)
      expect(html).not.toMatch(/\/explore|href="\/@|visibility|profile page/i)
    }
    expect((await open('/', {}, off)).html).not.toContain('public')
  })

  it('keeps the visibility of a document that is edited, and that of the account’s defaults', async () => {
    const own = await account()
    const { id } = await makePublic(own.key)
    const headers = await session(own)
    const post = (path: string, body: Record<string, string>, vars = off) =>
      open(path, { method: 'POST', headers, body: new URLSearchParams(body) }, vars)
    expect((await open(`/${id}/edit`, { headers }, off)).html).not.toContain('visibility')
    const { headers: read } = await send(`/v1/document/${id}`)
    const version = read.get('ETag') ?? ''
    expect(
      (await post(`/${id}/edit`, { version, content: 'new', expires: 'keep', language: 'go' })).status,
    ).toBe(303)
    const row = await env.DB.prepare('SELECT public, language FROM documents WHERE id = ?1').bind(id).first()
    expect(row).toEqual({ public: 1, language: 'go' })
    await open(
      '/account/defaults',
      { method: 'POST', headers, body: new URLSearchParams({ visibility: 'public' }) },
      {},
    )
    expect((await post('/account/defaults', { language: 'css' })).status).toBe(303)
    expect((await open('/account', { headers })).html).toContain(
      '<option value="public" selected="">Public</option>',
    )
  })
})

describe('the profile setting', () => {
  it('switches the profile off and on', async () => {
    const own = await account()
    await makePublic(own.key)
    const headers = await session(own)
    /** Sends the form as the page offers it. */
    const press = async (label: string) => {
      const { html } = await open('/account/profile', { headers })
      expect(html).toContain(`aria-label="${label}"`)
      const body = new URLSearchParams(await parseForm(html, '/account/profile'))
      const { status, headers: answer } = await open('/account/profile', { method: 'POST', headers, body })
      expect({ status, to: answer.get('Location') }).toEqual({ status: 303, to: '/account?done=profile' })
      return (await open(`/@${own.username}`)).status
    }
    expect(await press('Hide profile page')).toBe(404)
    expect(await press('Show profile page')).toBe(200)
  })
})
