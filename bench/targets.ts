import type { Request } from 'autocannon'

/** The documents and the account that the service and the baselines start with. */
export interface Seed {
  /** A document that is read over and over. */
  readonly hot: { readonly id: string; readonly contentKey: string; readonly etag: string }
  /** More documents than an isolate's cache holds. */
  readonly cold: readonly { readonly id: string }[]
  readonly key: string
}

export interface Target {
  readonly name: string
  /** The service, or a file in `baselines`. */
  readonly worker: 'service' | 'hello' | 'd1' | 'kv' | 'd1-and-kv' | 'create'
  /** The target that this one is compared with. */
  readonly baseline?: string
  /** The most CPU time a request may take, as a multiple of the baseline's. */
  readonly goal?: number
  /** The most milliseconds of CPU time a request may take on top of the baseline's. */
  readonly goalExtraMs?: number
  readonly expectedStatus: number
  readonly request: (seed: Seed) => Request
}

const CONTENT = 'All work and no play makes a dull document, one line after the other.\n'
  .repeat(15)
  .slice(0, 1_024)

const post = (body: object, key?: string): Request => ({
  method: 'POST',
  path: '/v1/document',
  headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: key }) },
  body: JSON.stringify(body),
})

/** Reads the next document with each request, on any connection. */
function rotating(documents: Seed['cold'], path: (id: string) => string): Request {
  let next = 0
  return {
    method: 'GET',
    setupRequest: (request) => {
      const document = documents[next++ % documents.length]
      return { ...request, path: path(document?.id ?? '') }
    },
  }
}

const get = (path: string, headers: Record<string, string> = {}): Request => ({
  method: 'GET',
  path,
  headers,
})

/** The body of every new document: 1 KiB of text. */
export const newDocument = { content: CONTENT }

/** In the order of measurement: each baseline is next to the targets that are compared with it. */
export const TARGETS: readonly Target[] = [
  { name: 'hello', worker: 'hello', expectedStatus: 200, request: () => get('/') },
  { name: 'KV get', worker: 'kv', expectedStatus: 200, request: ({ hot }) => get(`/${hot.contentKey}`) },
  { name: 'D1 row', worker: 'd1', expectedStatus: 200, request: ({ hot }) => get(`/${hot.id}`) },
  {
    name: 'read, hot',
    worker: 'service',
    baseline: 'D1 row',
    goal: 1.1,
    expectedStatus: 200,
    request: ({ hot }) => get(`/v1/document/${hot.id}`),
  },
  {
    name: 'raw, hot',
    worker: 'service',
    baseline: 'D1 row',
    goal: 1.1,
    expectedStatus: 200,
    request: ({ hot }) => get(`/r/${hot.id}`),
  },
  {
    name: 'not modified',
    worker: 'service',
    baseline: 'D1 row',
    goal: 1.05,
    expectedStatus: 304,
    request: ({ hot }) => get(`/v1/document/${hot.id}`, { 'If-None-Match': hot.etag }),
  },
  {
    name: 'page, hot',
    worker: 'service',
    baseline: 'D1 row',
    goal: 1.35,
    expectedStatus: 200,
    request: ({ hot }) => get(`/${hot.id}`),
  },
  {
    name: 'D1 row, then KV get',
    worker: 'd1-and-kv',
    expectedStatus: 200,
    request: ({ cold }) => rotating(cold, (id) => `/${id}`),
  },
  {
    name: 'read, cold',
    worker: 'service',
    baseline: 'D1 row, then KV get',
    goal: 1.1,
    expectedStatus: 200,
    request: ({ cold }) => rotating(cold, (id) => `/v1/document/${id}`),
  },
  { name: 'KV put, then D1 insert', worker: 'create', expectedStatus: 200, request: () => post(newDocument) },
  {
    name: 'create',
    worker: 'service',
    baseline: 'KV put, then D1 insert',
    goal: 1.15,
    expectedStatus: 200,
    request: () => post(newDocument),
  },
  {
    name: 'create with a key',
    worker: 'service',
    expectedStatus: 200,
    request: ({ key }) => post(newDocument, key),
  },
  {
    name: 'create, encrypted',
    worker: 'service',
    baseline: 'create with a key',
    goalExtraMs: 1,
    expectedStatus: 200,
    request: ({ key }) => post({ ...newDocument, settings: { encrypted: true } }, key),
  },
]
