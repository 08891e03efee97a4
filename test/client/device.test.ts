import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type DeviceDocument,
  findToken,
  forgetDocument,
  keepEditedDocument,
  listDeviceDocuments,
  rememberDocument,
} from '../../src/client/device/device-documents.ts'
import {
  addToAccount,
  arrange,
  buildManagementLink,
  deleteDeviceDocuments,
  findGone,
  type Progress,
} from '../../src/client/device/device-list.ts'
import { denyStorage, stubStorage } from './support/browser.ts'

const KEY = 'regent.documents'
const HOUR = 3_600_000

/** What the browser stores. */
let entries: Map<string, string>

beforeEach(() => {
  entries = stubStorage('localStorage')
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function rememberAll(ids: readonly string[]) {
  const now = Date.now()
  for (const [index, id] of ids.entries())
    rememberDocument({
      id,
      token: `token-${id}`,
      title: null,
      createdAt: now - index,
      expiresAt: now + 60_000,
    })
  return listDeviceDocuments()
}

/** Answers each request for a document with the next of its responses; the last one repeats. */
function stubServer(responses: Readonly<Record<string, readonly Response[]>>) {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
    const id = path.slice('/v1/document/'.length)
    expect(headers).toEqual({ 'X-Document-Token': `token-${id}` })
    const earlier = requests.filter((other) => other === id).length
    requests.push(id)
    const response = responses[id]?.[earlier] ?? responses[id]?.at(-1)
    if (!response) throw new TypeError('offline')
    return response
  })
  return requests
}

const answer = (status: number, headers = {}) => new Response(null, { status, headers })

describe('deleting every document of the device', () => {
  it('forgets what was deleted or is gone, and keeps what the server refused', async () => {
    const documents = rememberAll(['aaaa', 'bbbb', 'cccc', 'dddd'])
    stubServer({ aaaa: [answer(204)], bbbb: [answer(404)], cccc: [answer(500)] })
    const steps: Progress[] = []
    const result = await deleteDeviceDocuments(documents, { onProgress: (progress) => steps.push(progress) })
    expect(result).toEqual({ deleted: 2, failed: 2, pause: null })
    expect(steps).toHaveLength(4)
    expect(listDeviceDocuments().map(({ id }) => id)).toEqual(['cccc', 'dddd'])
  })

  it('waits as long as the server asks, and then goes on', async () => {
    const documents = rememberAll(['aaaa', 'bbbb'])
    const limited = answer(429, { 'Retry-After': '60' })
    const requests = stubServer({ aaaa: [limited, answer(204)], bbbb: [answer(204)] })
    const waits: number[] = []
    const pauses: (number | null)[] = []
    const result = await deleteDeviceDocuments(documents, {
      onProgress: ({ pause }) => pauses.push(pause),
      wait: async (milliseconds) => {
        waits.push(milliseconds)
      },
    })
    expect(result).toEqual({ deleted: 2, failed: 0, pause: null })
    expect(requests).toEqual(['aaaa', 'aaaa', 'bbbb'])
    expect(waits).toEqual([60_000])
    expect(pauses).toEqual([60, null, null])
  })

  it('gives up on a document that the server refuses again and again', async () => {
    const documents = rememberAll(['aaaa'])
    const requests = stubServer({ aaaa: [answer(503, { 'Retry-After': '1' })] })
    const result = await deleteDeviceDocuments(documents, { onProgress: () => {}, wait: async () => {} })
    expect(result.failed).toBe(1)
    expect(requests).toHaveLength(5)
  })
})

describe('looking for documents that are gone', () => {
  it('asks for six at a time, and for each only once', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `id${index}`)
    const documents = rememberAll(ids)
    const isGone = (id: string) => id === 'id1' || id === 'id8'
    const requests = stubServer(Object.fromEntries(ids.map((id) => [id, [answer(isGone(id) ? 404 : 200)]])))
    const asked: number[] = []
    const gone = await findGone(documents, () => asked.push(requests.length))
    expect([...gone].map(({ id }) => id)).toEqual(['id1', 'id8'])
    expect(asked).toEqual([6, 10])
  })

  it('stops once the server limits it, or 30 are gone, so that the network can go on reading', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `id${index}`)
    const documents = rememberAll(ids)
    const missing = Object.fromEntries(ids.map((id) => [id, [answer(404)]]))
    const requests = stubServer(missing)
    await findGone(documents, () => {})
    expect(requests).toEqual(ids.slice(0, 30))
    const limited = stubServer({ ...missing, id1: [answer(429)] })
    await findGone(documents, () => {})
    expect(limited).toEqual(ids.slice(0, 6))
  })
})

