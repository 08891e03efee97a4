/** What the page of a document hands over to be written on: its text, and the language it has. */
interface Duplicate {
  readonly text: string
  readonly language?: string
}

const isDuplicate = (value: unknown): value is Duplicate =>
  typeof value === 'object' && value !== null && typeof (value as Duplicate).text === 'string'

/** Takes what was handed over, which is there once; null where nothing was. */
export function takeDuplicate(): Duplicate | null {
  try {
    const handed = sessionStorage.getItem('duplicate')
    sessionStorage.removeItem('duplicate')
    const duplicate: unknown = JSON.parse(handed ?? 'null')
    return isDuplicate(duplicate) ? duplicate : null
  } catch {
    return null
  }
}
