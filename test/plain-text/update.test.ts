import { describe, expect, it } from 'vitest'
import { from, LIMITED, newAddress, repeat } from '../limits/support.ts'
import { account } from '../support/accounts.ts'
import { call, create, createAnonymous, ORIGIN, read, send, withVars } from '../support/client.ts'
import { countDocuments, created, curl, getId } from './support.ts'

const put = (id: string, body: string, headers: Record<string, string> = {}, bindings?: Env) =>
  curl(`/${id}`, { method: 'PUT', body, headers, ...(bindings && { bindings }) })

/** Returns what `curl -i -T` shows for a new document. */
async function shared(text = 'first', query = '') {
  const answer = await curl(`/${query}`, { method: 'PUT', body: text })
  const token = answer.headers.get('X-Document-Token') ?? ''
  return { id: getId(answer), headers: { 'X-Document-Token': token } }
}

const NEEDED =
  "There's a document at this address. To replace it, send its token or an API key: -H 'X-Document-Token: ...' or -H 'Authorization: imperial_...'\n"

describe('PUT to the address of a document', () => {
  it('replaces its text with its token, and answers the link and the tag of the new text', async () => {
    const { id, headers } = await shared('first', '?expires=2d&title=notes&language=python')
    const before = (await read(id)).body.data
    const answer = await put(id, 'second\r\n', headers)
    expect(answer).toMatchObject({ status: 200, text: `${ORIGIN}/${id}\n` })
    expect(answer.headers.get('X-Document-Token')).toBeNull()
    const text = await curl(`/${id}`)
    expect(text.text).toBe('second\r\n')
    expect(answer.headers.get('ETag')).toBe(text.headers.get('ETag'))
    const { settings, timestamps } = (await read(id)).body.data
    expect(settings).toEqual(before.settings)
    expect(timestamps.expiration).toBe(before.timestamps.expiration)
    expect(answer.headers.get('X-Expires')).toBe(timestamps.expiration)
  })

  it('replaces it with the key of the creator or an editor', async () => {
    const [creator, editor] = [await account(), await account()]
    const { id } = await create('first', { editors: [editor.username] }, { key: creator.key })
    for (const { key } of [creator, editor]) {
      expect((await put(id, `by ${key}`, { Authorization: `Bearer ${key}` })).status).toBe(200)
      expect((await curl(`/${id}`)).text).toBe(`by ${key}`)
    }
  })

  it.each(['short_urls', 'long_urls'])('works for ids of %s', async (form) => {
    const { key } = await account()
    const { id } = await create('first', { [form]: true }, { key })
    expect((await put(id, 'second', { Authorization: key })).status).toBe(200)
    expect((await curl(`/${id}`)).text).toBe('second')
  })

  it('says how to replace it to whoever sends neither, and makes nothing', async () => {
    const { id } = await createAnonymous('first')
    const count = await countDocuments()
    expect(await put(id, 'second')).toMatchObject({ status: 401, text: NEEDED })
    const other = await shared()
    for (const headers of [{ Authorization: (await account()).key }, other.headers])
      expect((await put(id, 'second', headers)).status).toBe(403)
    const madeUp = { Authorization: `imperial_${'x'.repeat(40)}` }
    expect((await put(id, 'second', madeUp)).status).toBe(401)
    expect((await curl(`/${id}`)).text).toBe('first')
    expect(await countDocuments()).toBe(count + 1)
  })

  it('creates nothing where no document is, or is any more, for whoever sends a credential', async () => {
    const { id, headers } = await shared()
    expect((await curl(`/${id}`, { method: 'DELETE', headers })).status).toBe(204)
    const count = await countDocuments()
    for (const sent of [headers, { Authorization: (await account()).key }]) {
      expect(await put(id, 'second', sent)).toMatchObject({
        status: 404,
        text: 'Document not found. It may have expired or been deleted: check the address\n',
      })
      expect((await curl(`/${id}`, { method: 'DELETE', headers: sent })).status).toBe(404)
    }
    expect(await countDocuments()).toBe(count)
  })

  it.each(['Makefile', 'README', 'dkms', 'hjklqwrt', 'main.py'])('still creates %s', async (name) => {
    const answer = await put(name, 'x')
    expect((await created(answer)).settings.title).toBe(name)
    if (/[aeiou]/i.test(name)) {
      const { key } = await account()
      expect((await put(name, 'x', { Authorization: key })).status).toBe(201)
    }
  })

  it('replaces only the version that If-Match names, by the tag of the text or of the API', async () => {
    const { id, headers } = await shared()
    const raw = (await curl(`/${id}`)).headers.get('ETag') ?? ''
    const second = await put(id, 'second', { ...headers, 'If-Match': raw })
    expect(second.status).toBe(200)
    const late = await put(id, 'third', { ...headers, 'If-Match': raw })
    expect(late).toMatchObject({
      status: 412,
      text: 'The document has changed since you read it. Read it again, then send your change with its new ETag\n',
    })
    expect(late.headers.get('ETag')).toBe(second.headers.get('ETag'))
    const json = (await read(id)).headers.get('ETag') ?? ''
    expect((await put(id, 'third', { ...headers, 'If-Match': json })).status).toBe(200)
    expect((await curl(`/${id}`)).text).toBe('third')
  })

  it('lets one of 20 replace the same version', async () => {
    const { id, headers } = await shared()
    const tag = (await curl(`/${id}`)).headers.get('ETag') ?? ''
    const answers = await repeat(20, (index) => put(id, `text ${index}`, { ...headers, 'If-Match': tag }))
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    expect((await curl(`/${id}`)).text).toBe(`text ${winners[0]}`)
  })

  it('changes the settings that options name', async () => {
    const { id, headers } = await shared()
    const answer = await put(`${id}?expires=1d&title=new.py&language=py&burn`, 'second', headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('ETag')).toBeNull()
    const { settings, timestamps } = (await read(id, { headers })).body.data
    expect(settings).toMatchObject({ title: 'new.py', language: 'python', instant_delete: true })
    const days = (Date.parse(timestamps.expiration) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(1, 2)
    expect((await put(`${id}?title=&burn=no`, 'second', headers)).status).toBe(200)
    const after = (await read(id)).body.data.settings
    expect(after).toMatchObject({ instant_delete: false })
    expect(after.title).toBeUndefined()
  })

  it.each([
    ['?expires=30d', 401, 'Without an account, documents last up to 7 days.'],
    ['?public', 401, 'Only documents of accounts can be public.'],
    ['?encrypt', 400, "encrypted: Can't be changed by an edit: create another document"],
    ['?expire=1d', 400, 'Unknown option: expire'],
  ])('refuses %s with the token alone', async (query, status, message) => {
    const { id, headers } = await shared()
    const answer = await put(id + query, 'second', headers)
    expect(answer).toMatchObject({ status, text: expect.stringContaining(message) })
    expect((await curl(`/${id}`)).text).toBe('first')
  })

  it('encrypts again with the present password, and with no other', async () => {
    const sent = { 'X-Document-Password': 'right' }
    const answer = await curl('/', { method: 'PUT', body: 'secret', headers: sent })
    const id = /\/(\w{8})\n/.exec(answer.text)?.[1] ?? ''
    const headers = { 'X-Document-Token': answer.headers.get('X-Document-Token') ?? '' }
    expect((await put(id, 'plain', headers)).status).toBe(400)
    const wrong = await put(id, 'plain', { ...headers, 'X-Document-Password': 'wrong' })
    expect(wrong).toMatchObject({
      status: 400,
      text: "Invalid password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
    const right = await put(id, 'new secret', { ...headers, 'X-Document-Password': 'right' })
    expect(right.status).toBe(200)
    expect((await curl(`/${id}`)).text).toMatch(/^eyJ/)
    expect((await curl(`/${id}`, { headers: { 'X-Document-Password': 'right' } })).text).toBe('new secret')
  })

  it('replaces nothing with If-None-Match: *, which only creates', async () => {
    const { id, headers } = await shared()
    const answer = await put(id, 'second', { ...headers, 'If-None-Match': '*' })
    expect(answer).toMatchObject({
      status: 412,
      text: "There's a document at this address. Leave out If-None-Match to replace its text\n",
    })
    expect((await curl(`/${id}`)).text).toBe('first')
    expect((await put(id, 'second', { 'If-None-Match': '*' })).status).toBe(401)
    expect((await put('bcdfghjk', 'first', { 'If-None-Match': '*' })).status).toBe(201)
  })

  it('takes the text from a form, too', async () => {
    const { id, headers } = await shared()
    const body = new FormData()
    body.set('file', new File(['from a form'], 'name.txt'))
    expect((await curl(`/${id}`, { method: 'PUT', body, headers })).status).toBe(200)
    expect((await curl(`/${id}`)).text).toBe('from a form')
    expect((await put(id, '', headers)).text).toBe(
      "There's no text in the request. Send it as the body: curl -T FILE URL\n",
    )
  })

  it('finds the language of one text that takes the place of several files', async () => {
    const { id, headers } = await shared()
    const getLanguage = async () => (await read(id)).body.data.settings.language
    const files = new FormData()
    for (const name of ['a.py', 'b.py']) files.append('f', new File(['print(1)\n'], name))
    await curl(`/${id}`, { method: 'PUT', body: files, headers })
    expect(await getLanguage()).toBe('txtar')
    await put(id, '-- a.py --\nprint(2)\n', headers)
    expect(await getLanguage()).toBe('txtar')
    await put(id, '# Report\n\n- one\n- two **bold**\n', headers)
    expect(await getLanguage()).toBe('markdown')
  })

  it('finds the language of another text, unless somebody has named one', async () => {
    const { id, headers } = await shared('import os\n\n\ndef main():\n    print(os.getcwd())\n')
    const language = async () => (await read(id)).body.data.settings.language
    expect(await language()).toBe('python')
    await put(id, '{"a": 1}', headers)
    expect(await language()).toBe('json')
    await put(`${id}?language=json`, '{"a": 2}', headers)
    await put(id, '<?xml version="1.0"?>\n<a />\n', headers)
    expect(await language()).toBe('json')
    await put(`${id}?language=auto`, '<?xml version="1.0"?>\n<b />\n', headers)
    expect(await language()).toBe('xml')
    await put(id, '{"a": 3}', headers)
    expect(await language()).toBe('json')
  })

  it('finds the language of another text by its media type again, unless a name says more', async () => {
    const headers = { 'Content-Type': 'text/markdown' }
    const created = await curl('/', { method: 'POST', body: 'one', headers })
    const id = created.text.trim().split('/').at(-1) ?? ''
    const language = async () => (await read(id)).body.data.settings.language
    const token = { 'X-Document-Token': created.headers.get('X-Document-Token') ?? '' }
    expect(await language()).toBe('markdown')
    await put(id, 'two', { ...headers, ...token })
    expect(await language()).toBe('markdown')
    await put(id, 'three', token)
    expect(await language()).toBe('plaintext')
    await put(`${id}?title=notes.csv`, 'four', { ...headers, ...token })
    expect(await language()).toBe('csv')
    await put(`${id}?language=python`, 'five', token)
    await put(id, 'six', { ...headers, ...token })
    expect(await language()).toBe('python')
  })

  it('takes nothing from a page of another site', async () => {
    const { id, headers } = await shared()
    const sent = { ...headers, Origin: 'https://elsewhere.example' }
    const answer = await send(`/${id}`, { method: 'PUT', body: 'second', headers: sent })
    expect(answer.status).toBeGreaterThan(400)
    expect((await curl(`/${id}`)).text).toBe('first')
  })

  it('counts as a change, not as a new document', async () => {
    const { id, headers } = await shared()
    const sender = { ...headers, ...from(newAddress()) }
    const answers = await repeat(25, (index) => put(id, `${index}`, sender, LIMITED))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  it('tells nobody without an account whether there is a document, where only accounts may read', async () => {
    const bindings = withVars({ READERS: 'accounts', MAIL_FROM: 'Regent <mail@paste.example>' })
    const { id, headers } = await shared()
    for (const name of [id, 'bcdfghjk']) expect((await put(name, 'x', {}, bindings)).status).toBe(401)
    expect((await put('bcdfghjk', 'x', headers, bindings)).status).toBe(401)
    expect((await put('notes.txt', 'x', {}, bindings)).status).toBe(201)
    expect((await put(id, 'second', headers, bindings)).status).toBe(200)
    expect((await curl(`/${id}`)).text).toBe('second')
  })
})

describe('?token', () => {
  it('prints the token on the second line', async () => {
    const answer = await curl('/notes.txt?token', { method: 'PUT', body: 'x' })
    const [link = '', token = '', end] = answer.text.split('\n')
    expect(end).toBe('')
    expect(token).toBe(answer.headers.get('X-Document-Token'))
    expect(answer.headers.get('Location')).toBe(link)
    const id = link.slice(-8)
    expect((await put(id, 'second', { 'X-Document-Token': token })).status).toBe(200)
    const form = await curl('/', {
      body: 'content=x&token=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(form.text.split('\n')).toHaveLength(3)
  })

  it('prints the link alone for the document of an account', async () => {
    const { key } = await account()
    const answer = await curl('/?token', { method: 'PUT', body: 'x', headers: { Authorization: key } })
    expect((await created(answer)).creator).not.toBeNull()
  })

  it('is the same request as without it for an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const [first, second] = [
      await curl('/', { method: 'PUT', body: 'x', headers }),
      await curl('/?token', { method: 'PUT', body: 'x', headers }),
    ]
    expect(second.text.split('\n')[0]).toBe(first.text.trim())
    expect((await call('GET', `/v1/document/${getId(first)}`)).status).toBe(200)
  })
})
