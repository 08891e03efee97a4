import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { hashContent } from '../../../src/documents/block-check.ts'
import { account, session } from '../../support/accounts.ts'
import { call, create, ORIGIN, read, send, submit } from '../../support/client.ts'
import { parseForm } from '../../support/site/forms.ts'

const admin = async () => {
  const moderator = await account({ flags: 1 | 8 })
  return { headers: await session(moderator), username: moderator.username }
}

async function get(path: string, headers: Record<string, string>) {
  const response = await send(path, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

async function post(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  const response = await submit(path, fields, headers)
  return { status: response.status, to: response.headers.get('Location'), html: await response.text() }
}

const hash = (text: string) => hashContent(new TextEncoder().encode(text))

const share = async (content: string, headers: Record<string, string> = {}) =>
  (await call('POST', '/v1/document', { content }, { headers })).status

const PAGES = ['blocks', 'remove-all', 'accounts', 'audit'].map((name) => `/moderation/${name}`)

const ACTIONS = ['blocks', 'blocks/lift', 'remove-all', 'accounts/suspend', 'accounts/restore'].map(
  (name) => `/moderation/${name}`,
)

describe('the pages of the abuse desk', () => {
  it("don't exist for anyone but admins", async () => {
    const stranger = await session(await account())
    for (const path of PAGES) {
      expect((await get(path, stranger)).html).toBe((await get('/no/such/page', stranger)).html)
      expect((await get(path, { Origin: ORIGIN })).status).toBe(303)
      const answer = await get(path, (await admin()).headers)
      expect({ path, status: answer.status }).toEqual({ path, status: 200 })
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
    }
    for (const path of ACTIONS) expect((await post(path, {}, stranger)).status).toBe(404)
  })

  it('refuse forms from other sites', async () => {
    const { Cookie } = (await admin()).headers
    for (const path of ACTIONS) {
      expect((await post(path, {}, { Cookie, Origin: 'https://elsewhere.example' })).status).toBe(403)
    }
  })
})

describe('the page of blocks', () => {
  it('adds a block and lifts it', async () => {
    const { headers, username } = await admin()
    const fields = { kind: 'domain', value: 'https://Bad.example/', reason: 'Phishing <b>' }
    expect(await post('/moderation/blocks', fields, headers)).toMatchObject({
      status: 303,
      to: '/moderation/blocks',
    })
    const { html } = await get('/moderation/blocks', headers)
    for (const part of ['bad.example', 'Phishing &lt;b&gt;', username]) expect(html).toContain(part)
    expect(await share('https://bad.example/x')).toBe(403)
    await post('/moderation/blocks/lift', { kind: 'domain', value: 'bad.example' }, headers)
    expect((await get('/moderation/blocks', headers)).html).not.toContain('bad.example')
    expect(await share('https://bad.example/x')).toBe(200)
  })

  it.each([
    ['address', 'somewhere', 'Must be an address or a range'],
    ['address', '192.0.2.0/33', 'Must be an address or a range'],
    ['content', 'abc', 'Must be the SHA-256'],
    ['domain', 'two words', 'Must be a domain'],
  ])('refuses the %s %j and keeps what was typed', async (kind, value, problem) => {
    const { headers } = await admin()
    const answer = await post('/moderation/blocks', { kind, value, reason: 'typed' }, headers)
    expect(answer.status).toBe(400)
    expect(answer.html).toMatch(new RegExp(`role="alert" id="value-problem">${problem}`))
    for (const part of [`value="${value}"`, 'value="typed"', `<option value="${kind}" selected`]) {
      expect(answer.html).toContain(part)
    }
    // Works without scripts in every browser.
    expect(answer.html).toContain('<a href="/moderation/blocks" class="button quiet">Cancel</a>')
  })

  it('takes a hash as sha256sum prints it', async () => {
    const { headers } = await admin()
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('a known file'))
    const value = new Uint8Array(digest).toHex()
    await post('/moderation/blocks', { kind: 'content', value, reason: 'x' }, headers)
    expect(await share('a known file')).toBe(403)
  })

  it('starts with what a link suggests', async () => {
    const { headers } = await admin()
    const { html } = await get('/moderation/blocks?kind=address&value=2001:db8::/64', headers)
    expect(html).toContain('value="2001:db8::/64"')
    expect(html).toContain('<option value="address" selected')
  })

  it('is added from a report for its network or its text, and leads back to the report', async () => {
    const { headers } = await admin()
    const from = { headers: { 'CF-Connecting-IP': '2001:db8:5:6::7' } }
    const { id } = await create('reported text', undefined, from)
    const { html } = await get(`/moderation/${id}`, headers)
    const network = await parseForm(html, '/moderation/blocks')
    expect(network).toMatchObject({ kind: 'address', value: '2001:db8:5:6::/64' })
    expect(html).toContain(`name="value" value="${await hash('reported text')}"`)
    const { to } = await post('/moderation/blocks', network, headers)
    expect(to).toBe(`/moderation/${id}?done=blocked`)
    const again = await post('/moderation/blocks', { ...network, reason: '' }, headers)
    expect(again.html).toContain(`<input type="hidden" name="case" value="${id}"`)
    expect(await share('another text', { 'CF-Connecting-IP': '2001:db8:5:6::1' })).toBe(403)
  })
})

describe('removing many documents', () => {
  async function removeAll(fields: Record<string, string>) {
    const { headers, username } = await admin()
    const all = { reason: 'a dump', ...fields }
    const asked = await post('/moderation/remove-all', all, headers)
    const done = await post('/moderation/remove-all', { ...all, confirmed: 'yes' }, headers)
    return { asked: asked.html, done: done.html, headers, username }
  }

  const isThere = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await read(id)).status === 200))

  it('of an account asks first, and records each removal', async () => {
    const creator = await account()
    const first = await create('the first of many documents, long enough', {}, { key: creator.key })
    const second = await create('b', { encrypted: true }, { key: creator.key })
    const other = await create('c')
    const { asked, done, headers, username } = await removeAll({
      kind: 'account',
      value: creator.username.toUpperCase(),
      block_content: 'on',
    })
    expect(asked).toContain('<h1>Remove 2 documents?</h1>')
    expect(done).toContain('<h1>Removed 2 documents</h1>')
    expect(await isThere([first.id, second.id, other.id])).toEqual([false, false, true])
    const removals = await get('/moderation/removals', headers)
    for (const part of [first.id, second.id, username, 'a dump']) expect(removals.html).toContain(part)
    expect(await share('the first of many documents, long enough')).toBe(403)
    const own = await get(`/${first.id}`, await session(creator))
    expect(own.html).toContain('Your document was removed')
  })

  it('of an address leaves the documents of others', async () => {
    const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })
    const [one, two] = [
      await create('a', undefined, from('203.0.113.5')),
      await create('b', undefined, from('203.0.113.6')),
    ]
    const { done } = await removeAll({ kind: 'address', value: '203.0.113.5' })
    expect(done).toContain('<h1>Removed 1 document</h1>')
    expect(await isThere([one.id, two.id])).toEqual([false, true])
    expect(await share('a')).toBe(200)
    await removeAll({ kind: 'address', value: '203.0.113.0/24' })
    expect(await isThere([two.id])).toEqual([false])
  })

  it('with the same text finds every copy, and survives an upload of it', async () => {
    const creator = await account()
    const copies = [await create('leaked'), await create('leaked', {}, { key: creator.key })]
    const { done } = await removeAll({ kind: 'content', value: await hash('leaked'), block_content: 'on' })
    expect(done).toContain('<h1>Removed 2 documents</h1>')
    expect(await isThere(copies.map(({ id }) => id))).toEqual([false, false])
    expect(await share('leaked')).toBe(403)
  })

  it('shows the authors the reason that was checked', async () => {
    const { id } = await create('d', undefined, { headers: { 'CF-Connecting-IP': '203.0.113.7' } })
    const fields = { kind: 'address', value: '203.0.113.7', reason: '', preset: 'spam' }
    const { asked, headers } = await removeAll(fields)
    const { html } = await get(`/moderation/${id}`, headers)
    for (const page of [asked, html]) expect(page).toContain('Spam.')
  })

  it('does not block short texts along with an account', async () => {
    const creator = await account()
    await create('short', {}, { key: creator.key })
    await removeAll({ kind: 'account', value: creator.username, block_content: 'on' })
    expect(await share('short')).toBe(200)
  })

  it.each([
    [{ kind: 'account', value: 'nobody-here' }, 'No account has this username.'],
    [{ kind: 'content', value: 'x' }, 'Must be the SHA-256'],
    [{ kind: 'address', value: '1.2.3' }, 'Must be an address'],
    [{ kind: 'address', value: '203.0.113.5', reason: '', preset: 'other' }, 'Enter a reason.'],
  ])('refuses %j and removes nothing', async (fields, problem) => {
    const { done } = await removeAll(fields)
    expect(done).toContain(problem)
  })
})

