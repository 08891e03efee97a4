/** Digits and letters without vowels and look-alikes (`0 1 l`), so that ids don't spell words and are easy to read. */
export const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ'

/**
 * The length of a generated password. With this alphabet, that's 134 random bits, so the password needs no key
 * stretching.
 */
export const GENERATED_PASSWORD_CHARACTERS = 24

/**
 * Ids imported from other servers may contain any letter.
 *
 * Generated ids never start with a vowel or look-alike. Those characters are reserved for the day when one database
 * isn't enough: each can then select another database.
 */
export const isDocumentId = (candidate: string): boolean => /^[A-Za-z0-9]{4,36}$/.test(candidate)

const GENERATED_ID = new RegExp(`^[${ALPHABET}]{4}(?:[${ALPHABET}]{4}|[${ALPHABET}]{32})?$`)

/** Returns true for names with the form of a short, standard or long id. Few names of files have it. */
export const looksLikeId = (name: string): boolean => GENERATED_ID.test(name)

export const MAX_NAME_CHARACTERS = 64

export const NAME_RULE = `Use 1 to ${MAX_NAME_CHARACTERS} of a-z, 0-9, "-", "_" and "."`

/** Checks the name that an account gives to its document. A path can't end in `.` or `..`. */
export const isDocumentName = (candidate: string): boolean =>
  /^[a-z\d._-]{1,64}$/.test(candidate) && candidate !== '.' && candidate !== '..'

interface NamedAddress {
  readonly username: string
  readonly name: string
}

/** Returns null unless the address is `@username/name`. */
export function parseNamedAddress(address: string): NamedAddress | null {
  const [, username, name] = /^@([A-Za-z0-9_-]{3,30})\/(.+)$/.exec(address) ?? []
  return username !== undefined && name !== undefined && isDocumentName(name) ? { username, name } : null
}

export const formatNamedAddress = ({ username, name }: NamedAddress): string => `@${username}/${name}`

/** Tells whether a text is an id, or `@username/name`. */
export const isDocumentAddress = (candidate: string): boolean =>
  isDocumentId(candidate) || parseNamedAddress(candidate) !== null

/** Reads it from the path of a page, a text or an embed; null for any other path. */
export function findAddressInPath(path: string): string | null {
  const [, id, named] =
    /^\/(?:p\/|r\/|raw\/)?(?:([^/.@]+)(?:\.[^/]*|\/embed)?|(@[^/]+\/[^/]+)(?:\/embed)?)$/.exec(path) ?? []
  const address = id ?? named ?? ''
  return isDocumentAddress(address) ? address : null
}

/** Removes the file extension that an id may have in a path. In a name, it's a part of the name. */
export const toAddress = (path: string): string =>
  path.startsWith('@') ? path : (path.split('.', 1)[0] ?? '')

/** Documents whose tokens a browser keeps, and that one request adds to an account. */
export const MAX_DEVICE_DOCUMENTS = 200
export const MAX_ADDED_DOCUMENTS = 100
