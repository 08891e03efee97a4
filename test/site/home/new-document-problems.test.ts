import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Account, account, session, suspend } from '../../support/accounts.ts'
import { bindingsWith } from '../../support/bindings.ts'
import { ORIGIN, read, send } from '../../support/client.ts'
import { createAuthor, gitHubBindings } from '../../support/github/publishing.ts'
import { expectFaults } from '../../support/log.ts'
import { parseForm, sendForm, visit } from '../../support/site/forms.ts'

const opened = async (headers: Record<string, string>) => parseForm((await visit('/', { headers })).html, '/')

const findLastDocument = ({ id }: Account) =>
  env.DB.prepare('SELECT id FROM documents WHERE creator_id = ?1 ORDER BY created_at DESC LIMIT 1')
    .bind(id)
    .first<string>('id')

const countDocuments = async (): Promise<number> =>
  (await env.DB.prepare('SELECT count(*) AS n FROM documents').first<number>('n')) ?? -1

describe('a new document that is refused', () => {
  it.each([
    ['a title that is too long', { title: 'x'.repeat(201) }, 400, 'at most 200'],
    ['an unknown editor', { editors: 'nobody-at-all' }, 400, 'username: nobody-at-all'],
    ['a missing password', { encryption: 'own' }, 400, 'Enter a password'],
    [
      'both a password and a generated one',
      { password: 'p', encryption: 'generated' },
      400,
      'To encrypt with the password you entered',
    ],
    ['an unknown expiry', { expires: '7' }, 400, 'Choose one of the options for “Expires”'],
    ['an unknown link length', { link: 'x' }, 400, 'Choose one of the options for “Link length”'],
    ['a name that no document can have', { name: 'a/b' }, 400, 'Use 1 to 64 of a-z'],
    ['too many editors', { editors: 'x '.repeat(51) }, 400, 'at most 50 editors'],
    ['a language that is too long', { language: 'x'.repeat(101) }, 400, 'at most 100'],
    ['a password that is too long', { encryption: 'own', password: 'x'.repeat(1025) }, 400, 'at most 1024'],
  ])('comes back as it was typed for %s', async (_, wrong, status, words) => {
    const headers = await session(await account())
    const typed: Record<string, string> = {
      ...(await opened(headers)),
      content: '</textarea> typed',
      visibility: 'public',
      instant_delete: 'yes',
      ...wrong,
    }
    const before = await countDocuments()
    const answer = await sendForm('/', typed, { headers })
    expect(answer.status).toBe(status)
    expect(answer.html).toContain(words)
    const inPanels = ['name', 'editors', 'password', 'link', 'encryption']
    const opensPanel = Object.keys(wrong).some((name) => inPanels.includes(name))
    expect(/<details class="bar-menu"[^>]* open=""/.test(answer.html)).toBe(opensPanel)
    const { expires, link, password, ...kept } = typed
    expect(await parseForm(answer.html, '/')).toMatchObject({ ...kept, password: '' })
    if (password) expect(answer.html).toContain('Enter the password again')
    expect(await countDocuments()).toBe(before)
  })

  it('is refused from other sites', async () => {
    const headers = await session(await account())
    const before = await countDocuments()
    for (const forged of [{ ...headers, Origin: 'https://evil.example' }, { Origin: 'null' }] as Record<
      string,
      string
    >[]) {
      const answer = await sendForm('/', { content: 'typed' }, { headers: forged })
      expect(answer.status).toBe(403)
      expect(answer.html).not.toContain('typed')
    }
    expect(await countDocuments()).toBe(before)
  })

  it('is not created anonymously, or for another account, when the session has ended', async () => {
    const [creator, other] = [await account(), await account()]
    const headers = await session(creator)
    const typed = { ...(await opened(headers)), content: 'private', encryption: 'generated' }
    const before = await countDocuments()
    await suspend(creator)
    for (const gone of [{}, headers]) {
      const answer = await sendForm('/', typed, { headers: gone })
      expect(answer.status).toBe(401)
      expect(answer.html).toContain('href="/sign-in"')
      expect(await parseForm(answer.html, '/')).toEqual(typed)
    }
    const theirs = await session(other)
    const conflict = await sendForm('/', typed, { headers: theirs })
    expect(conflict.status).toBe(409)
    expect(await countDocuments()).toBe(before)
    // Sending it again is deliberate.
    const again = await parseForm(conflict.html, '/')
    expect(again).toEqual({ ...typed, account: other.id })
    expect((await sendForm('/', again, { headers: theirs })).status).toBe(200)
    expect(await findLastDocument(other)).not.toBeNull()
  })

  it('offers a gist to accounts that can create one, and creates it', async () => {
    const creator = await createAuthor()
    const headers = await session(creator)
    const options = { headers, bindings: gitHubBindings }
    const { html } = await visit('/', options)
    expect(html).toContain('name="create_gist"')
    const fields = { ...(await parseForm(html, '/')), content: 'as a gist', create_gist: 'yes' }
    const made = await sendForm('/', fields, options)
    expect(made.status).toBe(303)
    expect((await read(made.location?.slice(1) ?? '')).body.data.gist_url).toBe((await creator.gist()).url)
    const both = await sendForm('/', { ...fields, instant_delete: 'yes' }, options)
    expect(both.status).toBe(400)
    expect(both.html).toContain('To create a gist')
    expect((await creator.state()).created).toBe(1)
  })

  it('has no gist if GitHub is not connected', async () => {
    const creator = await account()
    const headers = await session(creator)
    const { html } = await visit('/', { headers })
    expect(html).not.toContain('name="create_gist"')
    const before = await countDocuments()
    const made = await sendForm(
      '/',
      { ...(await parseForm(html, '/')), content: 'x', create_gist: 'yes' },
      { headers },
    )
    expect(made.status).toBe(400)
    expect(made.html).toContain('isn’t connected to GitHub. Connect')
    expect(await countDocuments()).toBe(before)
  })

  it.each([
    ['somebody without an account', false, 401],
    ['an account that is not confirmed', true, 403],
  ] as const)('is refused, rather than created without its settings, for %s', async (_, signedIn, status) => {
    const headers = signedIn ? await session(await account({ confirmed: false })) : {}
    const before = await countDocuments()
    for (const settings of [
      { visibility: 'public' },
      { editors: 'x' },
      { create_gist: 'yes' },
      { image_embed: 'yes' },
    ]) {
      const answer = await sendForm('/', { content: 'typed', ...settings } as Record<string, string>, {
        headers,
      })
      expect(answer.status).toBe(status)
      expect((await parseForm(answer.html, '/')).content).toBe('typed')
    }
    expect(await countDocuments()).toBe(before)
  })

  it('comes back whichever storage call fails', async () => {
    expectFaults('request failed')
    const headers = await session(await account())
    const typed = { ...(await opened(headers)), content: 'typed', expires: 'hour' }
    for (let nth = 1; nth <= 3; nth++) {
      let calls = 0
      const bindings = bindingsWith(async (_, run) => {
        calls += 1
        if (calls >= nth) throw new Error('no')
        return run()
      })
      const answer = await sendForm('/', typed, { headers, bindings })
      expect([500, 503]).toContain(answer.status)
      expect(await parseForm(answer.html, '/')).toEqual(typed)
    }
  })
})

