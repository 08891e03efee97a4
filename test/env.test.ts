import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/env.ts'

describe('the config', () => {
  const vars = {
    SITE_URL: '',
    MAX_CONTENT_BYTES: '100',
    ANONYMOUS_SETTINGS: 'refuse',
    STORAGE_TIMEOUT_MS: '50',
    MAIL_FROM: '',
    GITHUB_URL: 'https://github.com',
    GITHUB_API_URL: 'https://api.github.com/',
  }

  it.each([
    ['SITE_URL', 'paste.example'],
    ['MAX_CONTENT_BYTES', '10 MiB'],
    ['MAX_CONTENT_BYTES', '0'],
    ['MAX_CONTENT_BYTES', '26214400'],
    ['ANONYMOUS_SETTINGS', 'allow'],
    ['STORAGE_TIMEOUT_MS', '-1'],
    ['GITHUB_API_URL', 'api.github.com'],
    ['AUTH_SECRET', 'short'],
  ])('is refused with the name of the invalid variable: %s = %j', (name, value) => {
    expect(() => parseConfig({ ...vars, [name]: value })).toThrow(name)
  })

  it('is parsed from the variables', () => {
    expect(parseConfig({ ...vars, SITE_URL: 'https://a.example//' })).toEqual({
      siteUrl: 'https://a.example',
      maxContentBytes: 100,
      anonymousSettings: 'refuse',
      storageTimeoutMs: 50,
      authSecret: null,
      mailFrom: null,
      github: { app: null, url: 'https://github.com', apiUrl: 'https://api.github.com' },
    })
  })
})