describe('removing one document', () => {
  it('blocks its text unless the box is cleared', async () => {
    const { headers } = await admin()
    const [kept, blocked] = [await create('may come back'), await create('must not come back')]
    await post(`/moderation/${kept.id}/remove`, { reason: 'x' }, headers)
    await post(`/moderation/${blocked.id}/remove`, { reason: 'x', block_content: 'on' }, headers)
    expect([await share('may come back'), await share('must not come back')]).toEqual([200, 403])
  })

  it('computes the hash of a document from before hashes were stored', async () => {
    const { headers } = await admin()
    const { id } = await create('an old document')
    await env.DB.prepare('UPDATE documents SET content_hash = NULL WHERE id = ?1').bind(id).run()
    await post(`/moderation/${id}/remove`, { reason: 'x', block_content: 'on' }, headers)
    expect(await share('an old document')).toBe(403)
  })
})

describe('the page of accounts', () => {
  it('suspends an account and lifts the suspension', async () => {
    const { headers } = await admin()
    const creator = await account()
    const cookie = await session(creator)
    const { id } = await create('x', {}, { key: creator.key })
    const path = `/moderation/accounts?username=${creator.username}`
    const suspended = await post(
      '/moderation/accounts/suspend',
      { username: creator.username, reason: 'spam' },
      headers,
    )
    expect(suspended).toMatchObject({ status: 303, to: path })
    expect((await get(path, headers)).html).toContain('Lift suspension')
    expect((await read(id)).status).toBe(404)
    expect((await send('/account', { headers: cookie })).status).toBe(303)
    await post('/moderation/accounts/restore', { username: creator.username }, headers)
    expect((await get(path, headers)).html).toContain('Suspend…')
    expect((await read(id)).status).toBe(200)
  })

  it('asks for a reason, and refuses to suspend an admin', async () => {
    const { headers, username } = await admin()
    const other = await account()
    const { id } = await create('x', {}, { key: other.key })
    const fields = { username: other.username, case: id }
    const without = await post('/moderation/accounts/suspend', fields, headers)
    expect(without.html).toContain(`<input type="hidden" name="case" value="${id}"`)
    expect(without.status).toBe(400)
    expect(without.html).toContain('Enter a reason.')
    const refused = await post('/moderation/accounts/suspend', { username, reason: 'x' }, headers)
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('You can’t suspend an admin here')
  })

  it('says so when nobody has the username', async () => {
    const { headers } = await admin()
    const answer = await get('/moderation/accounts?username=nobody-at-all', headers)
    expect(answer.html).toContain('No account has this username.')
  })
})

