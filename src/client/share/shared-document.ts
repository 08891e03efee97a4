import { SHARED_KEY } from './just-shared.ts'

/** A form as it was when its document was shared, to go back to. */
export interface UnsharedForm {
  readonly text: string
  /** The values of the other fields, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** The password that the text was encrypted with; null if it wasn't. */
  readonly password: string | null
}

/** What the page of a document that was just shared tells its creator. */
export interface SharedDocument {
  readonly id: string
  /** The document's address, with its password if the browser encrypted it. */
  readonly link: string
  /** Whether the link is in the clipboard. */
  readonly copied: boolean
  readonly password: string | null
  /** Whether the page generated the password: nobody else knows it. */
  readonly generated: boolean
  /** The document token; null for a document of an account. */
  readonly token: string | null
  /** Null if the text is too long to keep. */
  readonly form: UnsharedForm | null
}

const UNSHARED_KEY = 'regent.unshared'

function take<Value>(key: string): Value | null {
  try {
    const stored = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return JSON.parse(stored ?? 'null')
  } catch {
    return null
  }
}

function store(key: string, value: object): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Leaves a message for the page of the document, without the form if that's too long for this browser. */
export const leaveShared = (shared: SharedDocument): boolean =>
  store(SHARED_KEY, shared) || store(SHARED_KEY, { ...shared, form: null })

/** Returns the message once and removes it; null if there is none for this document. */
export function takeShared(id: string): SharedDocument | null {
  const shared = take<SharedDocument>(SHARED_KEY)
  return shared?.id === id ? shared : null
}

/** Leaves the form of a deleted document for the page for new documents. */
export const leaveUnshared = (form: UnsharedForm): boolean => store(UNSHARED_KEY, form)

/** Returns that form once and removes it. */
export const takeUnshared = (): UnsharedForm | null => take<UnsharedForm>(UNSHARED_KEY)
