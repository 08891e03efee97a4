import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, edit, read, send } from '../support/client.ts'

const poll = (id: string, tag: string, bindings?: Env) =>
  send(
    `/r/${id}`,
    { method: 'HEAD', headers: { 'If-None-Match': tag } },
    { ...(bindings && { bindings }), settle: true },
  )

const getTag = async (id: string) => (await poll(id, '"none"')).headers.get('ETag') ?? ''

// Pages that show a document ask this every few seconds.
describe('asking whether a document has changed', () => {
  it.each([{ encrypted: false }, { encrypted: true }])(
    'is one query that writes nothing, fetches no content and counts no view: %o',
    async ({ encrypted }) => {
      const { key } = await account()
      const { id } = await create('x', { encrypted }, { key })
      const tag = await getTag(id)
      const { bindings, calls, rows } = countCalls()
      const answer = await poll(id, tag, bindings)
      expect({ calls, written: rows.written }).toEqual({ calls: ['DB.reads'], written: 0 })
      expect([answer.status, answer.headers.get('ETag')]).toEqual([encrypted ? 200 : 304, tag])
      expect((await read(id, { key })).body.data.views).toBe(1)
    },
  )

  it('shows another version after an edit of the content or the settings', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const tags = new Set([await getTag(id)])
    await edit({ id, content: 'y' }, { key })
    tags.add(await getTag(id))
    await edit({ id, settings: { language: 'python' } }, { key })
    tags.add(await getTag(id))
    expect(tags.size).toBe(3)
  })

  it('burns nothing, and tells no version of a document that burns after reading', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const { status, headers } = await poll(id, '"raw-any"')
    expect([status, headers.get('ETag')]).toEqual([200, null])
    expect((await read(id)).status).toBe(200)
  })
})
