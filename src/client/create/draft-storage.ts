import { toFieldName } from '../../shared/form-settings.ts'

/** Browsers keep about five million characters for a site, and writing a long draft blocks the page. */
const MAX_DRAFT_CHARACTERS = 2_000_000

/** A text that isn't saved yet, with the values of the form's other fields by their names. */
export interface Draft {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  /** True for an unchanged copy of a document, which can be copied again. */
  readonly unchangedCopy?: boolean
}

interface StoredDraft extends Draft {
  /** The former name of `unchangedCopy`. */
  readonly handed?: boolean
}

const isDraft = (value: unknown): value is StoredDraft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as StoredDraft).text === 'string' &&
  typeof (value as StoredDraft).fields === 'object'

/** Returns a draft of this or an earlier release with the present names. */
function toDraft({ text, fields, handed = false, unchangedCopy = handed }: StoredDraft): Draft {
  const renamed = Object.entries(fields).map(([name, value]) => [toFieldName(name), value])
  return { text, fields: Object.fromEntries(renamed), unchangedCopy }
}

/** Returns where a browser keeps an account's draft; null is the draft made while signed out. */
export const getDraftKey = (accountId: string | null): string => `regent.draft.${accountId ?? ''}`

/** Returns where a draft is kept while something else is being written in its place. */
export const getParkedDraftKey = (key: string): string => `${key}.aside`

/** Returns the draft under a key; null if there is none, or the browser denies access to its storage. */
export function findDraft(key: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isDraft(draft) ? toDraft(draft) : null
  } catch {
    return null
  }
}

/** Stores a draft. Returns false if it's too long or the browser refuses. */
export function storeDraft(key: string, draft: Draft): boolean {
  if (draft.text.length > MAX_DRAFT_CHARACTERS) return false
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function deleteDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without access to storage there's nothing to delete.
  }
}

/**
 * Returns the key of the draft to restore for an account, in this order: its own, its parked one, and those written
 * before signing in.
 */
export function findDraftKey(accountId: string | null): string | null {
  const own = getDraftKey(accountId)
  const signedOut = getDraftKey(null)
  const keys = [own, getParkedDraftKey(own), signedOut, getParkedDraftKey(signedOut)]
  return keys.find((key) => findDraft(key)?.text) ?? null
}
