import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read, send, submit } from '../support/client.ts'
import { sendForm, visit } from '../support/forms.ts'

async function scene(editors: readonly Account[] = []) {
  const owner = await account()
  const { id } = await create(
    'text',
    { editors: editors.map(({ username }) => username) },
    { key: owner.key },
  )
  return { owner, id, path: `/${id}/editors`, headers: await session(owner) }
}

const editorsOf = async (id: string): Promise<string[]> => (await read(id)).body.data.settings.editors

const add = (path: string, username: string, headers: Record<string, string>, bindings?: Env) =>
  sendForm(`${path}/add`, { username }, { headers, ...(bindings && { bindings }) })

describe('the creator', () => {
  it('adds editors by username in any case, and removes them again', async () => {
    const [one, two] = [await account({ username: 'Grace' }), await account()]
    const { id, path, headers } = await scene()
    expect((await visit(path, { headers })).html).toContain('Nobody but you')
    for (const name of [' grace ', two.username]) {
      const { status, location } = await add(path, name, headers)
      expect({ status, location }).toEqual({ status: 303, location: path })
    }
    expect(await editorsOf(id)).toEqual(['Grace', two.username])
    const { html } = await visit(path, { headers })
    expect(html).toContain('aria-label="Remove Grace"')
    expect(html).toContain('data-complete')
    const removed = await submit(`${path}/remove`, { editor: one.id }, headers)
    expect(removed.status).toBe(303)
    expect(await editorsOf(id)).toEqual([two.username])
    expect((await submit(`${path}/remove`, { editor: one.id }, headers)).status).toBe(303)
    expect((await submit(`${path}/remove`, { editor: two.id }, headers)).status).toBe(303)
    expect(await editorsOf(id)).toEqual([])
    expect((await edit({ id, content: 'x' }, { key: two.key })).status).toBe(403)
  })

  it('is told why somebody can not be added, and what was typed stays', async () => {
    const editor = await account()
    const { id, path, headers, owner } = await scene([editor])
    for (const [name, words] of [
      ['nobody-<b>', 'There is no account with this username'],
      ['', 'There is no account with this username'],
      [owner.username, 'You made this document'],
      [editor.username.toUpperCase(), `${editor.username} is an editor already`],
    ] as const) {
      const { status, html } = await add(path, name, headers)
      expect(status).toBe(400)
      expect(html).toMatch(new RegExp(`role="alert" id="problem">${words}`))
      expect(html).toContain(`value="${name.replace('<b>', '&lt;b&gt;')}"`)
      expect(html).toContain('aria-invalid="true"')
    }
    expect(await editorsOf(id)).toEqual([editor.username])
  })

  it('adds no fifty-first', async () => {
    const many = await Promise.all(Array.from({ length: 50 }, () => account()))
    const { id, path, headers } = await scene(many)
    const { status, html } = await add(path, (await account()).username, headers)
    expect(status).toBe(400)
    expect(html).toContain('at most 50 editors')
    expect(await editorsOf(id)).toHaveLength(50)
  })

  it('adds people in two tabs at once, and loses none of them', async () => {
    const { id, path, headers, owner } = await scene()
    const people = await Promise.all(Array.from({ length: 12 }, () => account()))
    const answers = await Promise.all([
      ...people.map(({ username }) => add(path, username, headers)),
      edit({ id, content: 'meanwhile' }, { key: owner.key }),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 200]))
    expect((await editorsOf(id)).sort()).toEqual(people.map(({ username }) => username).sort())
  })

  it('adds somebody though the answer of the database is lost', async () => {
    const { id, path, headers } = await scene()
    const { username } = await account()
    let batches = 0
    const losing = bindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.batch' && ++batches === 1) throw new Error('Network connection lost')
      return result
    })
    expect((await add(path, username, headers, losing)).status).toBe(303)
    expect(await editorsOf(id)).toEqual([username])
  })

  it('keeps what was typed when storage fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id, path, headers } = await scene()
    const { username } = await account()
    const failing = bindingsWith(async (call, run) => {
      if (call === 'DB.batch') throw new Error('no')
      return run()
    })
    const { status, html } = await add(path, username, headers, failing)
    expect(status).toBe(500)
    expect(html).toContain(`value="${username}"`)
    expect(await editorsOf(id)).toEqual([])
  })

  it('without a confirmed address adds nobody, and removes them all the same', async () => {
    const owner = await account({ confirmed: false })
    const { id } = await create('x', undefined, { key: owner.key })
    const editor = await account()
    const headers = await session(owner)
    const refused = await add(`/${id}/editors`, editor.username, headers)
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Your account is not confirmed')
    await env.DB.prepare('INSERT INTO document_editors VALUES (?1, 0, ?2)').bind(id, editor.id).run()
    await env.DB.prepare('UPDATE documents SET has_editors = 1 WHERE id = ?1').bind(id).run()
    expect((await submit(`/${id}/editors/remove`, { editor: editor.id }, headers)).status).toBe(303)
    expect(await editorsOf(id)).toEqual([])
  })

  it('can not leave', async () => {
    const { path, headers } = await scene()
    expect((await submit(`${path}/leave`, {}, headers)).status).toBe(403)
  })
})

