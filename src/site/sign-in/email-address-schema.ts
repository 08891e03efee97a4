import * as z from 'zod/mini'

/** The longest address that email can be sent to (RFC 5321 §4.5.3.1.3). */
export const emailAddress = z.email().check(z.maxLength(254))
