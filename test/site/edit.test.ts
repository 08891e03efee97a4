import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content/content-store.ts'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, type DocumentBody, edit, read, remove, send } from '../support/client.ts'
import { formOf, type PageAnswer, sendForm, visit } from '../support/forms.ts'

interface Scene {
  readonly owner: Account
  readonly headers: Record<string, string>
  readonly id: string
  readonly path: string
}

/** A document of somebody who is signed in. */
async function scene(content: string, settings: Record<string, unknown> = {}): Promise<Scene> {
  const owner = await account()
  const { id } = await create(content, settings, { key: owner.key })
  return { owner, headers: await session(owner), id, path: `/${id}/edit` }
}

/** The form as it is when somebody opens it. */
const opened = async ({ path, headers }: Pick<Scene, 'path' | 'headers'>) =>
  formOf((await visit(path, { headers })).html, path)

const contentOf = async (id: string, key?: string): Promise<string> =>
  (await read(id, { key })).body.data.content

const versionOf = async (id: string): Promise<string> =>
  (await env.DB.prepare('SELECT version FROM documents WHERE id = ?1').bind(id).first<string>('version')) ??
  ''

/** Expects the form once more, with what was typed, saying what went wrong. */
async function expectAgain(answer: PageAnswer, path: string, status: number, typed: Record<string, string>) {
  expect(answer.status).toBe(status)
  expect(answer.html).toContain('role="alert"')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(await formOf(answer.html, path)).toMatchObject(typed)
}

describe('the form of an edit', () => {
  it('has the text and the settings, and counts no view', async () => {
    const settings = { language: 'rust', public: true, image_embed: true }
    const { headers, id, path } = await scene('fn main() {}', settings)
    const { status, html, headers: answered } = await visit(path, { headers })
    expect(status).toBe(200)
    expect(answered.get('Cache-Control')).toBe('no-store')
    expect(await formOf(html, path)).toEqual({
      version: (await read(id)).headers.get('ETag'),
      content: 'fn main() {}',
      language: 'rust',
      expires: 'keep',
      visibility: 'public',
      image: 'yes',
    })
    expect((await read(id)).body.data.views).toBe(2)
  })

  it('does not burn a document that is read once, nor does saving it', async () => {
    const { headers, id, path, owner } = await scene('once', { instant_delete: true })
    const fields = await opened({ path, headers })
    expect(fields.once).toBe('yes')
    expect((await sendForm(path, { ...fields, content: 'once more' }, { headers })).status).toBe(303)
    expect(await contentOf(id, owner.key)).toBe('once more')
    expect(await contentOf(id)).toBe('once more')
    expect((await read(id)).status).toBe(404)
  })

  it('saves text and settings, says who saved last, and leads to the document', async () => {
    const { headers, id, path, owner } = await scene('before')
    const fields = await opened({ path, headers })
    const { once: _, ...changed } = {
      ...fields,
      once: '',
      content: 'after\n',
      language: ' TypeScript ',
      expires: 'never',
      visibility: 'public',
      image: 'yes',
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
    expect(html).toMatch(new RegExp(`Saved last by</dt><dd>${owner.username}, <time datetime="20`))
  })

  it('of a document that nobody edited names nobody', async () => {
    const { id } = await scene('untouched')
    expect((await visit(`/${id}`)).html).not.toContain('Saved last by')
  })

  it('names the editor who saved last, also where only a setting changed', async () => {
    const { headers, id, path, owner } = await scene('x')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: owner.key })
    const theirs = await session(editor)
    const fields = await opened({ path, headers: theirs })
    await sendForm(path, { ...fields, language: 'json' }, { headers: theirs })
    expect((await visit(`/${id}`, { headers })).html).toContain(`<dd>${editor.username}, <time`)
  })

  it('moves the expiration only when another is chosen', async () => {
    const { headers, id, path } = await scene('x', { expiration: 30 })
    const { expiration } = (await read(id)).body.data.timestamps
    await sendForm(path, { ...(await opened({ path, headers })), content: 'y' }, { headers })
    expect((await read(id)).body.data.timestamps.expiration).toBe(expiration)
    await sendForm(path, { ...(await opened({ path, headers })), expires: 'hour' }, { headers })
    const hours = (Date.parse((await read(id)).body.data.timestamps.expiration) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(0.9)
    expect(hours).toBeLessThanOrEqual(1)
  })
})

