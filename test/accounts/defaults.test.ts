import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Defaults,
  findDefaults,
  keepDefaults,
  parseDefaults,
  SERVICE_DEFAULTS,
} from '../../src/accounts/profile/defaults.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'

const CHOSEN: Defaults = {
  language: 'rust',
  expires: 'never',
  visibility: 'public',
  link: 'long',
  encryption: 'generated',
  once: true,
  image: true,
}

describe('defaults for new documents', () => {
  it('are kept for an account, and are the service’s until then', async () => {
    const db = new Database(env.DB, 5_000)
    const [one, other] = [await account(), await account()]
    expect(await findDefaults(db, one.id)).toEqual(SERVICE_DEFAULTS)
    await keepDefaults(db, one.id, CHOSEN)
    expect(await findDefaults(db, one.id)).toEqual(CHOSEN)
    expect(await findDefaults(db, other.id)).toEqual(SERVICE_DEFAULTS)
    expect(await findDefaults(db, 'nobody')).toEqual(SERVICE_DEFAULTS)
  })

  it('are read as far as they fit', () => {
    expect(parseDefaults('{"language":"go","expires":"eternity","once":1,"more":true}')).toEqual({
      ...SERVICE_DEFAULTS,
      language: 'go',
    })
    for (const json of [null, '', '{', 'null', '[]', '7', '"x"', '{"language":""}', '{"language":{}}']) {
      expect(parseDefaults(json)).toEqual(SERVICE_DEFAULTS)
    }
  })

  it('are always whole, whatever is stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (json) => {
        const parsed = parseDefaults(json)
        expect(Object.keys(parsed).sort()).toEqual(Object.keys(SERVICE_DEFAULTS).sort())
        expect(parseDefaults(JSON.stringify(parsed))).toEqual(parsed)
      }),
    )
  })
})
