/** Returns a number of documents as text. */
export const formatDocuments = (count: number): string => (count === 1 ? '1 document' : `${count} documents`)
