import * as z from 'zod/mini'

/** The longest address that email can be sent to (RFC 5321 §4.5.3.1.3). */
const address = z.email().check(z.maxLength(254))

/** Returns true if a text looks like an email address. The emailed link proves that it exists. */
export const isEmail = (candidate: string): boolean => z.safeParse(address, candidate).success