describe('a text that goes through the form', () => {
  it.each([
    ['line feeds', 'one\ntwo\n'],
    ['CR LF throughout', 'one\r\ntwo\r\n'],
    ['both kinds of line breaks', 'one\r\ntwo\nthree\rfour'],
    ['a line break at its start', '\n\nx'],
    ['CR LF at its start', '\r\n\r\nx'],
    ['emoji and the end of a textarea', '😀 </textarea><script>alert(1)</script> &amp; "'],
    ['a byte order mark', '\uFEFFx'],
    ['NUL', 'a\0b'],
  ])('with %s is unchanged when nobody changes it', async (_, text) => {
    const scenery = await scene(text)
    const version = await versionOf(scenery.id)
    const fields = await opened(scenery)
    const saved = await sendForm(scenery.path, fields, { headers: scenery.headers })
    expect(saved.status).toBe(303)
    expect(await versionOf(scenery.id)).toBe(version)
    expect(await contentOf(scenery.id)).toBe(text)
  })

  it.each([
    ['one\r\ntwo\r\n', 'one\ntwo\nthree', 'one\r\ntwo\r\nthree'],
    ['one\ntwo', 'one\nzwei\n', 'one\nzwei\n'],
    ['one\r\ntwo\n', 'eins\ntwo\n', 'eins\ntwo\n'],
    ['one', 'a\n</textarea>\n😀', 'a\n</textarea>\n😀'],
    ['\uFEFFone', '\uFEFFtwo', '\uFEFFtwo'],
  ])('keeps the line breaks that it had: %j', async (before, typed, after) => {
    const scenery = await scene(before)
    const fields = { ...(await opened(scenery)), content: typed }
    expect((await sendForm(scenery.path, fields, { headers: scenery.headers })).status).toBe(303)
    expect(await contentOf(scenery.id)).toBe(after)
  })

  it('says so where a form can not hold all of it', async () => {
    const { path, headers } = await scene('a\0b')
    expect((await visit(path, { headers })).html).toContain('NUL characters')
    const plain = await scene('ab')
    expect((await visit(plain.path, { headers: plain.headers })).html).not.toContain('NUL characters')
  })

  it('may have 10 MiB', async () => {
    const text = '<&>"\n'.repeat(2 * 1024 * 1024)
    const scenery = await scene(text)
    const fields = await opened(scenery)
    expect(fields.content === text).toBe(true)
    const longer = `!${text.slice(1)}`
    const saved = await sendForm(scenery.path, { ...fields, content: longer }, { headers: scenery.headers })
    expect(saved.status).toBe(303)
    expect((await contentOf(scenery.id)) === longer).toBe(true)
    const tooLarge = `${longer}!`
    const again = await sendForm(
      scenery.path,
      { ...(await opened(scenery)), content: tooLarge },
      { headers: scenery.headers },
    )
    expect(again.status).toBe(413)
    expect(again.html).toContain('Content is too large')
    expect((await formOf(again.html, scenery.path)).content === tooLarge).toBe(true)
  })
})

