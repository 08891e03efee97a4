import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { changeUsername } from '../../src/accounts/profile.ts'
import { deliver, documentAt, requireFound } from '../../src/documents/read.ts'
import { outlastRowMemory } from '../../src/documents/recent-documents.ts'
import { Database } from '../../src/platform/database.ts'
import { from, LIMITED, newAddress, repeat } from '../limits/support.ts'
import { type Account, account, suspend } from '../support/accounts.ts'
import { countCalls, losingFirst } from '../support/bindings.ts'
import { call, create, edit, ORIGIN, read, remove, send, withVars } from '../support/client.ts'
import { openStore } from '../support/storage/contents.ts'
import { countDocuments, curl } from './support.ts'

const put = (
  { key }: Pick<Account, 'key'>,
  address: string,
  body: string,
  headers: Record<string, string> = {},
) => curl(`/${address}`, { method: 'PUT', body, headers: { Authorization: key, ...headers } })

const status = async (path: string, headers = {}) => (await curl(path, { headers })).status

const findId = async (address: string): Promise<string> =>
  (await call('GET', `/v1/document/${address}`)).body.data.id

describe('PUT to a name', () => {
  it('makes no document of an address without a name, as of an empty variable', async () => {
    const ada = await account()
    const count = await countDocuments()
    for (const address of [`@${ada.username}`, `@${ada.username}/`])
      expect(await put(ada, address, 'x')).toMatchObject({
        status: 400,
        text: `The address has no name. Add one: /@${ada.username}/report\n`,
      })
    expect(await countDocuments()).toBe(count)
  })

  it('creates the document, and later replaces its text', async () => {
    const ada = await account({ username: 'ada-put' })
    const first = await put(ada, '@ada-put/weekly-report', '# One\n')
    const link = `${ORIGIN}/@ada-put/weekly-report`
    expect(first).toMatchObject({ status: 201, text: `${link}\n` })
    expect(first.headers.get('Location')).toBe(link)
    const id = await findId('@ada-put/weekly-report')
    const second = await put(ada, '@ADA-put/weekly-report?expires=never', '# Two\n')
    expect(second).toMatchObject({ status: 200, text: `${link}\n` })
    const { body } = await read(id)
    expect(body.data).toMatchObject({
      content: '# Two\n',
      settings: { name: 'weekly-report' },
      timestamps: { expiration: '9999-12-31T23:59:59.999Z' },
    })
    expect(second.headers.get('ETag')).toBe((await curl(`/${id}`)).headers.get('ETag'))
  })

  it('takes the language from the name, and the options of every other create', async () => {
    const ada = await account({ username: 'ada-options' })
    await put(ada, '@ada-options/main.py?title=Main&burn', 'x = 1')
    const answer = await read('@ada-options/main.py', { key: ada.key })
    expect(answer.body.data.settings).toMatchObject({
      language: 'python',
      title: 'Main',
      instant_delete: true,
    })
  })

  it('makes one document of 20 parallel requests, whose text is one of theirs', async () => {
    const ada = await account({ username: 'ada-race' })
    const before = await countDocuments()
    const answers = await repeat(20, (index) => put(ada, '@ada-race/report', `text ${index}`))
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(await countDocuments()).toBe(before + 1)
    expect((await curl('/@ada-race/report')).text).toMatch(/^text \d+$/)
    const { body } = await call<{ revisions: unknown[] }>(
      'GET',
      `/v1/document/${await findId('@ada-race/report')}/revisions`,
      undefined,
      { key: ada.key },
    )
    expect(body.data.revisions).toHaveLength(20)
  })

  it('lets one of 20 replace the version that If-Match names, and creates nothing for one', async () => {
    const ada = await account({ username: 'ada-match' })
    const tag = { 'If-Match': '"raw-123456789012"' }
    const missing = await put(ada, '@ada-match/report', 'x', tag)
    expect(missing).toMatchObject({
      status: 412,
      text: 'No document has this name. Leave out If-Match to create it\n',
    })
    await put(ada, '@ada-match/report', 'first')
    const current = (await curl('/@ada-match/report')).headers.get('ETag') ?? ''
    const answers = await repeat(20, (index) =>
      put(ada, '@ada-match/report', `text ${index}`, { 'If-Match': current }),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(412)])
  })

  it('only creates with If-None-Match: *', async () => {
    const ada = await account({ username: 'ada-once' })
    const once = { 'If-None-Match': '*' }
    const answers = await repeat(20, (index) => put(ada, '@ada-once/report', `text ${index}`, once))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(412)])
    expect(await put(ada, '@ada-once/report', 'late', once)).toMatchObject({
      status: 412,
      text: 'A document has this name. Leave out If-None-Match to replace its text\n',
    })
    expect((await curl('/@ada-once/report')).text).toMatch(/^text/)
    expect((await put(ada, '@ada-once/report', 'new')).status).toBe(200)
  })

  it('follows the name while others move it between two documents', async () => {
    const ada = await account({ username: 'ada-moves' })
    const { key } = ada
    const one = await create('one', { name: 'report' }, { key })
    const two = await create('two', {}, { key })
    const move = async (from: string, to: string) => {
      await edit({ id: from, settings: { name: '' } }, { key })
      await edit({ id: to, settings: { name: 'report' } }, { key })
    }
    const [answers] = await Promise.all([
      repeat(10, (index) => put(ada, '@ada-moves/report', `put ${index}`)),
      move(one.id, two.id),
    ])
    // It may have made a third one while none had the name. Then the other can't have it.
    for (const answer of answers) expect([200, 201]).toContain(answer.status)
    const { results } = await env.DB.prepare('SELECT id FROM documents WHERE creator_id = ?1 AND name = ?2')
      .bind(ada.id, 'report')
      .all()
    expect(results).toHaveLength(1)
    // All of them may have come before the move.
    expect((await curl('/@ada-moves/report')).text).toMatch(/^(put \d|two)$/)
  })

  it('needs the key of that account', async () => {
    const [ada, other] = [await account({ username: 'ada-only' }), await account()]
    const count = await countDocuments()
    expect(await curl('/@ada-only/report', { method: 'PUT', body: 'x' })).toMatchObject({
      status: 401,
      text: 'Names belong to accounts. Send an API key in the header Authorization\n',
    })
    expect((await put(other, '@ada-only/report', 'x')).status).toBe(404)
    expect((await put(other, '@no-such-user/report', 'x')).status).toBe(404)
    const reader = await account({ scope: 'read' })
    expect((await put(reader, `@${reader.username}/report`, 'x')).status).toBe(403)
    const unconfirmed = await account({ confirmed: false })
    expect((await put(unconfirmed, `@${unconfirmed.username}/report`, 'x')).status).toBe(403)
    expect(await countDocuments()).toBe(count)
    await put(ada, '@ada-only/report', 'first')
    expect((await put(other, '@ada-only/report', 'x')).status).toBe(403)
    expect((await curl('/@ada-only/report')).text).toBe('first')
  })

  it('lets an editor replace the text, not the name', async () => {
    const [ada, editor] = [await account({ username: 'ada-edited' }), await account()]
    const { id } = await create('first', { name: 'report', editors: [editor.username] }, { key: ada.key })
    expect((await put(editor, '@ada-edited/report', 'second')).status).toBe(200)
    const asEditor = { key: editor.key }
    const same = await edit({ id, settings: { name: 'report', title: 'Same' } }, asEditor)
    expect(same.status).toBe(200)
    for (const name of ['other', '']) {
      const answer = await edit({ id, settings: { name } }, asEditor)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { message: 'Only the creator can do that' } },
      })
    }
  })

  it.each(['Weekly', 'a b', 'ä', 'x'.repeat(65), 'a%2Fb'])('refuses the name %s', async (name) => {
    const ada = await account()
    const answer = await put(ada, `@${ada.username}/${encodeURI(name)}`, 'x')
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('Use 1 to 64 of a-z') })
  })
})

