import { getMaxJweBytes } from '../documents/content.ts'
import { parseTypedExpiry } from '../documents/document.ts'
import type { AppContext } from '../env.ts'
import { AppError, contentTooLarge, unreadableForm } from '../errors.ts'
import { readBody } from '../http/bodies.ts'
import { quoteNames, requireFewParts } from '../http/content-form.ts'
import { readTextHeader } from '../platform/requests.ts'
import { CONVERT_COMMAND, decodeBytes, findArchiveFormat } from '../shared/encodings.ts'
import { CLAIM_HASH_RULE, isClaimString } from '../shared/jwe.ts'
import { AUTO, findLanguageOfExtension, TXTAR } from '../shared/languages.ts'
import { replaceCharacter } from '../shared/rewrite.ts'
import { MAX_LANGUAGE_CHARACTERS, MAX_PASSWORD_CHARACTERS, MAX_TITLE_CHARACTERS } from '../shared/settings.ts'
import {
  findFreeName,
  findNameProblem,
  formatArchive,
  MAX_FILE_NAME_CHARACTERS,
  type TextFile,
} from '../shared/txtar.ts'

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

/** Other clients use a header like `X-Token` for something else. */
type OptionName = keyof typeof HEADERS | 'token'

const NAMES = [...Object.keys(HEADERS), 'token'] as readonly OptionName[]

const QUERY_NAMES = NAMES.filter((name) => name !== 'password')

/** Reads the names that clients of other services use, too. */
const OPTIONS: ReadonlyMap<string, OptionName> = new Map([
  ...NAMES.map((name) => [name, name] as const),
  ...['lang', 'lexer', 'syntax', 'format'].map((name) => [name, 'language'] as const),
])

export type SentOptions = ReturnType<typeof readSentOptions>

const invalid = (message: string) => new AppError('bad_request', message)

const findRepeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

/** A field comes before the query, and the query before a header. */
function collect(c: AppContext, fields: ReadonlyMap<string, string>): Map<OptionName, string> {
  const found = new Map<OptionName, string>()
  for (const [name, header] of Object.entries(HEADERS) as [keyof typeof HEADERS, string][]) {
    const value =
      readTextHeader(c.req, header) ?? (name === 'password' ? readTextHeader(c.req, 'X-Password') : undefined)
    if (value !== undefined) found.set(name, value)
  }
  const query = [...new URL(c.req.url).searchParams]
  const twice = findRepeated(query.map(([name]) => name))
  if (twice !== undefined) throw invalid(`The option ${twice} is in the address twice`)
  for (const [name, value] of query) {
    const option = OPTIONS.get(name)
    // A misspelt option could leave a document without the protection that somebody asked for.
    if (!option) throw invalid(`Unknown option: ${name}. The options are ${QUERY_NAMES.join(', ')}`)
    if (option === 'password') {
      throw invalid(`Send the password in the header ${HEADERS.password}: addresses end up in logs`)
    }
    found.set(option, value)
  }
  for (const [name, value] of fields) {
    const option = OPTIONS.get(name)
    if (option) found.set(option, value)
  }
  return found
}

const YES = ['', '1', 'true', 'yes', 'on']
const NO = ['0', 'false', 'no', 'off']

function parseFlag(name: OptionName, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (NO.includes(value.toLowerCase())) return false
  if (YES.includes(value.toLowerCase())) return true
  throw invalid(`Write ${name}=true or ${name}=false`)
}

function requireLength(name: string, value: string, max: number): string {
  if (value.length > max) throw invalid(`The ${name} can have at most ${max} characters`)
  return value
}

function parseLanguage(value: string | undefined): string | null {
  const name = requireLength('language', value?.trim().toLowerCase() ?? '', MAX_LANGUAGE_CHARACTERS)
  return name === '' ? null : (findLanguageOfExtension(name) ?? name)
}

