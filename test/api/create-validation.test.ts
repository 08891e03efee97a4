import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call } from '../support/client.ts'
import { expectInvalid } from '../support/expect.ts'

const post = (body: unknown, key?: string) => call('POST', '/v1/document', body, { key })

describe('an invalid create', () => {
  it.each([
    ['no content', {}, [['content']]],
    ['null', { content: null }, [['content']]],
    ['a number', { content: 5 }, [['content']]],
    ['an empty string', { content: '' }, [['content']]],
    ['a lone surrogate', { content: 'a\ud800b' }, [['content']]],
    ['an array', [], [[]]],
    ['a string', '"x"', [[]]],
    ['null as the body', 'null', [[]]],
    ["settings that aren't an object", { content: 'x', settings: 'json' }, [['settings']]],
    ['an empty language', { content: 'x', settings: { language: '' } }, [['settings', 'language']]],
    [
      'a long language',
      { content: 'x', settings: { language: 'x'.repeat(101) } },
      [['settings', 'language']],
    ],
    ['a flag that is a string', { content: 'x', settings: { public: 'yes' } }, [['settings', 'public']]],
    [
      'a password without encryption',
      { content: 'x', settings: { password: 'x' } },
      [['settings', 'password']],
    ],
    [
      'a long password',
      { content: 'x', settings: { encrypted: true, password: 'x'.repeat(1025) } },
      [['settings', 'password']],
    ],
    [
      'a lone surrogate in a password',
      { content: 'x', settings: { encrypted: true, password: '\udc00' } },
      [['settings', 'password']],
    ],
    [
      'a claim hash for content that the service encrypts',
      { content: 'x', settings: { encrypted: true, claim_hash: 'A'.repeat(43) } },
      [['settings', 'claim_hash']],
    ],
    ['51 editors', { content: 'x', settings: { editors: Array(51).fill('a') } }, [['settings', 'editors']]],
    ['an editor without a name', { content: 'x', settings: { editors: [7] } }, [['settings', 'editors', 0]]],
    [
      'an expiration that is a boolean',
      { content: 'x', settings: { expiration: true } },
      [['settings', 'expiration']],
    ],
    ['two errors', { settings: { public: 1 } }, [['content'], ['settings', 'public']]],
  ])('returns 400 with the path: %s', async (_, body, paths) => {
    const { key } = await account()
    expectInvalid(await post(body, key), ...paths)
  })

  it.each([
    -1,
    0.0006,
    3_700,
    1e300,
    '',
    'tomorrow',
    '7',
    '2026-13-01T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2999-01-01T00:00:00Z',
    '2000-01-01T00:00:00Z',
    '2027-06-01',
    '2027-06-01T00:00:00',
  ])('refuses the expiration %j', async (expiration) => {
    const { key } = await account()
    expectInvalid(await post({ content: 'x', settings: { expiration } }, key), ['settings', 'expiration'])
  })

  it('never repeats the input in an error', async () => {
    const { key } = await account()
    const secret = 'correct horse battery staple'
    const { body } = await post({ content: secret, settings: { password: secret } }, key)
    expect(JSON.stringify(body)).not.toContain('horse')
  })
})
