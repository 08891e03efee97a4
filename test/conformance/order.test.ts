import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { expectContent, expectError, expectInvalid } from './support/expect.ts'

const WRONG_KEY = `imperial_${'x'.repeat(40)}`
const OUTDATED = { 'If-Match': '"json-outdated"' }
const TEXT_TYPE = { 'Content-Type': 'text/plain' }

/** If a request fails several checks, the response reports the first of them. */
describe('Order of checks', () => {
  clause('order.credential', 'An invalid key is reported before the media type and the body', async (api) => {
    const call = { key: WRONG_KEY, headers: TEXT_TYPE, body: '{' }
    expectError(await api.send('POST', '/v1/document', call), 401, 'Unauthorized')
    expectError(await api.send('PATCH', '/v1/document', call), 401, 'Unauthorized')
    expectError(await api.remove('xxxxxxxx', { key: WRONG_KEY }), 401, 'Unauthorized')
  })

  clause(
    'order.missing-credential',
    'On edit, a missing credential is reported before the body',
    async (api) => {
      expectError(await api.edit({ id: 5, content: '' }), 401, 'Unauthorized')
    },
  )

  clause(
    'order.delete-credential',
    'On delete, a missing credential is reported before a missing document',
    async (api) => {
      expectError(await api.remove('xxxxxxxx'), 401, 'Unauthorized')
    },
  )

  clause('order.media-type', 'The media type is reported before the body', async (api) => {
    const call = { key: api.needAccount(), headers: TEXT_TYPE, body: '{' }
    expectError(await api.send('POST', '/v1/document', call), 415, 'Unsupported media type')
    expectError(await api.send('PATCH', '/v1/document', call), 415, 'Unsupported media type')
  })

  clause(
    'order.size',
    'Content that is too large is reported before other errors in the body',
    async (api) => {
      const key = api.needAccount()
      const content = 'x'.repeat(api.target.maxContentBytes + 1)
      const answer = await api.post({ content, settings: { public: 'yes' } }, { key })
      expectError(answer, 413, 'Content is too large')
    },
  )

  clause(
    'order.body-before-settings',
    'On create, an invalid body is reported before settings without a key',
    async (api) => {
      api.needAnonymousDocuments()
      const answer = await api.post({ content: '', settings: { encrypted: true } })
      expectInvalid(answer, ['content'])
    },
  )

  clause(
    'order.body-before-confirmation',
    'On create, an invalid body is reported before settings of an unconfirmed account',
    async (api) => {
      const key = api.need('unconfirmedKey')
      expectInvalid(await api.post({ content: '', settings: { language: 'css' } }, { key }), ['content'])
    },
  )

  clause(
    'order.body-before-existence',
    'On edit, an invalid body is reported before a missing document',
    async (api) => {
      const answer = await api.edit({ id: 'xxxxxxxx', content: '' }, { key: api.needAccount() })
      expectInvalid(answer, ['content'])
    },
  )

  clause('order.existence', 'A missing document is reported before If-Match', async (api) => {
    const answer = await api.edit(
      { id: 'xxxxxxxx', content: 'a' },
      { key: api.needAccount(), headers: OUTDATED },
    )
    expectError(answer, 404, 'Document not found')
  })

  clause('order.permission', 'A missing permission is reported before If-Match', async (api) => {
    const { id } = await api.create(api.need('key'))
    const call = { key: api.need('secondKey'), headers: OUTDATED }
    const answer = await api.edit({ id, content: 'edited', settings: { editors: ['nobody'] } }, call)
    expectError(answer, 403, 'You are not allowed to edit this document')
  })

  clause('order.if-match', 'If-Match is checked before rules that depend on the document', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    for (const change of [
      { settings: { encrypted: true } },
      { settings: { editors: ['nobody-by-this-name'] } },
    ]) {
      const answer = await api.edit({ id, ...change }, { key, headers: OUTDATED })
      expectError(answer, 412, 'The document has changed since you read it')
    }
    expectContent(await api.read(id), 'text')
  })

  clause('order.query', 'On lists, a missing credential is reported before the query', async (api) => {
    const answer = await api.send('GET', '/v1/users/@me/documents?limit=0')
    expectError(answer, 401, 'Unauthorized')
    expect(answer.body.error).not.toHaveProperty('errors')
  })
})
