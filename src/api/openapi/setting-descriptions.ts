import type { SettingName } from '../../shared/settings.ts'

interface SettingDescription {
  readonly meaning: string
  readonly examples: readonly unknown[]
  /** A pattern of valid strings, if the schema of the request doesn't have one. */
  readonly pattern?: string
}

/** Describes each setting of a request. The schemas define its values, and `SETTINGS` its default. */
export const SETTING_DESCRIPTIONS: Readonly<Record<SettingName, SettingDescription>> = {
  title: {
    meaning: 'A title or file name; `""` means none. Encrypted documents can’t have one.',
    examples: ['notes.md'],
  },
  language: {
    meaning: 'A language label, stored in lower case. `auto` detects the language from the content.',
    examples: ['markdown', 'auto'],
  },
  expiration: {
    meaning:
      'When the document expires: a number of days from now (fractions are fine), or an ISO 8601 date-time with an offset, from 1 minute to 10 years ahead. `null` and `0` mean never.',
    examples: [1, '2030-01-01T12:00:00Z', null],
  },
  image_embed: {
    meaning:
      'Whether link previews show a picture of the document. Never of encrypted or burn-after-reading ones.',
    examples: [true],
  },
  instant_delete: {
    meaning:
      'Burn after reading: the first delivery of the content to anyone but the creator and the editors deletes the document.',
    examples: [true],
  },
  encrypted: {
    meaning: 'Encrypts the content. The server does it, unless `client_encrypted` is true.',
    examples: [true],
  },
  client_encrypted: {
    meaning: 'With `encrypted`: `content` is a JWE that you created, so the server never sees the text.',
    examples: [false],
  },
  password: {
    meaning:
      'With `encrypted`: the password. If you leave it out, the server generates one and returns it once.',
    examples: ['correct horse battery staple'],
  },
  claim_hash: {
    meaning:
      'With `client_encrypted`: the SHA-256 of the claim token, as base64url. Required with `instant_delete`, and for editors to replace the JWE later.',
    examples: ['Zl1h8JmbJHjJIgwLBoO2Wp0v0f3l7yQ5s1a9k2m4n6c'],
    pattern: '^[A-Za-z0-9_-]{43}$',
  },
  public: {
    meaning:
      'Lists the document on the explore page, in `GET /v1/public` and in feeds, and lets search engines index it. Encrypted and burn-after-reading documents are never listed. Needs an account.',
    examples: [true],
  },
  revisions: {
    meaning:
      'Whether edits keep the previous content. Only the creator can change it. Turning it off deletes what was kept.',
    examples: [false],
  },
  long_urls: { meaning: 'An id of 36 characters instead of 8.', examples: [true] },
  short_urls: {
    meaning: 'An id of 4 characters instead of 8. Takes precedence over `long_urls`.',
    examples: [true],
  },
  create_gist: {
    meaning:
      'Also publishes a gist on your connected GitHub account. Encrypted and burn-after-reading documents can’t have one.',
    examples: [true],
  },
  editors: {
    meaning: 'Usernames of accounts that may edit the document, in any letter case. Needs an account.',
    examples: [['ada', 'grace']],
  },
}
