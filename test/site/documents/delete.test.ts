import { expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { create, ORIGIN, read, send, submit } from '../../support/client.ts'
import { visit } from '../../support/site/forms.ts'

it('lets the creator delete a document, after a confirmation', async () => {
  const creator = await account()
  const { id } = await create('x', {}, { key: creator.key })
  const headers = await session(creator)
  const page = await visit(`/${id}`, { headers })
  expect(page.html).toMatch(/<dialog id="delete" [^>]*aria-labelledby="delete-title">/)
  expect(page.html).toContain(`<form method="post" action="/${id}/delete">`)
  const confirmation = await visit(`/${id}/delete`, { headers })
  expect(confirmation.status).toBe(200)
  expect(confirmation.headers.get('Cache-Control')).toBe('no-store')
  expect(confirmation.html).toContain('<h1>Delete this document?</h1>')
  expect(confirmation.html).toContain(`<form method="post" action="/${id}/delete">`)
  expect((await read(id)).status).toBe(200)
  const deleted = await submit(`/${id}/delete`, {}, headers)
  expect({ status: deleted.status, location: deleted.headers.get('Location') }).toEqual({
    status: 303,
    location: '/account/documents',
  })
  expect((await read(id)).status).toBe(404)
  expect((await submit(`/${id}/delete`, {}, headers)).status).toBe(404)
})

it('lets nobody else delete it', async () => {
  const [creator, editor, stranger] = [await account(), await account(), await account()]
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  const anonymous = await create('x')
  for (const who of [editor, stranger]) {
    const headers = await session(who)
    for (const path of [`/${id}/delete`, `/${anonymous.id}/delete`]) {
      expect((await visit(path, { headers })).status).toBe(403)
      expect((await submit(path, {}, headers)).status).toBe(403)
    }
    expect((await visit(`/${id}`, { headers })).html).not.toContain('delete')
  }
  const forged = { ...(await session(creator)), Origin: 'https://evil.example' }
  expect((await submit(`/${id}/delete`, {}, forged)).status).toBe(403)
  expect((await submit(`/${id}/delete`, {})).headers.get('Location')).toMatch(/^\/sign-in/)
  const signedOut = await visit(`/${id}/delete`)
  expect(signedOut.location).toBe(`/sign-in?return=${encodeURIComponent(`/${id}/delete`)}`)
  expect((await read(id)).status).toBe(200)
})

it('reports a deletion as done although the response of the database is lost', async () => {
  const creator = await account()
  const { id } = await create('x', {}, { key: creator.key })
  let batches = 0
  const bindings = bindingsWith(async (call, run) => {
    const result = await run()
    if (call === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
    return result
  })
  const headers = { ...(await session(creator)), Origin: ORIGIN }
  expect((await send(`/${id}/delete`, { method: 'POST', headers }, { bindings })).status).toBe(303)
  expect((await read(id)).status).toBe(404)
})
