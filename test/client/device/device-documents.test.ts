import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type DeviceDocument,
  findToken,
  forgetDocument,
  listDeviceDocuments,
  rememberDocument,
} from '../../../src/client/device/device-documents.ts'
import { denyStorage, stubStorage } from '../support/storage.ts'

const KEY = 'regent.documents'
const HOUR = 3_600_000

let entries: Map<string, string>

beforeEach(() => {
  entries = stubStorage('localStorage')
})

afterEach(() => {
  vi.unstubAllGlobals()
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
