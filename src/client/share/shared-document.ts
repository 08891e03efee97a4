import { store, takeStored } from '../shared/storage.ts'

export interface UnsharedForm {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  readonly password: string | null
}

export interface SharedDocument {
  readonly id: string
  /** With its password if the browser encrypted it. */
  readonly link: string
  readonly copied: boolean
  readonly password: string | null
  /** Whether the page generated the password: nobody else knows it. */
  readonly generated: boolean
  readonly token: string | null
  /** Null if the text is too long to keep. */
  readonly form: UnsharedForm | null
}

/** every-page.ts looks for it. */
const SHARED_KEY = 'regent.shared'
const UNSHARED_KEY = 'regent.unshared'

const storeInTab = (key: string, value: SharedDocument | UnsharedForm): boolean =>
  store(() => sessionStorage, key, JSON.stringify(value))

/** Without the form if that's too long for this browser. */
export const storeShared = (shared: SharedDocument): boolean =>
  storeInTab(SHARED_KEY, shared) || storeInTab(SHARED_KEY, { ...shared, form: null })

/** Removes it, whichever document it is about. */
export function takeShared(id: string): SharedDocument | null {
  const shared = takeStored(SHARED_KEY) as SharedDocument | null
  return shared?.id === id ? shared : null
}

export const storeUnshared = (form: UnsharedForm): boolean => storeInTab(UNSHARED_KEY, form)

export const takeUnshared = (): UnsharedForm | null => takeStored(UNSHARED_KEY) as UnsharedForm | null

/** The page of a document stores it for the page for new documents. */
interface Duplicate {
  /** Missing if the document can't be read again. */
  readonly id?: string
  readonly text: string
  readonly language?: string
}

const isDuplicate = (value: unknown): value is Duplicate =>
  typeof value === 'object' && value !== null && typeof (value as Duplicate).text === 'string'

export function takeDuplicate(): Duplicate | null {
  const duplicate = takeStored('duplicate')
  return isDuplicate(duplicate) ? duplicate : null
}
