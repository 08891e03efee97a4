import { customRandom } from 'nanoid'

/**
 * Digits and letters without vowels and without look-alikes (`0 1 l`, capitals likewise): no id
 * spells a word, and none is misread.
 */
export const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ'

export const ID_LENGTHS = { short: 4, standard: 8, long: 36 } as const

export type IdLength = keyof typeof ID_LENGTHS

const PASSWORD_LENGTH = 24

/** Random bytes for many draws: asking the runtime for those of each costs more than the rest of drawing. */
const pool = new Uint8Array(2_048)
let used = pool.length

/** Bytes from the runtime's cryptographic source, each handed out once. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

const draw = customRandom(ALPHABET, ID_LENGTHS.standard, randomBytes)

/** A new document id, drawn from a cryptographic source. It may be taken: whoever inserts it finds out. */
export const generateId = (length: IdLength): string => draw(ID_LENGTHS[length])

/**
 * Whether a string can be the id of a document at all. Ids of other servers moved here may use any letter.
 *
 * The letters and digits that no drawn id begins with (vowels and look-alikes) are kept for the day when
 * one database is not enough: each can name a further one, and everything else stays in the first.
 */
export const isDocumentId = (candidate: string): boolean => /^[A-Za-z0-9]{4,36}$/.test(candidate)

/** A password for a document: 24 characters of the alphabet, 134 bits. */
export const generatePassword = (): string => draw(PASSWORD_LENGTH)

/** Whether a password may be one of ours: it has the strength, so an edit need not stretch it. */
export const looksGenerated = (password: string): boolean =>
  password.length === PASSWORD_LENGTH && [...password].every((character) => ALPHABET.includes(character))

/** A key of KV for content that is about to be written: 134 random bits, so never one that exists. */
export const generateContentKey = (): string => `content/${draw(24)}`

/** The name of one version of one document, and of one burn. */
export const generateVersion = (): string => draw(12)