function checkClientEncryption({
  burnAfterReading,
  claimHash,
  clientEncrypted,
  encryption,
}: Pick<SentOptions, 'burnAfterReading' | 'claimHash' | 'clientEncrypted' | 'encryption'>): void {
  if (claimHash !== null && !isClaimString(claimHash)) throw invalid(`claim_hash: ${CLAIM_HASH_RULE}`)
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

/** A JWE is longer than the text inside it. A JWE in a form may have its option there, too. */
const announcesJwe = (c: AppContext): boolean =>
  (c.req.header(HEADERS.client_encrypted) ?? c.req.query('client_encrypted')) !== undefined

/** Options that nobody sent are undefined: an update leaves them as they are. */
export function readSentOptions(c: AppContext, fields: ReadonlyMap<string, string>) {
  const options = collect(c, fields)
  const password = requireLength('password', options.get('password') ?? '', MAX_PASSWORD_CHARACTERS)
  const encrypt = parseFlag('encrypt', options.get('encrypt'))
  const expires = options.get('expires') ?? ''
  const parsed = {
    expiration: expires === '' ? undefined : parseTypedExpiry(expires),
    burnAfterReading: parseFlag('burn', options.get('burn')),
    language: parseLanguage(options.get('language')),
    title: options.has('title')
      ? requireLength('title', options.get('title')?.trim() ?? '', MAX_TITLE_CHARACTERS)
      : undefined,
    /** Says how to encrypt. Null means no encryption; `password: null` asks for a generated password. */
    encryption: encrypt || password !== '' ? { password: password || null } : null,
    public: parseFlag('public', options.get('public')),
    clientEncrypted: parseFlag('client_encrypted', options.get('client_encrypted')),
    /** Proves the password of a JWE that burns after reading. */
    claimHash: options.get('claim_hash') || null,
    showsToken: parseFlag('token', options.get('token')),
  }
  checkClientEncryption(parsed)
  return parsed
}

export function readOptions(c: AppContext, fields: ReadonlyMap<string, string>) {
  const sent = readSentOptions(c, fields)
  return {
    ...sent,
    burnAfterReading: sent.burnAfterReading ?? false,
    title: sent.title || null,
    public: sent.public ?? false,
    clientEncrypted: sent.clientEncrypted ?? false,
  }
}

/** The names that paste services and their clients give the field with the text. */
const TEXT_FIELDS = 'content text file f f:1 sprunge paste data code'.split(' ')

const FORM_START = new RegExp(`^(${[...TEXT_FIELDS, 'f%3A1'].join('|')}|[\\w-]{1,20})=`)

/** The first bytes may be few, but a name and a `=` arrive together from every known client. */
const startsLikeForm = (start: Uint8Array): boolean =>
  FORM_START.test(new TextDecoder().decode(start.subarray(0, 64)))

/** Characters that no form has unless somebody wrote it by hand. A file has a line break, at least at its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROLS = /[\x00-\x1F\x7F]/

/** wgetpaste leaves line breaks as they are. Only names that no text starts with tell its forms from files. */
const UNMISTAKABLE_START = /^(?:f:1|sprunge)=/

/** The number of fields that are read. It's more than there are options, but a body has room for millions. */
const MAX_PAIRS = 100

const FIELD_NAME = /^[A-Za-z][\w:.-]{0,39}$/

/** A misspelt option could leave a document without the protection that somebody asked for. */
function requireOneText(names: readonly string[], text: string): void {
  const unknown = names.filter((name) => name !== text)
  if (unknown.length === 0) return
  const what = unknown.length === 1 ? 'field' : 'fields'
  throw invalid(`Unknown ${what} beside ${text}: ${unknown.join(', ')}. The options are ${NAMES.join(', ')}`)
}

/** Returns null for what isn't URL-encoded UTF-8. */
function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(replaceCharacter(part, '+', ' '))
  } catch {
    return null
  }
}

interface Pair {
  /** Is null if it isn't the name of a field. */
  readonly name: string | null
  readonly encodedValue: string
}

/** More than the longest name of a field has, encoded. */
const MAX_ENCODED_NAME = 200

function toPair(pair: string): Pair {
  const equals = pair.indexOf('=')
  const name = equals === -1 ? pair : pair.slice(0, equals)
  return {
    name: name.length > MAX_ENCODED_NAME ? null : decodePart(name),
    encodedValue: equals === -1 ? '' : pair.slice(equals + 1),
  }
}

