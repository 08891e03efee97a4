import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Account, account, session, suspend } from '../../support/accounts.ts'
import { losingFirst, withFailing } from '../../support/bindings.ts'
import { create, edit, read, send, submit } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'
import { expectFormAgain, openForm, sendForm, visit } from '../../support/site/forms.ts'

async function scene(editors: readonly Account[] = []) {
  const creator = await account()
  const { id } = await create(
    'text',
    { editors: editors.map(({ username }) => username) },
    { key: creator.key },
  )
  return { creator, id, path: `/${id}/editors`, headers: await session(creator) }
}

const readEditors = async (id: string): Promise<string[]> => (await read(id)).body.data.settings.editors

const add = (path: string, username: string, headers: Record<string, string>, bindings?: Env) =>
  sendForm(`${path}/add`, { username }, { headers, ...(bindings && { bindings }) })

describe('the editors page for the creator', () => {
  it('adds editors by username, in any case, and removes them', async () => {
    const [one, two] = [await account({ username: 'Grace' }), await account()]
    const { id, path, headers } = await scene()
    expect((await visit(path, { headers })).html).toContain('Only you can edit')
    for (const name of [' grace ', two.username]) {
      const { status, location } = await add(path, name, headers)
      expect({ status, location }).toEqual({ status: 303, location: path })
    }
    expect(await readEditors(id)).toEqual(['Grace', two.username])
    const { html } = await visit(path, { headers })
    expect(html).toContain('aria-label="Remove Grace"')
    expect(html).toContain('data-complete')
    const removed = await submit(`${path}/remove`, { editor: one.id }, headers)
    expect(removed.status).toBe(303)
    expect(await readEditors(id)).toEqual([two.username])
    expect((await submit(`${path}/remove`, { editor: one.id }, headers)).status).toBe(303)
    expect((await submit(`${path}/remove`, { editor: two.id }, headers)).status).toBe(303)
    expect(await readEditors(id)).toEqual([])
    expect((await edit({ id, content: 'x' }, { key: two.key })).status).toBe(403)
  })

  it('says why somebody cannot be added, and keeps what was typed', async () => {
    const editor = await account()
    const { id, path, headers, creator } = await scene([editor])
    for (const [name, words] of [
      ['nobody-<b>', 'No account has this username'],
      ['', 'No account has this username'],
      [creator.username, 'You created this document, so you can already edit it'],
      [editor.username.toUpperCase(), `${editor.username} is already an editor`],
    ] as const) {
      const { status, html } = await add(path, name, headers)
      expect(status).toBe(400)
      expect(html).toMatch(new RegExp(`role="alert" id="username-problem">${words}`))
      expect(html).toContain(`value="${name.replace('<b>', '&lt;b&gt;')}"`)
      expect(html).toContain('aria-invalid="true"')
    }
    expect(await readEditors(id)).toEqual([editor.username])
  })

  it('refuses a 51st editor', async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => account()))
    const { id, path, headers } = await scene(many)
    const { status, html } = await add(path, (await account()).username, headers)
    expect(status).toBe(400)
    expect(html).toContain('at most 50 editors')
    expect(await readEditors(id)).toHaveLength(50)
  })

  it('loses nobody when editors are added at the same time', async () => {
    const { id, path, headers, creator } = await scene()
    const people = await Promise.all(Array.from({ length: 12 }, () => account()))
    const answers = await Promise.all([
      ...people.map(({ username }) => add(path, username, headers)),
      edit({ id, content: 'meanwhile' }, { key: creator.key }),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 200]))
    expect((await readEditors(id)).sort()).toEqual(people.map(({ username }) => username).sort())
  })

  it('adds an editor although the response of the database is lost', async () => {
    const { id, path, headers } = await scene()
    const { username } = await account()
    const { bindings: losing } = losingFirst('DB.batch')
    expect((await add(path, username, headers, losing)).status).toBe(303)
    expect(await readEditors(id)).toEqual([username])
  })

  it('keeps what was typed when storage fails', async () => {
    expectFaults('request failed')
    const { id, path, headers } = await scene()
    const { username } = await account()
    const failing = withFailing('DB.batch', 'no')
    const { status, html } = await add(path, username, headers, failing)
    expect(status).toBe(500)
    expect(html).toContain(`value="${username}"`)
    expect(await readEditors(id)).toEqual([])
  })

  it('removes editors, but adds none, for an unconfirmed account', async () => {
    const creator = await account({ confirmed: false })
    const { id } = await create('x', undefined, { key: creator.key })
    const editor = await account()
    const headers = await session(creator)
    const refused = await add(`/${id}/editors`, editor.username, headers)
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Your email address isn’t confirmed.')
    await env.DB.prepare('INSERT INTO document_editors (document_id, position, user_id) VALUES (?1, 0, ?2)')
      .bind(id, editor.id)
      .run()
    await env.DB.prepare('UPDATE documents SET has_editors = 1 WHERE id = ?1').bind(id).run()
    expect((await submit(`/${id}/editors/remove`, { editor: editor.id }, headers)).status).toBe(303)
    expect(await readEditors(id)).toEqual([])
  })

  it('does not let the creator leave', async () => {
    const { path, headers } = await scene()
    expect((await submit(`${path}/leave`, {}, headers)).status).toBe(403)
  })
})

