/** What a document passes on when it's duplicated. The document's page leaves it in sessionStorage. */
export interface Duplicate {
  /** The id of the document; missing if it can't be read again. */
  readonly id?: string
  readonly text: string
  readonly language?: string
}

const isDuplicate = (value: unknown): value is Duplicate =>
  typeof value === 'object' && value !== null && typeof (value as Duplicate).text === 'string'

/** Returns the duplicate once and removes it; null if there is none. */
export function takeDuplicate(): Duplicate | null {
  try {
    const stored = sessionStorage.getItem('duplicate')
    sessionStorage.removeItem('duplicate')
    const duplicate: unknown = JSON.parse(stored ?? 'null')
    return isDuplicate(duplicate) ? duplicate : null
  } catch {
    return null
  }
}
