import { getFileExtension } from '../shared/languages.ts'

/** The name of a document's file in its gist. A language that the site does not know is plain text. */
export const fileNameOf = (documentId: string, language: string): string =>
  `${documentId}.${getFileExtension(language)}`

/** Whether a file of a gist is one that was made for the document, in whatever language. */
export const isFileOf = (documentId: string, fileName: string): boolean =>
  fileName.startsWith(`${documentId}.`)
