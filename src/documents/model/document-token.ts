import * as base64url from 'jose/base64url'
import { generateSecret } from './ids.ts'

/** Tells people and secret scanners what it is. */
const PREFIX = 'regent_doc_'

/** With 36 characters, a token has 201 random bits. */
const SECRET_CHARACTERS = 36

const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9]{${SECRET_CHARACTERS}}$`)

/** Generates the token of an anonymous document. It is shown once and stored as its hash only. */
export const generateDocumentToken = (): string => PREFIX + generateSecret(SECRET_CHARACTERS)

/** Returns true if a string has the shape of a document token. No other can be right. */
export const isDocumentToken = (candidate: string): boolean => TOKEN.test(candidate)

/** Returns the stored form of a document token: base64url of its SHA-256. It's too random to need salt or stretching. */
export async function hashDocumentToken(token: string): Promise<string> {
  const bytes = new TextEncoder().encode(token)
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
