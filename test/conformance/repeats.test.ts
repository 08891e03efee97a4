import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import { clause } from './support/clause.ts'
import { anAccount, expectDeleted, expectError, expectInvalid } from './support/expect.ts'

const REUSED = 'This Idempotency-Key was used for another request'
const GONE = 'The document that this Idempotency-Key created has been deleted or belongs to an account now'

const withIdempotencyKey = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } })

describe('Repeated requests', () => {
  clause(
    'repeats.token',
    'A create with the same Idempotency-Key gets the same document and token',
    async (api) => {
      api.needAnonymousDocuments()
      const call = withIdempotencyKey()
      const first = await api.post({ content: 'text' }, call)
      const repeated = await api.post({ content: 'text' }, call)
      expect(repeated.document).toEqual(first.document)
      expect(repeated.header('X-Document-Token')).toBe(first.header('X-Document-Token'))
    },
  )

  clause(
    'repeats.at-once',
    'Equal creates at once with one Idempotency-Key make one document',
    async (api) => {
      const call = { key: api.needAccount(), ...withIdempotencyKey() }
      const answers = await Promise.all(Array.from({ length: 4 }, () => api.post({ content: 'text' }, call)))
      const { creator, ...first } = (answers[0] as Answer).document
      // The account may create other documents in the meantime.
      for (const { document } of answers)
        expect(document).toEqual({ ...first, creator: anAccount(creator?.username) })
    },
  )

  clause('repeats.another-body', 'The same Idempotency-Key with another body gets a 409', async (api) => {
    const call = { key: api.needAccount(), ...withIdempotencyKey() }
    await api.post({ content: 'text' }, call)
    expectError(await api.post({ content: 'another text' }, call), 409, REUSED)
  })

  clause('repeats.deleted', 'A repeat after the document was deleted gets a 409', async (api) => {
    const key = api.needAccount()
    const call = { key, ...withIdempotencyKey() }
    const { document } = await api.post({ content: 'text' }, call)
    expectDeleted(await api.remove(document.id, { key }))
    expectError(await api.post({ content: 'text' }, call), 409, GONE)
  })

  clause('repeats.password', 'A create with Idempotency-Key must send its password', async (api) => {
    const call = { key: api.needAccount(), ...withIdempotencyKey() }
    expectInvalid(await api.post({ content: 'text', settings: { encrypted: true } }, call), [
      'settings',
      'password',
    ])
  })
})
