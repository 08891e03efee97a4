/** The fields of an API document that this page uses. */
export interface ApiDocument {
  readonly id: string
  /** The text, or the JWE of an encrypted document. */
  readonly content: string
  readonly creator: { readonly username: string } | null
  readonly timestamps: { readonly creation: string }
  /** `title` is there only if somebody gave the document one. */
  readonly settings: { readonly language: string; readonly title?: string }
}

export type RequestFailure =
  /** No answer arrived. The request may or may not have reached the server. */
  | 'unanswered'
  /** The connection broke while the answer arrived. */
  | 'interrupted'
  | 'gone'
  | 'refused'
  | 'rate-limited'
  | 'server-error'

export class RequestError extends Error {
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

/**
 * Fetches a document. It counts a view, and burns a document that burns after reading, except for its creator.
 *
 * @param token the document token, if this browser created the document.
 */
export const fetchDocument = (id: string, token: string | null = null): Promise<ApiDocument> =>
  request(`/v1/document/${id}`, token === null ? {} : { headers: { 'X-Document-Token': token } })

/** Fetches the JWE header that a claim token is derived from. It burns nothing. */
export const fetchClaimHeader = async (id: string): Promise<string> =>
  (await request<{ header: string }>(`/v1/document/${id}/claim`)).header

/** Claims a document with a claim token, which burns it. Returns null if the token is wrong. */
export const claimDocument = (id: string, token: string): Promise<ApiDocument | null> =>
  request<ApiDocument>(`/v1/document/${id}/claim`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch((error) => {
    if (error instanceof RequestError && error.failure === 'refused') return null
    throw error
  })