describe('the list of the device', () => {
  const listed = (
    id: string,
    title: string | null,
    createdAt: number,
    expiresAt: number,
  ): DeviceDocument => ({
    id,
    token: 'token',
    title,
    createdAt,
    expiresAt,
  })
  const documents = [
    listed('a', 'Notes  of May', 1, 30),
    listed('b', 'ｎｏｔｅｓ', 3, 10),
    listed('c', null, 2, 20),
  ]
  const find = (search: string, sort: string) => arrange(documents, { search, sort }).map(({ id }) => id)

  it('is sorted by every column, in both directions', () => {
    expect(find('', 'newest')).toEqual(['b', 'c', 'a'])
    expect(find('', 'oldest')).toEqual(['a', 'c', 'b'])
    expect(find('', 'expiring')).toEqual(['b', 'c', 'a'])
    expect(find('', 'expiring-last')).toEqual(['a', 'c', 'b'])
    expect(find('', 'title').at(0)).toBe('c')
    expect(find('', 'title-reversed').at(-1)).toBe('c')
  })

  it('is searched like the lists of an account', () => {
    expect(find(' NOTES ', 'newest')).toEqual(['b', 'a'])
    expect(find('of may', 'newest')).toEqual(['a'])
    expect(find('c', 'newest')).toEqual(['c'])
    expect(find('%', 'newest')).toEqual([])
  })
})

it('the management link is the address of a page of the document', () => {
  expect(buildManagementLink('https://paste.example', { id: 'abcd', token: 'regent_doc_x' })).toBe(
    'https://paste.example/abcd/manage?token=regent_doc_x',
  )
})

const createEntry = (id: string, createdAt = Date.now()): DeviceDocument => ({
  id,
  token: `token-${id}`,
  title: null,
  createdAt,
  expiresAt: Date.now() + HOUR,
})

const listIds = () => listDeviceDocuments().map(({ id }) => id)

describe('the documents of a device', () => {
  it('are listed newest first, with their tokens', () => {
    const now = Date.now()
    rememberDocument(createEntry('b', now))
    rememberDocument(createEntry('c', now + 1))
    rememberDocument(createEntry('a', now - 1))
    expect(listIds()).toEqual(['c', 'b', 'a'])
    expect(findToken('b')).toBe('token-b')
    expect(findToken('x')).toBeNull()
  })

  it('are stored with the known facts only', () => {
    const entry = createEntry('a')
    rememberDocument(Object.assign({ password: 'secret' }, entry))
    expect(listDeviceDocuments()).toEqual([entry])
    expect(entries.get(KEY)).not.toContain('secret')
  })

  it('are replaced by id, and forgotten', () => {
    rememberDocument(createEntry('a'))
    rememberDocument({ ...createEntry('a'), token: 'newer' })
    expect(listIds()).toEqual(['a'])
    expect(findToken('a')).toBe('newer')
    forgetDocument('a')
    expect(entries.has(KEY)).toBe(false)
  })

  it('are at most 200: the oldest goes', () => {
    for (let index = 0; index <= 200; index++) rememberDocument(createEntry(String(index), index))
    expect(listIds()).toHaveLength(200)
    expect(listIds().at(0)).toBe('200')
    expect(findToken('0')).toBeNull()
  })

  it('leave out those that have expired', () => {
    rememberDocument(createEntry('a'))
    rememberDocument({ ...createEntry('b'), expiresAt: Date.now() - 1 })
    expect(listIds()).toEqual(['a'])
  })

  it('include what another tab stored in the meantime', () => {
    rememberDocument(createEntry('a'))
    entries.set(KEY, JSON.stringify([createEntry('other')]))
    rememberDocument(createEntry('b', Date.now() + 1))
    expect(listIds()).toEqual(['b', 'other'])
  })

  it.each([
    ['no JSON', '{'],
    ['no list', '{"a":1}'],
    ['null', 'null'],
  ])('are none if the storage is damaged: %s', (_, stored) => {
    entries.set(KEY, stored)
    expect(listIds()).toEqual([])
    rememberDocument(createEntry('a'))
    expect(listIds()).toEqual(['a'])
  })

  it('leave out damaged entries', () => {
    entries.set(
      KEY,
      JSON.stringify([null, 7, { id: 'x' }, { ...createEntry('y'), title: 7 }, createEntry('a')]),
    )
    expect(listIds()).toEqual(['a'])
  })

  it('are none if the browser denies access to its storage', () => {
    denyStorage('localStorage')
    expect(rememberDocument(createEntry('a'))).toBe(false)
    expect(listIds()).toEqual([])
    expect(() => forgetDocument('a')).not.toThrow()
  })
})

