import type { Document } from '../../documents/model/document.ts'

export const getHistoryPath = (id: string): string => `/${id}/history`

export const getVersionPath = (id: string, number: number): string => `${getHistoryPath(id)}/${number}`

export const getComparePath = (id: string, from: number, to: number): string =>
  `${getHistoryPath(id)}/compare?from=${from}&to=${to}`

/** Returns what a page about the history calls a document. */
export const getDocumentName = ({ id, title }: Pick<Document, 'id' | 'title'>): string => title ?? id
