import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { create, read } from '../../support/client.ts'
import { expectFormAgain, openForm } from '../../support/site/edit-form.ts'
import { sendForm, visit } from '../../support/site/forms.ts'

/** Creates a document and signs one of its editors in. */
async function openAsEditor(settings: Record<string, unknown> = {}) {
  const [creator, editor] = [await account(), await account()]
  const { id } = await create('text', { editors: [editor.username], ...settings }, { key: creator.key })
  const headers = await session(editor)
  const path = `/${id}/edit`
  const { html } = await visit(path, { headers })
  return { id, path, headers, html, creator, fields: await openForm({ path, headers }) }
}

const HINT = 'Only the author can choose an earlier expiry or “Delete after first read”.'

describe('the form that edits a document', () => {
  it('offers an editor later expiries only and no burn after reading, and says why', async () => {
    const { html } = await openAsEditor({ expiration: 8 })
    const choices = [...html.matchAll(/<option value="(hour|day|week|month|year|never)"/g)].map(
      ([, choice]) => choice,
    )
    expect(new Set(choices)).toEqual(new Set(['month', 'year', 'never']))
    expect(html).not.toContain('name="instant_delete"')
    expect(html).toContain('data-any-date="false"')
    expect(html).toContain(HINT)
  })

  it('lets an editor turn burn after reading off', async () => {
    const { html, path, headers, fields, id, creator } = await openAsEditor({ instant_delete: true })
    expect(html).toContain('name="instant_delete"')
    const { instant_delete: _, ...without } = fields
    expect((await sendForm(path, without, { headers })).status).toBe(303)
    expect((await read(id, creator)).body.data.settings.instant_delete).toBe(false)
  })

  it('saves an editor’s text and a later expiry', async () => {
    const { path, headers, fields, id } = await openAsEditor()
    const answer = await sendForm(path, { ...fields, content: 'new', expires: 'never' }, { headers })
    expect(answer.status).toBe(303)
    const { content, timestamps } = (await read(id)).body.data
    expect({ content, year: timestamps.expiration.slice(0, 4) }).toEqual({ content: 'new', year: '9999' })
  })

  it.each([{ expires: 'hour' }, { instant_delete: 'yes' }])(
    'refuses what an editor was not offered, and keeps the text: %o',
    async (more) => {
      const { path, headers, fields, id } = await openAsEditor()
      const answer = await sendForm(path, { ...fields, content: 'new', ...more }, { headers })
      await expectFormAgain(answer, path, 403, { content: 'new' })
      expect(answer.html).toContain('Only the author can make this document expire earlier')
      expect((await read(id)).body.data.content).toBe('text')
    },
  )

  it('offers everything to the creator, without a hint', async () => {
    const creator = await account()
    const { id } = await create('text', {}, { key: creator.key })
    const { html } = await visit(`/${id}/edit`, { headers: await session(creator) })
    expect(html).toContain('name="instant_delete"')
    expect(html).toContain('value="hour"')
    expect(html).not.toContain(HINT)
  })
})