/** The options that protect a document or end its life. Without them, it would be more than somebody meant to share. */
const PROTECTIONS: readonly OptionName[] = [
  'expires',
  'burn',
  'encrypt',
  'password',
  'client_encrypted',
  'claim_hash',
]

/** Names as PHP and Rails write them, and in other letters. */
const toPlainName = (name: string | null): string => (name ?? '').toLowerCase().replace(/\[\w*\]$/, '')

/**
 * Tells whether somebody meant a body as a form, although it isn't a sound one: beside a text, it has an option. A text
 * may look like that, so lines of text, and fields of other names, count only with an option that protects.
 */
function isMeantAsForm(pairs: readonly Pair[], isOneLine: boolean): boolean {
  const names = pairs.map(({ name }) => toPlainName(name))
  const hasProtection = pairs.some(({ encodedValue }, index) => {
    const option = OPTIONS.get(names[index] ?? '')
    return option !== undefined && PROTECTIONS.includes(option) && !CONTROLS.test(encodedValue)
  })
  if (!isOneLine) return hasProtection && TEXT_FIELDS.includes(names[0] ?? '')
  const hasText = names.some((name) => TEXT_FIELDS.includes(name))
  if (hasText) return names.some((name) => OPTIONS.has(name))
  return hasProtection && names.length > 1 && names.every((name) => FIELD_NAME.test(name))
}

const FORM_ADVICE =
  'Encode the text with --data-urlencode content@FILE, or send it with -T and its options in headers. If all of this is your text, send it with -T'

/**
 * Returns the fields of a form, or null if the body is text. It's a form only if it has no control characters (most
 * programs encode them), names of fields alone, and a known one for the text, so a file which looks a little like a
 * form loses nothing.
 *
 * @throws AppError `bad_request` for a field that is neither the text nor an option, and for a broken form with options: as
 * a text, it would have none of the protections that somebody asked for.
 */
function parseUrlEncoded(body: string) {
  const pairs = body.split('&', MAX_PAIRS + 1).map(toPair)
  const isOneLine = !CONTROLS.test(body)
  const takeForText = (problem: string): null => {
    if (isMeantAsForm(pairs, isOneLine)) throw invalid(`${problem}. ${FORM_ADVICE}`)
    return null
  }
  if (!isOneLine && !UNMISTAKABLE_START.test(body))
    return takeForText("The form has line breaks or other control characters that aren't URL-encoded")
  if (pairs.length > MAX_PAIRS) return takeForText(`The form has more than ${MAX_PAIRS} fields`)
  const fields = new Map<string, string>()
  for (const { name, encodedValue } of pairs) {
    if (name === null || !FIELD_NAME.test(name))
      return takeForText("The form has a & that isn't URL-encoded, or an invalid name of a field")
    const value = decodePart(encodedValue)
    if (value === null) return takeForText(`The field ${name} isn't URL-encoded UTF-8`)
    if (fields.has(name)) return takeForText(`The field ${name} is in the form twice`)
    fields.set(name, value)
  }
  const others = [...fields.keys()].filter((field) => !OPTIONS.has(field))
  const name = others.find((field) => TEXT_FIELDS.includes(field))
  if (name === undefined) return takeForText('The form has no field content with the text')
  requireOneText(others, name)
  const text = fields.get(name) ?? ''
  fields.delete(name)
  return { text, fields }
}

/** Returns null if files have the text. A field with any name will do, if it's the only one that isn't an option. */
function findTextField(names: readonly string[], files: number): string | null {
  const others = names.filter((name) => !OPTIONS.has(name))
  if (others.length === 0 && files > 0) return null
  if (files + others.length === 1) return others[0] ?? null
  const text = files === 0 ? others.find((name) => TEXT_FIELDS.includes(name)) : undefined
  if (text !== undefined) requireOneText(others, text)
  throw new AppError(
    'bad_request',
    files + others.length === 0
      ? "There's no text in the form. Send it as a file or in the field content"
      : `Send one text, or files, in a request, not the fields ${others.join(', ')}${files > 0 ? ' and a file' : ''}`,
  )
}

