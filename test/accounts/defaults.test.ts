import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDefaults, saveDefaults, serializeDefaults } from '../../src/accounts/profile.ts'
import { Database } from '../../src/platform/database.ts'
import { type FormSettings, parseDefaults, SERVICE_DEFAULTS } from '../../src/shared/form-settings.ts'
import { account, session } from '../support/accounts.ts'
import { type CallOptions, call, read } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const CHOSEN: FormSettings = {
  language: 'rust',
  expires: 'never',
  visibility: 'public',
  link: 'long',
  encryption: 'generated',
  burnAfterReading: true,
  imageEmbed: true,
}

const STORED = {
  language: 'rust',
  expires: 'never',
  visibility: 'public',
  link: 'long',
  encryption: 'generated',
  image_embed: true,
  instant_delete: true,
}

describe("an account's defaults for new documents", () => {
  it("are the service's until the account saves its own", async () => {
    const db = new Database(env.DB, 5_000)
    const [one, other] = [await account(), await account()]
    expect(await findDefaults(db, one.id)).toEqual(SERVICE_DEFAULTS)
    await saveDefaults(db, one.id, CHOSEN)
    expect(await findDefaults(db, one.id)).toEqual(CHOSEN)
    expect(await findDefaults(db, other.id)).toEqual(SERVICE_DEFAULTS)
    expect(await findDefaults(db, 'nobody')).toEqual(SERVICE_DEFAULTS)
  })

  it("are stored under the API's names", () => {
    expect(JSON.parse(serializeDefaults(CHOSEN))).toEqual(STORED)
  })

  it('are read under the names of earlier releases as well', () => {
    const { image_embed, instant_delete, ...same } = STORED
    expect(parseDefaults(JSON.stringify({ ...same, once: true, image: true }))).toEqual(CHOSEN)
    expect(parseDefaults('{"once":true,"image":false}')).toEqual({
      ...SERVICE_DEFAULTS,
      burnAfterReading: true,
    })
    expect(parseDefaults('{"once":true,"instant_delete":false}')).toEqual(SERVICE_DEFAULTS)
  })

  it("become the service's where a stored value isn't offered", () => {
    expect(
      parseDefaults(
        '{"language":"go","expires":"eternity","link":"toString","instant_delete":1,"more":true}',
      ),
    ).toEqual({ ...SERVICE_DEFAULTS, language: 'go' })
    for (const json of [null, '', '{', 'null', '[]', '7', '"x"', '{"language":""}', '{"language":{}}']) {
      expect(parseDefaults(json)).toEqual(SERVICE_DEFAULTS)
    }
  })

  it('are complete, even if the stored ones are invalid', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (json) => {
        const parsed = parseDefaults(json)
        expect(Object.keys(parsed).sort()).toEqual(Object.keys(SERVICE_DEFAULTS).sort())
        expect(parseDefaults(serializeDefaults(parsed))).toEqual(parsed)
      }),
    )
  })
})

/** Creates an account with these defaults for new documents. */
async function accountWith(defaults: Partial<FormSettings>, options: { confirmed?: boolean } = {}) {
  const own = await account(options)
  await saveDefaults(new Database(env.DB, 5_000), own.id, { ...SERVICE_DEFAULTS, ...defaults })
  return own
}

/** Sends a create that asks for the account's defaults. */
const post = (settings: unknown, options: CallOptions) =>
  call('POST', '/v1/document', { content: 'x = 1', infer_settings: true, settings }, options)

const EVERYTHING: Partial<FormSettings> = {
  language: 'python',
  expires: 'month',
  visibility: 'public',
  link: 'long',
  imageEmbed: true,
  burnAfterReading: true,
}

const daysUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 86_400_000)