describe('settings.name', () => {
  it('names one document of an account at a time', async () => {
    const [ada, grace] = [await account(), await account()]
    const [one, two] = [
      await create('one', { name: 'report' }, { key: ada.key }),
      await create('two', {}, { key: ada.key }),
    ]
    const taken = {
      status: 409,
      body: { error: { code: 'conflict', message: 'You already have a document with this name' } },
    }
    const again = { content: 'three', settings: { name: 'report' } }
    expect(await call('POST', '/v1/document', again, { key: ada.key })).toMatchObject(taken)
    const both = { id: two.id, content: 'new', settings: { name: 'report' } }
    expect(await edit(both, { key: ada.key })).toMatchObject(taken)
    expect((await read(two.id)).body.data.content).toBe('two')
    expect((await create('x', { name: 'report' }, { key: grace.key })).settings.name).toBe('report')
    const removed = await edit({ id: one.id, settings: { name: '' } }, { key: ada.key })
    expect(removed.body.data.settings).not.toHaveProperty('name')
    expect((await edit(both, { key: ada.key })).status).toBe(200)
    expect(await findId(`@${ada.username}/report`)).toBe(two.id)
  })

  it('goes to one of 20 documents that are created or edited at once', async () => {
    const { key, username } = await account()
    const ids = await repeat(10, async () => (await create('x', {}, { key })).id)
    const answers = await Promise.all([
      ...ids.map((id) => edit({ id, settings: { name: 'report' } }, { key })),
      ...ids.map(() => call('POST', '/v1/document', { content: 'x', settings: { name: 'report' } }, { key })),
    ])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)])
    const [winner] = answers.filter((answer) => answer.status === 200)
    expect(await findId(`@${username}/report`)).toBe(winner?.body.data.id)
  })

  it.each([null, ''])('is no setting if it is %j', async (name) => {
    expect((await call('POST', '/v1/document', { content: 'x', settings: { name } })).status).toBe(200)
  })

  it('is for documents of accounts, and follows the rule', async () => {
    const anonymous = await call('POST', '/v1/document', { content: 'x', settings: { name: 'report' } })
    expect(anonymous.status).toBe(401)
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const allowed = await call(
      'POST',
      '/v1/document',
      { content: 'x', settings: { name: 'report' } },
      { bindings },
    )
    expect(allowed.status).toBe(401)
    const { key } = await account()
    for (const name of ['.', '..', 'A', 'a/b', 'x'.repeat(65)]) {
      const answer = await call('POST', '/v1/document', { content: 'x', settings: { name } }, { key })
      expect(answer.status).toBe(400)
      expect(answer.body.error.errors?.[0]?.path).toEqual(['settings', 'name'])
    }
  })

  it('is written once, also if the response of the database is lost', async () => {
    const { key, username } = await account()
    const { bindings, count } = losingFirst('DB.batch')
    const body = { content: 'x', settings: { name: 'report' } }
    const answer = await call('POST', '/v1/document', body, { key, bindings })
    expect(count()).toBe(2)
    expect(answer.status).toBe(200)
    expect(await findId(`@${username}/report`)).toBe(answer.body.data.id)
  })
})

