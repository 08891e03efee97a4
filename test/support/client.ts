import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'

/** A response of the API, as far as tests read it. */
export interface Answer<Data = DocumentBody> {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly success: boolean
    readonly data: Data
    readonly error: {
      readonly code: string
      readonly message: string
      readonly hint?: string
      readonly errors?: IssueBody[]
    }
  }
}

interface IssueBody {
  readonly code: string
  readonly path: (string | number)[]
  readonly message: string
}

export interface DocumentBody {
  readonly id: string
  readonly content: string
  readonly files?: readonly {
    readonly name: string
    readonly language: string
    readonly size: number
    readonly content: string
  }[]
  readonly creator: null | Record<string, unknown>
  readonly gist_url: string | null
  readonly views: number
  readonly timestamps: { readonly creation: string; readonly expiration: string }
  readonly links: { readonly formatted: string; readonly raw: string }
  readonly settings: {
    readonly title?: string
    readonly name?: string
    readonly language: string
    readonly image_embed: boolean
    readonly instant_delete: boolean
    readonly encrypted: boolean
    readonly public: boolean
    readonly editors: string[]
  }
  readonly password?: string
  readonly header?: string
}

export const ORIGIN = 'https://paste.example'

/** Returns the bindings with some variables changed. */
export const withVars = (vars: Record<string, string>): Env => ({ ...env, ...vars })

/** Returns the bindings of another isolate: in one, writes that exclude each other take turns before D1 decides. */
export const isolate = (): Env => withVars({})

/** A request for a page that doesn't say who sends it is a browser's. */
function toRequest(path: string, init: RequestInit): Request {
  const request = new Request(ORIGIN + path, init)
  const { headers, method } = request
  const isPage = method !== 'POST' && !/^\/(?:r|raw|v1)\//.test(path)
  if (isPage && !headers.has('Accept') && !headers.has('User-Agent'))
    headers.set('Accept', 'text/html,*/*;q=0.8')
  return request
}

const answers: Response[] = []

/** An answer that nobody reads would keep its memory, also in the files that run after this one. Runs after each test. */
export async function discardAnswers(): Promise<void> {
  for (const { body } of answers.splice(0)) if (body?.locked === false) await body.cancel()
}

/** Sends a request to the app, with other bindings than the usual ones if given. */
export async function send(
  path: string,
  init: RequestInit = {},
  { bindings = env, settle = false }: { bindings?: Env; settle?: boolean } = {},
): Promise<Response> {
  const ctx = createExecutionContext()
  const response = await app.fetch(toRequest(path, init), bindings, ctx)
  answers.push(response)
  // Views are gathered for a second before they are written. Tests that don't need them don't wait.
  if (settle) await waitOnExecutionContext(ctx)
  return response
}

/** Sends a request, and returns its answer with the body as text. */
export async function sendForText(path: string, init: RequestInit = {}) {
  const response = await send(path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  readonly bindings?: Env
  readonly settle?: boolean
}

/** Sends a request to the API, with a JSON body if one is given. */
export async function call<Data = DocumentBody>(
  method: string,
  path: string,
  body?: unknown,
  { key, headers = {}, ...options }: CallOptions = {},
): Promise<Answer<Data>> {
  const response = await send(
    path,
    {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { Authorization: key }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
    options,
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Creates a document and returns it. Throws an error with the response if that fails. */
export async function create(
  content: string,
  settings?: Record<string, unknown>,
  options: CallOptions = {},
): Promise<DocumentBody> {
  const answer = await call('POST', '/v1/document', { content, settings }, options)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

interface AnonymousDocument extends DocumentBody {
  readonly token: string
  /** The header that proves the token. */
  readonly headers: { readonly 'X-Document-Token': string }
}

/** Creates a document without an account and returns it with its token. */
export async function createAnonymous(
  content: string,
  settings?: Record<string, unknown>,
  options: CallOptions = {},
): Promise<AnonymousDocument> {
  const answer = await call('POST', '/v1/document', { content, settings }, options)
  const token = answer.headers.get('X-Document-Token')
  if (token === null) throw new Error(JSON.stringify(answer.body))
  return { ...answer.body.data, token, headers: { 'X-Document-Token': token } }
}

export const read = (id: string, options: CallOptions = {}) =>
  call('GET', `/v1/document/${id}`, undefined, options)

export const edit = (body: Record<string, unknown>, options: CallOptions = {}) =>
  call('PATCH', '/v1/document', body, options)

export const remove = (id: string, options: CallOptions = {}) =>
  call('DELETE', `/v1/document/${id}`, undefined, options)

/** Sends a form as a browser does. */
export const submit = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  bindings: Env = env,
) =>
  send(
    path,
    { method: 'POST', body: new URLSearchParams(fields), headers: { Origin: ORIGIN, ...headers } },
    { bindings },
  )
