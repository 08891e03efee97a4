import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { DAY_MS, expectInvalid, lifetime } from './support/expect.ts'

const FLAGS = [
  'image_embed',
  'instant_delete',
  'encrypted',
  'public',
  'long_urls',
  'short_urls',
  'create_gist',
  'client_encrypted',
]
let invalidFlags: Promise<readonly Answer[]> | null = null

/** One request for each kind of value has them all. */
function sendInvalidFlags(api: ClauseApi): Promise<readonly Answer[]> {
  const key = api.needAccount()
  const send = (value: unknown) => {
    const settings = Object.fromEntries(FLAGS.map((name) => [name, value]))
    return api.post({ content: 'text', settings }, { key })
  }
  invalidFlags ??= Promise.all(['true', 1, {}].map(send))
  return invalidFlags
}

const NEVER = '9999-12-31T23:59:59.999Z'

describe('Settings', () => {
  for (const name of FLAGS) {
    clause(
      `settings.type ${name}`,
      'Anything but true, false and null gets a 400 at its path',
      async (api) => {
        for (const answer of await sendInvalidFlags(api)) expectInvalid(answer, ['settings', name])
      },
    )
  }

  for (const name of ['image_embed', 'instant_delete', 'public']) {
    clause(`settings.stored ${name}`, 'Responses contain the value that the request sent', async (api) => {
      const key = api.needAccount()
      const { id, settings } = await api.create(key, 'text', { [name]: true })
      expect(settings).toMatchObject({ [name]: true })
      expect((await api.read(id, { key })).document.settings).toMatchObject({ [name]: true })
    })
  }

  clause('settings.not-an-object', 'Settings that are not an object get a 400', async (api) => {
    const key = api.needAccount()
    for (const settings of ['x', 5, true]) {
      expectInvalid(await api.post({ content: 'text', settings }, { key }), ['settings'])
    }
  })

  clause(
    'settings.language',
    'A language is any label of 1 to 100 characters, stored in lower case',
    async (api) => {
      const key = api.needAccount()
      expect((await api.create(key, 'text', { language: 'TypeScript' })).settings.language).toBe('typescript')
      const long = 'x'.repeat(100)
      expect((await api.create(key, 'text', { language: long })).settings.language).toBe(long)
      for (const language of ['', `${long}x`, 5]) {
        expectInvalid(await api.post({ content: 'text', settings: { language } }, { key }), [
          'settings',
          'language',
        ])
      }
    },
  )

  clause('settings.detection', 'The language "auto" is detected and the result is stored', async (api) => {
    const key = api.needAccount()
    const { id, settings } = await api.create(key, '{"name": "Ada", "born": 1815}', { language: 'auto' })
    expect(settings.language).toBe('json')
    expect((await api.read(id)).document.settings.language).toBe('json')
  })

  clause('settings.title', 'A title has at most 200 characters and is in every response', async (api) => {
    const key = api.needAccount()
    const title = 'a'.repeat(200)
    const { id, settings } = await api.create(key, 'text', { title })
    expect(settings.title).toBe(title)
    expect((await api.read(id)).document.settings.title).toBe(title)
    for (const invalid of [`${title}a`, 7, '\ud800']) {
      const answer = await api.post({ content: 'text', settings: { title: invalid } }, { key })
      expectInvalid(answer, ['settings', 'title'])
    }
  })

  clause('settings.no-title', 'An empty title means no title, and responses leave it out', async (api) => {
    const key = api.needAccount()
    for (const title of ['', ' \u202e\n', null]) {
      const { id, settings } = await api.create(key, 'text', { title, language: 'css' })
      expect(settings).not.toHaveProperty('title')
      expect((await api.read(id)).document.settings).not.toHaveProperty('title')
    }
  })

  clause('settings.encrypted-title', 'A title for an encrypted document gets a 400', async (api) => {
    const key = api.needAccount()
    for (const client_encrypted of [false, true]) {
      const settings = { encrypted: true, client_encrypted, title: 'a' }
      expectInvalid(await api.post({ content: 'text', settings }, { key }), ['settings', 'title'])
    }
  })

  clause('settings.noindex', 'Search engines may index only public documents', async (api) => {
    const key = api.needAccount()
    const hidden = await api.create(key)
    expect((await api.read(hidden.id)).header('X-Robots-Tag')).toContain('noindex')
    const listed = await api.create(key, 'text', { public: true })
    expect((await api.read(listed.id)).header('X-Robots-Tag')).not.toContain('noindex')
    const encrypted = await api.create(key, 'text', { public: true, encrypted: true })
    expect((await api.read(encrypted.id)).header('X-Robots-Tag')).toContain('noindex')
  })
})

describe('Expiration', () => {
  clause(
    'expiration.never',
    'expiration: null means never, returned as the end of the year 9999',
    async (api) => {
      const { id, timestamps } = await api.create(api.needAccount(), 'text', { expiration: null })
      expect(timestamps.expiration).toBe(NEVER)
      expect((await api.read(id)).document.timestamps.expiration).toBe(NEVER)
    },
  )

  clause('expiration.days', 'A number means days from now, and may be a fraction', async (api) => {
    const key = api.needAccount()
    for (const days of [30, 0.5, 1 / 24]) {
      const created = await api.create(key, 'text', { expiration: days })
      expect(Math.abs(lifetime(created) - days * DAY_MS)).toBeLessThanOrEqual(1)
    }
  })

  clause('expiration.date', 'A string is a date-time with an offset', async (api) => {
    const key = api.needAccount()
    const time = new Date(Date.now() + 2 * DAY_MS)
    const { timestamps } = await api.create(key, 'text', { expiration: time.toISOString() })
    expect(timestamps.expiration).toBe(time.toISOString())
    const offset = `${new Date(time.getTime() + 3_600_000).toISOString().slice(0, 19)}+01:00`
    const created = await api.create(key, 'text', { expiration: offset })
    expect(created.timestamps.expiration).toBe(`${time.toISOString().slice(0, 19)}.000Z`)
  })

  clause('expiration.invalid', 'Anything else gets a 400 at its path', async (api) => {
    const key = api.needAccount()
    const local = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 19)
    for (const expiration of ['tomorrow', '7', '', local, true, [], {}]) {
      const answer = await api.post({ content: 'text', settings: { expiration } }, { key })
      expectInvalid(answer, ['settings', 'expiration'])
    }
  })

  clause('expiration.soonest', 'The expiration is at least a minute ahead', async (api) => {
    const key = api.needAccount()
    const past = new Date(Date.now() - DAY_MS).toISOString()
    for (const expiration of [-1, 0.5 / 1_440, past]) {
      const answer = await api.post({ content: 'text', settings: { expiration } }, { key })
      expectInvalid(answer, ['settings', 'expiration'])
    }
    expect(lifetime(await api.create(key, 'text', { expiration: 1.5 / 1_440 }))).toBe(90_000)
  })

  clause('expiration.latest', 'The expiration is at most ten years ahead', async (api) => {
    const key = api.needAccount()
    await api.create(key, 'text', { expiration: 3_640 })
    for (const expiration of [3_700, 1e300, '2099-01-01T00:00:00Z']) {
      const answer = await api.post({ content: 'text', settings: { expiration } }, { key })
      expectInvalid(answer, ['settings', 'expiration'])
    }
  })
})