const MiB = 1024 * 1024
const BROWSER = { 'User-Agent': 'Mozilla/5.0', Origin: ORIGIN }
const PROGRAM = { 'User-Agent': 'curl/8.14.1' }
const ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' }
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=xyz' }

const part = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

const post = (path: string, headers: Record<string, string>, body: BodyInit) =>
  send(path, { method: 'POST', headers, body })

/** Returns a body of unknown length that never ends, and how much of it was read. */
function endless(text: string) {
  const chunk = new TextEncoder().encode(text.repeat(Math.ceil((64 * 1024) / text.length)))
  let read = 0
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      read += chunk.length
      controller.enqueue(chunk.slice())
    },
  })
  return { body, read: () => read }
}

describe('a form with very many fields', () => {
  it.each(['/', '/abcd1234/edit'])('is refused before it is parsed: %s', async (path) => {
    for (const [headers, field] of [
      [ENCODED, 'a&'],
      [MULTIPART, part],
    ] as const) {
      const answer = await post(path, { ...BROWSER, ...headers }, field.repeat((2 * MiB) / field.length))
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('The form couldn’t be read')
    }
  })

  it('is refused from a program', async () => {
    const answer = await post('/', { ...PROGRAM, ...MULTIPART }, part.repeat(10_000))
    expect([answer.status, await answer.text()]).toEqual([
      400,
      'The form couldn’t be read. Check its fields and its Content-Type\n',
    ])
  })

  it('is text if a program calls it a form', async () => {
    const text = 'content=1&'.repeat(100_000)
    const answer = await post('/', { ...PROGRAM, ...ENCODED }, text)
    expect(answer.status).toBe(201)
    const id = (await answer.text()).trim().split('/').at(-1)
    expect((await (await send(`/r/${id}`)).text()) === text).toBe(true)
  })
})

describe('a form that never ends', () => {
  it.each([
    ['URL-encoded', ENCODED, 'content=a'],
    ['multipart', MULTIPART, part],
  ])('is refused once it is too large: %s', async (_, headers, text) => {
    const { body, read } = endless(text)
    expect((await post('/', { ...BROWSER, ...headers }, body)).status).toBe(413)
    expect(read()).toBeLessThan(22 * MiB)
  })
})