describe('the audit log', () => {
  it('shows what admins did, newest first', async () => {
    const { headers, username } = await admin()
    const creator = await account()
    const { id } = await create('x')
    await get(`/moderation/${id}/text`, headers)
    await post(`/moderation/${id}/remove`, { reason: 'the reason' }, headers)
    await post('/moderation/accounts/suspend', { username: creator.username, reason: 'spam' }, headers)
    await post('/moderation/blocks', { kind: 'domain', value: 'b.example', reason: 'x' }, headers)
    const { html } = await get('/moderation/audit', headers)
    const titles = [...html.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, title]) => title).slice(0, 4)
    expect(titles.toSorted()).toEqual(
      ['Added a block', 'Suspended an account', 'Removed a document', 'Read a text as staff'].toSorted(),
    )
    for (const part of [id, 'the reason', username, creator.username, 'domain b.example']) {
      expect(html).toContain(part)
    }
  })
})

describe('a document that was removed by mistake', () => {
  it('is restored from its page, and its creator can delete it for good instead', async () => {
    const { headers } = await admin()
    const author = await account()
    const { id } = await create('a text', {}, { key: author.key })
    const other = await create('another text', {}, { key: author.key })
    for (const removed of [id, other.id])
      await post(`/moderation/${removed}/remove`, { reason: 'a mistake' }, headers)
    expect((await read(id)).status).toBe(404)
    expect((await get(`/${id}`, await session(author))).html).toContain('Delete it for good')
    expect((await get('/moderation/removals', headers)).html).toContain(`action="/moderation/${id}/restore"`)
    expect(await post(`/moderation/${id}/restore`, {}, headers)).toMatchObject({
      status: 303,
      to: `/moderation/${id}?done=restored`,
    })
    expect((await read(id)).body.data.content).toBe('a text')
    expect((await post(`/moderation/${id}/restore`, {}, headers)).status).toBe(404)

    const deleted = await post(`/${other.id}/delete`, {}, await session(author))
    expect(deleted.status).toBe(303)
    expect((await get(`/${other.id}`, await session(author))).html).not.toContain('Delete it for good')
    expect((await get(`/moderation/${other.id}`, headers)).html).not.toContain('/restore')
    expect((await post(`/moderation/${other.id}/restore`, {}, headers)).status).toBe(404)
  })
})

