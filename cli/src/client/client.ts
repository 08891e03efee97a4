import { RegentError } from './errors.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type CallOptions,
  createTransport,
  type Transport,
  type TransportOptions,
} from './transport.ts'
import type {
  Account,
  CreateRequest,
  CreateSettings,
  Creator,
  Document,
  DocumentPage,
  EditRequest,
  Greeting,
  ListedDocument,
  ListedRevision,
  ListQuery,
  PublicQuery,
  Revision,
} from './types.ts'

/** The settings of a shared text. With `client_encrypted`, it needs no `encrypted`. */
export type ShareSettings = Pick<
  CreateSettings,
  'title' | 'language' | 'expiration' | 'instant_delete' | 'public' | 'client_encrypted' | 'claim_hash'
>

export interface SharedText {
  readonly id: string
  readonly link: string
  /** Proves that you created the document. Keep it. Null if you have an account. */
  readonly token: string | null
  /** ISO 8601 in UTC. A document that never expires has the expiration `9999-12-31T23:59:59.999Z`. */
  readonly expiration: string
}

/** The number of days, exact to less than a millisecond. */
function formatExpiration(expiration: number | string | null | undefined): string | undefined {
  if (expiration === undefined || typeof expiration === 'string') return expiration
  return expiration ? `${Number(expiration.toFixed(9))}d` : 'never'
}

/** Puts the settings into headers, because addresses end up in logs. */
const toShareRequest = (text: string, settings: ShareSettings): ApiRequest => ({
  method: 'POST',
  path: '/',
  headers: {
    // Headers can't hold line breaks.
    'X-Title': settings.title?.replaceAll(/[\0\r\n]+/g, ' '),
    'X-Language': settings.language,
    'X-Expires': formatExpiration(settings.expiration),
    'X-Burn': settings.instant_delete ? 'true' : undefined,
    'X-Public': settings.public ? 'true' : undefined,
    'X-Client-Encrypted': settings.client_encrypted ? 'true' : undefined,
    'X-Claim-Hash': settings.claim_hash,
  },
  text,
})

/** @throws RegentError for an answer that no Regent server gives. */
function parseSharedText({ data, headers, status }: ApiResponse): SharedText {
  const link = String(data).trim()
  const [, id] = /^https?:\/\/[^/]+\/(\w+)(?:#\w+)?$/.exec(link) ?? []
  const expiration = headers.get('X-Expires')
  if (status !== 201 || id === undefined || expiration === null) {
    throw new RegentError('invalid_response', 'The server doesn’t answer like a Regent server', { status })
  }
  return { id, link, token: headers.get('X-Document-Token'), expiration }
}

/** A document with the entity tag of its version. */
export interface VersionedDocument {
  readonly document: Document
  /** Goes into `ifMatch` of an edit. Null for documents that burn after reading. */
  readonly etag: string | null
}

export interface CreatedDocument extends VersionedDocument {
  /** Proves that you created the document. Keep it. Null if you have an account. */
  readonly token: string | null
  /** The password, if the server generated it. It can't be shown again. */
  readonly password: string | null
}

export interface TokenOptions extends CallOptions {
  /** The document token of a document that was created without an account. */
  readonly token?: string | null | undefined
}

export interface ReadOptions extends TokenOptions {
  /** Decrypts the document on the server. To decrypt it here, use `readText`. */
  readonly password?: string | undefined
}

export interface EditOptions extends TokenOptions {
  /** The entity tag of the version that the edit is based on. Another version gets `precondition_failed`. */
  readonly ifMatch?: string | null | undefined
}

const toQueryString = (query: ListQuery | PublicQuery): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

const documentPath = (id: string) => `/v1/document/${encodeURIComponent(id)}`

/** Lets the server recognise a request that is sent again because it didn't answer, so that it makes one document. */
const createIdempotencyKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })

/** Returns true if the server may have to generate a password, which it returns only once: it refuses a key then. */
const mayGeneratePassword = ({ infer_settings, settings = {} }: CreateRequest): boolean =>
  infer_settings === true || (settings.encrypted === true && !settings.client_encrypted && !settings.password)

/**
 * A client for the API of a Regent server. Runs wherever there is `fetch`.
 *
 * @example
 * const client = new RegentClient({ server: 'https://paste.example.org', key: 'imperial_…' })
 * const { document } = await client.createDocument({ content: 'Hello', settings: { expiration: 2 } })
 * console.log(document.links.formatted)
 */
export class RegentClient {
  readonly #send: Transport

  constructor(options: TransportOptions) {
    this.#send = createTransport(options)
  }

