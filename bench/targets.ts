import type { RunningWorker } from '../scripts/support/runtime.ts'
import { createAccount } from '../scripts/support/runtime.ts'
import type { SendRequest } from './load.ts'

const CONTENT = 'All work and no play makes a dull document, one line after the other.\n'
  .repeat(15)
  .slice(0, 1_024)

/** The body of every new document: 1 KiB of text. */
export const newDocument = { content: CONTENT }

/** The headers that curl sends. */
const PROGRAM = { 'User-Agent': 'curl/8.14.1', Accept: '*/*' }
/** The headers that Chrome on Android sends. */
const BROWSER = {
  'User-Agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'cross-site',
  'Upgrade-Insecure-Requests': '1',
}

/** The documents and the accounts that a Worker starts with. */
export interface Seed {
  /**
   * So many that two requests under way at the same time aren't of the same account: one that stores something else meanwhile is
   * asked about in D1 before KV stores the content.
   */
  readonly keys: readonly string[]
  /** Documents of the first account, which many people read. */
  readonly hot: readonly { readonly id: string; readonly etag: string }[]
  /** A document of each account, which its owner edits. */
  readonly edited: readonly string[]
  /** More documents than an isolate keeps in memory. */
  readonly cold: readonly string[]
}

const HOT_DOCUMENTS = 8
const ACCOUNTS = 128
/** More than the 16 MiB content cache holds at two bytes per character. */
const COLD_DOCUMENTS = 9_000
const CONCURRENCY = 32