let requests: { path: string; init: RequestInit }[]

/** Answers every request with the response that a function makes of its body. */
function stubFetch(respond: (body: FormData | URLSearchParams) => Response): void {
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push({ path, init })
    return respond(init.body as FormData | URLSearchParams)
  })
}

const readIds = (body: FormData | URLSearchParams) =>
  body.getAll('document').map((field) => String(field).split('.')[0] ?? '')

beforeEach(() => {
  requests = []
})

const remember = (id: string): DeviceDocument => {
  const now = Date.now()
  const entry = { id, token: `token-${id}`, title: null, createdAt: now, expiresAt: now + HOUR }
  rememberDocument(entry)
  return entry
}

describe('adding documents to an account', () => {
  it('forgets those that the account has now, and keeps the others', async () => {
    const documents = [remember('a'), remember('b')]
    stubFetch(() => Response.json({ ids: ['a'] }))
    expect(await addToAccount(documents)).toBeNull()
    expect(listIds()).toEqual(['b'])
    expect(requests[0]?.path).toBe('/device')
  })

  it('sends at most 100 at once', async () => {
    const documents = Array.from({ length: 150 }, (_, index) => remember(`id${index}`))
    stubFetch((body) => Response.json({ ids: readIds(body) }))
    expect(await addToAccount(documents)).toBeNull()
    expect(requests.map(({ init }) => readIds(init.body as FormData).length)).toEqual([100, 50])
    expect(listIds()).toEqual([])
  })

  it('forgets nothing if it fails, and says why', async () => {
    const documents = [remember('a')]
    stubFetch(() => Response.json({ message: 'Sign in to continue.' }, { status: 401 }))
    expect(await addToAccount(documents)).toBe('Sign in to continue.')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(await addToAccount(documents)).toContain('Can’t reach the server')
    expect(listIds()).toEqual(['a'])
  })
})

describe('a document that this browser has edited', () => {
  it('has its new title and expiry here, and a cookie that lasts as long', async () => {
    const { id, token, createdAt, expiresAt } = remember('a')
    stubFetch(() => new Response(null, { status: 204 }))
    await keepEditedDocument({ id, token, title: 'New', expiresAt: expiresAt + HOUR })
    expect(listDeviceDocuments()).toEqual([
      { id, token, title: 'New', createdAt, expiresAt: expiresAt + HOUR },
    ])
    expect(requests.map(({ path }) => path)).toEqual(['/a/manage'])
  })

  it('needs no request if its expiry stays', async () => {
    const { id, token, expiresAt } = remember('a')
    stubFetch(() => new Response(null, { status: 204 }))
    await keepEditedDocument({ id, token, title: 'New', expiresAt })
    expect(requests).toEqual([])
  })
})

it('the script of every page knows where the documents are stored', () => {
  remember('a')
  const script = readFileSync('src/client/forms/every-page.ts', 'utf8')
  const [key = ''] = entries.keys()
  expect(script).toContain(`isStored('localStorage', '${key}')`)
})