describe('who may edit', () => {
  const forEverybody = async () => {
    const owner = await account()
    const [editor, stranger, unconfirmed] = [
      await account(),
      await account(),
      await account({ confirmed: false }),
    ]
    const settings = { editors: [editor.username, unconfirmed.username] }
    const { id } = await create('text', settings, { key: owner.key })
    return { owner, editor, stranger, unconfirmed, id, path: `/${id}/edit` }
  }

  it('is the creator and the editors, and nobody else', async () => {
    const { owner, editor, stranger, path, id } = await forEverybody()
    const fields = await opened({ path, headers: await session(owner) })
    for (const who of [owner, editor]) {
      expect((await visit(path, { headers: await session(who) })).status).toBe(200)
    }
    const headers = await session(stranger)
    const refused = await visit(path, { headers })
    expect(refused.status).toBe(403)
    expect(refused.html).not.toContain('<textarea')
    const typed = { ...fields, content: 'mine' }
    await expectAgain(await sendForm(path, typed, { headers }), path, 403, typed)
    expect((await sendForm(path, { password: 'x' }, { headers })).status).toBe(403)
    expect(await contentOf(id)).toBe('text')
  })

  it('is nobody for a document that nobody created', async () => {
    const { id } = await create('anonymous')
    const headers = await session(await account())
    expect((await visit(`/${id}/edit`, { headers })).status).toBe(403)
    expect((await visit('/xxxxxxxx/edit', { headers })).status).toBe(404)
    expect((await visit('/no/edit', { headers })).status).toBe(404)
    const elsewhere = await sendForm('/%5Cevil.example/edit', { version: '*', content: 'x' }, { headers })
    expect(elsewhere.status).toBe(404)
    expect(elsewhere.html).not.toContain('evil.example')
    expect((await sendForm('/xxxxxxxx/edit', { version: '*', content: 'x' }, { headers })).status).toBe(404)
  })

  it('finds the way to the sign-in and back who is signed out', async () => {
    const { path } = await forEverybody()
    const { status, location } = await visit(path)
    expect({ status, location }).toEqual({
      status: 303,
      location: `/sign-in?return=${encodeURIComponent(path)}`,
    })
  })

  it('keeps what somebody typed whose session ended, or who was suspended', async () => {
    const { owner, path, id } = await forEverybody()
    const headers = await session(owner)
    const typed = { ...(await opened({ path, headers })), content: 'hours of work', language: 'json' }
    for (const meanwhile of [{ headers: {} }, { headers }]) {
      if (meanwhile.headers === headers) await suspend(owner)
      const answer = await sendForm(path, typed, meanwhile)
      await expectAgain(answer, path, 401, typed)
      expect(answer.html).toContain('href="/sign-in"')
    }
    expect(await contentOf(id)).toBe('text')
  })

  it('changes nothing by a form of another site', async () => {
    const { owner, path, id } = await forEverybody()
    const headers = await session(owner)
    const typed = { ...(await opened({ path, headers })), content: 'forged' }
    for (const Origin of ['https://evil.example', 'null']) {
      const answer = await sendForm(path, typed, { headers: { ...headers, Origin } })
      expect(answer.status).toBe(403)
      // Nor does the form come back as if somebody had typed it here.
      expect(answer.html).not.toContain('forged')
    }
    expect(await contentOf(id)).toBe('text')
  })

  it('without a confirmed address changes the text, and no settings', async () => {
    const { unconfirmed, path, id } = await forEverybody()
    const headers = await session(unconfirmed)
    const fields = await opened({ path, headers })
    expect(Object.keys(fields).sort()).toEqual(['content', 'version'])
    expect((await sendForm(path, { ...fields, content: 'theirs' }, { headers })).status).toBe(303)
    expect(await contentOf(id)).toBe('theirs')
    const forged = {
      ...(await opened({ path, headers })),
      content: 'more',
      language: 'plaintext',
      expires: 'never',
      visibility: 'unlisted',
    }
    await expectAgain(await sendForm(path, forged, { headers }), path, 403, forged)
    expect(await contentOf(id)).toBe('theirs')
  })
})

describe('an edit that does not succeed', () => {
  it.each([
    ['an empty text', { content: '' }, 'Write something first'],
    ['an expiration that is not offered', { expires: 'tomorrow' }, 'Choose when it expires'],
    ['a visibility that is not offered', { visibility: 'x' }, 'Choose who may find it'],
    ['a language that is too long', { language: 'x'.repeat(101) }, 'at most 100 characters'],
  ])('keeps what was typed: %s', async (_, wrong, words) => {
    const scenery = await scene('text')
    const typed: Record<string, string> = { ...(await opened(scenery)), content: 'typed', ...wrong }
    const answer = await sendForm(scenery.path, typed, { headers: scenery.headers })
    const { expires: __, visibility: ___, ...kept } = typed
    await expectAgain(answer, scenery.path, 400, kept)
    expect(answer.html).toContain(words)
    expect(await contentOf(scenery.id)).toBe('text')
  })

  it('that is sent twice is saved, and is no conflict', async () => {
    const { path, headers, id } = await scene('text')
    const typed = { ...(await opened({ path, headers })), content: 'typed', language: 'rust' }
    for (const fields of [typed, typed]) {
      expect(await sendForm(path, fields, { headers })).toMatchObject({ status: 303, location: `/${id}` })
    }
    expect((await sendForm(path, { ...typed, language: 'java' }, { headers })).status).toBe(412)
    expect(await contentOf(id)).toBe('typed')
  })

  it('keeps what was typed when the document is gone', async () => {
    const scenery = await scene('text')
    const typed = { ...(await opened(scenery)), content: 'typed' }
    await remove(scenery.id, { key: scenery.owner.key })
    const answer = await sendForm(scenery.path, typed, { headers: scenery.headers })
    await expectAgain(answer, scenery.path, 404, typed)
    expect(answer.html).toContain('is gone')
  })

  it('keeps what was typed whatever storage call fails, and saves it then', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (let nth = 1; ; nth++) {
      const scenery = await scene('text')
      const typed = { ...(await opened(scenery)), content: 'typed </textarea>' }
      contentCache.clear()
      let calls = 0
      const failing = bindingsWith(async (_, run) => {
        calls += 1
        if (calls >= nth) throw new Error('no')
        return run()
      })
      const options = { headers: scenery.headers, bindings: failing }
      const answer = await sendForm(scenery.path, typed, options)
      if (calls < nth) {
        expect({ nth, status: answer.status }).toEqual({ nth: 7, status: 303 })
        break
      }
      expect([500, 503]).toContain(answer.status)
      expect(await formOf(answer.html, scenery.path)).toMatchObject(typed)
      expect(await contentOf(scenery.id)).toBe('text')
      expect((await sendForm(scenery.path, typed, { headers: scenery.headers })).status).toBe(303)
      expect(await contentOf(scenery.id)).toBe(typed.content)
    }
  })

  it('whose answer is lost once is saved all the same', async () => {
    const scenery = await scene('text')
    const typed = { ...(await opened(scenery)), content: 'typed' }
    let batches = 0
    const losing = bindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
      return result
    })
    const options = { headers: scenery.headers, bindings: losing }
    expect((await sendForm(scenery.path, typed, options)).status).toBe(303)
    expect(batches).toBe(2)
    expect(await contentOf(scenery.id)).toBe('typed')
  })
})

