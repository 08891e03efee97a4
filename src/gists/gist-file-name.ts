import { getFileExtension } from '../shared/languages/languages.ts'

/** Returns the name of a document's file in its gist. An unknown language counts as plain text. */
export const getGistFileName = (documentId: string, language: string): string =>
  `${documentId}.${getFileExtension(language)}`

/** Returns true if a file in a gist was created for the document, in any language. */
export const isDocumentFile = (documentId: string, fileName: string): boolean =>
  fileName.startsWith(`${documentId}.`)
