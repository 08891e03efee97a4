import fc from 'fast-check'

/** Any character but a lone surrogate. Unlike fast-check's unit `binary`, it needs no table of all characters. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

export const CREATE_SETTING_NAMES = [
  'language',
  'expiration',
  'image_embed',
  'instant_delete',
  'encrypted',
  'client_encrypted',
  'claim_hash',
  'password',
  'public',
  'short_urls',
  'long_urls',
  'create_gist',
  'editors',
  'title',
  'instantDelete',
  '__proto__',
] as const

export const FORM_FIELDS = [
  ...CREATE_SETTING_NAMES,
  'content',
  'text',
  'file',
  'account',
  'visibility',
  'username',
  'email',
  'name',
  'key',
  'scope',
  'reason',
  'message',
  'token',
  'theme',
  'return',
  'id',
  'editor',
  'version',
  'view',
  'kind',
  'value',
  'confirm',
  'cf-turnstile-response',
] as const

export const QUERY_NAMES = [
  'password',
  'token',
  'lines',
  'cursor',
  'limit',
  'search',
  'language',
  'lang',
  'expires',
  'burn',
  'title',
  'shared',
  'view',
  'return',
  'code',
  'state',
  'q',
  'prefix',
  'text',
  'kind',
  'download',
  'claim',
] as const

const HOSTILE = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\r\nX-Injected: yes',
  '../../etc/passwd',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' OR '1'='1' --",
  '%',
  '%00',
  '%E0%A4%A',
  '%252e%252e',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e999',
  '9'.repeat(400),
  'a'.repeat(5_000),
  '😀',
  '\u202e',
  'ａｄｍｉｎ',
  'e\u0301'.repeat(50),
  '@me',
  '*',
  '1-',
  '10-2',
  'W/"x"',
  '"json-x", "y"',
  'eyJhIjoxfQ',
  '{{7*7}}',
] as const

/** Text that tends to break parsers, and random text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
)

/** Returns text as a part of an address: encoded, or as it is where that makes a request line. */
export const addressPart: fc.Arbitrary<string> = fc
  .tuple(hostileText, fc.boolean())
  .map(([text, encoded]) =>
    encoded ? encodeURIComponent(text.toWellFormed()) : text.replaceAll(/[^\x21-\x7e]|[#?]/g, ''),
  )
