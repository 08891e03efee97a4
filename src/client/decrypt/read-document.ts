import { findToken } from '../device/device-documents.ts'
import { decryptText, deriveClaimToken } from '../encryption/jwe-client.ts'
import {
  type ApiDocument,
  claimDocument,
  fetchClaimHeader,
  fetchDocument,
  RequestError,
  type RequestFailure,
} from './document-requests.ts'

export interface ReadResult {
  readonly document: ApiDocument
  /** The text, or the JWE if it couldn't be decrypted. */
  readonly text: string
  readonly decrypted: boolean
}

/**
 * Reads a document. Returns null if the password is wrong.
 *
 * @throws Error with a message for the user.
 */
export type DocumentReader = (password: string) => Promise<ReadResult | null>

const READ_FAILURES: Readonly<Record<RequestFailure, string>> = {
  unanswered: 'The server couldn’t be reached. Check your connection and try again.',
  interrupted: 'The connection was interrupted. Try again.',
  gone: 'This document is gone. It has expired or was deleted.',
  refused: 'This document has changed since you opened this page. Reload the page.',
  'rate-limited': 'Too many attempts. Try again in a minute.',
  'server-error': 'Something went wrong on the server, and nothing was deleted. Try again in a moment.',
}

/** Reading burns the document, so the reader must know whether that may have happened. */
const BURN_FAILURES: Readonly<Record<RequestFailure, string>> = {
  ...READ_FAILURES,
  unanswered: 'The connection was lost, so the document may already be deleted. Try again to find out.',
  interrupted:
    'The connection was interrupted while the document was being sent. The document has been deleted and can’t be shown.',
  gone: 'This document is gone. Somebody has read it, it has expired, or it was deleted.',
  'server-error':
    'Something went wrong on the server. Try again to find out whether the document still exists.',
}

const rethrowAs =
  (messages: Readonly<Record<RequestFailure, string>>) =>
  (error: unknown): never => {
    throw error instanceof RequestError ? new Error(messages[error.failure]) : error
  }

/** Returns a reader for an encrypted document. It fetches the JWE once, so that several attempts count as one view. */
export function createEncryptedReader(id: string): DocumentReader {
  let document: ApiDocument | undefined
  return async (password) => {
    document ??= await fetchDocument(id, findToken(id)).catch(rethrowAs(READ_FAILURES))
    const text = await decryptText(document.content, password)
    return text === null ? null : { document, text, decrypted: true }
  }
}

/** Returns a reader that burns an unencrypted document. */
export const createBurnReader =
  (id: string): DocumentReader =>
  async () => {
    const document = await fetchDocument(id).catch(rethrowAs(BURN_FAILURES))
    return { document, text: document.content, decrypted: true }
  }

/** Returns a reader that claims an encrypted document, which burns it, and decrypts what it gets. */
export const createEncryptedBurnReader =
  (id: string): DocumentReader =>
  async (password) => {
    const header = await fetchClaimHeader(id).catch(rethrowAs(READ_FAILURES))
    const token = await deriveClaimToken(header, password)
    const document = await claimDocument(id, token).catch(rethrowAs(BURN_FAILURES))
    if (!document) return null
    // The document is deleted by now. If its JWE was made with another password than its claim hash, show the JWE.
    const text = await decryptText(document.content, password).catch(() => null)
    return { document, text: text ?? document.content, decrypted: text !== null }
  }
