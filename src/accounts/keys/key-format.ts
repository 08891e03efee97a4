import { customAlphabet } from 'nanoid'

/** SDKs of the interface drop keys that do not begin with it. */
const PREFIX = 'imperial_'

const drawSecret = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 40)

/** What a person names a key by: to see it is not to know the key. */
export const generateKeyId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)

/** Whether a form's word for a key that it is to make can be the key's id. */
export const isKeyId = (candidate: string): boolean => /^[0-9a-z]{12}$/.test(candidate)

/** A new API key: shown once, stored only as its hash. */
export const generateApiKey = (): string => PREFIX + drawSecret()

/** Whether a credential has the form of a key: any other is refused without a query. */
export const isApiKey = (candidate: string): boolean => /^imperial_[A-Za-z0-9]{40}$/.test(candidate)
