import { inject } from 'vitest'
import { Answer, type DocumentBody } from './answer.ts'
import type { Target } from './target.ts'

/** A server to check, and how to reach it. */
export interface Server {
  readonly target: Target
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
}

let findOwnServer: (() => Promise<Server>) | null = null

/** Makes the clauses check a server that runs in this process, instead of the one at `--url`. */
export function checkOwnServer(find: () => Promise<Server>): void {
  findOwnServer = find
}

/** Returns the server that this run checks. */
export const findServer = async (): Promise<Server> =>
  findOwnServer ? findOwnServer() : { target: inject('conformance'), fetch }

const MAX_WAIT_SECONDS = 120
/** Other clauses use up the same limit. */
const MAX_WAITS = 15

export interface Call {
  /** The value of `Authorization`. If it's empty, the request doesn't have the header. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Returns how long to wait after a 429. Throws an Error if the response doesn't say. */
function readRetryAfter(answer: Answer): number {
  const seconds = Number(answer.header('Retry-After'))
  if (answer.header('Retry-After') === '' || !(seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) {
    throw new Error(`429 with Retry-After "${answer.header('Retry-After')}"`)
  }
  return seconds
}

/** As `RateLimit-Policy` names the limit. */
const nameLimit = (answer: Answer): string =>
  /^"([^"]+)"/.exec(answer.header('RateLimit-Policy'))?.[1] ?? 'requests'

/** Sends requests for one clause, and deletes the documents that it creates. */
export class Api {
  readonly target: Target
  readonly #fetch: Server['fetch']
  readonly #created: { readonly id: string; readonly credentials: Call }[] = []

  constructor({ target, fetch }: Server) {
    this.target = target
    this.#fetch = fetch
  }

  /** Sends a request. After a 429, waits as long as the server says and sends it again. */
  async send(method: string, path: string, call: Call = {}): Promise<Answer> {
    for (let waits = 0; ; waits++) {
      const answer = await this.sendOnce(method, path, call)
      if (answer.status !== 429 || waits === MAX_WAITS) return answer
      const seconds = readRetryAfter(answer)
      console.log(`Waiting ${seconds} seconds: the server takes no more ${nameLimit(answer)} now.`)
      await pause(seconds)
    }
  }

  /** Sends a request and returns the answer, even if it's a 429. */
  async sendOnce(
    method: string,
    path: string,
    { key = '', headers, json, body }: Call = {},
  ): Promise<Answer> {
    const sent = json === undefined ? body : JSON.stringify(json)
    const response = await this.#fetch(this.target.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== '' && { Authorization: key }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    this.#forgetGone(method, path, response)
    return new Answer(response.status, response.headers, bytes)
  }

  /** Deleting a document that is gone would be a write for nothing, and servers limit writes. */
  #forgetGone(method: string, path: string, { status, ok }: Response): void {
    if (method === 'DELETE' ? !ok : status !== 404) return
    const at = this.#created.findIndex(({ id }) => path === `/v1/document/${id}`)
    if (at !== -1) this.#created.splice(at, 1)
  }

  /** Creates a document, which `cleanUp` deletes. */
  async post(json: unknown, call: Call = {}): Promise<Answer> {
    const answer = await this.send('POST', '/v1/document', { ...call, json })
    this.deleteLater(answer, call.key)
    return answer
  }

  /** Makes `cleanUp` delete the document in the response to a create. */
  deleteLater(answer: Answer, key = ''): void {
    if (answer.status !== 200) return
    this.#created.push({ id: answer.document.id, credentials: this.#getCredentials(answer, key) })
  }

  /** Makes `cleanUp` delete the document in the response to a text, which is a link, or to a haste client. */
  deleteSharedLater(answer: Answer, key: string): void {
    const id = /(\w+)"?\}?\s*$/.exec(answer.text)?.[1] ?? ''
    this.#created.push({ id, credentials: this.#getCredentials(answer, key) })
  }

  #getCredentials(answer: Answer, key: string): Call {
    const token = answer.header('X-Document-Token')
    return token === '' ? { key } : { headers: { 'X-Document-Token': token } }
  }

  /** Creates a document without settings and without a key, and returns its token too. */
  async createAnonymous(content = 'text'): Promise<DocumentBody & { readonly token: string }> {
    const answer = await this.post({ content })
    return { ...answer.document, token: answer.header('X-Document-Token') }
  }

  /** Creates a document of an account. */
  async create(key: string, content = 'text', settings: object = {}): Promise<DocumentBody> {
    return (await this.post({ content, settings }, { key })).document
  }

  read(id: string, call?: Call): Promise<Answer> {
    return this.send('GET', `/v1/document/${id}`, call)
  }

  head(id: string, call?: Call): Promise<Answer> {
    return this.send('HEAD', `/v1/document/${id}`, call)
  }

  readRaw(id: string, call?: Call): Promise<Answer> {
    return this.send('GET', `/r/${id}`, call)
  }

  edit(json: unknown, call: Call = {}): Promise<Answer> {
    return this.send('PATCH', '/v1/document', { ...call, json })
  }

  remove(id: string, call?: Call): Promise<Answer> {
    return this.send('DELETE', `/v1/document/${id}`, call)
  }

  claim(id: string, token: unknown, call: Call = {}): Promise<Answer> {
    return this.send('POST', `/v1/document/${id}/claim`, { ...call, json: { token } })
  }

  /** Deletes the documents that the clause created, and ignores those that are already deleted. */
  async cleanUp(): Promise<void> {
    await Promise.all(this.#created.splice(0).map(({ id, credentials }) => this.remove(id, credentials)))
  }
}
