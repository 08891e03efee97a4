import type { CodeEditor } from '../code-editor/code-editor.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'

/** How long typing rests before a draft is kept, in milliseconds. */
const REST_MS = 400

/** Browsers keep about five million characters for a site, and writing them holds up the page. */
const MOST_CHARACTERS = 2_000_000

/** Never kept: whose the form is, and secrets. */
const NEVER = new Set(['content', 'account', 'encryption', 'password'])

interface Draft {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  /** Whether it is the text of a document, handed over and not changed, which can be had again. */
  readonly handed?: boolean
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Draft).text === 'string' &&
  typeof (value as Draft).fields === 'object'

/** Each account has a draft of its own in a browser, and so has nobody. */
const keyOf = (account: string | null): string => `regent.draft.${account ?? ''}`

/** Where a draft waits that was there before something else was. */
const asideOf = (key: string): string => `${key}.aside`

/** Null where the browser has none, or lets nobody look. */
function find(key: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isDraft(draft) ? draft : null
  } catch {
    return null
  }
}

/** Whether the browser keeps it. */
function keep(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

function drop(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}

function fill(form: HTMLFormElement, fields: Draft['fields']): void {
  // A draft of somebody without settings says nothing about them.
  const names = 'expires' in fields ? null : ['language']
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
    if (!field.name || NEVER.has(field.name) || (names && !names.includes(field.name))) continue
    if (field.type === 'checkbox') (field as HTMLInputElement).checked = field.name in fields
    else field.value = fields[field.name] ?? field.value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  // What is not as everyone has it is not hidden.
  const settings = form.querySelector('details')
  if (settings && 'expires' in fields) settings.open = true
}

export interface Drafts {
  /** Whether another text waits for its turn. */
  readonly hasAside: () => boolean
  /** Whether leaving now would lose what is written. */
  readonly losesText: () => boolean
  /** Keeps what is there now, or takes it away where it must not be kept. */
  readonly update: () => void
  /** Once the document is saved. */
  readonly end: () => void
}

interface Options {
  readonly form: HTMLFormElement
  readonly editor: CodeEditor
  /** Null: nobody's. */
  readonly account: string | null
  /** Whether what is there now was handed over. */
  readonly handed: boolean
  /** False as long as the text is to be encrypted. */
  readonly mayKeep: () => boolean
}

/** Keeps what is written in this browser, over a reload and the way to signing in. */
export function keepDrafts({ form, editor, account, handed, mayKeep }: Options): Drafts {
  const key = keyOf(account)
  const aside = asideOf(key)
  const promise = form.querySelector<HTMLElement>('#kept')
  let timer: ReturnType<typeof setTimeout> | undefined
  let kept = false
  let ended = false
  let changed = !handed
  const store = () => {
    const text = editor.text()
    const sent = [...new FormData(form)].filter(([name]) => !NEVER.has(name))
    const fields = Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))
    return text.length <= MOST_CHARACTERS && keep(key, { text, fields, handed: !changed })
  }
  const update = () => {
    clearTimeout(timer)
    if (ended) return
    kept = !editor.isEmpty() && mayKeep() && store()
    // An older one would pass for this text.
    if (!kept) drop(key)
    if (promise) promise.hidden = !kept
  }
  const later = () => {
    kept = false
    changed = true
    clearTimeout(timer)
    timer = setTimeout(update, REST_MS)
  }

  const places = [key, aside, keyOf(null), asideOf(keyOf(null))]
  const place = places.find((candidate) => find(candidate)?.text) ?? key
  const draft = find(place)
  if (draft && !editor.isEmpty()) {
    // What is written now takes its place.
    if (place === key && !draft.handed && draft.text !== editor.text()) keep(aside, draft)
  } else if (draft) {
    editor.replace(draft.text)
    fill(form, draft.fields)
    changed = !draft.handed
    // What was written before signing in is now whoever's signed in.
    if (place !== key) drop(place)
    const note = cloneTemplate('editor-draft')
    form.prepend(note)
    requireElement('button', note).addEventListener('click', () => {
      editor.replace('')
      update()
      note.remove()
      editor.focus()
    })
  }
  update()
  editor.onChange(later)
  form.addEventListener('input', later)
  addEventListener('pagehide', update)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') update()
  })
  return {
    hasAside: () => find(aside) !== null,
    losesText: () => !ended && !kept && !editor.isEmpty(),
    update,
    end: () => {
      clearTimeout(timer)
      ended = true
      drop(key)
    },
  }
}
