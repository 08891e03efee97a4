import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDefaults, parseDefaults, saveDefaults, serializeDefaults } from '../../src/accounts/profile.ts'
import { Database } from '../../src/platform/database.ts'
import { type FormSettings, SERVICE_DEFAULTS } from '../../src/shared/form-settings.ts'
import { account } from '../support/accounts.ts'

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
