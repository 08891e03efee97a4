import type { Request } from 'autocannon'

/** What the service has been filled with, and floors on a copy of the same storage. */
export interface Seed {
  /** A document that is read again and again. */
  readonly hot: { readonly id: string; readonly contentKey: string; readonly etag: string }
  /** More documents than the cache of an isolate holds. */
  readonly cold: readonly { readonly id: string }[]
  readonly key: string
}

export interface Target {
  readonly name: string
  /** A file of `floors`, or the service. */
  readonly worker: 'service' | 'hello' | 'd1' | 'kv' | 'd1-and-kv' | 'create'
  /** The target that this one is compared with; none for floors. */
  readonly floor?: string
  /** The most CPU a request may take, as a multiple of the floor's. */
  readonly goal?: number
  /** Or the most milliseconds it may take beyond the floor's. */
  readonly goalBeyondMs?: number
  readonly status: number
  readonly request: (seed: Seed) => Request
}

const text = 'All work and no play makes a dull document, one line after the other.\n'
  .repeat(15)
  .slice(0, 1_024)

const post = (body: object, key?: string): Request => ({
  method: 'POST',
  path: '/v1/document',
  headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: key }) },
  body: JSON.stringify(body),
})

/** Another document with every request, whichever connection sends it. */
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

/** The body of every document that is made here: 1 KiB. */
export const newDocument = { content: text }

/** In the order in which they take turns: each floor next to what is compared with it. */
export const TARGETS: readonly Target[] = [
  { name: 'hello', worker: 'hello', status: 200, request: () => get('/') },
  { name: 'KV get', worker: 'kv', status: 200, request: ({ hot }) => get(`/${hot.contentKey}`) },
  { name: 'D1 row', worker: 'd1', status: 200, request: ({ hot }) => get(`/${hot.id}`) },
  {
    name: 'read, hot',
    worker: 'service',
    floor: 'D1 row',
    goal: 1.1,
    status: 200,
    request: ({ hot }) => get(`/v1/document/${hot.id}`),
  },
  {
    name: 'raw, hot',
    worker: 'service',
    floor: 'D1 row',
    goal: 1.1,
    status: 200,
    request: ({ hot }) => get(`/r/${hot.id}`),
  },
  {
    name: 'not modified',
    worker: 'service',
    floor: 'D1 row',
    goal: 1.05,
    status: 304,
    request: ({ hot }) => get(`/v1/document/${hot.id}`, { 'If-None-Match': hot.etag }),
  },
  {
    name: 'page, hot',
    worker: 'service',
    floor: 'D1 row',
    goal: 1.35,
    status: 200,
    request: ({ hot }) => get(`/${hot.id}`),
  },
  {
    name: 'D1 row, then KV get',
    worker: 'd1-and-kv',
    status: 200,
    request: ({ cold }) => rotating(cold, (id) => `/${id}`),
  },
  {
    name: 'read, cold',
    worker: 'service',
    floor: 'D1 row, then KV get',
    goal: 1.1,
    status: 200,
    request: ({ cold }) => rotating(cold, (id) => `/v1/document/${id}`),
  },
  { name: 'KV put, then D1 insert', worker: 'create', status: 200, request: () => post(newDocument) },
  {
    name: 'create',
    worker: 'service',
    floor: 'KV put, then D1 insert',
    goal: 1.15,
    status: 200,
    request: () => post(newDocument),
  },
  {
    name: 'create with a key',
    worker: 'service',
    status: 200,
    request: ({ key }) => post(newDocument, key),
  },
  {
    name: 'create, encrypted',
    worker: 'service',
    floor: 'create with a key',
    goalBeyondMs: 1,
    status: 200,
    request: ({ key }) => post({ ...newDocument, settings: { encrypted: true } }, key),
  },
]
