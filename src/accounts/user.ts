import { customAlphabet } from 'nanoid'

/** A new account id. It stands in addresses of pictures, so it looks like nothing but an id. */
export const drawUserId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 20)

/** An account as far as a request needs it. */
export interface User {
  readonly id: string
  readonly username: string
  /** Whether the e-mail address is proven. */
  readonly confirmed: boolean
}

/** 3 to 30 letters, digits, `_` and `-`; unique without case. */
export const isUsername = (candidate: string): boolean => /^[A-Za-z0-9_-]{3,30}$/.test(candidate)