describe('the editors page for an editor', () => {
  it('lists the editors, and lets the editor leave after a confirmation', async () => {
    const [one, two] = [await account(), await account()]
    const { id, path, creator } = await scene([one, two])
    const headers = await session(one)
    const { status, html } = await visit(path, { headers })
    expect(status).toBe(200)
    for (const { username } of [creator, one, two]) expect(html).toContain(username)
    expect(html).not.toContain('editors/remove')
    expect(html).not.toContain('editors/add')
    expect(html).toMatch(/<dialog id="leave"/)
    expect(html).toContain(`<form method="post" action="${path}/leave">`)
    const left = await submit(`${path}/leave`, {}, headers)
    expect({ status: left.status, location: left.headers.get('Location') }).toEqual({
      status: 303,
      location: '/account/documents?view=shared',
    })
    expect(await readEditors(id)).toEqual([two.username])
    expect((await visit(path, { headers })).status).toBe(403)
  })

  it('does not let an editor add or remove anybody', async () => {
    const [one, two] = [await account(), await account()]
    const { id, path } = await scene([one, two])
    const headers = await session(one)
    const name = (await account()).username
    for (const username of [name, 'no-such-name']) {
      const refused = await add(path, username, headers)
      expect(refused.status).toBe(403)
      expect(refused.html).toContain('Only the author can change the editors')
    }
    expect((await submit(`${path}/remove`, { editor: two.id }, headers)).status).toBe(403)
    expect(await readEditors(id)).toEqual([one.username, two.username])
  })
})

describe('the editors page for everybody else', () => {
  it('is forbidden, and so are its forms', async () => {
    const editor = await account()
    const { id, path, headers: creatorHeaders } = await scene([editor])
    const stranger = await session(await account())
    const gone = await account()
    const suspended = await session(gone)
    await suspend(gone)
    const anonymous = await create('x')
    expect((await visit(path, { headers: stranger })).status).toBe(403)
    expect((await visit(`/${anonymous.id}/editors`, { headers: stranger })).status).toBe(403)
    expect((await visit('/xxxxxxxx/editors', { headers: stranger })).status).toBe(404)
    for (const [action, fields] of [
      ['add', { username: editor.username }],
      ['remove', { editor: editor.id }],
      ['leave', {}],
    ] as const) {
      const post = (headers: Record<string, string>) => submit(`${path}/${action}`, fields, headers)
      expect((await post(stranger)).status).toBe(403)
      expect((await post({ ...creatorHeaders, Origin: 'https://evil.example' })).status).toBe(403)
      for (const headers of [{}, suspended]) {
        const answer = await post(headers)
        expect(answer.status).toBe(303)
        expect(answer.headers.get('Location')).toMatch(/^\/sign-in/)
      }
    }
    expect(await readEditors(id)).toEqual([editor.username])
  })

  it('has no pages at the addresses of its forms', async () => {
    const { path, headers } = await scene()
    for (const change of ['add', 'remove', 'leave']) {
      const answer = await send(`${path}/${change}`, { headers })
      expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({
        status: 405,
        allow: 'POST',
      })
    }
  })
})

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

describe('username suggestions', () => {
  const suggest = async (prefix: string, headers: Record<string, string>) => {
    const answer = await visit(`/account/usernames?${new URLSearchParams({ prefix })}`, { headers })
    return { status: answer.status, names: answer.status === 200 ? JSON.parse(answer.html).usernames : null }
  }

  it('start with what was typed, in any case, and are at most eight active accounts', async () => {
    const headers = await session(await account())
    for (const username of ['Zed_2', 'zed-1', 'ZEDZZ', 'zee', 'ze', 'zed_', 'zEd9']) {
      if (username.length > 2) await account({ username })
    }
    await suspend(await account({ username: 'zedgone' }))
    const leaving = await account({ username: 'zedleaving' })
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(leaving.id).run()
    expect(await suggest('zeD', headers)).toEqual({
      status: 200,
      names: ['zed-1', 'zEd9', 'zed_', 'Zed_2', 'ZEDZZ'],
    })
    for (let n = 0; n < 10; n++) await account({ username: `many-${n}` })
    expect((await suggest('ma', headers)).names).toHaveLength(8)
    for (const prefix of ['', 'z', '%', 'ze%', '__%', 'z'.repeat(31), "z' OR 1", 'zé']) {
      expect(await suggest(prefix, headers)).toEqual({ status: 200, names: [] })
    }
  })

  it('are only for signed-in accounts with a confirmed address', async () => {
    expect((await suggest('zed', {})).status).toBe(401)
    expect((await suggest('zed', await session(await account({ confirmed: false })))).status).toBe(403)
  })
})
