/** What this part of the site reads of a document that the API answers. */
export interface Received {
  readonly id: string
  /** The text, or the envelope of an encrypted document. */
  readonly content: string
  readonly creator: { readonly username: string } | null
  readonly timestamps: { readonly creation: string }
  readonly settings: { readonly language: string }
}

type Failure =
  /** No answer came: nobody knows whether the request arrived. */
  | 'unanswered'
  /** The answer broke off. */
  | 'cut'
  | 'gone'
  | 'refused'
  | 'limited'
  | 'fault'

export class RequestError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

function failureOf(status: number): Failure {
  if (status === 404) return 'gone'
  if (status === 429) return 'limited'
  return status >= 500 ? 'fault' : 'refused'
}

async function request<Data>(path: string, init?: RequestInit): Promise<Data> {
  const response = await fetch(path, { ...init, cache: 'no-store' }).catch(() => {
    throw new RequestError('unanswered')
  })
  if (!response.ok) throw new RequestError(failureOf(response.status))
  const { data }: { data: Data } = await response.json().catch(() => {
    throw new RequestError('cut')
  })
  return data
}

/** The document: of an encrypted one its envelope. It counts a view, and deletes what is read once. */
export const fetchDocument = (id: string): Promise<Received> => request(`/v1/document/${id}`)

/** The header of an encrypted document that is read once. It deletes nothing. */
export const fetchClaimHeader = async (id: string): Promise<string> =>
  (await request<{ header: string }>(`/v1/document/${id}/claim`)).header

/** The document for the proof of its password, which deletes it; null when the proof is of another one. */
export const claim = (id: string, token: string): Promise<Received | null> =>
  request<Received>(`/v1/document/${id}/claim`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch((error) => {
    if (error instanceof RequestError && error.failure === 'refused') return null
    throw error
  })
