import { contentTooLarge, invalidBody, issueAt } from '../errors.ts'
import { encodeText } from '../shared/encodings.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimHash,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  JweError,
  parseJwe,
  parseJweHeader,
} from '../shared/jwe.ts'
import { AUTO, findLanguageOfTitle, TXTAR } from '../shared/languages.ts'
import { formatArchive } from '../shared/txtar.ts'
import { type Claim, generatePassword } from './document.ts'

export type IncomingContent = ReturnType<typeof toPlainText> | ReturnType<typeof toJweContent>

/** The header, the initialization vector and the tag of a JWE take fewer bytes than this, and so must whitespace around it. */
const MAX_JWE_EXTRA_BYTES = 4 * 1024

/** Base64url takes four characters for three bytes. */
export const getMaxJweBytes = (maxContentBytes: number): number =>
  Math.ceil((maxContentBytes * 4) / 3) + MAX_JWE_EXTRA_BYTES

/** @throws AppError `content_too_large`, and `bad_request` for empty text or a lone surrogate, which UTF-8 lacks. */
export function toPlainText(text: string, maxContentBytes: number) {
  // Text never has fewer bytes in UTF-8 than units in UTF-16.
  if (text.length > maxContentBytes) throw contentTooLarge()
  if (text === '') throw invalidBody(issueAt(['content'], 'Must not be empty'))
  if (!text.isWellFormed()) {
    throw invalidBody(issueAt(['content'], 'Must be well-formed Unicode: it has a lone surrogate'))
  }
  const bytes = encodeText(text)
  if (bytes.byteLength > maxContentBytes) throw contentTooLarge()
  return { kind: 'text', text, bytes } as const
}

/** @throws AppError `content_too_large` for the encrypted text, and `bad_request` at `content` with the reason. */
function toJweContent(text: string, maxContentBytes: number) {
  const jwe = text.trim()
  if (text.length - jwe.length > MAX_JWE_EXTRA_BYTES) throw contentTooLarge()
  try {
    const { header, contentBytes } = parseJwe(jwe)
    if (contentBytes > maxContentBytes) throw contentTooLarge()
    // The bytes are those of the encrypted text.
    return { kind: 'jwe', text: jwe, header, contentBytes } as const
  } catch (error) {
    if (error instanceof JweError) throw invalidBody(issueAt(['content'], error.message))
    throw error
  }
}

export const toContent = (
  text: string,
  clientEncrypted: boolean,
  maxContentBytes: number,
): IncomingContent =>
  clientEncrypted ? toJweContent(text, maxContentBytes) : toPlainText(text, maxContentBytes)

interface SentFile {
  readonly name: string
  readonly content: string
  readonly language?: string | null | undefined
}

/**
 * Turns the files of a request into one text, with the title and the language that go with it.
 *
 * @param named the language of the text, which several files have of their own.
 */
export function joinFiles(files: readonly SentFile[], named?: string | null) {
  const [{ name, content, language } = { name: '', content: '' }, ...others] = files
  if (others.length === 0) {
    if (content === '') throw invalidBody(issueAt(['files', 0, 'content'], 'Must not be empty'))
    const chosen = chooseFileLanguage(named ?? language)
    return {
      content,
      name,
      language: chosen ?? findLanguageOfTitle(name) ?? AUTO,
      languageDetected: chosen === undefined,
    }
  }
  const archive = formatArchive(
    files.map((file) => ({ ...file, language: chooseFileLanguage(file.language) })),
  )
  return { content: archive, name: undefined, language: TXTAR, languageDetected: true }
}

const chooseFileLanguage = (language: string | null | undefined): string | undefined =>
  language && language !== AUTO ? language : undefined

/** Creates a claim from a valid JWE, so that the password can be proven without the content. */
export async function createClaim(jwe: string, password: string): Promise<Claim> {
  const header = parseJweHeader(jwe.slice(0, jwe.indexOf('.')))
  return { header: header.encoded, hash: await deriveClaimHash(password, header) }
}

interface EncryptionOptions {
  readonly content: IncomingContent
  /** The service generates a password for `password: null`. */
  readonly encryption: { readonly password: string | null } | null
  readonly burnAfterReading: boolean
  readonly claimHash: string | null
}

/** Returns the bytes to be stored. A client's JWE is stored as it is. */
export async function encryptContent({
  content,
  encryption,
  burnAfterReading,
  claimHash,
}: EncryptionOptions) {
  if (content.kind === 'jwe') {
    return {
      bytes: encodeText(content.text),
      contentBytes: content.contentBytes,
      claim:
        burnAfterReading && claimHash !== null ? { header: content.header.encoded, hash: claimHash } : null,
      // Editors prove the password by it.
      proofHash: claimHash,
      generatedPassword: null,
    }
  }
  const { bytes } = content
  if (!encryption) {
    return {
      bytes,
      contentBytes: bytes.byteLength,
      claim: null,
      proofHash: null,
      generatedPassword: null,
    }
  }
  const password = encryption.password ?? generatePassword()
  const generatedPassword = encryption.password === null ? password : null
  const iterations = generatedPassword === null ? CHOSEN_PASSWORD_ITERATIONS : GENERATED_PASSWORD_ITERATIONS
  const jwe = await encryptJwe(bytes, password, iterations)
  const claim = await createClaim(jwe, password)
  return {
    bytes: encodeText(jwe),
    contentBytes: bytes.byteLength,
    claim: burnAfterReading ? claim : null,
    proofHash: claim.hash,
    generatedPassword,
  }
}
