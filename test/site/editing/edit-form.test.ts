import { describe, expect, it } from 'vitest'
import { contentCache } from '../../../src/documents/content-store.ts'
import { CHECKBOXES } from '../../../src/shared/settings.ts'
import { account, session } from '../../support/accounts.ts'
import { bindingsWith, losingFirst } from '../../support/bindings.ts'
import { create, edit, read, remove, send } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import {
  createScene,
  expectFormAgain,
  findVersion,
  openForm,
  parseForm,
  readContent,
  sendForm,
  visit,
} from '../../support/site/forms.ts'

describe('the form that edits a document', () => {
  it('contains the text and the settings, and counts no view', async () => {
    const settings = { language: 'rust', public: true, image_embed: true }
    const { headers, id, path } = await createScene('fn main() {}', settings)
    const { status, html, headers: answered } = await visit(path, { headers })
    expect(status).toBe(200)
    expect(answered.get('Cache-Control')).toBe('no-store')
    expect(await parseForm(html, path)).toEqual({
      version: (await read(id)).headers.get('ETag'),
      content: 'fn main() {}',
      title: '',
      name: '',
      language: 'rust',
      expires: 'keep',
      visibility: 'public',
      image_embed: 'yes',
    })
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('offers Auto for a language that was detected, which detects that of the next text', async () => {
    const { headers, id, path } = await createScene('{"a": 1}', { language: 'auto' })
    const fields = await openForm({ path, headers })
    expect(fields.language).toBe('auto')
    const content = '<?xml version="1.0"?>\n<a />\n'
    expect((await sendForm(path, { ...fields, content }, { headers })).status).toBe(303)
    expect((await read(id)).body.data.settings.language).toBe('xml')
    const again = await openForm({ path, headers })
    await sendForm(path, { ...again, language: 'html' }, { headers })
    expect((await openForm({ path, headers })).language).toBe('html')
  })

  it('changes the name, and asks again for one that is taken', async () => {
    const { headers, id, path, creator } = await createScene('x', { name: 'first' })
    await create('other', { name: 'taken' }, { key: creator.key })
    const fields = await openForm({ path, headers })
    expect(fields.name).toBe('first')
    const refused = await sendForm(path, { ...fields, name: 'taken' }, { headers })
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('You already have a document with this name. Choose another one.')
    expect((await parseForm(refused.html, path)).name).toBe('taken')
    expect((await sendForm(path, { ...fields, name: ' Second ' }, { headers })).status).toBe(303)
    expect((await read(`@${creator.username}/second`)).body.data.id).toBe(id)
    const again = await openForm({ path, headers })
    expect((await sendForm(path, { ...again, name: '' }, { headers })).status).toBe(303)
    expect((await read(id)).body.data.settings).not.toHaveProperty('name')
  })

  it('offers the name to its creator alone', async () => {
    const { id, path, creator } = await createScene('x', { name: 'report' })
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const headers = await session(editor)
    const fields = await openForm({ path, headers })
    expect(fields).not.toHaveProperty('name')
    expect((await sendForm(path, { ...fields, content: 'y' }, { headers })).status).toBe(303)
    expect((await read(id)).body.data.settings.name).toBe('report')
    const again = await openForm({ path, headers })
    const refused = await sendForm(path, { ...again, name: 'theirs' }, { headers })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Only the author can change the name')
  })

  it('has every checkbox: saving turns off what it lacks', async () => {
    const settings = Object.fromEntries(CHECKBOXES.map((name) => [name, true]))
    const { headers, path } = await createScene('original', settings)
    expect(Object.keys(await openForm({ path, headers }))).toEqual(expect.arrayContaining([...CHECKBOXES]))
  })

  it('does not burn a document that burns after reading, and neither does saving it', async () => {
    const { headers, id, path, creator } = await createScene('original', { instant_delete: true })
    const fields = await openForm({ path, headers })
    expect(fields.instant_delete).toBe('yes')
    expect((await sendForm(path, { ...fields, content: 'edited' }, { headers })).status).toBe(303)
    expect(await readContent(id, creator.key)).toBe('edited')
    expect(await readContent(id)).toBe('edited')
    expect((await read(id)).status).toBe(404)
  })

  it('saves the text and the settings, and redirects to the document', async () => {
    const { headers, id, path, creator } = await createScene('before')
    const fields = await openForm({ path, headers })
    const { instant_delete: _, ...changed } = {
      ...fields,
      instant_delete: '',
      content: 'after\n',
      language: ' TypeScript ',
      expires: 'never',
      visibility: 'public',
      image_embed: 'yes',
    }
    const saved = await sendForm(path, changed, { headers })
    expect({ status: saved.status, location: saved.location }).toEqual({ status: 303, location: `/${id}` })
    const { data } = (await read(id)).body
    expect(data).toMatchObject({
      content: 'after\n',
      settings: { language: 'typescript', public: true, image_embed: true, instant_delete: false },
    })
    expect(data.timestamps.expiration).toMatch(/^9999/)
    const { html } = await visit(`/${id}`)
    expect(html).toMatch(new RegExp(`edited <time class="age" .*</time> by ${creator.username}<`))
  })

  it('starts from an earlier version, and saving makes that the current one', async () => {
    const { headers, id, path, creator } = await createScene('first\r\n')
    await edit({ id, content: 'second' }, { key: creator.key })
    const { html } = await visit(`${path}?version=1`, { headers })
    expect(html).toContain('This is version 1.')
    const fields = await parseForm(html, path)
    expect(fields).toMatchObject({ content: 'first\n', version: (await read(id)).headers.get('ETag') })
    expect((await sendForm(path, fields, { headers })).status).toBe(303)
    expect(await readContent(id)).toBe('first\n')
    expect((await visit(`${path}?version=3`, { headers })).html).not.toContain('This is version')
    for (const version of ['9', '-1']) {
      expect((await visit(`${path}?version=${version}`, { headers })).status).toBe(404)
    }
    expect((await visit(`${path}?version=1`, { headers: await session(await account()) })).status).toBe(403)
  })

  it('does not name an editor of a document that was never edited', async () => {
    const { id } = await createScene('untouched')
    expect((await visit(`/${id}`)).html).not.toContain('>edited ')
  })

  it('names the last editor, even if only a setting changed', async () => {
    const { headers, id, path, creator } = await createScene('x')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const theirs = await session(editor)
    const fields = await openForm({ path, headers: theirs })
    await sendForm(path, { ...fields, language: 'json' }, { headers: theirs })
    expect((await visit(`/${id}`, { headers })).html).toContain(`</time> by ${editor.username}<`)
  })

  it('changes the expiry only when another is chosen', async () => {
    const { headers, id, path } = await createScene('x', { expiration: 30 })
    const { expiration } = (await read(id)).body.data.timestamps
    await sendForm(path, { ...(await openForm({ path, headers })), content: 'y' }, { headers })
    expect((await read(id)).body.data.timestamps.expiration).toBe(expiration)
    await sendForm(path, { ...(await openForm({ path, headers })), expires: 'hour' }, { headers })
    const hours = (Date.parse((await read(id)).body.data.timestamps.expiration) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(0.9)
    expect(hours).toBeLessThanOrEqual(1)
  })
})

describe('text in the form', () => {
  it.each([
    ['LF line breaks', 'one\ntwo\n'],
    ['CR LF line breaks', 'one\r\ntwo\r\n'],
    ['different kinds of line breaks', 'one\r\ntwo\nthree\rfour'],
    ['CR line breaks', 'one\rtwo\r'],
    ['a line break at the start', '\n\nx'],
    ['CR LF at the start', '\r\n\r\nx'],
    ['emoji and a closing textarea tag', '😀 </textarea><script>alert(1)</script> &amp; "'],
    ['a byte order mark', '\uFEFFx'],
    ['a NUL character', 'a\0b'],
  ])('is saved unchanged if it has %s and was not edited', async (_, text) => {
    const scene = await createScene(text)
    const version = await findVersion(scene.id)
    const fields = await openForm(scene)
    const saved = await sendForm(scene.path, fields, { headers: scene.headers })
    expect(saved.status).toBe(303)
    expect(await findVersion(scene.id)).toBe(version)
    expect(await readContent(scene.id)).toBe(text)
  })

  it.each([
    ['one\r\ntwo\r\n', 'one\ntwo\nthree', 'one\r\ntwo\r\nthree'],
    ['one\rtwo', 'one\ntwo\nthree', 'one\rtwo\rthree'],
    ['one\ntwo', 'one\nzwei\n', 'one\nzwei\n'],
    ['one\r\ntwo\n', 'eins\ntwo\n', 'eins\ntwo\n'],
    ['one', 'a\n</textarea>\n😀', 'a\n</textarea>\n😀'],
    ['\uFEFFone', '\uFEFFtwo', '\uFEFFtwo'],
  ])('keeps the kind of its line breaks when it is edited: %j', async (before, typed, after) => {
    const scene = await createScene(before)
    const fields = { ...(await openForm(scene)), content: typed }
    expect((await sendForm(scene.path, fields, { headers: scene.headers })).status).toBe(303)
    expect(await readContent(scene.id)).toBe(after)
  })

  it('comes with a warning if a form would change it', async () => {
    const { path, headers } = await createScene('a\0b')
    expect((await visit(path, { headers })).html).toContain('NUL characters')
    const plain = await createScene('ab')
    expect((await visit(plain.path, { headers: plain.headers })).html).not.toContain('NUL characters')
  })

  it('can be 10 MiB, and comes back if it is longer', async () => {
    const text = '<&>" in a line of 32 characters\n'.repeat((10 * 1024 * 1024) / 32)
    const scene = await createScene(text)
    const fields = await openForm(scene)
    expect(fields.content === text).toBe(true)
    const longer = `!${text.slice(1)}`
    const saved = await sendForm(scene.path, { ...fields, content: longer }, { headers: scene.headers })
    expect(saved.status).toBe(303)
    expect((await readContent(scene.id)) === longer).toBe(true)
    const tooLarge = `${longer}!`
    const again = await sendForm(
      scene.path,
      { ...(await openForm(scene)), content: tooLarge },
      { headers: scene.headers },
    )
    expect(again.status).toBe(413)
    expect(again.html).toContain('The text is too large')
    expect((await parseForm(again.html, scene.path)).content === tooLarge).toBe(true)
  })
})

it('answers 405 to other methods', async () => {
  const { path, headers } = await createScene('x')
  const answer = await send(path, { method: 'DELETE', headers })
  expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({
    status: 405,
    allow: 'GET, HEAD, POST',
  })
})

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
    expectFaults('request failed')
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
    const { bindings: losing, count } = losingFirst('DB.batch')
    const options = { headers: scene.headers, bindings: losing }
    expect((await sendForm(scene.path, typed, options)).status).toBe(303)
    expect(count()).toBe(2)
    expect(await readContent(scene.id)).toBe('typed')
  })
})

