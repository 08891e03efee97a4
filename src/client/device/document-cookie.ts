import { type DeviceDocument, listDeviceDocuments, rememberDocument } from './device-documents.ts'

/** `gone` means that the document doesn't exist any more. */
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
