import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { expectError } from './support/expect.ts'

const waitUntil = (time: number) => new Promise((resolve) => setTimeout(resolve, time - Date.now()))

/** Takes over a minute, because no document expires sooner. */
describe('Expiry', () => {
  clause(
    'expiry.gone',
    'Every route returns 404 for an expired document, even to its creator',
    async (api) => {
      api.needServer(api.target.slow, '--slow: it takes over a minute')
      const key = api.needAccount()
      // The clocks of the two machines may differ by a few seconds.
      const { id, timestamps } = await api.create(key, 'text', { expiration: 1.2 / 1_440 })
      expect((await api.read(id)).status).toBe(200)
      const created = Date.parse(timestamps.creation)
      await waitUntil(Date.now() + Date.parse(timestamps.expiration) - created + 1_000)
      expectError(await api.read(id), 404, 'Document not found')
      expectError(await api.read(id, { key }), 404, 'Document not found')
      expectError(await api.edit({ id, settings: { expiration: 1 } }, { key }), 404, 'Document not found')
      expectError(await api.remove(id, { key }), 404, 'Document not found')
      expect((await api.readRaw(id)).status).toBe(404)
      expect((await api.send('GET', `/${id}`)).status).toBe(404)
    },
  )
})