describe('two people who edit at once', () => {
  it('see each other’s text, who saved it and when, and save over it if they mean to', async () => {
    const { headers, id, path, owner } = await scene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: owner.key })
    const theirs = await session(editor)
    const mine: Record<string, string> = {
      ...(await opened({ path, headers })),
      content: 'mine <b>',
      language: 'json',
    }
    const other = { ...(await opened({ path, headers: theirs })), content: 'theirs & </textarea>' }
    expect((await sendForm(path, other, { headers: theirs })).status).toBe(303)
    const conflict = await sendForm(path, mine, { headers })
    const { version: _, ...kept } = mine
    await expectAgain(conflict, path, 412, kept)
    expect(conflict.html).toContain(`It was saved last by ${editor.username}, <time`)
    expect(conflict.html).toContain(
      'readonly="" spellcheck="false">\ntheirs &amp; &lt;/textarea&gt;</textarea>',
    )
    expect(await contentOf(id)).toBe('theirs & </textarea>')
    const deliberate = await formOf(conflict.html, path)
    expect((await sendForm(path, deliberate, { headers })).status).toBe(303)
    expect((await read(id)).body.data).toMatchObject({ content: 'mine <b>', settings: { language: 'json' } })
  })

  it('lose nothing of two long texts', async () => {
    const { headers, id, path, owner } = await scene('start')
    const mine = { ...(await opened({ path, headers })), content: '<mine>\n'.repeat(100_000) }
    const theirs = '"theirs" 😀\n'.repeat(100_000)
    await edit({ id, content: theirs }, { key: owner.key })
    const { status, html } = await sendForm(path, mine, { headers })
    expect(status).toBe(412)
    expect((await formOf(html, path)).content === mine.content).toBe(true)
    expect(html.includes(`>\n${'&quot;theirs&quot; 😀\n'.repeat(100_000)}</textarea>`)).toBe(true)
    expect(html.endsWith('</html>')).toBe(true)
  })

  it('never lose a save unseen: one of two is told, each time', async () => {
    const { headers, id, path, owner } = await scene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: owner.key })
    const people = [headers, await session(editor)]
    for (let round = 0; round < 100; round++) {
      const saved = await Promise.all(
        people.map(async (who, index) => {
          const fields = { ...(await opened({ path, headers: who })), content: `${round} ${index}` }
          return { fields, who }
        }),
      )
      const answers = await Promise.all(
        saved.map(({ fields, who }) => sendForm(path, fields, { headers: who })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([303, 412])
      const winner = answers.findIndex((answer) => answer.status === 303)
      expect(await contentOf(id)).toBe(`${round} ${winner}`)
      const told = answers[1 - winner]
      expect(told?.html).toContain(`>\n${round} ${winner}</textarea>`)
      expect((await formOf(told?.html ?? '', path)).content).toBe(`${round} ${1 - winner}`)
    }
  })
})