/** @throws AppError `bad_request` for what can't be said of several files. */
export function chooseLanguage(
  { isSeveralFiles = false }: Upload,
  { language, clientEncrypted = false }: Pick<SentOptions, 'language' | 'clientEncrypted'>,
): string | null {
  if (!isSeveralFiles) return language
  if (clientEncrypted)
    throw invalid("client_encrypted: Can't be combined with several files: encrypt one text")
  if (language === null || language === AUTO || language === TXTAR) return TXTAR
  throw invalid("language: Can't be combined with several files: each has the language of its name")
}

export const isLanguageDetected = (
  { isSeveralFiles = false }: Upload,
  { language }: Pick<SentOptions, 'language'>,
): boolean => isSeveralFiles || language === null || language === AUTO

interface Upload {
  readonly text: string
  readonly fileName: string | null
  /** Is in lower case and without parameters; empty if the request doesn't say. */
  readonly mediaType: string
  /** The text is an archive of them. */
  readonly isSeveralFiles?: boolean
  readonly fields: ReadonlyMap<string, string>
}

/** Room for the boundaries and the other fields of a form. */
const FORM_BYTES = 64 * 1024
/** A byte may take three in a URL-encoded form. */
const BYTES_PER_BYTE = 3
/** The bytes of a form and its text are in memory together, and an isolate has 128 MiB. */
const MAX_FORM_BYTES = 48 * 1024 * 1024
/** A body that is too large is read up to here, so that the program gets the answer. */
const MAX_DISCARDED_BYTES = 48 * 1024 * 1024

const NOT_UTF8 = `That isn't text in UTF-8. If it's text, say its encoding, as in Content-Type: text/plain; charset=iso-8859-1, or convert it: ${CONVERT_COMMAND}`

/** Windows PowerShell 5.1 sends strings in Latin-1, unless it's told otherwise. */
const NOT_UTF8_POWERSHELL =
  "That isn't text in UTF-8. Add -ContentType 'text/plain; charset=utf-8' to your command, or send bytes: -Body ([Text.Encoding]::UTF8.GetBytes($text))"

const archiveRefused = (format: string) =>
  `That's a ${format} archive, and Regent stores text only. Send several files as in: curl -F f=@main.py -F f=@app.toml`

function decode(c: AppContext, bytes: Uint8Array): string {
  const archive = findArchiveFormat(bytes)
  if (archive !== null) throw invalid(archiveRefused(archive))
  try {
    return decodeBytes(bytes).text
  } catch {
    throw invalid(/PowerShell/i.test(c.req.header('User-Agent') ?? '') ? NOT_UTF8_POWERSHELL : NOT_UTF8)
  }
}

/** All of a form must be UTF-8: the runtime would replace other bytes of a field. */
async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  requireFewParts(bytes, contentType)
  const parse = (body: BodyInit) =>
    new Response(body, { headers: { 'Content-Type': contentType } }).formData()
  try {
    return await parse(bytes).catch(() => parse(quoteNames(bytes, contentType)))
  } catch {
    throw unreadableForm()
  }
}

/** The names that programs give to what they read from a pipe. */
const UNNAMED = ['', '-']

async function readFile(c: AppContext, file: File): Promise<TextFile> {
  const name = UNNAMED.includes(file.name) ? 'file' : file.name
  const problem = findNameProblem(name)
  if (problem !== null)
    throw invalid(
      `The file name ${JSON.stringify(name.slice(0, MAX_FILE_NAME_CHARACTERS))}: ${problem}. Send another: -F 'f=@FILE;filename=NAME'`,
    )
  try {
    return { name, content: decode(c, new Uint8Array(await file.arrayBuffer())) }
  } catch (error) {
    throw error instanceof AppError ? invalid(`${name}: ${error.message}`) : error
  }
}

async function toArchive(c: AppContext, files: readonly File[]): Promise<string> {
  const byName = new Map<string, TextFile>()
  for (const file of files) {
    const { name, content } = await readFile(c, file)
    const free = findFreeName(name, (other) => byName.has(other))
    byName.set(free, { name: free, content })
  }
  return formatArchive([...byName.values()])
}

