import * as base64url from 'jose/base64url'
import { ALGORITHM, ENCRYPTION, MAX_ITERATIONS, SALT_BYTES } from './jwe-parameters.ts'

/** Loads the code that encrypts and decrypts, which most requests of the Worker don't need. */
const loadCipher = () => import('./jwe-cipher.ts')

/** RFC 7518 §4.8.1.2: at least 1,000. */
const MIN_ITERATIONS = 1_000

/** PBKDF2 iterations for a password that a person chose. */
export const CHOSEN_PASSWORD_ITERATIONS = MAX_ITERATIONS
/** PBKDF2 iterations for a password of 128 random bits or more, which gains nothing from key stretching. */
export const GENERATED_PASSWORD_ITERATIONS = MIN_ITERATIONS

const IV_BYTES = 12
const TAG_BYTES = 16
/** A 256-bit content key, wrapped (RFC 3394). */
const WRAPPED_KEY_BYTES = 40
/** Enough for any sensible header. A longer one is an attempt to store something else in it. */
const MAX_HEADER_CHARACTERS = 2_048

/** Thrown for a JWE that this service doesn't store. The message tells the person who made it why. */
export class JweError extends Error {
  override readonly name = 'JweError'
}

export interface JweHeader {
  /** The protected header as in the JWE: base64url of JSON. */
  readonly encoded: string
  readonly salt: Uint8Array
  readonly iterations: number
}

interface Jwe {
  readonly header: JweHeader
  /** Bytes of the encrypted text. GCM adds none. */
  readonly contentBytes: number
}

/** Throws a RangeError for a number of iterations that the RFC or the platform refuses. */
export function assertIterations(iterations: number): void {
  if (!Number.isInteger(iterations) || iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) {
    throw new RangeError(`PBKDF2 iterations must be ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`)
  }
}

/** Returns the number of bytes that unpadded base64url decodes to, without decoding it; NaN if it's invalid. */
function decodedLength(part: string): number {
  return /^[A-Za-z0-9_-]*$/.test(part) && part.length % 4 !== 1
    ? Math.floor((part.length * 3) / 4)
    : Number.NaN
}

/** Returns true for a plain object, which a JOSE header must be. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
  if (!isRecord(header)) throw new JweError('The header is not a JSON object')
  return header
}

/**
 * Parses the protected header of a JWE.
 *
 * @param encoded the first part of the compact form: base64url of JSON.
 * @throws JweError if it asks for anything but PBES2-HS512+A256KW and A256GCM with 1,000 to
 * 100,000 iterations and a salt of 16 bytes or more.
 */
export function parseJweHeader(encoded: string): JweHeader {
  const header = parseHeaderJson(encoded)
  if (header.alg !== ALGORITHM) throw new JweError(`The header's alg must be ${ALGORITHM}`)
  if (header.enc !== ENCRYPTION) throw new JweError(`The header's enc must be ${ENCRYPTION}`)
  if ('zip' in header || 'crit' in header) {
    throw new JweError("The header's zip and crit are not supported")
  }
  const iterations = header.p2c
  if (typeof iterations !== 'number') throw new JweError("The header's p2c is missing")
  try {
    assertIterations(iterations)
  } catch {
    throw new JweError(`The header's p2c must be ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`)
  }
  if (typeof header.p2s !== 'string') throw new JweError("The header's p2s is missing")
  if (!(decodedLength(header.p2s) >= SALT_BYTES)) {
    throw new JweError(`The header's p2s must be base64url of ${SALT_BYTES} bytes or more`)
  }
  return { encoded, salt: base64url.decode(header.p2s), iterations }
}

/**
 * Parses a JWE without decrypting it. Only the password shows whether the ciphertext is intact.
 *
 * @param text a JWE in compact form.
 * @throws JweError if `decryptJwe` couldn't decrypt it with any password.
 */
export function parseJwe(text: string): Jwe {
  // Splits off at most six parts, so a text full of dots costs nothing.
  const parts = text.split('.', 6)
  const [encodedHeader, wrappedKey, iv, ciphertext, tag] = parts
  if (
    parts.length !== 5 ||
    encodedHeader === undefined ||
    wrappedKey === undefined ||
    iv === undefined ||
    ciphertext === undefined ||
    tag === undefined
  ) {
    throw new JweError('Expected a JWE in compact form: five parts separated by dots')
  }
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
  return { header, contentBytes }
}

/**
 * Encrypts a text with a password.
 *
 * @param content the text in UTF-8.
 * @param iterations of PBKDF2, 1,000 to 100,000.
 * @returns a JWE in compact form.
 * @throws RangeError for any other number of iterations.
 */
export async function encryptJwe(content: Uint8Array, password: string, iterations: number): Promise<string> {
  assertIterations(iterations)
  return (await loadCipher()).encrypt(content, password, iterations)
}

/**
 * Decrypts a JWE.
 *
 * @param jwe encrypted content that `parseJwe` accepts.
 * @returns the text in UTF-8, or null if the password is wrong.
 */
export async function decryptJwe(jwe: string, password: string): Promise<Uint8Array | null> {
  return (await loadCipher()).decrypt(jwe, password)
}
