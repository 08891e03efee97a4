import { describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { remove } from '../../support/client.ts'
import { createScene, expectFormAgain, openForm, readContent } from '../../support/site/edit-form.ts'
import { parseForm, sendForm } from '../../support/site/forms.ts'

describe('an edit that fails', () => {
  it.each([
    ['an empty text', { content: '' }, 'Write something first'],
    ['an unknown expiry', { expires: 'tomorrow' }, 'options for “Expires”'],
    ['an unknown visibility', { visibility: 'x' }, 'options for “Visibility”'],
    ['a language that is too long', { language: 'x'.repeat(101) }, 'at most 100 characters'],
  ])('keeps what was typed: %s', async (_, wrong, words) => {
    const scene = await createScene('text')
    const typed: Record<string, string> = { ...(await openForm(scene)), content: 'typed', ...wrong }
    const answer = await sendForm(scene.path, typed, { headers: scene.headers })
    const { expires: __, visibility: ___, ...kept } = typed
    await expectFormAgain(answer, scene.path, 400, kept)
    expect(answer.html).toContain(words)
    expect(await readContent(scene.id)).toBe('text')
  })

  it('does not conflict with itself when the form is sent twice', async () => {
    const { path, headers, id } = await createScene('text')
    const typed = { ...(await openForm({ path, headers })), content: 'typed', language: 'rust' }
    for (const fields of [typed, typed]) {
      expect(await sendForm(path, fields, { headers })).toMatchObject({ status: 303, location: `/${id}` })
    }
    expect((await sendForm(path, { ...typed, language: 'java' }, { headers })).status).toBe(412)
    expect(await readContent(id)).toBe('typed')
  })

  it('keeps what was typed when the document was deleted', async () => {
    const scene = await createScene('text')
    const typed = { ...(await openForm(scene)), content: 'typed' }
    await remove(scene.id, { key: scene.creator.key })
    const answer = await sendForm(scene.path, typed, { headers: scene.headers })
    await expectFormAgain(answer, scene.path, 404, typed)
    expect(answer.html).toContain('no longer exists')
  })

  it('keeps what was typed whichever storage call fails, and saves it on the next attempt', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (let nth = 1; ; nth++) {
      const scene = await createScene('text')
      const typed = { ...(await openForm(scene)), content: 'typed </textarea>' }
      contentCache.clear()
      let calls = 0
      const failing = bindingsWith(async (_, run) => {
        calls += 1
        if (calls >= nth) throw new Error('no')
        return run()
      })
      const options = { headers: scene.headers, bindings: failing }
      const answer = await sendForm(scene.path, typed, options)
      if (calls < nth) {
        expect({ nth, status: answer.status }).toEqual({ nth: 5, status: 303 })
        break
      }
      expect([500, 503]).toContain(answer.status)
      expect(await parseForm(answer.html, scene.path)).toMatchObject(typed)
      expect(await readContent(scene.id)).toBe('text')
      expect((await sendForm(scene.path, typed, { headers: scene.headers })).status).toBe(303)
      expect(await readContent(scene.id)).toBe(typed.content)
    }
  })

  it('is saved although the response of the database is lost', async () => {
    const scene = await createScene('text')
    const typed = { ...(await openForm(scene)), content: 'typed' }
    let batches = 0
    const losing = bindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
      return result
    })
    const options = { headers: scene.headers, bindings: losing }
    expect((await sendForm(scene.path, typed, options)).status).toBe(303)
    expect(batches).toBe(2)
    expect(await readContent(scene.id)).toBe('typed')
  })
})
