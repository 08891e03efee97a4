import type { AppContext } from '../env.ts'
import { AppError } from '../errors.ts'
import { DURATION_FORMAT, parseDuration } from '../shared/duration.ts'
import { isClaimString } from '../shared/encryption/claim-token.ts'
import { findLanguageOfExtension } from '../shared/languages/file-languages.ts'
import { MAX_LANGUAGE_CHARACTERS, MAX_PASSWORD_CHARACTERS, MAX_TITLE_CHARACTERS } from '../shared/settings.ts'

/** The options of a new document, each with its header. */
const HEADERS = {
  expires: 'X-Expires',
  burn: 'X-Burn',
  language: 'X-Language',
  title: 'X-Title',
  encrypt: 'X-Encrypt',
  public: 'X-Public',
  password: 'X-Document-Password',
  client_encrypted: 'X-Client-Encrypted',
  claim_hash: 'X-Claim-Hash',
} as const

type OptionName = keyof typeof HEADERS

const NAMES = Object.keys(HEADERS) as readonly OptionName[]

/** Other names of options, that clients of other services send. */
const ALIASES: Readonly<Record<string, OptionName>> = { lang: 'language' }

const toOption = (name: string): OptionName | undefined =>
  NAMES.find((option) => option === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined)

/** Returns true if a field of a form is an option. */
export const isOption = (name: string): boolean => toOption(name) !== undefined

/** The options of a request. */
export interface Options {
  /** A number of days, or null for never; undefined if the request doesn't say. */
  readonly expiration: number | string | null | undefined
  readonly burnAfterReading: boolean
  /** As the service names it; null if the request doesn't say. */
  readonly language: string | null
  readonly title: string | null
  /** Null for no encryption; `password: null` asks for a generated password. */
  readonly encryption: { readonly password: string | null } | null
  readonly public: boolean
  /** Whether the text is a JWE. */
  readonly clientEncrypted: boolean
  /** Proves the password of a JWE that burns after reading. */
  readonly claimHash: string | null
}

const invalid = (message: string) => new AppError('bad_request', message)

/** Returns the options of a request by name. A field comes before the query, and the query before a header. */
function collect(c: AppContext, fields: ReadonlyMap<string, string>): Map<OptionName, string> {
  const found = new Map<OptionName, string>()
  for (const name of NAMES) {
    const value =
      c.req.header(HEADERS[name]) ?? (name === 'password' ? c.req.header('X-Password') : undefined)
    if (value !== undefined) found.set(name, value)
  }
  for (const [name, value] of new URL(c.req.url).searchParams) {
    const option = toOption(name)
    // A misspelt option could leave a document without the protection that somebody asked for.
    if (!option) throw invalid(`Unknown option: ${name}. The options are ${NAMES.join(', ')}`)
    if (option === 'password') {
      throw invalid(`Send the password in the header ${HEADERS.password}: addresses end up in logs`)
    }
    found.set(option, value)
  }
  for (const [name, value] of fields) {
    const option = toOption(name)
    if (option) found.set(option, value)
  }
  return found
}

const YES = ['', '1', 'true', 'yes', 'on']
const NO = ['0', 'false', 'no', 'off']

function parseFlag(name: OptionName, value: string | undefined): boolean {
  if (value === undefined || NO.includes(value.toLowerCase())) return false
  if (YES.includes(value.toLowerCase())) return true
  throw invalid(`Write ${name}=true or ${name}=false`)
}

function parseExpires(value: string | undefined): Options['expiration'] {
  if (value === undefined || value === '') return undefined
  // The date and time of the API.
  if (/^\d{4}-/.test(value)) return value
  const days = parseDuration(value)
  if (days === undefined) throw invalid(`Write expires as ${DURATION_FORMAT}`)
  return days
}

function requireLength(name: string, value: string, max: number): string {
  if (value.length > max) throw invalid(`The ${name} can have at most ${max} characters`)
  return value
}

function parseLanguage(value: string | undefined): string | null {
  const name = requireLength('language', value?.trim().toLowerCase() ?? '', MAX_LANGUAGE_CHARACTERS)
  return name === '' ? null : (findLanguageOfExtension(name) ?? name)
}

/** Checks what the options say about a text that the client has encrypted. */
function checkClientEncryption({ burnAfterReading, claimHash, clientEncrypted, encryption }: Options): void {
  if (claimHash !== null && !isClaimString(claimHash)) {
    throw invalid('claim_hash: Expected the base64url SHA-256 of the claim token')
  }
  if (!clientEncrypted) {
    if (claimHash !== null) throw invalid('claim_hash: Requires client_encrypted')
    return
  }
  if (encryption) {
    throw invalid(
      "client_encrypted: Can't be combined with encrypt or a password: the content is already encrypted",
    )
  }
  if (burnAfterReading && claimHash === null) throw invalid('claim_hash: Required with burn')
}

/**
 * Returns true if a request announces a JWE before its body, which is longer than the text inside it. A JWE in a form
 * may have its option there, too.
 */
export const announcesJwe = (c: AppContext): boolean =>
  (c.req.header(HEADERS.client_encrypted) ?? c.req.query('client_encrypted')) !== undefined

/**
 * Reads the options of a request for a new document, from its query, its headers and the fields of its form.
 *
 * @throws AppError `bad_request` for an unknown option in the query, a password in it, invalid values, and options that
 * don't go together.
 */
export function readOptions(c: AppContext, fields: ReadonlyMap<string, string>): Options {
  const options = collect(c, fields)
  const password = requireLength('password', options.get('password') ?? '', MAX_PASSWORD_CHARACTERS)
  const encrypt = parseFlag('encrypt', options.get('encrypt'))
  const parsed: Options = {
    expiration: parseExpires(options.get('expires')),
    burnAfterReading: parseFlag('burn', options.get('burn')),
    language: parseLanguage(options.get('language')),
    title: requireLength('title', options.get('title')?.trim() ?? '', MAX_TITLE_CHARACTERS) || null,
    encryption: encrypt || password !== '' ? { password: password || null } : null,
    public: parseFlag('public', options.get('public')),
    clientEncrypted: parseFlag('client_encrypted', options.get('client_encrypted')),
    claimHash: options.get('claim_hash') || null,
  }
  checkClientEncryption(parsed)
  return parsed
}
