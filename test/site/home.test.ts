import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { findDefaults, keepDefaults, SERVICE_DEFAULTS } from '../../src/accounts/profile/defaults.ts'
import { Database } from '../../src/platform/database.ts'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { ORIGIN, read, send } from '../support/client.ts'
import { formOf, sendForm, visit } from '../support/forms.ts'
import { author, gitHubBindings } from '../support/gists.ts'

const opened = async (headers: Record<string, string>) => formOf((await visit('/', { headers })).html, '/')

const lastDocumentOf = ({ id }: Account) =>
  env.DB.prepare('SELECT id FROM documents WHERE creator_id = ?1 ORDER BY created_at DESC LIMIT 1')
    .bind(id)
    .first<string>('id')

const countDocuments = async (): Promise<number> =>
  (await env.DB.prepare('SELECT count(*) AS n FROM documents').first<number>('n')) ?? -1

const hoursLeft = (expiration: string): number =>
  Math.round((Date.parse(expiration) - Date.now()) / 3_600_000)

describe('the home page', () => {
  it('offers settings to confirmed accounts, and tells everybody else what they need', async () => {
    const anonymous = await visit('/')
    expect(await formOf(anonymous.html, '/')).toEqual({ content: '' })
    expect(anonymous.html).toContain('<a href="/sign-in?return=/">signing in</a>')
    const unconfirmed = await account({ confirmed: false })
    const without = await visit('/', { headers: await session(unconfirmed) })
    expect(await formOf(without.html, '/')).toEqual({ content: '', account: unconfirmed.id })
    expect(without.html).toContain('confirmed e-mail address')
    const owner = await account()
    const offered = await visit('/', { headers: await session(owner) })
    expect(offered.headers.get('Cache-Control')).toBe('no-store')
    expect(offered.html).toContain('<details class="settings">')
    expect(offered.html).toContain('<label for="password">Password</label>')
    expect(offered.html).toContain('This server encrypts')
    expect(await formOf(offered.html, '/')).toEqual({
      account: owner.id,
      content: '',
      language: 'plaintext',
      expires: 'week',
      visibility: 'unlisted',
      link: 'standard',
      encryption: 'none',
      password: '',
      editors: '',
    })
  })

  it('makes the document of whoever is signed in', async () => {
    for (const confirmed of [true, false]) {
      const owner = await account({ confirmed })
      const headers = await session(owner)
      const made = await sendForm('/', { ...(await opened(headers)), content: 'mine' }, { headers })
      expect(made.status).toBe(303)
      const { data } = (await read(made.location?.slice(1) ?? '')).body
      expect(data).toMatchObject({ content: 'mine', creator: { username: owner.username } })
      expect(hoursLeft(data.timestamps.expiration)).toBe(168)
    }
  })

  it('takes every setting', async () => {
    const [owner, one, two] = [await account(), await account(), await account()]
    const headers = await session(owner)
    const settings = {
      content: '{"a": 1}',
      language: ' AUTO',
      expires: 'day',
      visibility: 'public',
      link: 'long',
      once: 'yes',
      image: 'yes',
      editors: ` ${one.username.toUpperCase()},, ${two.username} `,
    }
    const made = await sendForm('/', { ...(await opened(headers)), ...settings }, { headers })
    expect(made.status).toBe(303)
    const id = made.location?.slice(1) ?? ''
    expect(id).toHaveLength(36)
    const { data } = (await read(id, { key: owner.key })).body
    expect(data.settings).toEqual({
      language: 'json',
      image_embed: true,
      instant_delete: true,
      encrypted: false,
      public: true,
      editors: [one.username, two.username],
    })
    expect(hoursLeft(data.timestamps.expiration)).toBe(24)
  })

  it.each([
    ['hour', 1],
    ['month', 720],
    ['year', 8760],
  ])('lets a document live for a %s', async (expires, hours) => {
    const owner = await account()
    const headers = await session(owner)
    const fields = { ...(await opened(headers)), content: 'x', expires, link: 'short' }
    const id = (await sendForm('/', fields, { headers })).location?.slice(1) ?? ''
    expect(id).toHaveLength(4)
    expect(hoursLeft((await read(id)).body.data.timestamps.expiration)).toBe(hours)
  })

  it.each([
    ['chosen', 'own'],
    ['typed alone', 'none'],
  ])('encrypts with a password of one’s own: %s', async (_, encryption) => {
    const owner = await account()
    const headers = await session(owner)
    const fields = { ...(await opened(headers)), content: 'secret', encryption, password: 'pass 😀' }
    const made = await sendForm('/', fields, { headers })
    expect(made.status).toBe(303)
    const id = made.location?.slice(1) ?? ''
    expect((await read(`${id}?password=${encodeURIComponent('pass 😀')}`)).body.data.content).toBe('secret')
    expect((await read(id)).body.data.content).not.toContain('secret')
  })

  it('shows a password that it made, once, with the link', async () => {
    const owner = await account()
    const headers = await session(owner)
    const fields = { ...(await opened(headers)), content: 'secret', encryption: 'generated', once: 'yes' }
    const made = await sendForm('/', fields, { headers })
    expect(made.status).toBe(200)
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const id = (await lastDocumentOf(owner)) ?? ''
    expect(made.html).toContain(`<a href="${ORIGIN}/${id}">`)
    const password = /<code id="password">([^<]{24})<\/code>/.exec(made.html)?.[1]
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
    expect((await read(id)).status).toBe(404)
  })

  it('is filled in with the account’s defaults', async () => {
    const owner = await account()
    const db = new Database(env.DB, 5_000)
    await keepDefaults(db, owner.id, {
      language: 'go',
      expires: 'never',
      visibility: 'public',
      link: 'short',
      encryption: 'generated',
      once: true,
      image: true,
    })
    const { html } = await visit('/', { headers: await session(owner) })
    expect(html).toContain('<details class="settings" open="">')
    expect(await formOf(html, '/')).toMatchObject({
      language: 'go',
      expires: 'never',
      visibility: 'public',
      link: 'short',
      encryption: 'generated',
      once: 'yes',
      image: 'yes',
    })
    // They fill in the form, and nothing else: whoever sends less means it.
    const headers = await session(owner)
    const made = await sendForm('/', { content: 'x' }, { headers })
    expect((await read(made.location?.slice(1) ?? '')).body.data.settings).toMatchObject({
      language: 'plaintext',
      encrypted: false,
      public: false,
    })
    expect(await findDefaults(db, 'nobody')).toEqual(SERVICE_DEFAULTS)
  })
})

