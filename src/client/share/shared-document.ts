import { AUTO, PLAIN_TEXT } from '../../shared/languages.ts'
import { highlightCode } from '../highlight/highlight-client.ts'
import type { Tokens } from '../highlight/tokens.ts'
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
  store('sessionStorage', key, JSON.stringify(value))

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

const COLOURS_KEY = 'regent.colours'

/** Of the first screen. */
const MAX_COLOURED = 8 * 1024

/** How long sharing waits for them at most. */
const MAX_WAIT_MS = 150

interface FirstColours {
  /** Without them if they take too long. */
  readonly storeFor: (id: string) => Promise<void>
}

/** Parses the text while the server stores it, so that its page has colours from the start. */
export function parseFirstColours(workerAddress: string, language: string, text: string): FirstColours {
  if (language === PLAIN_TEXT || language === AUTO) return { storeFor: async () => {} }
  let stop = () => {}
  const parsed = new Promise<readonly number[]>((resolve) => {
    stop = highlightCode(workerAddress, language, text.slice(0, MAX_COLOURED), ({ tokens }) =>
      resolve([...tokens]),
    )
  })
  return {
    storeFor: async (id) => {
      const late = new Promise<readonly number[]>((resolve) => setTimeout(() => resolve([]), MAX_WAIT_MS))
      const tokens = await Promise.race([parsed, late])
      stop()
      if (tokens.length > 0) store('sessionStorage', COLOURS_KEY, JSON.stringify({ id, language, tokens }))
    },
  }
}

/** Removes them, whichever document they are of. */
export function takeFirstColours(language: string): Tokens | null {
  const stored = takeStored(COLOURS_KEY)
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('tokens' in stored && 'id' in stored && 'language' in stored)
  )
    return null
  const { id, tokens } = stored
  const isOfPage = location.pathname === `/${id}` && stored.language === language
  return isOfPage && Array.isArray(tokens) ? Uint32Array.from(tokens) : null
}
