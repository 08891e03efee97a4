import { base64url, CompactEncrypt, compactDecrypt, errors } from 'jose'

/**
 * The envelope of an encrypted document: a JWE in compact form (RFC 7516) under a password
 * (PBES2, RFC 7518 §4.8). This file runs in the Worker and in the browser: WebCrypto is all it needs.
 */
const ALGORITHM = 'PBES2-HS512+A256KW'
const ENCRYPTION = 'A256GCM'

/**
 * The most PBKDF2 iterations that Workers derives in production. A local runtime does not enforce it,
 * so `assertIterations` does.
 */
const MOST_ITERATIONS = 100_000
/** RFC 7518 §4.8.1.2: at least 1,000. */
const LEAST_ITERATIONS = 1_000

/** For a password that a person chose. */
export const CHOSEN_PASSWORD_ITERATIONS = MOST_ITERATIONS
/** For a password of 128 random bits or more, which stretching makes no stronger. */
export const GENERATED_PASSWORD_ITERATIONS = LEAST_ITERATIONS

const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16
/** A 256-bit content key, wrapped (RFC 3394). */
const WRAPPED_KEY_BYTES = 40
/** Room for any sensible header; a longer one is an attempt to store something else in it. */
const MOST_HEADER_CHARACTERS = 2_048

/** An envelope that this service does not store. The message says why, for the person who made it. */
export class JweError extends Error {
  override readonly name = 'EnvelopeError'
}

export interface JweHeader {
  /** The protected header as it stands in the envelope: base64url of JSON. */
  readonly encoded: string
  readonly salt: Uint8Array
  readonly iterations: number
}

interface Envelope {
  readonly header: JweHeader
  /** Bytes of the text inside: GCM adds none. */
  readonly contentBytes: number
}

/** Throws a RangeError for a count that the RFC or the platform refuses. */
export function assertIterations(iterations: number): void {
  if (!Number.isInteger(iterations) || iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
    throw new RangeError(`PBKDF2 iterations must be ${LEAST_ITERATIONS} to ${MOST_ITERATIONS}`)
  }
}

const utf8 = new TextEncoder()

/** Bytes that base64url without padding stands for, without decoding it; NaN when it is not that. */
function decodedLength(part: string): number {
  return /^[A-Za-z0-9_-]*$/.test(part) && part.length % 4 !== 1
    ? Math.floor((part.length * 3) / 4)
    : Number.NaN
}

/** Whether a value is a plain record: what a JOSE header must decode to. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseHeaderJson(encoded: string): Record<string, unknown> {
  if (encoded.length > MOST_HEADER_CHARACTERS) throw new JweError('The header is too long')
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
 * Reads the protected header of an envelope.
 *
 * @param encoded the first part of the compact form: base64url of JSON.
 * @throws EnvelopeError when it asks for anything but PBES2-HS512+A256KW and A256GCM with 1,000 to
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
    throw new JweError(`The header's p2c must be ${LEAST_ITERATIONS} to ${MOST_ITERATIONS}`)
  }
  if (typeof header.p2s !== 'string') throw new JweError("The header's p2s is missing")
  if (!(decodedLength(header.p2s) >= SALT_BYTES)) {
    throw new JweError(`The header's p2s must be base64url of ${SALT_BYTES} bytes or more`)
  }
  return { encoded, salt: base64url.decode(header.p2s), iterations }
}

/**
 * Reads the outside of an envelope; only the password shows whether the inside is whole.
 *
 * @param text a JWE in compact form.
 * @throws EnvelopeError when it is none that `openEnvelope` could open.
 */
export function parseJwe(text: string): Envelope {
  // At most six parts are cut, so that a text of dots costs nothing.
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
    throw new JweError('Expected a JWE in compact form: five parts with dots between them')
  }
  const header = parseJweHeader(encodedHeader)
  const contentBytes = decodedLength(ciphertext)
  if (
    decodedLength(wrappedKey) !== WRAPPED_KEY_BYTES ||
    decodedLength(iv) !== IV_BYTES ||
    decodedLength(tag) !== TAG_BYTES ||
    Number.isNaN(contentBytes)
  ) {
    throw new JweError('The key, the IV, the ciphertext or the tag has a wrong length')
  }
  if (contentBytes === 0) throw new JweError('The ciphertext is empty')
  return { header, contentBytes }
}

/**
 * Encrypts a text under a password.
 *
 * @param content the text as bytes of UTF-8.
 * @param iterations of PBKDF2, 1,000 to 100,000; else a RangeError.
 * @returns a JWE in compact form.
 */
export async function encryptJwe(content: Uint8Array, password: string, iterations: number): Promise<string> {
  assertIterations(iterations)
  return new CompactEncrypt(content)
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .setKeyManagementParameters({
      p2c: iterations,
      p2s: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
    })
    .encrypt(utf8.encode(password))
}

/**
 * Decrypts an envelope.
 *
 * @param envelope a JWE that `parseEnvelope` accepts.
 * @returns the text as bytes of UTF-8, or null when the password is not the one it was made with.
 */
export async function decryptJwe(envelope: string, password: string): Promise<Uint8Array | null> {
  try {
    const { plaintext } = await compactDecrypt(envelope, utf8.encode(password), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
      maxPBES2Count: MOST_ITERATIONS,
    })
    return plaintext
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return null
    throw error
  }
}
