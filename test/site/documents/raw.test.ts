import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { bindingsWith, countCalls, withFailing } from '../../support/bindings.ts'
import { create, read, send, sendForText } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { postForm } from '../../support/site/forms.ts'

describe('raw text', () => {
  it('names the file by the title', async () => {
    const { key } = await account()
    const named = await create('x', { title: 'übung.py' }, { key })
    const titled = await create('x', { title: 'A note' }, { key })
    const untitled = await create('x')
    const find = async (id: string) => (await send(`/r/${id}`)).headers.get('Content-Disposition')
    expect(await find(named.id)).toBe(`inline; filename="_bung.py"; filename*=UTF-8''%C3%BCbung.py`)
    expect(await find(titled.id)).toBe('inline; filename="A-note.txt"')
    expect(await find(untitled.id)).toBeNull()
  })

  it('keeps its sandbox in a 304', async () => {
    const { id } = await create('x')
    const etag = (await sendForText(`/r/${id}`)).headers.get('ETag') ?? ''
    const { status, headers } = await sendForText(`/r/${id}`, { headers: { 'If-None-Match': etag } })
    expect(status).toBe(304)
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
  })

  it('streams a long content from KV, and counts a view', async () => {
    const text = `${'😀\r\n\ufeff'.repeat(150_000)}\0`
    const { id } = await create(text)
    const { bindings, calls } = countCalls()
    const response = await send(`/r/${id}`, {}, { bindings })
    const streamed = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await response.arrayBuffer(),
    )
    expect(streamed === text).toBe(true)
    expect(calls).toEqual(['DB.reads', 'CONTENTS.get'])
    expect((await read(id)).body.data.views).toBe(2)
    let failures = 0
    const faulty = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get' && failures++ === 0) throw new Error('KV GET failed: 500')
      return run()
    })
    expect((await send(`/r/${id}`, {}, { bindings: faulty })).status).toBe(200)
    const { key } = await account()
    const once = await create(text, { instant_delete: true }, { key })
    expect(await (await send(`/r/${once.id}`, { method: 'POST' })).text()).toHaveLength(text.length)
    expect((await read(once.id)).status).toBe(404)
  })

  it('is answered to POST as to GET', async () => {
    const { id } = await create('x')
    expect((await sendForText(`/r/${id}`, { method: 'POST' })).text).toBe('x')
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('takes a password from the query, the header or a form', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('secret', { encrypted: true }, { key })
    expect((await sendForText(`/r/${id}?password=${password}`)).text).toBe('secret')
    expect((await sendForText(`/r/${id}`, { headers: { 'X-Document-Password': password } })).text).toBe(
      'secret',
    )
    expect((await sendForText(`/r/${id}`, postForm({ password }))).text).toBe('secret')
    expect(await sendForText(`/r/${id}?password=wrong`)).toMatchObject({
      status: 400,
      text: "Invalid password. Send it in a header: -H 'X-Document-Password: ...'\n",
    })
  })

  it.each([
    [
      '/r/xxxxxxxx',
      'GET',
      404,
      'Document not found. It may have expired or been deleted: check the address\n',
    ],
    ['/r/no-id', 'GET', 404, 'Document not found. It may have expired or been deleted: check the address\n'],
    [
      '/r/two/parts',
      'GET',
      404,
      'Document not found. It may have expired or been deleted: check the address\n',
    ],
    ['/r/xxxxxxxx', 'DELETE', 405, 'Method not allowed. This address takes GET, HEAD, POST\n'],
  ])('has errors in plain text: %s %s', async (path, method, status, text) => {
    const answer = await sendForText(path, { method })
    expect(answer).toMatchObject({ status, text })
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('has server faults in plain text', async () => {
    expectFaults('request failed')
    const bindings = withFailing('all', 'no')
    const response = await send('/r/xxxxxxxx', {}, { bindings })
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('Internal server error. Try again in a moment\n')
  })
})