describe('two people who edit the same document', () => {
  it('see the saved version, who saved it and when, and can save over it', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const theirs = await session(editor)
    const mine: Record<string, string> = {
      ...(await openForm({ path, headers })),
      content: 'mine <b>',
      language: 'json',
    }
    const other = { ...(await openForm({ path, headers: theirs })), content: 'theirs & </textarea>' }
    expect((await sendForm(path, other, { headers: theirs })).status).toBe(303)
    const conflict = await sendForm(path, mine, { headers })
    const { version: _, ...kept } = mine
    await expectFormAgain(conflict, path, 412, kept)
    expect(conflict.html).toContain(`${editor.username} saved another version on <time`)
    expect(conflict.html).toContain(
      'readonly="" spellcheck="false">\ntheirs &amp; &lt;/textarea&gt;</textarea>',
    )
    expect(conflict.html).toContain('Save anyway')
    expect(await readContent(id)).toBe('theirs & </textarea>')
    const overwriting = await parseForm(conflict.html, path)
    expect((await sendForm(path, overwriting, { headers })).status).toBe(303)
    expect((await read(id)).body.data).toMatchObject({ content: 'mine <b>', settings: { language: 'json' } })
  })

  it('get both texts in full, however long they are', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const mine = { ...(await openForm({ path, headers })), content: '<mine>\n'.repeat(100_000) }
    const theirs = '"theirs" 😀\n'.repeat(100_000)
    await edit({ id, content: theirs }, { key: creator.key })
    const { status, html } = await sendForm(path, mine, { headers })
    expect(status).toBe(412)
    expect((await parseForm(html, path)).content === mine.content).toBe(true)
    expect(html.includes(`>\n${'"theirs" 😀\n'.repeat(100_000)}</textarea>`)).toBe(true)
    expect(html.endsWith('</html>')).toBe(true)
  })

  it('never overwrite each other unknowingly: each time one of two is told', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const people = [headers, await session(editor)]
    for (let round = 0; round < 12; round++) {
      const saved = await Promise.all(
        people.map(async (who, index) => {
          const fields = { ...(await openForm({ path, headers: who })), content: `${round} ${index}` }
          return { fields, who }
        }),
      )
      const answers = await Promise.all(
        saved.map(({ fields, who }) => sendForm(path, fields, { headers: who })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([303, 412])
      const winner = answers.findIndex((answer) => answer.status === 303)
      expect(await readContent(id)).toBe(`${round} ${winner}`)
      const told = answers[1 - winner]
      expect(told?.html).toContain(`>\n${round} ${winner}</textarea>`)
      expect((await parseForm(told?.html ?? '', path)).content).toBe(`${round} ${1 - winner}`)
    }
  })
})
