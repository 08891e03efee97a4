import * as base64url from 'jose/base64url'
import { encodeText } from './encodings.ts'
import { sha256 } from './hashing.ts'
import { ALGORITHM, ENCRYPTION, MAX_ITERATIONS, SALT_BYTES } from './jwe-algorithm.ts'

const loadCipher = () => import('./jwe-cipher.lazy.ts')

/** RFC 7518 §4.8.1.2: at least 1,000. */
const MIN_ITERATIONS = 1_000

export const CHOSEN_PASSWORD_ITERATIONS = MAX_ITERATIONS
/** A password of 128 random bits or more gains nothing from key stretching. */
export const GENERATED_PASSWORD_ITERATIONS = MIN_ITERATIONS

const IV_BYTES = 12
const TAG_BYTES = 16
/** A 256-bit content key, wrapped (RFC 3394). */
const WRAPPED_KEY_BYTES = 40
/** That is enough for any sensible header. A longer one is an attempt to store something else in it. */
const MAX_HEADER_CHARACTERS = 2_048

/** This service doesn't store the JWE. The message tells the person who made it why. */
export class JweError extends Error {
  override readonly name = 'JweError'
}

type JweHeader = ReturnType<typeof parseJweHeader>

const isAllowed = (iterations: number): boolean =>
  Number.isInteger(iterations) && iterations >= MIN_ITERATIONS && iterations <= MAX_ITERATIONS

export function assertIterations(iterations: number): void {
  if (!isAllowed(iterations))
    throw new RangeError(`PBKDF2 iterations must be ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`)
}

/** The bytes that unpadded base64url decodes to; NaN if it's invalid. */
function decodedLength(part: string): number {
  return /^[A-Za-z0-9_-]*$/.test(part) && part.length % 4 !== 1
    ? Math.floor((part.length * 3) / 4)
    : Number.NaN
}

function parseHeaderJson(encoded: string): Record<string, unknown> {
  if (encoded.length > MAX_HEADER_CHARACTERS) throw new JweError('The header is too long')
  if (Number.isNaN(decodedLength(encoded))) throw new JweError('The header is not base64url')
  let header: unknown
  try {
    header = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(base64url.decode(encoded)),
    )
  } catch {
    throw new JweError('The header is not JSON')
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header))
    throw new JweError('The header is not a JSON object')
  return { ...header }
}

/** @throws JweError except for PBES2-HS512+A256KW, A256GCM, 1,000 to 100,000 iterations and a salt of 16 bytes. */
export function parseJweHeader(encoded: string) {
  const header = parseHeaderJson(encoded)
  if (header.alg !== ALGORITHM) throw new JweError(`The header's alg must be ${ALGORITHM}`)
  if (header.enc !== ENCRYPTION) throw new JweError(`The header's enc must be ${ENCRYPTION}`)
  if ('zip' in header || 'crit' in header) {
    throw new JweError("The header's zip and crit are not supported")
  }
  const iterations = header.p2c
  if (typeof iterations !== 'number') throw new JweError("The header's p2c is missing")
  if (!isAllowed(iterations))
    throw new JweError(`The header's p2c must be ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`)
  if (typeof header.p2s !== 'string') throw new JweError("The header's p2s is missing")
  if (!(decodedLength(header.p2s) >= SALT_BYTES)) {
    throw new JweError(`The header's p2s must be base64url of ${SALT_BYTES} bytes or more`)
  }
  return {
    /** The protected header as in the JWE: base64url of JSON. */
    encoded,
    salt: base64url.decode(header.p2s),
    iterations,
  }
}

/** Only the password shows whether the ciphertext is intact. @throws JweError if no password could decrypt it. */
export function parseJwe(text: string) {
  // Splits off at most six parts, so a text full of dots costs nothing.
  const parts = text.split('.', 6)
  const [encodedHeader = '', wrappedKey = '', iv = '', ciphertext = '', tag = ''] = parts
  if (parts.length !== 5) throw new JweError('Expected a JWE in compact form: five parts separated by dots')
  const header = parseJweHeader(encodedHeader)
  const contentBytes = decodedLength(ciphertext)
  if (
    decodedLength(wrappedKey) !== WRAPPED_KEY_BYTES ||
    decodedLength(iv) !== IV_BYTES ||
    decodedLength(tag) !== TAG_BYTES ||
    Number.isNaN(contentBytes)
  ) {
    throw new JweError('The key, the IV, the ciphertext or the tag has the wrong length')
  }
  if (contentBytes === 0) throw new JweError('The ciphertext is empty')
  // GCM adds no bytes to the text.
  return { header, contentBytes }
}