describe('a form of the home page that can not be taken', () => {
  it.each([
    ['an editor who does not exist', { editors: 'nobody-at-all' }, 400, 'username: nobody-at-all'],
    ['a password that is missing', { encryption: 'own' }, 400, 'Type the password'],
    ['a password with a generated one', { password: 'p', encryption: 'generated' }, 400, 'not be used'],
    ['an expiration that is not offered', { expires: '7' }, 400, 'can not be chosen'],
    ['a link that is not offered', { link: 'x' }, 400, 'can not be chosen'],
    ['too many editors', { editors: 'x '.repeat(51) }, 400, 'at most 50 editors'],
    ['a language that is too long', { language: 'x'.repeat(101) }, 400, 'at most 100'],
    ['a password that is too long', { encryption: 'own', password: 'x'.repeat(1025) }, 400, 'at most 1024'],
  ])('comes back as it was typed: %s', async (_, wrong, status, words) => {
    const headers = await session(await account())
    const typed: Record<string, string> = {
      ...(await opened(headers)),
      content: '</textarea> typed',
      visibility: 'public',
      once: 'yes',
      ...wrong,
    }
    const before = await countDocuments()
    const answer = await sendForm('/', typed, { headers })
    expect(answer.status).toBe(status)
    expect(answer.html).toContain(words)
    expect(answer.html).toContain('<details class="settings" open="">')
    const { expires, link, password, ...kept } = typed
    expect(await formOf(answer.html, '/')).toMatchObject({ ...kept, password: '' })
    if (password) expect(answer.html).toContain('Type the password once more')
    expect(await countDocuments()).toBe(before)
  })

  it('is kept from other sites, whoever is signed in', async () => {
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

  it('is not made anonymous when its session is over, nor somebody else’s', async () => {
    const [owner, other] = [await account(), await account()]
    const headers = await session(owner)
    const typed = { ...(await opened(headers)), content: 'private', encryption: 'generated' }
    const before = await countDocuments()
    await suspend(owner)
    for (const gone of [{}, headers]) {
      const answer = await sendForm('/', typed, { headers: gone })
      expect(answer.status).toBe(401)
      expect(answer.html).toContain('href="/sign-in"')
      expect(await formOf(answer.html, '/')).toEqual(typed)
    }
    const theirs = await session(other)
    const conflict = await sendForm('/', typed, { headers: theirs })
    expect(conflict.status).toBe(409)
    expect(await countDocuments()).toBe(before)
    // Sent once more it is meant.
    const again = await formOf(conflict.html, '/')
    expect(again).toEqual({ ...typed, account: other.id })
    expect((await sendForm('/', again, { headers: theirs })).status).toBe(200)
    expect(await lastDocumentOf(other)).not.toBeNull()
  })

  it('offers a gist to those whose GitHub is connected for it, and makes it', async () => {
    const owner = await author()
    const headers = await session(owner)
    const options = { headers, bindings: gitHubBindings }
    const { html } = await visit('/', options)
    expect(html).toContain('name="gist"')
    const fields = { ...(await formOf(html, '/')), content: 'as a gist', gist: 'yes' }
    const made = await sendForm('/', fields, options)
    expect(made.status).toBe(303)
    expect((await read(made.location?.slice(1) ?? '')).body.data.gist_url).toBe((await owner.gist()).url)
    const both = await sendForm('/', { ...fields, once: 'yes' }, options)
    expect(both.status).toBe(400)
    expect(both.html).toContain('neither encrypted nor deleted')
    expect((await owner.state()).made).toBe(1)
  })

  it('makes no gist of somebody whose GitHub is not connected', async () => {
    const owner = await account()
    const headers = await session(owner)
    const { html } = await visit('/', { headers })
    expect(html).not.toContain('name="gist"')
    const before = await countDocuments()
    const made = await sendForm('/', { ...(await formOf(html, '/')), content: 'x', gist: 'yes' }, { headers })
    expect(made.status).toBe(400)
    expect(made.html).toContain('not linked to GitHub')
    expect(await countDocuments()).toBe(before)
  })

  it('drops no setting of somebody without an account, or without a confirmed one', async () => {
    const unconfirmed = await session(await account({ confirmed: false }))
    const before = await countDocuments()
    for (const settings of [
      { encryption: 'generated' },
      { once: 'yes' },
      { expires: 'hour' },
      { editors: 'x' },
    ]) {
      const fields = { content: 'typed', ...settings } as Record<string, string>
      for (const [headers, status] of [
        [{}, 401],
        [unconfirmed, 403],
      ] as const) {
        const answer = await sendForm('/', fields, { headers })
        expect(answer.status).toBe(status)
        expect((await formOf(answer.html, '/')).content).toBe('typed')
      }
    }
    expect(await countDocuments()).toBe(before)
  })

  it('comes back whatever storage call fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
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
      expect(await formOf(answer.html, '/')).toEqual(typed)
    }
  })
})

it('a form as curl sends it is anonymous', async () => {
  const body = new FormData()
  body.set('content', 'from a terminal')
  const response = await send('/', { method: 'POST', body })
  expect(response.status).toBe(303)
  const id = response.headers.get('Location')?.slice(1) ?? ''
  expect((await read(id)).body.data).toMatchObject({ content: 'from a terminal', creator: null })
})
