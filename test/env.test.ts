import { describe, expect, it } from 'vitest'
import { parseConfig } from '../src/config.ts'

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
    ['ANONYMOUS_SETTINGS', 'allowed'],
    ['ANONYMOUS_SETTINGS', ''],
    ['ANONYMOUS_DOCUMENTS', 'no'],
    ['LEGACY_CLIENTS', 'true'],
    ['LEGACY_CLIENTS', 'ON'],
    ['RATE_LIMITS', 'false'],
    ['EXPLORE', 'perhaps'],
    ['ACCOUNT_MAX_DOCUMENTS', '-1'],
    ['SERVER_MAX_BYTES', '50 GiB'],
    ['STORAGE_TIMEOUT_MS', '-1'],
    ['READ_FROM', 'replica'],
    ['LOG_REQUESTS', 'yes'],
    ['LOG_REQUESTS', '1.5'],
    ['LOG_REQUESTS', '0'],
    ['GITHUB_API_URL', 'api.github.com'],
    ['AUTH_SECRET', 'short'],
    ['CONTACT_EMAIL', 'nobody'],
    ['ABUSE_EMAIL', 'a@b.example?subject=x'],
    ['OPERATOR_URL', 'javascript:alert(1)'],
    ['PRIVACY_URL', '/privacy.html'],
    ['TERMS_URL', 'terms.example'],
  ])('is refused with the name of the invalid variable: %s = %j', (name, value) => {
    expect(() => parseConfig({ ...vars, [name]: value })).toThrow(name)
  })

  it('is parsed from the variables', () => {
    expect(parseConfig({ ...vars, SITE_URL: 'https://a.example//' })).toEqual({
      siteUrl: 'https://a.example',
      maxContentBytes: 100,
      anonymousSettings: 'refuse',
      anonymousDocuments: 'allow',
      legacyClients: false,
      rateLimits: true,
      explore: true,
      quotas: {
        account: { documents: null, bytes: null, createsPerDay: null },
        server: { documents: null, bytes: null, createsPerDay: null },
      },
      storageTimeoutMs: 50,
      readFrom: 'nearest',
      logRequests: null,
      authSecret: null,
      mailFrom: null,
      github: { app: null, url: 'https://github.com', apiUrl: 'https://api.github.com' },
      operator: {
        name: null,
        url: null,
        contactEmail: null,
        abuseEmail: null,
        privacyUrl: null,
        termsUrl: null,
      },
      abuse: { reportEmail: null, reportWebhook: null, turnstile: null },
    })
  })

  it.each([
    ['refuse', 'ignore-cosmetic'],
    ['ignore-cosmetic', 'ignore-cosmetic'],
    ['allow', 'allow'],
  ])('is at least ignore-cosmetic for legacy clients: %s', (ANONYMOUS_SETTINGS, anonymousSettings) => {
    const config = parseConfig({ ...vars, ANONYMOUS_SETTINGS, LEGACY_CLIENTS: 'on' })
    expect(config).toMatchObject({ legacyClients: true, anonymousSettings })
    expect(parseConfig({ ...vars, ANONYMOUS_SETTINGS, LEGACY_CLIENTS: 'off' })).toMatchObject({
      legacyClients: false,
      anonymousSettings: ANONYMOUS_SETTINGS,
    })
  })

  it('has rate limits and no quotas if a wrangler.toml from an earlier release says nothing about them', () => {
    const none = { documents: null, bytes: null, createsPerDay: null }
    expect(parseConfig(vars)).toMatchObject({ rateLimits: true, quotas: { account: none, server: none } })
  })

  it('has quotas by the variables, and none for 0', () => {
    const quotas = { ACCOUNT_MAX_BYTES: '5', SERVER_MAX_CREATES_PER_DAY: '7', SERVER_MAX_DOCUMENTS: '0' }
    expect(parseConfig({ ...vars, ...quotas }).quotas).toEqual({
      account: { documents: null, bytes: 5, createsPerDay: null },
      server: { documents: null, bytes: null, createsPerDay: 7 },
    })
  })

  it('says which values LEGACY_CLIENTS takes', () => {
    const message = 'LEGACY_CLIENTS must be "off" or "on", not "yes"'
    expect(() => parseConfig({ ...vars, LEGACY_CLIENTS: 'yes' })).toThrow(message)
  })

  it('uses the contact address for abuse unless there is another one', () => {
    const CONTACT_EMAIL = 'ada@paste.example'
    expect(parseConfig({ ...vars, CONTACT_EMAIL }).operator.abuseEmail).toBe(CONTACT_EMAIL)
    const { operator } = parseConfig({ ...vars, CONTACT_EMAIL, ABUSE_EMAIL: 'abuse@paste.example' })
    expect(operator).toMatchObject({ contactEmail: CONTACT_EMAIL, abuseEmail: 'abuse@paste.example' })
  })

  it.each(['refuse', 'ignore-cosmetic', 'allow'] as const)('takes %s for ANONYMOUS_SETTINGS', (value) => {
    expect(parseConfig({ ...vars, ANONYMOUS_SETTINGS: value }).anonymousSettings).toBe(value)
  })

  it.each(['allow', 'refuse'] as const)('takes %s for ANONYMOUS_DOCUMENTS', (value) => {
    expect(parseConfig({ ...vars, ANONYMOUS_DOCUMENTS: value }).anonymousDocuments).toBe(value)
  })

  it('says which values a variable can have', () => {
    expect(() => parseConfig({ ...vars, ANONYMOUS_SETTINGS: 'yes' })).toThrow(
      'ANONYMOUS_SETTINGS must be "refuse" or "ignore-cosmetic" or "allow", not "yes"',
    )
  })
})
