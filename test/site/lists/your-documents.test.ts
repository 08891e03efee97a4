import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { create, ORIGIN, read, send, submit } from '../../support/client.ts'

const LISTS = '/account/documents'

interface SessionHeaders {
  readonly Cookie: string
  readonly Origin: string
}

const open = async (path: string, { Cookie }: SessionHeaders) => {
  const response = await send(path, { headers: { Cookie } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Returns the ids that a page lists, in order. */
const listIds = (html: string): string[] =>
  [...html.matchAll(/<div class="list-title row"><a href="\/([A-Za-z0-9]+)">/g)].map(([, id]) => id ?? '')

const unescaped = (html: string) => html.replaceAll('&amp;', '&')

const linkNamed = (html: string, name: string): string | null =>
  unescaped(new RegExp(`<a href="([^"]*)"[^>]*>${name}</a>`).exec(html)?.[1] ?? '') || null

/** Sends a form with several fields of one name. */
const submitIds = (path: string, ids: readonly string[], headers: Record<string, string>, more = {}) =>
  send(path, {
    method: 'POST',
    body: new URLSearchParams([...ids.map((id) => ['id', id]), ...Object.entries<string>(more)]),
    headers,
  })

describe('the list of your documents', () => {
  it('redirects to the sign-in page and back when signed out', async () => {
    const response = await send(`${LISTS}?sort=title`)
    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(
      `/sign-in?return=${encodeURIComponent(`${LISTS}?sort=title`)}`,
    )
  })

  it('lists the documents of the account, and is not cached', async () => {
    const [user, other] = [await account(), await account()]
    const sessionHeaders = await session(user)
    const options = { key: user.key }
    const plain = await create('A <b>bold</b> title\nmore', { language: 'ts', expiration: null }, options)
    const encrypted = await create('secret words', { encrypted: true, instant_delete: true }, options)
    const publicDocument = await create('seen by all', { public: true }, options)
    const othersDocument = await create('of somebody else', {}, { key: other.key })
    await read(plain.id)
    const { status, headers, html } = await open(LISTS, sessionHeaders)
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(listIds(html)).toEqual(expect.arrayContaining([plain.id, encrypted.id, publicDocument.id]))
    expect(listIds(html)).toHaveLength(3)
    expect(html).not.toContain(othersDocument.id)
    expect(html).not.toContain('secret words')
    expect(html).toContain('A &lt;b&gt;bold&lt;/b&gt; title')
    // The line after the title.
    expect(html).toMatch(/<div class="excerpt"[^>]*>more</)
    expect(html.match(/class="excerpt"/g)).toHaveLength(1)
    const row = (id: string) => html.split('<tr ').find((part) => part.includes(`href="/${id}"`)) ?? ''
    expect(row(plain.id)).toMatch(/TypeScript<.*>1<.*>24 bytes<.*<time datetime=.*>Never</)
    expect(row(encrypted.id)).toMatch(new RegExp(`>${encrypted.id}<.*Read once.*Encrypted`))
    expect(row(publicDocument.id)).toContain('Public')
    expect(row(plain.id)).not.toContain('class="badge"')
  })

  it('searches titles, and escapes the search text', async () => {
    const user = await account()
    const sessionHeaders = await session(user)
    const { id } = await create('100% <i>', {}, { key: user.key })
    await create('another', {}, { key: user.key })
    const { html } = await open(`${LISTS}?search=${encodeURIComponent('% <I>')}&sort=largest`, sessionHeaders)
    expect(listIds(html)).toEqual([id])
    expect(html).toContain('value="% &lt;I&gt;"')
    expect(html).toMatch(/<option value="largest" selected[^>]*>/)
    const nothing = await open(`${LISTS}?search=${encodeURIComponent('<script>')}`, sessionHeaders)
    expect(nothing.html).toContain('No titles contain “<bdi>&lt;script&gt;</bdi>”')
    const long = await open(`${LISTS}?search=${'😀'.repeat(1_000)}&sort=sideways`, sessionHeaders)
    expect(long.status).toBe(200)
    expect(long.html).toContain(`value="${'😀'.repeat(100)}"`)
  })

  /** Adds documents with the title "same". */
  const addMany = async (creatorId: string, count: number) => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
        INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at, title, title_key)
        SELECT lower(hex(randomblob(8))), ?1, 'content/' || ?1 || i, 1, 0, 'plaintext', 0, 0, 0, 0, 'v',
          i, i, 9000000000000, 'same', 'same' FROM n`,
    )
      .bind(creatorId, count)
      .run()
  }

  it('keeps the search and the order from page to page, and says how much of the list it shows', async () => {
    const user = await account()
    const sessionHeaders = await session(user)
    await addMany(user.id, 52)
    const first = await open(`${LISTS}?search=SAME&sort=title`, sessionHeaders)
    expect(linkNamed(first.html, 'First page')).toBeNull()
    const next = linkNamed(first.html, 'Next page') ?? ''
    const second = await open(next, sessionHeaders)
    expect(next).toContain('search=SAME&sort=title&cursor=')
    expect(listIds(first.html)).toHaveLength(50)
    expect(new Set([...listIds(first.html), ...listIds(second.html)]).size).toBe(52)
    expect(first.html).toMatch(/role="status">50\+ documents</)
    expect(first.html).toContain('<span data-part="shown">50</span> shown')
    expect(linkNamed(second.html, 'Next page')).toBeNull()
    expect(linkNamed(second.html, 'First page')).toBe(`${LISTS}?search=SAME&sort=title`)
    expect((await open(`${LISTS}?cursor=nonsense`, sessionHeaders)).status).toBe(400)
  })

  it('says how many documents there are, and how many of them were searched or sorted', async () => {
    const user = await account()
    const headers = await session(user)
    await addMany(user.id, 1_002)
    const { html } = await open(LISTS, headers)
    expect(html).toMatch(/role="status">1,002 documents</)
    const search = await open(`${LISTS}?search=nothing`, headers)
    expect(search.html).toContain('Nothing found yet')
    expect(search.html).toContain('Searched 900 documents')
    const rest = await open(linkNamed(search.html, 'Keep searching') ?? '', headers)
    expect(rest.html).toContain('No titles contain')
    expect(linkNamed(rest.html, 'Keep searching')).toBeNull()
    expect((await open(`${LISTS}?sort=title`, headers)).html).toContain(
      'Only the newest 600 documents are sorted',
    )
    const both = await open(`${LISTS}?sort=title&search=same`, headers)
    expect(both.html).toContain('Only the newest 600 documents are searched and sorted')
  })

  it('leads to every order from the headers of its columns, and says which one it is in', async () => {
    const user = await account()
    const sessionHeaders = await session(user)
    const small = await create('a', {}, { key: user.key })
    const large = await create('b'.repeat(9), {}, { key: user.key })
    const { html } = await open(`${LISTS}?search=&view=`, sessionHeaders)
    expect(html).toMatch(/data-column="Created" aria-sort="descending"/)
    const links = ['Title', 'Views', 'Size', 'Created', 'Expires'].map((name) => linkNamed(html, name))
    const orders = ['title', 'viewed', 'largest', 'oldest', 'expiring']
    expect(links).toEqual(orders.map((sort) => `${LISTS}?sort=${sort}`))
    const bySize = await open(`${LISTS}?sort=largest`, sessionHeaders)
    expect(listIds(bySize.html)).toEqual([large.id, small.id])
    const reversed = linkNamed(bySize.html, 'Size') ?? ''
    expect(reversed).toBe(`${LISTS}?sort=smallest`)
    const reversedList = await open(reversed, sessionHeaders)
    expect(listIds(reversedList.html)).toEqual([small.id, large.id])
    expect(reversedList.html).toMatch(/data-column="Size" aria-sort="ascending"/)
    expect((await open(`${LISTS}?sort=title`, sessionHeaders)).html).toMatch(
      /data-column="Title" aria-sort="ascending"/,
    )
  })

  it('has a menu for each document, which works without scripts', async () => {
    const user = await account()
    const { id } = await create('x', {}, { key: user.key })
    const { html } = await open(LISTS, await session(user))
    expect(html).toContain(`popovertarget="menu-${id}"`)
    expect(html).toMatch(
      new RegExp(`id="menu-${id}" popover="auto".*href="/${id}/edit".*href="/${id}/delete"`),
    )
  })

  it('asks for confirmation, and then deletes only documents of the account', async () => {
    const [user, other] = [await account(), await account()]
    const sessionHeaders = await session(user)
    const first = await create('the first', {}, { key: user.key })
    const second = await create('the second', {}, { key: user.key })
    const kept = await create('kept', {}, { key: user.key })
    const othersDocument = await create('foreign', { editors: [user.username] }, { key: other.key })
    const ids = [first.id, second.id, othersDocument.id, 'missing1']
    const { html } = await open(`${LISTS}?search=the&sort=title`, sessionHeaders)
    expect(html).toMatch(/<dialog id="selected"/)
    expect(html).toContain('name="sort" value="title"')

    const done = await submitIds(
      `${LISTS}/delete`,
      ids,
      { ...sessionHeaders },
      { search: 'the', sort: 'title' },
    )
    expect(done.status).toBe(303)
    expect(done.headers.get('Location')).toBe(`${LISTS}?search=the&sort=title`)
    for (const { id } of [first, second]) expect((await read(id)).status).toBe(404)
    for (const { id } of [kept, othersDocument]) expect((await read(id)).status).toBe(200)
    // Sending the form again, after going back, does nothing more.
    expect((await submitIds(`${LISTS}/delete`, ids, { ...sessionHeaders })).status).toBe(303)
  })

  it('says so if nothing is selected', async () => {
    const sessionHeaders = await session(await account())
    const response = await submitIds(`${LISTS}/delete`, [], { ...sessionHeaders })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Nothing selected')
  })

  it('lists shared documents, which can be left', async () => {
    const [creator, user] = [await account(), await account()]
    const sessionHeaders = await session(user)
    const { id } = await create('shared words', { editors: [user.username] }, { key: creator.key })
    await create('mine', {}, { key: user.key })
    const { html } = await open(`${LISTS}?view=shared`, sessionHeaders)
    expect(listIds(html)).toEqual([id])
    expect(html).toContain(creator.username)
    expect(html).not.toContain('type="checkbox"')
    expect(html).toContain('Leave “shared words”?')
    const left = await submit(`/${id}/editors/leave`, {}, { ...sessionHeaders })
    expect(left.headers.get('Location')).toBe(`${LISTS}?view=shared`)
    expect((await read(id)).body.data.settings.editors).toEqual([])
    expect((await open(`${LISTS}?view=shared`, sessionHeaders)).html).toContain('Nothing shared with you yet')
  })

  it('lists removed documents with the reason, to their creator only', async () => {
    const [user, other] = [await account(), await account()]
    const { id } = await create('unwanted words', {}, { key: user.key })
    await env.DB.prepare(
      `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
        VALUES (?1, ?2, 'unwanted <words>', 0, 'operator', 'not <wanted>')`,
    )
      .bind(id, user.id)
      .run()
    const { html } = await open(LISTS, await session(user))
    expect(html).toContain('unwanted &lt;words&gt;')
    expect(html).toContain('not &lt;wanted&gt;')
    expect((await open(LISTS, await session(other))).html).not.toContain('Removed by')
  })

  it('refuses forms from other sites', async () => {
    const [creator, user] = [await account(), await account()]
    const sessionHeaders = await session(user)
    const mine = await create('mine', {}, { key: user.key })
    const shared = await create('shared', { editors: [user.username] }, { key: creator.key })
    for (const headers of [
      { Cookie: sessionHeaders.Cookie },
      { Cookie: sessionHeaders.Cookie, Origin: 'https://elsewhere.example' },
      { Cookie: sessionHeaders.Cookie, Origin: 'null' },
      { Cookie: sessionHeaders.Cookie, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      expect((await submitIds(`${LISTS}/delete`, [mine.id], headers)).status).toBe(403)
      expect((await submitIds(`/${shared.id}/editors/leave`, [], headers)).status).toBe(403)
    }
    expect((await read(mine.id)).status).toBe(200)
    expect((await read(shared.id)).body.data.settings.editors).toEqual([user.username])
  })

  it('refuses forms without a valid session', async () => {
    const user = await account()
    const sessionHeaders = await session(user)
    const { id } = await create('mine', {}, { key: user.key })
    await env.DB.prepare('UPDATE sessions SET expires_at = 1 WHERE user_id = ?1').bind(user.id).run()
    for (const headers of [{ Origin: ORIGIN }, { ...sessionHeaders }]) {
      const response = await submitIds(`${LISTS}/delete`, [id], headers)
      expect(response.status).toBe(303)
      expect(response.headers.get('Location')).toMatch(/^\/sign-in/)
    }
    expect((await read(id)).status).toBe(200)
  })

  it('refuses oversized forms and other methods', async () => {
    const sessionHeaders = await session(await account())
    const large = await submit(`${LISTS}/delete`, { id: 'x'.repeat(70_000) }, { ...sessionHeaders })
    expect(large.status).toBe(413)
    for (const [path, allow] of [
      [LISTS, 'GET, HEAD'],
      [`${LISTS}/delete`, 'POST'],
    ] as const) {
      const response = await send(path, { method: 'PUT', headers: { ...sessionHeaders } })
      expect({ path, status: response.status, allow: response.headers.get('Allow') }).toEqual({
        path,
        status: 405,
        allow,
      })
    }
  })
})
