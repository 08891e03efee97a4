import { describe, expect, it } from 'vitest'
import { ConfigError, type ConfigVariables, DEFAULT_SITE, PLAN_QUOTAS, parseConfig } from '../src/config.ts'

function getError(variables: ConfigVariables): ConfigError {
  try {
    parseConfig(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('The variables are valid')
}

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
    ['SITE_URL', 'localhost:8787'],
    ['SITE_URL', 'javascript:alert(1)'],
    ['SITE_URL', 'ftp://paste.example'],
    ['SITE_URL', 'https:paste.example'],
    ['SITE_URL', 'https://'],
    ['SITE_URL', 'https://paste.example#top'],
    ['SITE_URL', 'https://paste.example?query'],
    ['SITE_URL', 'https://ada:password@paste.example'],
    ['SITE_NAME', 'A name that is much longer than a title bar has room for'],
    ['SITE_NAME', 'Two\nlines'],
    ['SITE_NAME', 'Reg\u202Eent'],
    ['SITE_ICON', 'icon.gif'],
    ['SITE_ICON', '.svg'],
    ['SITE_ICON', 'https://'],
    ['SITE_COLOR', 'blue'],
    ['SITE_COLOR', '#abc'],
    ['SITE_COLOR', '#767676'],
    ['SITE_NOTICE', 'Two\nlines'],
    ['SITE_LINKS', 'Help'],
    ['SITE_LINKS', 'https://help.example'],
    ['SITE_LINKS', 'Help javascript:alert(1)'],
    ['SITE_LINKS', 'Help https://help.example Imprint'],
    ['SITE_LINKS', 'Elsewhere //help.example'],
    ['SESSION_DAYS', '0'],
    ['SESSION_DAYS', '366'],
    ['OIDC_ONLY', 'yes'],
    ['PLAN', 'Free'],
    ['RATE_LIMIT_POLICIES', 'READ_LIMIT'],
    ['RATE_LIMIT_POLICIES', 'NO_LIMIT=5/60'],
    ['MAX_CONTENT_BYTES', '10 MiB'],
    ['MAX_CONTENT_BYTES', '0'],
    ['MAX_CONTENT_BYTES', '26214400'],
    ['ANONYMOUS_SETTINGS', 'allowed'],
    ['ANONYMOUS_DOCUMENTS', 'no'],
    ['LEGACY_CLIENTS', 'true'],
    ['LEGACY_CLIENTS', 'ON'],
    ['RATE_LIMITS', 'false'],
    ['EXPLORE', 'perhaps'],
    ['READERS', 'nobody'],
    ['READERS', 'accounts'],
    ['SIGN_UP', 'invite'],
    ['SIGN_UP', 'invited'],
    ['SIGN_UP', '@example.org'],
    ['INVITATIONS', 'everyone'],
    ['INVITATIONS', 'members'],
    ['SIGN_UP', 'example.org'],
    ['SIGN_UP', '@example'],
    ['SIGN_UP', 'open @example.org'],
    ['SIGN_UP', '@example.org,@team.example'],
    ['ACCOUNT_MAX_DOCUMENTS', '-1'],
    ['SERVER_MAX_BYTES', '50 GiB'],
    ['SERVER_MAX_BYTES', ' '],
    ['ACCOUNT_MAX_DOCUMENTS', '1e3'],
    ['ACCOUNT_MAX_WRITES_PER_DAY', '0x10'],
    ['MAX_CONTENT_BYTES', ' 100'],
    ['MAIL_FROM', 'garbage!'],
    ['MAIL_FROM', 'Regent <mail>'],
    ['MAIL_FROM', 'Regent <mail@example.org'],
    ['GITHUB_CLIENT_ID', 'without-its-secret'],
    ['GITHUB_URL', 'javascript:alert(1)'],
    ['GITHUB_URL', 'localhost:8787'],
    ['REPORT_WEBHOOK_URL', 'hooks.example'],
    ['TURNSTILE_SITE_KEY', 'without-its-secret'],
    ['REPORT_EMAIL', 'somebody'],
    ['STORAGE_TIMEOUT_MS', '-1'],
    ['BACKUP_DAYS', '0'],
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
      site: DEFAULT_SITE,
      maxContentBytes: 100,
      anonymousSettings: 'refuse',
      anonymousDocuments: 'allow',
      legacyClients: false,
      rateLimits: true,
      explore: true,
      readers: 'anyone',
      signUp: { domains: null, inviters: null },
      limitPolicies: {},
      plan: 'paid',
      quotas: PLAN_QUOTAS.paid,
      backupDays: 90,
      storageTimeoutMs: 50,
      readFrom: 'nearest',
      readOnly: false,
      removalDays: 30,
      logRequests: null,
      authSecret: null,
      mailFrom: null,
      maxEmailsPerHour: 200,
      sessionDays: 30,
      oidc: null,
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

  it('has the face of the site', () => {
    const { site } = parseConfig({
      ...vars,
      SITE_NAME: ' Team paste ',
      SITE_ICON: 'brand/Icon.SVG',
      SITE_COLOR: '#1D4ED8',
      SITE_NOTICE: 'Only for us.',
      SITE_LINKS: 'Help desk https://help.example/?a=b  Imprint /about  Mail mailto:a@b.example',
    })
    expect(site).toMatchObject({
      name: 'Team paste',
      icon: '/assets/site-icon.svg',
      accent: { light: { accent: '#1d4ed8' } },
      notice: 'Only for us.',
      links: [
        { label: 'Help desk', url: 'https://help.example/?a=b' },
        { label: 'Imprint', url: '/about' },
        { label: 'Mail', url: 'mailto:a@b.example' },
      ],
    })
    expect(parseConfig({ SITE_ICON: 'https://cdn.example/icon' }).site.icon).toBe('https://cdn.example/icon')
  })

  it.each([
    [{ OIDC_ISSUER: '' }, /^OIDC_ISSUER: set it too, because OIDC_CLIENT_ID is set$/],
    [{ OIDC_CLIENT_ID: '' }, /^OIDC_CLIENT_ID: set it too/],
    [{ OIDC_CLIENT_SECRET: '' }, /^OIDC_CLIENT_SECRET: set it too/],
    [{ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_ONLY: 'on' }, /^OIDC_ISSUER: .* nobody could sign in$/],
    [{ OIDC_ISSUER: 'http://id.example' }, /^OIDC_ISSUER = "http:.* use an address that starts with https:/],
    [{ OIDC_ISSUER: 'id.example' }, /^OIDC_ISSUER = /],
    [{ OIDC_ISSUER: 'https://id.example/?a' }, /^OIDC_ISSUER = .*without "\?"/],
    [{ OIDC_NAME: 'Two\nlines' }, /^OIDC_NAME = /],
  ])('refuses a provider that can’t work: %j', (changed, line) => {
    const oidc = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }
    expect(parseConfig({ ...vars, ...oidc }).oidc).toEqual({
      issuer: 'https://id.example/',
      clientId: 'id',
      clientSecret: 'secret',
      name: 'id.example',
      only: false,
    })
    const { message } = getError({ ...vars, ...oidc, ...changed })
    expect(message).toMatch(line)
    expect(message).not.toContain('secret"')
  })

  it('says how much contrast a colour lacks', () => {
    expect(() => parseConfig({ SITE_COLOR: '#ffcc00' })).toThrow(
      'its contrast is 1.3 to 1, and text needs 4.5',
    )
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

  it('has the quotas of the plan, unless the variables set others or, with 0, none', () => {
    expect(parseConfig({ PLAN: 'free' })).toMatchObject({ plan: 'free', quotas: PLAN_QUOTAS.free })
    const quotas = { ACCOUNT_MAX_BYTES: '5', SERVER_MAX_WRITES_PER_DAY: '7', SERVER_MAX_DOCUMENTS: '0' }
    expect(parseConfig({ ...vars, ...quotas }).quotas).toEqual({
      account: { ...PLAN_QUOTAS.paid.account, bytes: 5 },
      server: { ...PLAN_QUOTAS.paid.server, documents: null, writesPerDay: 7 },
    })
  })

  it('reads the former names of quotas where the new ones are empty', () => {
    const former = { ACCOUNT_MAX_CREATES_PER_DAY: '3', SERVER_MAX_CREATES_PER_DAY: '0' }
    const empty = { ACCOUNT_MAX_WRITES_PER_DAY: '', SERVER_MAX_WRITES_PER_DAY: '' }
    expect(parseConfig({ ...vars, ...empty, ...former }).quotas).toMatchObject({
      account: { writesPerDay: 3 },
      server: { writesPerDay: null },
    })
    const both = { ...former, ACCOUNT_MAX_WRITES_PER_DAY: '4', SERVER_MAX_WRITES_PER_DAY: '5' }
    expect(parseConfig({ ...vars, ...both }).quotas).toMatchObject({
      account: { writesPerDay: 4 },
      server: { writesPerDay: 5 },
    })
    expect(() => parseConfig({ ...vars, ACCOUNT_MAX_CREATES_PER_DAY: 'x' })).toThrow(
      'ACCOUNT_MAX_CREATES_PER_DAY = "x"',
    )
  })

  it.each([
    { MAIL_FROM: 'Regent <mail@example.org>' },
    { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' },
  ])('lets only accounts read if people can sign in: %j', (way) => {
    expect(parseConfig({ ...vars, ...way, READERS: 'accounts' }).readers).toBe('accounts')
    const { mistakes } = getError({ ...vars, READERS: 'accounts' })
    expect(mistakes).toEqual([
      expect.stringMatching(/^READERS = "accounts": set MAIL_FROM, GITHUB_CLIENT_ID or OIDC_ISSUER/),
    ])
  })

  it.each([
    ['invited', { domains: [], inviters: 'staff' }],
    ['@Example.org  @team.example', { domains: ['@example.org', '@team.example'], inviters: 'staff' }],
    ['closed', { domains: [], inviters: null }],
    ['open', { domains: null, inviters: null }],
  ])('says who can create an account: %s', (SIGN_UP, signUp) => {
    const mail = { MAIL_FROM: 'mail@example.org' }
    expect(parseConfig({ ...vars, ...mail, SIGN_UP }).signUp).toEqual(signUp)
    const members = { ...vars, ...mail, SIGN_UP, INVITATIONS: 'members' }
    if (signUp.inviters !== null) expect(parseConfig(members).signUp.inviters).toBe('members')
    else expect(() => parseConfig(members)).toThrow(/^INVITATIONS = "members": set SIGN_UP/)
  })

  it('allows on the free plan no more writes a day than KV, with room for cleanup and for refused writes', () => {
    expect(PLAN_QUOTAS.free.server.writesPerDay).toBeLessThan(900)
    expect(PLAN_QUOTAS.free.server.bytes).toBeLessThan(1_000_000_000)
  })

  it('knows other rate limits by their policies', () => {
    const RATE_LIMIT_POLICIES = 'READ_LIMIT=900/60 REPORT_LIMIT=2/10'
    expect(parseConfig({ RATE_LIMIT_POLICIES }).limitPolicies).toEqual({
      reads: { limit: 900, period: 60 },
      reports: { limit: 2, period: 10 },
    })
  })

  it('takes the secret of a GitHub app before its id, so that they can be set one after the other', () => {
    expect(parseConfig({ GITHUB_CLIENT_SECRET: 'secret' }).github.app).toBeNull()
  })

  it('says of every mistake which value it is and what is accepted', () => {
    const invalid = { EXPLORE: 'On', SITE_URL: 'localhost:8787', AUTH_SECRET: 'a short secret' }
    const error = getError(invalid)
    expect(error.mistakes).toEqual([
      'SITE_URL = "localhost:8787": use an address that starts with https:// or http://',
      'EXPLORE = "On": use "on" or "off"',
      'AUTH_SECRET: use at least 32 characters',
    ])
    expect(error.stack).toBe(error.message)
  })

  it('never shows a secret, a password or the address of a webhook', () => {
    const invalid = {
      AUTH_SECRET: 'hidden',
      SITE_URL: 'https://ada:hidden@paste.example',
      REPORT_WEBHOOK_URL: 'ftp://hooks.example/hidden',
      REPORT_WEBHOOK_SECRET: 'hidden',
      TURNSTILE_SECRET: 'hidden',
    }
    expect(getError(invalid).mistakes).toHaveLength(4)
    expect(getError(invalid).message).not.toContain('hidden')
  })

  it('takes numbers and booleans as TOML writes them', () => {
    // wrangler passes them on as they are, although the types of the variables say string.
    const variables: object = { MAX_CONTENT_BYTES: 2_000 }
    expect(parseConfig(variables).maxContentBytes).toBe(2_000)
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
})
