import { findToken, tokenHeader } from '../device/device-documents.ts'
import { decryptInWorker, deriveClaimTokenInWorker } from '../encryption/jwe-client.ts'

export interface ApiDocument {
  readonly id: string
  readonly content: string
  readonly creator: { readonly username: string } | null
  readonly timestamps: { readonly creation: string }
  readonly settings: { readonly language: string; readonly title?: string }
}

/** `unanswered`: the request may or may not have reached the server. */
type RequestFailure = 'unanswered' | 'interrupted' | 'gone' | 'refused' | 'rate-limited' | 'server-error'

class RequestError extends Error {
  readonly failure: RequestFailure

  constructor(failure: RequestFailure) {
    super(failure)
    this.failure = failure
  }
}

function getFailure(status: number): RequestFailure {
  if (status === 404) return 'gone'
  if (status === 429) return 'rate-limited'
  return status >= 500 ? 'server-error' : 'refused'
}

async function request<Data>(path: string, init?: RequestInit): Promise<Data> {
  const response = await fetch(path, { ...init, cache: 'no-store' }).catch(() => {
    throw new RequestError('unanswered')
  })
  if (!response.ok) throw new RequestError(getFailure(response.status))
  const { data }: { data: Data } = await response.json().catch(() => {
    throw new RequestError('interrupted')
  })
  return data
}

/** Counts a view, and burns a document that burns after reading, except for its creator, who has a token. */
export const fetchDocument = (id: string, token: string | null = null): Promise<ApiDocument> =>
  request(`/v1/document/${id}`, { headers: tokenHeader(token) })

export const fetchClaimHeader = async (id: string): Promise<string> =>
  (await request<{ header: string }>(`/v1/document/${id}/claim`)).header

export const claimDocument = (id: string, token: string): Promise<ApiDocument | null> =>
  request<ApiDocument>(`/v1/document/${id}/claim`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch((error) => {
    if (error instanceof RequestError && error.failure === 'refused') return null
    throw error
  })

export interface ReadResult {
  readonly document: ApiDocument
  /** The text, or the JWE if it couldn't be decrypted. */
  readonly text: string
  readonly decrypted: boolean
}

type DocumentReader = (password: string) => Promise<ReadResult | null>

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

/** Fetches the JWE once, so that several attempts count as one view. */
export function createEncryptedReader(id: string): DocumentReader {
  let document: ApiDocument | undefined
  return async (password) => {
    document ??= await fetchDocument(id, findToken(id)).catch(rethrowAs(READ_FAILURES))
    const text = await decryptInWorker(document.content, password)
    return text === null ? null : { document, text, decrypted: true }
  }
}

export const createBurnReader =
  (id: string): DocumentReader =>
  async () => {
    const document = await fetchDocument(id).catch(rethrowAs(BURN_FAILURES))
    return { document, text: document.content, decrypted: true }
  }

/** Claims the document, which burns it, and decrypts what it gets. */
export const createEncryptedBurnReader =
  (id: string): DocumentReader =>
  async (password) => {
    const header = await fetchClaimHeader(id).catch(rethrowAs(READ_FAILURES))
    const token = await deriveClaimTokenInWorker(header, password)
    const document = await claimDocument(id, token).catch(rethrowAs(BURN_FAILURES))
    if (!document) return null
    // The document is deleted by now. If its JWE was made with another password than its claim hash, show the JWE.
    const text = await decryptInWorker(document.content, password).catch(() => null)
    return { document, text: text ?? document.content, decrypted: text !== null }
  }