async function createDocument(url: string, key: string): Promise<{ id: string; etag: string }> {
  const response = await fetch(`${url}/v1/document`, {
    method: 'POST',
    headers: { ...PROGRAM, 'Content-Type': 'application/json', ...(key && { Authorization: key }) },
    body: JSON.stringify(newDocument),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  return { id: data.id, etag: response.headers.get('ETag') ?? '' }
}

/** Creates accounts, and documents through the service's own API. */
export async function seed({ url, database }: RunningWorker, coldDocuments = COLD_DOCUMENTS): Promise<Seed> {
  const first = await createAccount(database)
  const others = Array.from({ length: ACCOUNTS - 1 }, (_, n) => createAccount(database, `bench-${n}`))
  const keys = [first, ...(await Promise.all(others))]
  const hot = await Promise.all(Array.from({ length: HOT_DOCUMENTS }, () => createDocument(url, first)))
  const own = await Promise.all(keys.map((key) => createDocument(url, key)))
  const edited = own.map(({ id }) => id)
  const cold: string[] = []
  const createMany = async () => {
    while (cold.length < coldDocuments) cold.push((await createDocument(url, '')).id)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, createMany))
  return { keys, hot, edited, cold }
}

/** Something that people do, or the least that it takes. */
export interface Target {
  readonly name: string
  readonly send: (url: string, seed: Seed) => SendRequest
}

const pick = <Value>(values: readonly Value[], n: number): Value => {
  const value = values[n % values.length]
  if (value === undefined) throw new Error('Nothing to pick from')
  return value
}

const post = (
  url: string,
  body: object,
  { method = 'POST', headers }: { method?: string; headers?: Record<string, string> } = {},
) =>
  fetch(url, {
    method,
    headers: { ...PROGRAM, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Requests under way at the same time come from different networks, as from different people. */
const fromNetwork = (n: number) => ({ 'CF-Connecting-IP': `198.51.100.${n % 256}` })

const getHot =
  (path: string, headers: Record<string, string>): Target['send'] =>
  (url, { hot }) =>
  (n) =>
    fetch(url + path + pick(hot, n).id, { headers })

const getCold =
  (path: string, headers: Record<string, string>): Target['send'] =>
  (url, { cold }) =>
  (n) =>
    fetch(url + path + pick(cold, n), { headers })

/** The operations of the service. Each reads or writes documents of 1 KiB. */
export const OPERATIONS = {
  'raw, hot': getHot('/r/', PROGRAM),
  'JSON, hot': getHot('/v1/document/', PROGRAM),
  'page, hot': getHot('/', BROWSER),
  'not modified':
    (url, { hot }) =>
    (n) => {
      const { id, etag } = pick(hot, n)
      return fetch(`${url}/v1/document/${id}`, { headers: { ...PROGRAM, 'If-None-Match': etag } })
    },
  'JSON, cold': getCold('/v1/document/', PROGRAM),
  create: (url) => (n) => post(`${url}/v1/document`, newDocument, { headers: fromNetwork(n) }),
  'create with a key':
    (url, { keys }) =>
    (n) =>
      post(`${url}/v1/document`, newDocument, {
        headers: { ...fromNetwork(n), Authorization: pick(keys, n) },
      }),
  edit:
    (url, { edited, keys }) =>
    (n) =>
      post(
        `${url}/v1/document`,
        { id: pick(edited, n), content: `${CONTENT}${n}` },
        { method: 'PATCH', headers: { ...fromNetwork(n), Authorization: pick(keys, n) } },
      ),
} as const satisfies Record<string, Target['send']>

const createText =
  (kibibytes: number, settings?: object): Target['send'] =>
  (url, { keys }) =>
  (n) =>
    post(
      `${url}/v1/document`,
      { content: CONTENT.repeat(kibibytes), ...(settings && { settings }) },
      settings && { headers: { Authorization: pick(keys, n) } },
    )

/** The operations that take much CPU time, at least the first time in an isolate. */
export const HEAVY_OPERATIONS = {
  'create, 1 KiB': createText(1),
  'create, 100 KiB': createText(100),
  'create, 1 MiB': createText(1_024),
  'create, 10 MiB': createText(10_240),
  'create, language detected': createText(8, { language: 'auto' }),
  'create, encrypted with a generated password': createText(1, { encrypted: true }),
  'create, encrypted with a chosen password': createText(1, { encrypted: true, password: 'correct horse' }),
  'raw, 1 KiB': getHot('/r/', PROGRAM),
  'page, 1 KiB': getHot('/', BROWSER),
  'preview picture':
    (url, { hot }) =>
    (n) =>
      fetch(`${url}/${pick(hot, n).id}/preview.png`, { headers: PROGRAM }),
  'ask for a sign-in link': (url) => (n) =>
    fetch(`${url}/sign-up`, {
      method: 'POST',
      headers: { ...BROWSER, Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `email=bench${n}%40example.org&username=bench${n}`,
      redirect: 'manual',
    }),
} as const satisfies Record<string, Target['send']>

/** The least that the same storage calls take, with statements that name only an id and a key or the service's own, and a service that knows nothing but KV: `workers/floors.ts`. */
export const FLOORS = {
  hello: (url) => () => fetch(`${url}/hello`, { headers: PROGRAM }),
  row: getHot('/row/', PROGRAM),
  'row and content': getCold('/row-and-content/', PROGRAM),
  create: (url) => () => post(`${url}/create`, newDocument),
  'create with a key': (url) => () => post(`${url}/create-with-key`, newDocument),
  edit:
    (url, { edited }) =>
    (n) =>
      post(`${url}/edit`, { id: pick(edited, n), content: `${CONTENT}${n}` }),
  'own row': getHot('/own/row/', PROGRAM),
  'own create': (url) => () => post(`${url}/own/create`, newDocument),
  'own create with a key': (url) => () => post(`${url}/own/create-with-key`, newDocument),
  'own edit':
    (url, { edited }) =>
    (n) =>
      post(`${url}/own/edit`, { id: pick(edited, n), content: `${CONTENT}${n}` }),
  'KV only, raw': getHot('/kv-only/', PROGRAM),
  'KV only, create': (url) => () => post(`${url}/kv-only`, newDocument),
} as const satisfies Record<string, Target['send']>
