import { toFieldName } from '../../shared/form-settings.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import { findStored, parseStored, removeStored, store } from '../shared/storage.ts'
import { setLanguageValue } from './language-field.ts'
import type { CodeEditor } from './text-box.ts'

/** Browsers keep about five million characters for a site, and writing a long draft blocks the page. */
const MAX_DRAFT_CHARACTERS = 2_000_000

interface Draft {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  /** An unchanged copy of a document can be copied again. */
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

function toDraft({ text, fields, handed = false, unchangedCopy = handed }: StoredDraft): Draft {
  const renamed = Object.entries(fields).map(([name, value]) => [toFieldName(name), value])
  return { text, fields: Object.fromEntries(renamed), unchangedCopy }
}

/** `null` is the draft made while signed out. */
export const getDraftKey = (accountId: string | null): string => `regent.draft.${accountId ?? ''}`

/** Returns the keys of drafts that wait while something else is written. Earlier releases had only the first one. */
export const listParkedDraftKeys = (key: string): readonly string[] =>
  ['', '.2', '.3', '.4', '.5'].map((place) => `${key}.aside${place}`)

export function findDraft(key: string): Draft | null {
  const draft = parseStored('localStorage', key)
  return isDraft(draft) ? toDraft(draft) : null
}

export const storeDraft = (key: string, draft: Draft): boolean =>
  draft.text.length <= MAX_DRAFT_CHARACTERS && store('localStorage', key, JSON.stringify(draft))

export const deleteDraft = (key: string): void => removeStored('localStorage', key)

/** Returns false if there is no place, or the browser refuses to store more. */
export function parkDraft(key: string, draft: Draft): boolean {
  const free = listParkedDraftKeys(key).find((parked) => findDraft(parked) === null)
  return free !== undefined && storeDraft(free, draft)
}

/** Finds the account's own draft, else a parked one, else one written before signing in. */
export function findDraftKey(accountId: string | null): string | null {
  const own = getDraftKey(accountId)
  const signedOut = getDraftKey(null)
  const keys = [own, signedOut].flatMap((key) => [key, ...listParkedDraftKeys(key)])
  return keys.find((key) => findDraft(key)?.text) ?? null
}

const DEBOUNCE_MS = 400

/** The text has its own place, and the others say who creates or decrypts the document. */
const UNSTORED_FIELDS = new Set(['content', 'account', 'encryption', 'password'])

export function readFormValues(form: HTMLFormElement): Draft['fields'] {
  const sent = [...new FormData(form)].filter(([name]) => !UNSTORED_FIELDS.has(name))
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))
}

export function fillForm(form: HTMLFormElement, fields: Draft['fields']): void {
  const hasSettings = 'expires' in fields
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
    if (!field.name || UNSTORED_FIELDS.has(field.name)) continue
    // A copy has no other settings than these, and a draft of an earlier release only the language.
    if (!hasSettings && field.name !== 'language' && field.name !== 'title') continue
    if (field.type === 'checkbox') (field as HTMLInputElement).checked = Boolean(fields[field.name])
    else if (field.name === 'language' && field instanceof HTMLSelectElement)
      setLanguageValue(field, fields.language ?? field.value)
    else field.value = fields[field.name] ?? field.value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

export type Drafts = ReturnType<typeof keepDrafts>

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly isCopy: boolean
  readonly mayStore: () => boolean
}

/** The text survives a reload and signing in. */
export function keepDrafts({ form, codeEditor, isCopy, mayStore }: Options) {
  const accountId = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null
  const key = getDraftKey(accountId)
  let timer: ReturnType<typeof setTimeout> | undefined
  let stored = false
  let ended = false
  /** The text of a copy that nobody has changed. */
  let copied = isCopy ? codeEditor.text() : null
  /** Is false while another draft is stored that can't be parked. */
  let mayReplace = true
  /** Holds what this page last read or wrote. If something else is stored, another tab has written it. */
  let own = findStored('localStorage', key)
  const storeNow = () => {
    const text = codeEditor.text()
    if (text !== copied) copied = null
    const draft = { text, fields: readFormValues(form), unchangedCopy: copied !== null }
    const isStored = storeDraft(key, draft)
    if (isStored) own = findStored('localStorage', key)
    return isStored
  }
  const deleteOwn = () => {
    if (mayReplace && findStored('localStorage', key) === own) deleteDraft(key)
  }
  /** Stores the draft if it has changed, or deletes it if it must not be kept. */
  const update = () => {
    clearTimeout(timer)
    if (ended) return
    const isWanted = !codeEditor.isEmpty() && mayStore() && mayReplace
    stored = isWanted && (stored || storeNow())
    // Otherwise an outdated draft would be restored instead of this text.
    if (!stored) deleteOwn()
  }
  const updateSoon = () => {
    stored = false
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS)
  }

  const foundKey = findDraftKey(accountId) ?? key
  const draft = findDraft(foundKey)
  if (draft && !codeEditor.isEmpty()) {
    // Something else is in the code editor already: park the draft until the next new document.
    if (foundKey === key && !draft.unchangedCopy && draft.text !== codeEditor.text())
      mayReplace = parkDraft(key, draft)
  } else if (draft) {
    codeEditor.replace(draft.text)
    fillForm(form, draft.fields)
    if (draft.unchangedCopy) copied = codeEditor.text()
    // It's stored under the account's own key from now on.
    if (foundKey !== key) deleteDraft(foundKey)
    const banner = cloneTemplate('draft-template')
    requireElement('[data-part="strip"]', form).prepend(banner)
    requireElement('button', banner).addEventListener('click', () => {
      codeEditor.replace('')
      update()
      banner.remove()
      codeEditor.focus()
    })
  }
  update()
  codeEditor.onChange(updateSoon)
  form.addEventListener('input', updateSoon)
  addEventListener('pagehide', update)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') update()
  })
  return {
    hasParked: () => !mayReplace || listParkedDraftKeys(key).some((parked) => findDraft(parked) !== null),
    /** Says how the files of an unchanged copy are written here. */
    setCopied: (text: string) => {
      if (copied !== null) copied = text
    },
    losesText: () => !ended && !stored && !codeEditor.isEmpty(),
    update,
    end: () => {
      clearTimeout(timer)
      ended = true
      deleteOwn()
    },
  }
}
