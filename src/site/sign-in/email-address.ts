import * as z from 'zod/mini'

/** The longest address that mail can go to (RFC 5321 §4.5.3.1.3). */
const address = z.email().check(z.maxLength(254))

/** Whether a text can be an e-mail address as people have them: the mail itself proves the rest. */
export const isEmail = (candidate: string): boolean => z.safeParse(address, candidate).success
