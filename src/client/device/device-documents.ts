import { MAX_DEVICE_DOCUMENTS } from '../../shared/document-ids.ts'
import type { Instant } from '../../shared/instant.ts'
import { parseStored, removeStored, store } from '../shared/storage.ts'

export interface DeviceDocument {
  readonly id: string
  readonly token: string
  readonly title: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** The key in the browser's storage, which every-page.ts looks for. */
const KEY = 'regent.documents'

const isDeviceDocument = (value: unknown): value is DeviceDocument => {
  if (typeof value !== 'object' || value === null) return false
  const { id, token, title, createdAt, expiresAt } = value as Readonly<Record<string, unknown>>
  return (
    typeof id === 'string' &&
    typeof token === 'string' &&
    (title === null || typeof title === 'string') &&
    typeof createdAt === 'number' &&
    typeof expiresAt === 'number'
  )
}

function save(documents: readonly DeviceDocument[]): boolean {
  if (documents.length > 0) return store('localStorage', KEY, JSON.stringify(documents))
  removeStored('localStorage', KEY)
  return true
}

/** Returns the newest first. Nothing is cached, because other tabs write them too. */
export function listDeviceDocuments(now = Date.now()): readonly DeviceDocument[] {
  const stored = parseStored('localStorage', KEY)
  const documents = Array.isArray(stored) ? stored.filter(isDeviceDocument) : []
  return documents
    .filter(({ expiresAt }) => expiresAt > now)
    .sort((one, other) => other.createdAt - one.createdAt)
}

export const findToken = (id: string): string | null =>
  listDeviceDocuments().find((document) => document.id === id)?.token ?? null

/** Returns the header that lets requests edit and delete the document. Its cookie goes to the document's pages only. */
export const tokenHeader = (token: string | null): Record<string, string> =>
  token === null ? {} : { 'X-Document-Token': token }

/** Returns null without an answer. */
export const requestDocument = (
  method: 'HEAD' | 'DELETE',
  { id, token }: { readonly id: string; readonly token: string | null },
): Promise<Response | null> =>
  fetch(`/v1/document/${id}`, { method, headers: tokenHeader(token) }).catch(() => null)

/** Replaces the oldest of too many. */
export function rememberDocument(
  { id, token, title, createdAt, expiresAt }: DeviceDocument,
  now = Date.now(),
): boolean {
  const others = listDeviceDocuments(now).filter((other) => other.id !== id)
  return save([{ id, token, title, createdAt, expiresAt }, ...others].slice(0, MAX_DEVICE_DOCUMENTS))
}

export function forgetDocument(id: string): void {
  const documents = listDeviceDocuments()
  const others = documents.filter((document) => document.id !== id)
  if (others.length < documents.length) save(others)
}

type CookieResult = 'kept' | 'gone' | 'failed'

async function request(id: string, init: RequestInit): Promise<CookieResult> {
  const response = await fetch(`/${id}/manage`, init).catch(() => null)
  if (response?.status === 404) return 'gone'
  return response?.ok ? 'kept' : 'failed'
}

/** The cookie lets the document's pages edit and delete it. */
export const restoreCookie = (id: string, token: string): Promise<CookieResult> =>
  request(id, { method: 'POST', body: new URLSearchParams({ token }) })

export const deleteCookie = (id: string): Promise<CookieResult> => request(id, { method: 'DELETE' })

export async function keepEditedDocument(edited: Omit<DeviceDocument, 'createdAt'>): Promise<void> {
  const known = listDeviceDocuments().find(({ id }) => id === edited.id)
  if (!known) return
  rememberDocument({ ...known, ...edited })
  if (edited.expiresAt !== known.expiresAt) await restoreCookie(edited.id, edited.token)
}