  async #request<Data>(request: ApiRequest): Promise<{ data: Data; headers: Headers; status: number }> {
    const { data, headers, status } = await this.#send(request)
    return { data: data as Data, headers, status }
  }

  async #requestDocument<Data extends Document = Document>(request: ApiRequest) {
    const { data, headers, status } = await this.#request<Data>(request)
    return { document: data, etag: headers.get('ETag'), headers, status }
  }

  /** `GET /v1` */
  async greet(options: CallOptions = {}): Promise<Greeting> {
    return (await this.#request<Greeting>({ method: 'GET', path: '/v1', ...options })).data
  }

  /** `POST /v1/document` */
  async createDocument(request: CreateRequest, options: CallOptions = {}): Promise<CreatedDocument> {
    const { document, etag, headers } = await this.#requestDocument<Document & { password?: string }>({
      method: 'POST',
      path: '/v1/document',
      headers: mayGeneratePassword(request) ? {} : createIdempotencyKey(),
      body: request,
      ...options,
    })
    const { password = null, ...created } = document
    return { document: created, etag, token: headers.get('X-Document-Token'), password }
  }

  /**
   * `POST /`, where programs such as curl share text. Unlike `createDocument`, it takes most settings without an account:
   * all but `public`, with an expiration of up to 7 days. Browsers can't use it.
   */
  async shareText(
    text: string,
    settings: ShareSettings = {},
    options: CallOptions = {},
  ): Promise<SharedText> {
    const { headers, ...request } = toShareRequest(text, settings)
    const repeatable = { ...headers, ...createIdempotencyKey() }
    return parseSharedText(await this.#send({ ...request, headers: repeatable, ...options }))
  }

  /** `GET /v1/document/:id`. Burns a document that burns after reading, unless you may edit it. */
  async readDocument(id: string, options: ReadOptions = {}): Promise<VersionedDocument> {
    const { document, etag } = await this.#requestDocument(readRequest(id, options))
    return { document, etag }
  }

  /** `GET /v1/document/:id` with `If-None-Match`. Returns null if the version is still the current one. */
  async readDocumentIfChanged(
    id: string,
    knownEtag: string,
    options: ReadOptions = {},
  ): Promise<VersionedDocument | null> {
    const { document, etag, status } = await this.#requestDocument(readRequest(id, options, knownEtag))
    return status === 304 ? null : { document, etag }
  }

  /** `HEAD /v1/document/:id`. Counts no view and never burns. Throws `not_found` if there is no document. */
  async checkDocument(id: string, options: TokenOptions = {}): Promise<{ readonly etag: string | null }> {
    const { headers } = await this.#request({ ...readRequest(id, options), method: 'HEAD' })
    return { etag: headers.get('ETag') }
  }

  /** `PATCH /v1/document`. Without changes, it returns the document, counts no view and never burns. */
  async editDocument(request: EditRequest, options: EditOptions = {}): Promise<VersionedDocument> {
    const { token, ifMatch, ...call } = options
    const { document, etag } = await this.#requestDocument({
      method: 'PATCH',
      path: '/v1/document',
      headers: { 'If-Match': ifMatch, 'X-Document-Token': token },
      body: request,
      ...call,
    })
    return { document, etag }
  }

  /** `DELETE /v1/document/:id` */
  async deleteDocument(id: string, { token, ...call }: TokenOptions = {}): Promise<void> {
    const headers = { 'X-Document-Token': token }
    await this.#request({ method: 'DELETE', path: documentPath(id), headers, ...call })
  }

  /** `GET /v1/document/:id/claim`. Returns the JWE header of an encrypted document that burns after reading. */
  async getClaimHeader(id: string, options: CallOptions = {}): Promise<string> {
    const path = `${documentPath(id)}/claim`
    return (await this.#request<{ header: string }>({ method: 'GET', path, ...options })).data.header
  }

  /** `POST /v1/document/:id/claim`. Returns the document with its JWE, and burns it. */
  async claimDocument(
    id: string,
    claimToken: string,
    { token, ...call }: TokenOptions = {},
  ): Promise<Document> {
    const { document } = await this.#requestDocument({
      method: 'POST',
      path: `${documentPath(id)}/claim`,
      headers: { 'X-Document-Token': token },
      body: { token: claimToken },
      ...call,
    })
    return document
  }

  /** `GET /v1/document/:id/revisions`. Returns the versions of the content, newest first. The first is the current one. */
  async listRevisions(id: string, { token, ...call }: TokenOptions = {}): Promise<readonly ListedRevision[]> {
    const { data } = await this.#request<{ revisions: readonly ListedRevision[] }>({
      method: 'GET',
      path: `${documentPath(id)}/revisions`,
      headers: { 'X-Document-Token': token },
      ...call,
    })
    return data.revisions
  }

  /** `GET /v1/document/:id/revisions/:number` */
  async readRevision(
    id: string,
    number: number,
    { token, password, ...call }: ReadOptions = {},
  ): Promise<Revision> {
    const path = `${documentPath(id)}/revisions/${number}`
    const headers = { 'X-Document-Token': token, 'X-Document-Password': password }
    return (await this.#request<Revision>({ method: 'GET', path, headers, ...call })).data
  }

  /**
   * `POST /v1/document/:id/revisions/:number/restore`
   *
   * @param options `claimToken` proves the present password of an encrypted document, as editors must.
   */
  async restoreRevision(
    id: string,
    number: number,
    { token, claimToken, ifMatch, ...call }: EditOptions & { readonly claimToken?: string | undefined } = {},
  ): Promise<VersionedDocument> {
    const { document, etag } = await this.#requestDocument({
      method: 'POST',
      path: `${documentPath(id)}/revisions/${number}/restore`,
      headers: { 'If-Match': ifMatch, 'X-Document-Token': token, 'X-Claim-Token': claimToken },
      ...call,
    })
    return { document, etag }
  }

  /** `DELETE /v1/document/:id/revisions` */
  async deleteRevisions(id: string, { token, ...call }: TokenOptions = {}): Promise<void> {
    const headers = { 'X-Document-Token': token }
    await this.#request({ method: 'DELETE', path: `${documentPath(id)}/revisions`, headers, ...call })
  }

  /** `GET /v1/users/@me` */
  async getAccount(options: CallOptions = {}): Promise<Account> {
    return (await this.#request<Account>({ method: 'GET', path: '/v1/users/@me', ...options })).data
  }

  /** `GET /v1/users/@me/recent`. Returns your ten newest documents. */
  async listRecentDocuments(options: CallOptions = {}): Promise<readonly ListedDocument[]> {
    const path = '/v1/users/@me/recent'
    return (await this.#request<readonly ListedDocument[]>({ method: 'GET', path, ...options })).data
  }

  /** `GET /v1/users/@me/documents` */
  async listDocuments(query: ListQuery = {}, options: CallOptions = {}): Promise<DocumentPage> {
    const path = `/v1/users/@me/documents${toQueryString(query)}`
    return (await this.#request<DocumentPage>({ method: 'GET', path, ...options })).data
  }

  /** `GET /v1/public`. Returns a page of the public documents of all accounts, newest first, without content. */
  async listPublicDocuments(query: PublicQuery = {}, options: CallOptions = {}): Promise<DocumentPage> {
    const path = `/v1/public${toQueryString(query)}`
    return (await this.#request<DocumentPage>({ method: 'GET', path, ...options })).data
  }

  /** `POST /v1/users/@me/regenerate_api_token`. Replaces the key of this client, which stops working. Returns the new one. */
  async regenerateKey(options: CallOptions = {}): Promise<Account & { readonly api_token: string }> {
    const path = '/v1/users/@me/regenerate_api_token'
    return (await this.#request<Account & { api_token: string }>({ method: 'POST', path, ...options })).data
  }

  /** `GET /v1/users/search/:prefix`. Returns up to ten accounts whose username starts with the prefix. */
  async searchUsers(prefix: string, options: CallOptions = {}): Promise<readonly Creator[]> {
    const path = `/v1/users/search/${encodeURIComponent(prefix)}`
    return (await this.#request<readonly Creator[]>({ method: 'GET', path, ...options })).data
  }

  /** `GET /v1/users/:username` */
  async getUser(username: string, options: CallOptions = {}): Promise<Creator> {
    const path = `/v1/users/${encodeURIComponent(username)}`
    return (await this.#request<Creator>({ method: 'GET', path, ...options })).data
  }
}

/** Matches passwords that a header can't hold: with spaces at their ends, line breaks or NUL characters. */
const UNFIT_FOR_HEADER = /^\s|\s$|[\0\r\n]/

function readRequest(id: string, { password, token, ...call }: ReadOptions, knownEtag?: string): ApiRequest {
  if (password !== undefined && UNFIT_FOR_HEADER.test(password)) {
    throw new RegentError(
      'bad_request',
      'This password has a line break, or spaces at its ends, so no header can hold it. Read the document without it, and decrypt the content',
    )
  }
  return {
    method: 'GET',
    path: documentPath(id),
    headers: { 'X-Document-Password': password, 'X-Document-Token': token, 'If-None-Match': knownEtag },
    ...call,
  }
}
