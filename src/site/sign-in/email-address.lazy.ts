import * as z from 'zod/mini'

/** An email address of at most 254 characters (RFC 5321 §4.5.3.1.3). */
export const emailAddress = z.email().check(z.maxLength(254))