describe('the page before many documents are removed', () => {
  it('says which, and changes nothing', async () => {
    const { headers } = await admin()
    const author = await account()
    const { id } = await create('# My plan\ntext', {}, { key: author.key })
    const { html } = await post(
      '/moderation/remove-all',
      { kind: 'account', value: author.username, reason: 'spam' },
      headers,
    )
    expect(html).toContain('Remove 1 document?')
    expect(html).toContain('My plan')
    expect(html).toContain(`/moderation/${id}`)
    expect((await read(id)).status).toBe(200)
  })
})

describe('a look of staff', () => {
  it('leaves one entry an hour', async () => {
    const { headers, username } = await admin()
    const author = await account()
    const { id } = await create('a text', {}, { key: author.key })
    const { id: removed } = await create('another text', {}, { key: author.key })
    await post(`/moderation/${removed}/remove`, { reason: 'spam' }, headers)
    for (const path of [
      `/moderation/${id}`,
      `/moderation/${id}/text`,
      `/moderation/${removed}`,
      '/moderation',
      '/moderation/removals',
      '/moderation/blocks',
      `/moderation/accounts?username=${author.username}`,
      '/moderation/audit',
    ]) {
      for (let look = 0; look < 2; look++) expect((await get(path, headers)).status).toBe(200)
    }
    const { results } = await env.DB.prepare(
      "SELECT action || ' ' || ifnull(subject, '') AS entry FROM audit_log WHERE actor = ?1 AND action <> 'sign-in' ORDER BY 1",
    )
      .bind(username)
      .all<{ entry: string }>()
    expect(results.map(({ entry }) => entry)).toEqual(
      [
        `account.view ${author.username}`,
        'audit.read ',
        'blocks.list ',
        `document.remove ${removed}`,
        `document.view ${id}`,
        `document.view ${removed}`,
        'removals.list ',
        'reports.list ',
        `text.read ${id}`,
      ].toSorted(),
    )
  })
})
