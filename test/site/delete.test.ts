import { expect, it } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, ORIGIN, read, send, submit } from '../support/client.ts'
import { visit } from '../support/forms.ts'

it('a document is deleted by its creator, after a question', async () => {
  const owner = await account()
  const { id } = await create('x', {}, { key: owner.key })
  const headers = await session(owner)
  const page = await visit(`/${id}`, { headers })
  expect(page.html).toMatch(/<dialog id="delete" [^>]*aria-labelledby="delete-title">/)
  expect(page.html).toContain(`<form method="post" action="/${id}/delete">`)
  const question = await visit(`/${id}/delete`, { headers })
  expect(question.status).toBe(200)
  expect(question.headers.get('Cache-Control')).toBe('no-store')
  expect(question.html).toContain('<h1>Delete this document?</h1>')
  expect(question.html).toContain(`<form method="post" action="/${id}/delete">`)
  expect((await read(id)).status).toBe(200)
  const deleted = await submit(`/${id}/delete`, {}, headers)
  expect({ status: deleted.status, location: deleted.headers.get('Location') }).toEqual({
    status: 303,
    location: '/account/documents',
  })
  expect((await read(id)).status).toBe(404)
  expect((await submit(`/${id}/delete`, {}, headers)).status).toBe(404)
})

it('nobody else is asked, and nobody else deletes it', async () => {
  const [owner, editor, stranger] = [await account(), await account(), await account()]
  const { id } = await create('x', { editors: [editor.username] }, { key: owner.key })
  const anonymous = await create('x')
  for (const who of [editor, stranger]) {
    const headers = await session(who)
    for (const path of [`/${id}/delete`, `/${anonymous.id}/delete`]) {
      expect((await visit(path, { headers })).status).toBe(403)
      expect((await submit(path, {}, headers)).status).toBe(403)
    }
    expect((await visit(`/${id}`, { headers })).html).not.toContain('delete')
  }
  const forged = { ...(await session(owner)), Origin: 'https://evil.example' }
  expect((await submit(`/${id}/delete`, {}, forged)).status).toBe(403)
  expect((await submit(`/${id}/delete`, {})).headers.get('Location')).toMatch(/^\/sign-in/)
  const signedOut = await visit(`/${id}/delete`)
  expect(signedOut.location).toBe(`/sign-in?return=${encodeURIComponent(`/${id}/delete`)}`)
  expect((await read(id)).status).toBe(200)
})

it('a deletion whose answer is lost has taken place, and says so', async () => {
  const owner = await account()
  const { id } = await create('x', {}, { key: owner.key })
  let batches = 0
  const bindings = bindingsWith(async (call, run) => {
    const result = await run()
    if (call === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
    return result
  })
  const headers = { ...(await session(owner)), Origin: ORIGIN }
  expect((await send(`/${id}/delete`, { method: 'POST', headers }, { bindings })).status).toBe(303)
  expect((await read(id)).status).toBe(404)
})
