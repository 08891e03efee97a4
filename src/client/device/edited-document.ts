import { type DeviceDocument, listDeviceDocuments, rememberDocument } from './device-documents.ts'
import { restoreCookie } from './document-cookie.ts'

/** Updates what this browser stores about a document that it has just changed, and the cookie if the document lasts longer. */
export async function keepEditedDocument(edited: Omit<DeviceDocument, 'createdAt'>): Promise<void> {
  const known = listDeviceDocuments().find(({ id }) => id === edited.id)
  if (!known) return
  rememberDocument({ ...known, ...edited })
  if (edited.expiresAt !== known.expiresAt) await restoreCookie(edited.id, edited.token)
}