describe('an editor', () => {
  it('sees who may edit, and leaves after a question', async () => {
    const [one, two] = [await account(), await account()]
    const { id, path, owner } = await scene([one, two])
    const headers = await session(one)
    const { status, html } = await visit(path, { headers })
    expect(status).toBe(200)
    for (const { username } of [owner, one, two]) expect(html).toContain(username)
    expect(html).not.toContain('editors/remove')
    expect(html).not.toContain('editors/add')
    expect(html).toMatch(/<dialog id="leave"/)
    expect(html).toContain(`<form method="post" action="${path}/leave">`)
    const left = await submit(`${path}/leave`, {}, headers)
    expect({ status: left.status, location: left.headers.get('Location') }).toEqual({
      status: 303,
      location: '/account/documents?view=shared',
    })
    expect(await editorsOf(id)).toEqual([two.username])
    expect((await visit(path, { headers })).status).toBe(403)
  })

  it('neither adds nor removes anybody', async () => {
    const [one, two] = [await account(), await account()]
    const { id, path } = await scene([one, two])
    const headers = await session(one)
    const name = (await account()).username
    for (const username of [name, 'no-such-name']) {
      const refused = await add(path, username, headers)
      expect(refused.status).toBe(403)
      expect(refused.html).toContain('Only the creator can change the editors')
    }
    expect((await submit(`${path}/remove`, { editor: two.id }, headers)).status).toBe(403)
    expect(await editorsOf(id)).toEqual([one.username, two.username])
  })
})

describe('nobody else', () => {
  it('sees or changes who may edit', async () => {
    const editor = await account()
    const { id, path, headers: own } = await scene([editor])
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
      expect((await post({ ...own, Origin: 'https://evil.example' })).status).toBe(403)
      for (const headers of [{}, suspended]) {
        const answer = await post(headers)
        expect(answer.status).toBe(303)
        expect(answer.headers.get('Location')).toMatch(/^\/sign-in/)
      }
    }
    expect(await editorsOf(id)).toEqual([editor.username])
  })

  it('finds a page where there is only something to send', async () => {
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

describe('usernames that are offered', () => {
  const offered = async (prefix: string, headers: Record<string, string>) => {
    const answer = await visit(`/account/usernames?${new URLSearchParams({ prefix })}`, { headers })
    return { status: answer.status, names: answer.status === 200 ? JSON.parse(answer.html).usernames : null }
  }

  it('begin with what was typed, in any case: eight at most, of accounts that are there', async () => {
    const headers = await session(await account())
    for (const username of ['Zed_2', 'zed-1', 'ZEDZZ', 'zee', 'ze', 'zed_', 'zEd9']) {
      if (username.length > 2) await account({ username })
    }
    await suspend(await account({ username: 'zedgone' }))
    const leaving = await account({ username: 'zedleaving' })
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(leaving.id).run()
    expect(await offered('zeD', headers)).toEqual({
      status: 200,
      names: ['zed-1', 'zEd9', 'zed_', 'Zed_2', 'ZEDZZ'],
    })
    for (let n = 0; n < 10; n++) await account({ username: `many-${n}` })
    expect((await offered('ma', headers)).names).toHaveLength(8)
    for (const prefix of ['', 'z', '%', 'ze%', '__%', 'z'.repeat(31), "z' OR 1", 'zé']) {
      expect(await offered(prefix, headers)).toEqual({ status: 200, names: [] })
    }
  })

  it('are for confirmed accounts that are signed in', async () => {
    expect((await offered('zed', {})).status).toBe(401)
    expect((await offered('zed', await session(await account({ confirmed: false })))).status).toBe(403)
  })
})