/** Normalising takes time in proportion to the square of the length. The service's forms and API take no longer password. */
const MAX_NORMALIZED_CHARACTERS = 1_024

const normalize = (password: string, form: 'NFC' | 'NFD'): string =>
  password.length > MAX_NORMALIZED_CHARACTERS ? password : password.normalize(form)

/** New content is encrypted with this form: keyboards and systems compose letters in different ways. */
const compose = (password: string): string => normalize(password, 'NFC')

/** How the password may have been written when it was chosen: composed, as here, or decomposed. */
const getForms = (password: string): string[] => [
  ...new Set([compose(password), password, normalize(password, 'NFD')]),
]

/** @throws RangeError unless `iterations` is 1,000 to 100,000. */
export async function encryptJwe(content: Uint8Array, password: string, iterations: number): Promise<string> {
  assertIterations(iterations)
  return (await loadCipher()).encrypt(content, compose(password), iterations)
}

/** Returns null if the password is wrong, in each Unicode normal form of it. */
export async function decryptJwe(jwe: string, password: string): Promise<Uint8Array | null> {
  const { decrypt } = await loadCipher()
  for (const form of getForms(password)) {
    const content = await decrypt(jwe, form)
    if (content !== null) return content
  }
  return null
}

/** Separates the claim token from the key that the same password and salt derive (RFC 7518 §4.8.1.1). */
const CLAIM_LABEL = encodeText('regent-claim\0')

/**
 * Base64url of 32 bytes of PBKDF2-HMAC-SHA-512 (RFC 8018 §5.2), with the salt `regent-claim` ‖ 0x00 ‖ p2s and the iteration
 * count of the JWE.
 */
async function deriveToken(password: string, header: JweHeader): Promise<string> {
  assertIterations(header.iterations)
  const salt = new Uint8Array(CLAIM_LABEL.byteLength + header.salt.byteLength)
  salt.set(CLAIM_LABEL)
  salt.set(header.salt, CLAIM_LABEL.byteLength)
  const key = await crypto.subtle.importKey('raw', encodeText(password), 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: header.iterations },
    key,
    256,
  )
  return base64url.encode(new Uint8Array(bits))
}

/**
 * Proves the password without revealing it. A password with letters that are composed in different ways has several tokens,
 * up to three, with spaces between them: whoever chose it may have used another keyboard.
 */
export async function deriveClaimToken(password: string, header: JweHeader): Promise<string> {
  const tokens = await Promise.all(getForms(password).map((form) => deriveToken(form, header)))
  return tokens.join(' ')
}

/** The service stores this, of the first token if there are several: new content is encrypted with that form. */
export const hashClaimToken = (token: string): Promise<string> => sha256(token.split(' ', 1)[0] ?? '')

/** Derives the one token that `hashClaimToken` needs. */
export const deriveClaimHash = async (password: string, header: JweHeader): Promise<string> =>
  hashClaimToken(await deriveToken(compose(password), header))

/** The hash is null where none is known. */
export async function provesPassword(claimToken: string, hash: string | null): Promise<boolean> {
  const hashes = await Promise.all(claimToken.split(' ').map(hashClaimToken))
  return hash !== null && hashes.includes(hash)
}

export const isClaimString = (candidate: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(candidate)

export const CLAIM_HASH_RULE = 'Expected the base64url SHA-256 of the claim token'

export const isClaimToken = (candidate: string): boolean =>
  candidate.length < 3 * 44 && candidate.split(' ').every(isClaimString)

export interface EncryptOptions {
  readonly text: string
  readonly password: string
  /**
   * Is true if the password was generated, so that it needs no stretching. A JWE in its place tells whether its
   * password was.
   */
  readonly generated: boolean | { readonly asIn: string }
}

export interface EncryptedText {
  readonly jwe: string
  readonly claimHash: string
}

/** The server never sees the text or the password. @throws JweError if `generated` contains an invalid JWE. */
export async function encryptText({ text, password, generated }: EncryptOptions): Promise<EncryptedText> {
  const stretched =
    typeof generated === 'boolean'
      ? !generated
      : parseJwe(generated.asIn).header.iterations > GENERATED_PASSWORD_ITERATIONS
  const iterations = stretched ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
  const jwe = await encryptJwe(encodeText(text), password, iterations)
  return { jwe, claimHash: await deriveClaimHash(password, parseJwe(jwe).header) }
}

/** @throws JweError if it isn't a JWE that the server stores, and TypeError if it doesn't contain text. */
export async function decryptText(jwe: string, password: string): Promise<string | null> {
  parseJwe(jwe)
  const bytes = await decryptJwe(jwe, password)
  return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
