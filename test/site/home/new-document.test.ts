import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { findDefaults, saveDefaults } from '../../../src/accounts/profile.ts'
import { Database } from '../../../src/platform/database.ts'
import type { CreateAnswer } from '../../../src/shared/form-settings.ts'
import { SERVICE_DEFAULTS } from '../../../src/shared/form-settings.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { type Account, account, session } from '../../support/accounts.ts'
import { ORIGIN, read, remove, send } from '../../support/client.ts'
import { parseForm, sendForm, visit } from '../../support/site/forms.ts'

const opened = async (headers: Record<string, string>) => parseForm((await visit('/', { headers })).html, '/')

const findLastDocument = ({ id }: Account) =>
  env.DB.prepare('SELECT id FROM documents WHERE creator_id = ?1 ORDER BY created_at DESC LIMIT 1')
    .bind(id)
    .first<string>('id')

const hoursLeft = (expiration: string): number =>
  Math.round((Date.parse(expiration) - Date.now()) / 3_600_000)

describe('the form for a new document', () => {
  it('offers every setting to confirmed accounts, and others what protects them', async () => {
    const withoutAccount = {
      content: '',
      duplicated_from: '',
      title: '',
      language: 'auto',
      expires: 'week',
      encryption: 'none',
      password: '',
      link: 'standard',
    }
    const anonymous = await visit('/')
    expect(await parseForm(anonymous.html, '/')).toEqual(withoutAccount)
    expect(anonymous.html).toContain('<details class="bar-menu for-phones" name="bar-menu" id="more-menu"')
    expect(anonymous.html).not.toContain('30 days')
    const unconfirmed = await account({ confirmed: false })
    const without = await visit('/', { headers: await session(unconfirmed) })
    expect(await parseForm(without.html, '/')).toEqual({ ...withoutAccount, account: unconfirmed.id })
    expect(without.html).toContain('confirm your email address')
    const creator = await account()
    const offered = await visit('/', { headers: await session(creator) })
    expect(offered.headers.get('Cache-Control')).toBe('no-store')
    expect(offered.html).toContain('The server encrypts')
    expect(offered.html).toContain('30 days')
    expect(await parseForm(offered.html, '/')).toEqual({
      ...withoutAccount,
      account: creator.id,
      visibility: 'unlisted',
      name: '',
      editors: '',
    })
  })

  it('creates a document of the signed-in account', async () => {
    for (const confirmed of [true, false]) {
      const creator = await account({ confirmed })
      const headers = await session(creator)
      const made = await sendForm('/', { ...(await opened(headers)), content: 'mine' }, { headers })
      expect(made.status).toBe(303)
      const { data } = (await read(made.location?.slice(1) ?? '')).body
      expect(data).toMatchObject({ content: 'mine', creator: { username: creator.username } })
      expect(hoursLeft(data.timestamps.expiration)).toBe(168)
    }
  })

  it('applies the settings of a page that was opened before an upgrade', async () => {
    const creator = await account()
    const headers = await session(creator)
    const sent = { ...(await opened(headers)), content: 'x', once: 'yes', image: 'yes' }
    expect((await sendForm('/', sent, { headers })).status).toBe(303)
    const row = await env.DB.prepare(
      'SELECT instant_delete, image_embed FROM documents WHERE creator_id = ?1',
    )
      .bind(creator.id)
      .first()
    expect(row).toEqual({ instant_delete: 1, image_embed: 1 })
  })

  it('applies every setting', async () => {
    const [creator, one, two] = [await account(), await account(), await account()]
    const headers = await session(creator)
    const settings = {
      content: '{"a": 1}',
      title: ' notes.json ',
      name: ' Notes ',
      language: ' AUTO',
      expires: 'day',
      visibility: 'public',
      link: 'long',
      instant_delete: 'yes',
      image_embed: 'yes',
      editors: ` ${one.username.toUpperCase()},, ${two.username} `,
    }
    const made = await sendForm('/', { ...(await opened(headers)), ...settings }, { headers })
    expect(made.status).toBe(303)
    const id = made.location?.slice(1) ?? ''
    expect(id).toHaveLength(36)
    const { data } = (await read(id, { key: creator.key })).body
    expect(data.settings).toEqual({
      title: 'notes.json',
      name: 'notes',
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
  ])('sets an expiry of one %s', async (expires, hours) => {
    const creator = await account()
    const headers = await session(creator)
    const fields = { ...(await opened(headers)), content: 'x', expires, link: 'short' }
    const id = (await sendForm('/', fields, { headers })).location?.slice(1) ?? ''
    expect(id).toHaveLength(4)
    expect(hoursLeft((await read(id)).body.data.timestamps.expiration)).toBe(hours)
  })

  it.each([
    ['chosen', 'own'],
    ['not chosen', 'none'],
  ])('encrypts with the password that was entered: encryption %s', async (_, encryption) => {
    const creator = await account()
    const headers = await session(creator)
    const fields = { ...(await opened(headers)), content: 'secret', encryption, password: 'pass 😀' }
    const made = await sendForm('/', fields, { headers })
    expect(made.status).toBe(303)
    const id = made.location?.slice(1) ?? ''
    expect((await read(`${id}?password=${encodeURIComponent('pass 😀')}`)).body.data.content).toBe('secret')
    expect((await read(id)).body.data.content).not.toContain('secret')
  })

  it('shows a generated password once, with the link', async () => {
    const creator = await account()
    const headers = await session(creator)
    const fields = {
      ...(await opened(headers)),
      content: 'secret',
      encryption: 'generated',
      instant_delete: 'yes',
    }
    const made = await sendForm('/', fields, { headers })
    expect(made.status).toBe(200)
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const id = (await findLastDocument(creator)) ?? ''
    expect(made.html).toContain(`<a href="${ORIGIN}/${id}">`)
    expect(made.html).toContain('Save this password')
    const password = /<code id="password">([^<]{24})<\/code>/.exec(made.html)?.[1]
    expect((await read(`${id}?password=${password}`)).body.data.content).toBe('secret')
    expect((await read(id)).status).toBe(404)
  })

  it('starts with the defaults of the account', async () => {
    const creator = await account()
    const db = new Database(env.DB, 5_000)
    await saveDefaults(db, creator.id, {
      language: 'go',
      expires: 'never',
      visibility: 'public',
      link: 'short',
      encryption: 'generated',
      burnAfterReading: true,
      imageEmbed: true,
    })
    const { html } = await visit('/', { headers: await session(creator) })
    expect(await parseForm(html, '/')).toMatchObject({
      language: 'go',
      expires: 'never',
      visibility: 'public',
      link: 'short',
      encryption: 'generated',
      instant_delete: 'yes',
      image_embed: 'yes',
    })
    // Defaults only fill in the form: a setting that isn't sent isn't used.
    const headers = await session(creator)
    const made = await sendForm('/', { content: 'x' }, { headers })
    expect((await read(made.location?.slice(1) ?? '')).body.data.settings).toMatchObject({
      language: 'plaintext',
      encrypted: false,
      public: false,
    })
    expect(await findDefaults(db, 'nobody')).toEqual(SERVICE_DEFAULTS)
  })
})

interface Answer {
  readonly data: CreateAnswer
  readonly error: { readonly code: string; readonly message: string; readonly errors?: { path: string[] }[] }
}

/** Sends the form as the page's script does: the content as a file. */
async function sendByScript(
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('content', new File([content], 'content', { type: 'text/plain' }))
  const response = await send('/', {
    method: 'POST',
    body,
    headers: { Origin: ORIGIN, Accept: 'application/json', ...headers },
  })
  return { response, ...((await response.json()) as Answer) }
}

describe('a new document that the script of the page sends', () => {
  it('is converted from UTF-16 with a byte order mark, and refused in an encoding that nothing declares', async () => {
    const { data } = await sendByScript(new Uint8Array([0xff, 0xfe, 0x68, 0, 0xe9, 0]))
    expect((await read(data.id)).body.data).toMatchObject({ content: 'hé' })
    const { response, error } = await sendByScript(new Uint8Array([0x66, 0xfc]))
    expect(response.status).toBe(400)
    expect(JSON.stringify(error)).toContain('iconv -f ISO-8859-1 -t UTF-8')
  })

  it('is stored byte for byte, and answered with its token', async () => {
    const text = '\uFEFFone\r\ntwo\rthree\n\u0000😀'
    const { response, data } = await sendByScript(text, { title: 'notes.txt', expires: 'day' })
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Set-Cookie')).toContain(`Path=/${data.id}`)
    expect(data).toMatchObject({ url: `${ORIGIN}/${data.id}`, title: 'notes.txt' })
    expect(Math.round((data.expiresAt - data.createdAt) / 3_600_000)).toBe(24)
    expect((await read(data.id)).body.data.content).toBe(text)
    const { status } = await remove(data.id, { headers: { 'X-Document-Token': data.token ?? '' } })
    expect(status).toBe(204)
  })

  it('is answered with its password if the service generates that', async () => {
    const { data } = await sendByScript('secret', { encryption: 'generated' })
    expect((await read(`${data.id}?password=${data.password}`)).body.data.content).toBe('secret')
    expect((await sendByScript('plain')).data.password).toBeNull()
  })

  it('has no token if an account creates it, and expires on the date that was chosen', async () => {
    const creator = await account()
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const fields = { account: creator.id, expires: 'date', expires_at: expiresAt }
    const { response, data } = await sendByScript('mine', fields, await session(creator))
    expect(data.token).toBeNull()
    expect(response.headers.get('Set-Cookie')).not.toContain('document_token')
    const { timestamps, creator: author } = (await read(data.id)).body.data
    expect(timestamps.expiration).toBe(expiresAt)
    expect(author).toMatchObject({ username: creator.username })
  })

  it('can be encrypted in the browser and burned after reading, without an account', async () => {
    const jwe = await encryptJwe(new TextEncoder().encode('secret'), 'pass', CHOSEN_PASSWORD_ITERATIONS)
    const claimHash = await hashClaimToken(await deriveClaimToken('pass', parseJwe(jwe).header))
    const fields = { client_encrypted: 'yes', claim_hash: claimHash, instant_delete: 'yes', language: 'go' }
    const { data } = await sendByScript(jwe, fields)
    expect(data.title).toBeNull()
    expect((await read(`${data.id}?password=pass`)).body.data).toMatchObject({
      content: 'secret',
      settings: { encrypted: true, instant_delete: true, language: 'go' },
    })
  })

  it.each([
    ['content that is not text', new Uint8Array([0xff, 0xfe]), {}, 400, 'content'],
    ['a JWE that is none', 'x', { client_encrypted: 'yes' }, 400, 'content'],
    ['no claim hash', 'x', { client_encrypted: 'yes', instant_delete: 'yes' }, 400, 'claim_hash'],
    ['a claim hash that is none', 'x', { client_encrypted: 'yes', claim_hash: 'x' }, 400, 'claim_hash'],
    ['a date that is none', 'x', { expires: 'date', expires_at: 'soon' }, 400, 'expiration'],
    ['an expiry that is not offered', 'x', { expires: 'never' }, 400, 'expires'],
  ])('is refused in the shape of the API for %s', async (_, content, fields, status, field) => {
    const { response, error } = await sendByScript(content, fields as Record<string, string>)
    expect(response.status).toBe(status)
    expect(error.code).toBe('bad_request')
    expect(error.errors?.[0]?.path).toContain(field)
  })

  it('is refused if the session has ended', async () => {
    const { id } = await account()
    const { response, error } = await sendByScript('mine alone', { account: id })
    expect(response.status).toBe(401)
    expect(error.code).toBe('unauthorized')
  })
})