describe('infer_settings', () => {
  it('takes the settings that the request leaves out from the account', async () => {
    const { key } = await accountWith(EVERYTHING)
    for (const settings of [undefined, null, {}, { language: null, image_embed: null, encrypted: null }]) {
      const { status, body } = await post(settings, { key })
      expect(status).toBe(200)
      expect(body.data.settings).toEqual({
        language: 'python',
        image_embed: true,
        instant_delete: true,
        encrypted: false,
        public: true,
        editors: [],
      })
      expect(body.data.id).toHaveLength(36)
      expect(daysUntil(body.data.timestamps.expiration)).toBe(30)
    }
  })

  it('also works inside the settings, and for a session', async () => {
    const own = await accountWith({ language: 'python' })
    const inside = { content: 'x', settings: { infer_settings: true } }
    for (const options of [{ key: own.key }, { headers: { ...(await session(own)) } }]) {
      const { body } = await call('POST', '/v1/document', inside, options)
      expect(body.data.settings.language).toBe('python')
    }
  })

  it('gives precedence to settings in the request', async () => {
    const { key } = await accountWith(EVERYTHING)
    const { body } = await post(
      {
        language: 'json',
        expiration: null,
        short_urls: true,
        public: false,
        image_embed: false,
        instant_delete: false,
      },
      { key },
    )
    expect(body.data.settings).toMatchObject({
      language: 'json',
      image_embed: false,
      instant_delete: false,
      public: false,
    })
    expect(body.data.id).toHaveLength(4)
    expect(body.data.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each([
    ['long_urls', { link: 'short' }, { long_urls: true }, 36],
    ['short_urls: false', { link: 'short' }, { short_urls: false }, 8],
    ['long_urls: false', { link: 'short' }, { long_urls: false }, 4],
    ['short_urls: false beside a long default', { link: 'long' }, { short_urls: false }, 36],
  ] as const)('never overrides the chosen length of the link: %s', async (_, defaults, settings, length) => {
    const { key } = await accountWith(defaults)
    expect((await post(settings, { key })).body.data.id).toHaveLength(length)
  })

  it.each(['generated', 'own'] as const)(
    'encrypts by default, with a password that it returns: %s',
    async (encryption) => {
      const { key } = await accountWith({ encryption })
      const { id, password = '', settings } = (await post({ language: 'python' }, { key })).body.data
      expect(settings.encrypted).toBe(true)
      expect(password).toMatch(/^\w{24}$/)
      expect((await read(id)).body.data.content).toMatch(/^eyJ/)
      const opened = await read(id, { headers: { 'X-Document-Password': password } })
      expect(opened.body.data.content).toBe('x = 1')
    },
  )

  it('encrypts with the password of the request, even if the request leaves out encrypted', async () => {
    const { key } = await accountWith({ encryption: 'generated' })
    const { id, ...data } = (await post({ password: 'opensesame' }, { key })).body.data
    expect(data).not.toHaveProperty('password')
    const opened = await read(id, { headers: { 'X-Document-Password': 'opensesame' } })
    expect(opened.body.data.content).toBe('x = 1')
  })

  it('does not encrypt if the request says so', async () => {
    const { key } = await accountWith({ encryption: 'generated' })
    const { data } = (await post({ encrypted: false }, { key })).body
    expect(data.settings.encrypted).toBe(false)
    expect(data).not.toHaveProperty('password')
  })

  it.each([
    ['a gist of an encrypted document', { encryption: 'generated' }, { create_gist: true }, 'create_gist'],
    ['a title of an encrypted document', { encryption: 'generated' }, { title: 'a.txt' }, 'title'],
    ['a password without encryption', {}, { password: 'x' }, 'password'],
  ] as const)('refuses settings that conflict with the defaults: %s', async (_, defaults, settings, name) => {
    const { key } = await accountWith(defaults)
    expectInvalid(await post(settings, { key }), ['settings', name])
  })

  it("refuses a JWE that can't burn, if the account burns by default", async () => {
    const { key } = await accountWith({ burnAfterReading: true })
    const { body } = await call(
      'POST',
      '/v1/document',
      { content: 'x', settings: { encrypted: true } },
      { key },
    )
    const { content } = (await read(body.data.id)).body.data
    const settings = { encrypted: true, client_encrypted: true }
    const answer = await call('POST', '/v1/document', { content, infer_settings: true, settings }, { key })
    expectInvalid(answer, ['settings', 'claim_hash'])
  })

  it('changes nothing for an account that has no defaults', async () => {
    for (const confirmed of [true, false]) {
      const { key } = await account({ confirmed })
      const { status, body } = await post({}, { key })
      expect(status).toBe(200)
      expect(body.data.settings.language).toBe('plaintext')
      expect(daysUntil(body.data.timestamps.expiration)).toBe(7)
    }
  })

  it('treats inferred settings as if the request had sent them', async () => {
    const { key } = await accountWith({ encryption: 'generated' }, { confirmed: false })
    expectError(await post({}, { key }), 403, 'Your account is not confirmed')
    expect((await post({ encrypted: false, language: 'plaintext' }, { key })).status).toBe(200)
  })

  it('is ignored without a key', async () => {
    const { status, body } = await post({}, {})
    expect({ status, creator: body.data.creator }).toEqual({ status: 200, creator: null })
    expectError(await post({ language: 'json' }, {}), 401, 'Unauthorized')
    expectInvalid(await post({ password: 'x' }, {}), ['settings', 'password'])
  })

  it('is off unless the request asks for it', async () => {
    const { key } = await accountWith(EVERYTHING)
    for (const infer_settings of [undefined, null, false]) {
      const answer = await call('POST', '/v1/document', { content: 'x', infer_settings }, { key })
      expect(answer.body.data.settings).toMatchObject({ language: 'plaintext', public: false })
    }
  })

  it('is refused unless it is true or false, because a guess could drop a protection', async () => {
    const { key } = await accountWith({ encryption: 'generated' })
    const body = { content: 'x', infer_settings: 'yes' }
    expectInvalid(await call('POST', '/v1/document', body, { key }), ['infer_settings'])
  })
})
