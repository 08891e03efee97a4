import { claimToken, open } from './jwe-client.ts'
import { claim, fetchClaimHeader, fetchDocument, type Received, RequestError } from './requests.ts'

export interface Reading {
  readonly document: Received
  readonly text: string
  /** Whether the text is still in its envelope: it is all there is by now, so it is shown as it is. */
  readonly sealed: boolean
}

/** Reads a document; null when the password is another. Throws an Error with words for a person. */
type Read = (password: string) => Promise<Reading | null>

const READING_FAILED = {
  unanswered: 'The server could not be reached. Check the connection and try again.',
  cut: 'The connection broke off. Try again.',
  gone: 'This document is gone: it has expired or was deleted.',
  refused: 'This document has changed since you opened this page. Load the page again.',
  limited: 'That was too often. Try again in a minute.',
  fault: 'Something went wrong at the server, and nothing was lost. Try again in a moment.',
} as const satisfies Record<RequestError['failure'], string>

/** A claim deletes: who reads this must know how far it came. */
const CLAIM_FAILED = {
  ...READING_FAILED,
  unanswered:
    'The connection broke before an answer came, so the document may have been deleted on its way to you. Try again to find out.',
  cut: 'The connection broke off while the document was on its way to you. It is deleted, and what arrived can not be shown.',
  gone: 'This document is gone: somebody has read it, or it has expired or was deleted.',
  fault:
    'Something went wrong at the server. Try again in a moment to find out whether the document is there.',
} as const satisfies Record<RequestError['failure'], string>

const rethrowIn =
  (words: Record<RequestError['failure'], string>) =>
  (error: unknown): never => {
    throw error instanceof RequestError ? new Error(words[error.failure]) : error
  }

/** Opens an encrypted document. Its envelope is asked for once, so that many attempts are one view. */
export function encryptedReading(id: string): Read {
  let document: Received | undefined
  return async (password) => {
    document ??= await fetchDocument(id).catch(rethrowIn(READING_FAILED))
    const text = await open(document.content, password)
    return text === null ? null : { document, text, sealed: false }
  }
}

/** Reads and deletes a document. */
export const onceReading =
  (id: string): Read =>
  async () => {
    const document = await fetchDocument(id).catch(rethrowIn(CLAIM_FAILED))
    return { document, text: document.content, sealed: false }
  }

/** Proves the password, which deletes the document, and opens what comes for it. */
export const encryptedOnceReading =
  (id: string): Read =>
  async (password) => {
    const header = await fetchClaimHeader(id).catch(rethrowIn(READING_FAILED))
    const token = await claimToken(header, password)
    const document = await claim(id, token).catch(rethrowIn(CLAIM_FAILED))
    if (!document) return null
    // There is no second try: an envelope that was made with another password than its proof is kept as it is.
    const text = await open(document.content, password).catch(() => null)
    return text === null
      ? { document, text: document.content, sealed: true }
      : { document, text, sealed: false }
  }