async function readMultipart(
  c: AppContext,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Upload> {
  const entries = [...(await parseMultipart(bytes, contentType))]
  const files = entries.flatMap(([name, value]) => (typeof value === 'string' ? [] : [{ name, value }]))
  const fields = new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
  // The runtime replaces what isn't UTF-8 in a field. The bytes of a file are kept.
  const texts = [...fields.values(), ...files.map(({ value }) => value.name)]
  if (texts.some((value) => value.includes('\uFFFD'))) decode(c, bytes)
  const found = findTextField([...fields.keys()], files.length)
  const twice = findRepeated(entries.flatMap(([name, value]) => (typeof value === 'string' ? [name] : [])))
  if (twice !== undefined) {
    const advice = twice === found ? ". Send files: -F 'f=@FILE' -F 'f=@FILE'" : ''
    throw invalid(`The field ${JSON.stringify(twice)} is in the form twice${advice}`)
  }
  if (found === null && files.length > 1) {
    const text = await toArchive(
      c,
      files.map(({ value }) => value),
    )
    return { text, fileName: null, mediaType: '', isSeveralFiles: true, fields }
  }
  if (found === null) {
    const file = files[0]?.value ?? new File([], '')
    const text = decode(c, new Uint8Array(await file.arrayBuffer()))
    return { text, fileName: file.name, mediaType: toMediaType(file.type), fields }
  }
  const text = fields.get(found) ?? ''
  fields.delete(found)
  return { text, fileName: null, mediaType: '', fields }
}

/** haste-server takes the field `data` of a form, and every other body as it is: null. */
async function readHasteField(
  c: AppContext,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<string | null> {
  const form = await parseMultipart(bytes, contentType).catch(() => null)
  const data = form?.get('data') ?? null
  if (data instanceof File) return decode(c, new Uint8Array(await data.arrayBuffer()))
  if (data?.includes('\uFFFD')) decode(c, bytes)
  return data
}

const toMediaType = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()

/**
 * The text is the body, the files or a field of a multipart form, or a field of a URL-encoded one. Keeps its bytes, NUL and
 * line breaks included. With `asText`, every body but a form with the field `data` is the text.
 *
 * @throws AppError `content_too_large`, and `bad_request`.
 */
export async function readUpload(c: AppContext, { asText = false } = {}): Promise<Upload> {
  const { maxContentBytes } = c.var.config
  const contentType = c.req.header('Content-Type') ?? ''
  const sentType = toMediaType(contentType)
  const mediaType = asText ? '' : sentType
  const maxTextBytes = announcesJwe(c) ? getMaxJweBytes(maxContentBytes) : maxContentBytes
  const read = (getMaxBytes: (start: Uint8Array) => number) =>
    readBody(c.req.raw, { getMaxBytes, maxDiscardedBytes: MAX_DISCARDED_BYTES, memory: c.var.memory })
  const none = { fileName: null, fields: new Map<string, string>() }
  if (sentType === 'multipart/form-data') {
    const bytes = await read(() => getMaxJweBytes(maxContentBytes) + FORM_BYTES)
    if (asText) {
      const data = await readHasteField(c, bytes, contentType)
      if (data === null && bytes.byteLength > maxTextBytes) throw contentTooLarge()
      return { ...none, text: data ?? decode(c, bytes), mediaType }
    }
    return readMultipart(c, bytes, contentType)
  }
  // curl and wget call every body a form, unless they are told otherwise.
  if (mediaType === 'application/x-www-form-urlencoded') {
    const encodedLimit = Math.min(BYTES_PER_BYTE * maxContentBytes + FORM_BYTES, MAX_FORM_BYTES)
    const bytes = await read((start) => (startsLikeForm(start) ? encodedLimit : maxTextBytes))
    const body = decode(c, bytes)
    const form = parseUrlEncoded(body)
    if (form) return { ...none, ...form, mediaType: '' }
    if (bytes.byteLength > maxTextBytes) throw contentTooLarge()
    return { ...none, text: body, mediaType: '' }
  }
  return { ...none, text: decode(c, await read(() => maxTextBytes)), mediaType }
}