describe('the address by name', () => {
  it('shows what the address by id shows', async () => {
    const { key, username } = await account()
    const files = [
      { name: 'a.py', content: 'x = 1\n' },
      { name: 'dir/b.md', content: '# B\n' },
    ]
    const answer = await call('POST', '/v1/document', { files, settings: { name: 'report.v2' } }, { key })
    const { id } = answer.body.data
    const address = `@${username}/report.v2`
    for (const [byId, byName] of [
      [`/${id}`, `/${address}`],
      [`/r/${id}`, `/r/${address}`],
      [`/raw/${id}`, `/raw/${address}`],
      [`/r/${id}?lines=2-3`, `/r/${address}?lines=2-3`],
      [`/r/${id}/a.py`, `/r/${address}/a.py`],
      [`/${id}/dir/b.md`, `/${address}/dir/b.md`],
      [`/${id}/`, `/${address}/`],
    ] as const) {
      const [expected, shown] = [await curl(byId), await curl(byName)]
      expect({ byName, status: shown.status, text: shown.text }).toEqual({
        byName,
        status: 200,
        text: expected.text,
      })
      expect(shown.headers.get('ETag')).toBe(expected.headers.get('ETag'))
    }
    for (const path of ['', '/embed', '/embed/code', '/preview.png']) {
      const [expected, shown] = [await send(`/${id}${path}`), await send(`/${address}${path}`)]
      expect({ path, status: shown.status }).toEqual({ path, status: 200 })
      expect(shown.headers.get('Content-Type')).toBe(expected.headers.get('Content-Type'))
    }
    const oembed = await send(`/oembed?url=${encodeURIComponent(`${ORIGIN}/${address}#L1-L2`)}`)
    expect(await oembed.json()).toMatchObject({ html: expect.stringContaining(`/${id}/embed`) })
    const fresh = { 'If-None-Match': (await curl(`/${address}`)).headers.get('ETag') ?? '' }
    expect(await status(`/${address}`, fresh)).toBe(304)
    expect(await status(`/r/${address}`, { Range: 'bytes=0-1' })).toBe(206)
    expect(await status(`/${address}),`)).toBe(302)
  })

  it('is deleted by name', async () => {
    const { key, username } = await account()
    await create('x', { name: 'report' }, { key })
    const address = `/@${username}/report`
    expect((await curl(address, { method: 'DELETE' })).status).toBe(401)
    const other = { Authorization: (await account()).key }
    expect((await curl(address, { method: 'DELETE', headers: other })).status).toBe(403)
    expect((await curl(address, { method: 'DELETE', headers: { Authorization: key } })).status).toBe(204)
    expect(await status(address)).toBe(404)
  })

  it('is edited by name through the API, with the attempts at its password of its id', async () => {
    const { key, username } = await account()
    const { id } = await create('x', { name: 'secret', encrypted: true, password: 'right' }, { key })
    const headers = from(newAddress())
    const guess = (document: string) =>
      edit({ id: document, content: 'y', password: 'wrong' }, { key, headers, bindings: LIMITED })
    const addresses = [id, `@${username}/secret`, `@${username.toUpperCase()}/secret`]
    const answers = await repeat(12, (index) => guess(addresses[index % 3] ?? ''))
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(10).fill(400), 429, 429])
  })

  it('burns what burns after reading, by a POST alone', async () => {
    const { key, username } = await account()
    await create('once', { name: 'secret', instant_delete: true }, { key })
    expect((await curl(`/@${username}/secret`)).text).toContain('curl -X POST')
    expect((await curl(`/@${username}/secret`, { method: 'POST' })).text).toBe('once')
    expect(await status(`/@${username}/secret`)).toBe(404)
    expect((await create('free again', { name: 'secret' }, { key })).settings.name).toBe('secret')
  })

  it('takes one round trip, with a key and without', async () => {
    const { key, username } = await account()
    await create('x', { name: 'report' }, { key })
    const path = `/r/@${username}/report`
    await send(path)
    const { bindings, steps } = countCalls()
    await send(path, { headers: { Authorization: key } }, { bindings })
    expect(steps.map((step) => step.join())).toEqual(['DB.reads'])
  })

  it('reads through the indexes alone', async () => {
    const [sql] = documentAt('@ada/report', 0).statements[0] ?? ['']
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind('ada', 'report', 0)
      .all<{ detail: string }>()
    const plan = results.map(({ detail }) => detail)
    expect(plan[0]).toMatch(/^SEARCH u USING .*\(username=\?\)$/)
    expect(plan[1]).toMatch(/^SEARCH d USING INDEX documents_by_name \(creator_id=\? AND name=\?\)/)
  })

  it('delivers one document although its name moves during the read', async () => {
    const { key, username } = await account()
    const one = await create('one', { name: 'report' }, { key })
    const two = await create('two', {}, { key })
    const store = openStore()
    const now = Date.now()
    const [found] = await store.db.ask(documentAt(`@${username}/report`, now))
    await edit({ id: one.id, settings: { name: '' } }, { key })
    await edit({ id: two.id, settings: { name: 'report' } }, { key })
    const viewer = { id: null }
    const { content } = await deliver(store, requireFound(found), { viewer, proof: {}, now })
    expect(content).toBe('one')
    expect((await curl(`/@${username}/report`)).text).toBe('two')
  })

  it('leads nowhere by a former username, from a suspended account, and once its document has expired', async () => {
    const ada = await account({ username: 'ada-former' })
    const { key } = ada
    await create('x', { name: 'report' }, { key })
    await changeUsername(new Database(env.DB, 15_000), ada.id, 'ada-renamed')
    expect(await status('/@ada-former/report')).toBe(404)
    expect(await status('/@ada-renamed/report')).toBe(200)
    await env.DB.prepare('UPDATE documents SET expires_at = ?2 WHERE creator_id = ?1')
      .bind(ada.id, Date.now() - 1)
      .run()
    await outlastRowMemory()
    expect(await status('/@ada-renamed/report')).toBe(404)
    // Cleanup hasn't run yet.
    expect((await put(ada, '@ada-renamed/report', 'again')).status).toBe(201)
    expect((await curl('/@ada-renamed/report')).text).toBe('again')
    await suspend(ada)
    await outlastRowMemory()
    expect(await status('/@ada-renamed/report')).toBe(404)
  })

  it('opens an unlisted document, which no list of others shows', async () => {
    const { key, username } = await account()
    await create('listed', { name: 'listed', public: true }, { key })
    await create('unlisted', { name: 'hidden-one' }, { key })
    expect((await curl(`/@${username}/hidden-one`)).text).toBe('unlisted')
    for (const path of [`/@${username}`, '/explore', `/@${username}.atom`]) {
      const text = await (await send(path)).text()
      expect(text).not.toContain('hidden-one')
    }
    const list = await call<{ documents: { settings: { name?: string } }[] }>(
      'GET',
      '/v1/users/@me/documents',
      undefined,
      { key },
    )
    expect(list.body.data.documents.map(({ settings }) => settings.name).sort()).toEqual([
      'hidden-one',
      'listed',
    ])
  })

  it('counts as a guess where it leads nowhere', async () => {
    const headers = from(newAddress())
    const { username } = await account()
    const paths = ['', 'r/', 'v1/document/'].flatMap((prefix) =>
      ['@', '%40'].map((at) => `/${prefix}${at}${username}/name`),
    )
    const answers = await repeat(62, (index) =>
      curl(paths[index % paths.length] ?? '', { headers, bindings: LIMITED }),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(60).fill(404), 429, 429])
  })

  it('shows nothing without an account where only accounts may read', async () => {
    const bindings = withVars({ READERS: 'accounts', MAIL_FROM: 'Regent <mail@paste.example>' })
    const { key, username } = await account()
    await create('x', { name: 'report' }, { key })
    for (const name of ['report', 'missing']) {
      for (const path of [`/@${username}/${name}`, `/r/@${username}/${name}`, `/@${username}/${name}/embed`])
        expect((await curl(path, { bindings })).status).toBe(401)
      const method = 'PUT'
      expect((await curl(`/@${username}/${name}`, { method, body: 'x', bindings })).status).toBe(401)
      const token = { 'X-Document-Token': `regent_doc_${'b'.repeat(36)}` }
      for (const method of ['PUT', 'DELETE'])
        expect((await curl(`/@${username}/${name}`, { method, headers: token, bindings })).status).toBe(401)
    }
    const headers = { Authorization: key }
    expect((await curl(`/@${username}/report`, { headers, bindings })).text).toBe('x')
  })

  it('is free once its document has been deleted', async () => {
    const { key, username } = await account()
    const { id } = await create('x', { name: 'report' }, { key })
    await remove(id, { key })
    expect(await status(`/@${username}/report`)).toBe(404)
    expect((await create('y', { name: 'report' }, { key })).settings.name).toBe('report')
  })
})