describe('an encrypted document', () => {
  const encrypted = async (
    settings: Record<string, unknown> = {},
  ): Promise<Scene & { made: DocumentBody }> => {
    const owner = await account()
    const made = await create('the secret', { encrypted: true, ...settings }, { key: owner.key })
    return { owner, made, headers: await session(owner), id: made.id, path: `/${made.id}/edit` }
  }

  it('asks for its password, and shows the text for the right one alone', async () => {
    const { headers, path, made } = await encrypted()
    const asked = await visit(path, { headers })
    expect(asked.status).toBe(200)
    expect(await formOf(asked.html, path)).not.toHaveProperty('content')
    expect(asked.html).toContain(`<template id="envelope">${await contentOf(made.id)}</template>`)
    const wrong = await sendForm(path, { password: 'not it' }, { headers })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('This is not the password')
    expect(wrong.html).not.toContain('not it')
    const right = await sendForm(path, { password: made.password ?? '' }, { headers })
    expect(right.status).toBe(200)
    expect(right.headers.get('Cache-Control')).toBe('no-store')
    expect(await formOf(right.html, path)).toMatchObject({ content: 'the secret', password: made.password })
  })

  it('is saved encrypted with the same password', async () => {
    const { headers, path, made, id } = await encrypted()
    const { html } = await sendForm(path, { password: made.password ?? '' }, { headers })
    const typed = { ...(await formOf(html, path)), content: 'another secret', language: 'json' }
    const saved = await sendForm(path, typed, { headers })
    expect({ status: saved.status, location: saved.location }).toEqual({ status: 303, location: `/${id}` })
    expect(await contentOf(id)).not.toContain('another secret')
    expect((await read(`${id}?password=${made.password}`)).body.data).toMatchObject({
      content: 'another secret',
      settings: { encrypted: true, language: 'json' },
    })
  })

  it('changes its settings without the password, and keeps its text', async () => {
    const { headers, path, made, id } = await encrypted()
    const fields = await opened({ path, headers })
    expect(Object.keys(fields).sort()).toEqual(['expires', 'language', 'version', 'visibility'])
    expect((await sendForm(path, { ...fields, expires: 'never' }, { headers })).status).toBe(303)
    expect((await read(`${id}?password=${made.password}`)).body.data).toMatchObject({
      content: 'the secret',
      timestamps: { expiration: expect.stringMatching(/^9999/) },
    })
    const again = await opened({ path, headers })
    const refused = await sendForm(path, { ...again, once: 'yes' }, { headers })
    await expectAgain(refused, path, 400, { once: 'yes' })
    expect(refused.html).toContain('with the password first')
  })

  it('is read once from then on when that is set with the password', async () => {
    const { headers, path, made, id } = await encrypted()
    const password = made.password ?? ''
    const { html } = await sendForm(path, { password }, { headers })
    const typed = { ...(await formOf(html, path)), once: 'yes' }
    expect((await sendForm(path, typed, { headers })).status).toBe(303)
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('the secret')
    expect((await read(id)).status).toBe(404)
  })

  it('asks anew for a password that is another by now, and keeps what was typed', async () => {
    const { headers, path, made, id, owner } = await encrypted()
    const { html } = await sendForm(path, { password: made.password ?? '' }, { headers })
    const typed = { ...(await formOf(html, path)), content: 'typed' }
    const elsewhere = await create('theirs', { encrypted: true, password: 'new' }, { key: owner.key })
    const { content } = (await read(elsewhere.id)).body.data
    await edit({ id, content, settings: { client_encrypted: true } }, { key: owner.key })
    const conflict = await sendForm(path, typed, { headers })
    await expectAgain(conflict, path, 412, { content: 'typed' })
    expect(conflict.html).toContain('is not its password any more')
    const wrong = await sendForm(path, { ...(await formOf(conflict.html, path)), password: 'x' }, { headers })
    await expectAgain(wrong, path, 400, { content: 'typed', password: '' })
    const right = await sendForm(path, { ...(await formOf(wrong.html, path)), password: 'new' }, { headers })
    expect(right.status).toBe(303)
    expect((await read(`${id}?password=new`)).body.data.content).toBe('typed')
  })
})

it('the page of an edit knows no further methods', async () => {
  const { path, headers } = await scene('x')
  const answer = await send(path, { method: 'DELETE', headers })
  expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({
    status: 405,
    allow: 'GET, HEAD, POST',
  })
})
