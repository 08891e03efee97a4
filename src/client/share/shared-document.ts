import { store, takeStored } from '../shared/storage.ts'

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

/** every-page.ts looks for it. */
const SHARED_KEY = 'regent.shared'
const UNSHARED_KEY = 'regent.unshared'

const storeInTab = (key: string, value: SharedDocument | UnsharedForm): boolean =>
  store(() => sessionStorage, key, JSON.stringify(value))

/** Leaves a message for the page of the document, without the form if that's too long for this browser. */
export const storeShared = (shared: SharedDocument): boolean =>
  storeInTab(SHARED_KEY, shared) || storeInTab(SHARED_KEY, { ...shared, form: null })

/** Returns the message once and removes it; null if there is none for this document. */
export function takeShared(id: string): SharedDocument | null {
  const shared = takeStored(SHARED_KEY) as SharedDocument | null
  return shared?.id === id ? shared : null
}

/** Leaves the form of a deleted document for the page for new documents. */
export const storeUnshared = (form: UnsharedForm): boolean => storeInTab(UNSHARED_KEY, form)

/** Returns that form once and removes it. */
export const takeUnshared = (): UnsharedForm | null => takeStored(UNSHARED_KEY) as UnsharedForm | null

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
  const duplicate = takeStored('duplicate')
  return isDuplicate(duplicate) ? duplicate : null
}
