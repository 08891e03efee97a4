import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listDeviceDocuments, rememberDocument } from '../../../src/client/device/device-documents.ts'
import {
  buildManagementLink,
  deleteDeviceDocuments,
  type Progress,
} from '../../../src/client/device/device-list.ts'
import { stubStorage } from '../support/storage.ts'

beforeEach(() => {
  stubStorage('localStorage')
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

it('the management link is the address of a page of the document', () => {
  expect(buildManagementLink('https://paste.example', { id: 'abcd', token: 'regent_doc_x' })).toBe(
    'https://paste.example/abcd/manage?token=regent_doc_x',
  )
})
