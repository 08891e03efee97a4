import { toFieldName } from '../../shared/form-settings.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import { findStored, parseStored, removeStored, store, takeStored } from '../shared/storage.ts'
import { setLanguageValue } from './language-field.ts'
import { TURNSTILE_FIELD } from './save-form.ts'
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

/** Finds the key under which a text can be stored without replacing another one. */
export const findFreeDraftKey = (key: string, text: string): string | undefined =>
  [key, ...listParkedDraftKeys(key)].find((free) => {
    const draft = findDraft(free)
    return !draft?.text || draft.unchangedCopy || draft.text === text
  })

/** Finds the account's own draft, else a parked one, else one written before signing in. */
export function findDraftKey(accountId: string | null): string | null {
  const own = getDraftKey(accountId)
  const signedOut = getDraftKey(null)
  const keys = [own, signedOut].flatMap((key) => [key, ...listParkedDraftKeys(key)])
  return keys.find((key) => findDraft(key)?.text) ?? null
}

const DEBOUNCE_MS = 400

/** The text has its own place, and the others say who creates or decrypts the document. */
const UNSTORED_FIELDS = new Set(['content', 'account', 'encryption', 'password', TURNSTILE_FIELD])

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

/** Has the parked key under which this tab stores its draft, for when it is reloaded. */
const TAB_KEY = 'regent.draft-of-tab'

/** The text survives a reload and signing in. Tabs with different texts store them under different keys. */
export function keepDrafts({ form, codeEditor, isCopy, mayStore }: Options) {
  const accountId = form.querySelector<HTMLInputElement>('input[name="account"]')?.value ?? null
  const ownKey = getDraftKey(accountId)
  const parkedKeys = listParkedDraftKeys(ownKey)
  const keyOfTab = takeStored(TAB_KEY)
  const foundKey =
    parkedKeys.find((parked) => parked === keyOfTab && findDraft(parked)) ?? findDraftKey(accountId)
  const draft = foundKey !== null && codeEditor.isEmpty() ? findDraft(foundKey) : null
  if (draft) {
    codeEditor.replace(draft.text)
    fillForm(form, draft.fields)
  }
  const isOfCopy = draft?.unchangedCopy ?? isCopy
  /** The text that this page started with, until somebody changes it. */
  let first: string | null = codeEditor.text()
  /** Is undefined if there is no place for another draft. */
  let key = findFreeDraftKey(ownKey, first)
  if (draft && foundKey !== null && foundKey !== key) deleteDraft(foundKey)

  let timer: ReturnType<typeof setTimeout> | undefined
  let stored = false
  let ended = false
  const read = () => (key === undefined ? null : findStored('localStorage', key))
  /** Holds what this page last read or wrote. If something else is stored, another tab has written it. */
  let own = read()
  /** Another tab may have replaced or deleted the draft. It may do so unless somebody has typed here. */
  const isKept = () =>
    stored && key !== undefined && (first !== null || findDraft(key)?.text === codeEditor.text())
  const storeNow = () => {
    const text = codeEditor.text()
    if (text !== first) first = null
    if (read() !== own) key = findFreeDraftKey(ownKey, text)
    const unchangedCopy = isOfCopy && first !== null
    if (key === undefined || !storeDraft(key, { text, fields: readFormValues(form), unchangedCopy }))
      return false
    own = read()
    if (key !== ownKey) store('sessionStorage', TAB_KEY, JSON.stringify(key))
    return true
  }
  const deleteOwn = () => {
    if (key === undefined || read() !== own) return
    deleteDraft(key)
    own = null
  }
  /** Stores the draft if it has changed, or deletes it if it must not be kept. */
  const update = () => {
    clearTimeout(timer)
    if (ended) return
    stored = !codeEditor.isEmpty() && mayStore() && (isKept() || storeNow())
    // Otherwise an outdated draft would be restored instead of this text.
    if (!stored) deleteOwn()
  }
  const updateSoon = () => {
    stored = false
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS)
  }

  if (draft) {
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
  // At once: browsers discard tabs in the background without an event.
  addEventListener('storage', update)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') update()
  })
  return {
    hasOther: () => [ownKey, ...parkedKeys].some((other) => other !== key && findDraft(other)?.text),
    /** Says how the files of the text that this page started with are written here. */
    setFirst: (text: string) => {
      if (first !== null) first = text
    },
    losesText: () => {
      update()
      return !ended && !stored && !codeEditor.isEmpty()
    },
    update,
    end: () => {
      clearTimeout(timer)
      ended = true
      deleteOwn()
    },
  }
}
