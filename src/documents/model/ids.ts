import { customRandom } from 'nanoid'
import { ALPHABET, GENERATED_PASSWORD_CHARACTERS, isDocumentId } from '../../shared/document-ids.ts'

export { ALPHABET, isDocumentId }

export const ID_LENGTHS = { short: 4, standard: 8, long: 36 } as const

export type IdLength = keyof typeof ID_LENGTHS

/** Random bytes for many ids. Asking the runtime for each id's bytes costs more than the rest of generating it. */
const pool = new Uint8Array(2_048)
let used = pool.length

/** Returns cryptographically random bytes, each used only once. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

const generate = customRandom(ALPHABET, ID_LENGTHS.standard, randomBytes)

/** Generates a document id. It may be taken, which only inserting it shows. */
export const generateId = (length: IdLength): string => generate(ID_LENGTHS[length])

/** Generates a secret: each character has 5.58 random bits. */
export const generateSecret = (length: number): string => generate(length)

/** Generates a password for a document: 24 characters, 134 bits. */
export const generatePassword = (): string => generate(GENERATED_PASSWORD_CHARACTERS)

/** Returns true if a password may have been generated here. It's strong enough for a low iteration count. */
export const looksGenerated = (password: string): boolean =>
  password.length === GENERATED_PASSWORD_CHARACTERS &&
  [...password].every((character) => ALPHABET.includes(character))

/** Generates a KV key for content. With 134 random bits it never exists already. */
export const generateContentKey = (): string => `content/${generate(24)}`

/** Generates the name of a version of a document, or of a burn. */
export const generateVersion = (): string => generate(12)
