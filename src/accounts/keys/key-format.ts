import { customAlphabet } from 'nanoid'

/** Existing SDKs reject keys without this prefix. */
const PREFIX = 'imperial_'

const generateSecret = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 40)

/** Generates the id of a key. It identifies the key without giving it away. */
export const generateKeyId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)

/** Returns true if a client-supplied key id has the right shape. */
export const isKeyId = (candidate: string): boolean => /^[0-9a-z]{12}$/.test(candidate)

/** Generates an API key. It is shown once and stored as its hash only. */
export const generateApiKey = (): string => PREFIX + generateSecret()

/** Returns true if a credential has the shape of an API key. Anything else is refused without a query. */
export const isApiKey = (candidate: string): boolean => /^imperial_[A-Za-z0-9]{40}$/.test(candidate)
