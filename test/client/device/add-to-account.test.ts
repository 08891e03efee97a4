import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addToAccount } from '../../../src/client/device/add-to-account.ts'
import {
  type DeviceDocument,
  listDeviceDocuments,
  rememberDocument,
} from '../../../src/client/device/device-documents.ts'
import { keepEditedDocument } from '../../../src/client/device/document-cookie.ts'
import { stubStorage } from '../support/storage.ts'

const HOUR = 3_600_000

let entries: Map<string, string>
let requests: { path: string; init: RequestInit }[]

/** Answers every request with the response that a function makes of its body. */
function stubFetch(respond: (body: FormData | URLSearchParams) => Response): void {
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push({ path, init })
    return respond(init.body as FormData | URLSearchParams)
  })
}

const idsOf = (body: FormData | URLSearchParams) =>
  body.getAll('document').map((field) => String(field).split('.')[0] ?? '')

beforeEach(() => {
  entries = stubStorage('localStorage')
  requests = []
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const remember = (id: string): DeviceDocument => {
  const now = Date.now()
  const entry = { id, token: `token-${id}`, title: null, createdAt: now, expiresAt: now + HOUR }
  rememberDocument(entry)
  return entry
}

const listIds = () => listDeviceDocuments().map(({ id }) => id)

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
    stubFetch((body) => Response.json({ ids: idsOf(body) }))
    expect(await addToAccount(documents)).toBeNull()
    expect(requests.map(({ init }) => idsOf(init.body as FormData).length)).toEqual([100, 50])
    expect(listIds()).toEqual([])
  })

  it('forgets nothing if it fails, and says why', async () => {
    const documents = [remember('a')]
    stubFetch(() => Response.json({ message: 'Sign in to continue.' }, { status: 401 }))
    expect(await addToAccount(documents)).toBe('Sign in to continue.')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(await addToAccount(documents)).toContain('Can’t reach Regent')
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
  expect(script).toContain(`isStored(() => localStorage, '${key}')`)
})
