import type { LanguageSupport } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { Instant } from '../../shared/instant.ts'
import { detectLineBreaks, withLineBreaks } from '../../shared/lines.ts'
import { preloadScripts } from '../shared/elements.ts'

export interface CodeEditor {
  /** With the line breaks it is saved with. */
  readonly text: () => string
  readonly start: (characters: number) => string
  readonly isEmpty: () => boolean
  /** One step of undo. Returns true if the line breaks are uniform: editing keeps those. */
  readonly replace: (text: string) => boolean
  readonly focus: () => void
  readonly setLanguage: (support: LanguageSupport | null) => void
  readonly setExtension: (extension: Extension | null) => void
  readonly setReadOnly: (readOnly: boolean) => void
  /** The id of the message; null marks the text as valid. */
  readonly setErrorId: (id: string | null) => void
  readonly onChange: (listener: () => void) => void
}

export const MIXED_LINE_BREAKS =
  'This text has mixed line breaks. If you edit it here, they’ll all be converted to LF.'

export const CR_KEPT = 'Its lines end with CR, and stay so.'

/** A code editor can keep line breaks that are all the same. */
export const hasUniformLineBreaks = (text: string): boolean => detectLineBreaks(text) !== 'mixed'

export const toLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

export interface TextSnapshot {
  readonly text: string
  readonly time: Instant
}

/** Above this many characters in all snapshots, those in between are dropped. */
const MAX_RECORDED_CHARACTERS = 8_000_000

/** A code editor that takes over can undo the changes. */
export function createTextHistory(first: string, time: Instant) {
  let snapshots: TextSnapshot[] = [{ text: first, time }]
  let characters = first.length
  return {
    snapshots: (): readonly TextSnapshot[] => snapshots,
    record: (text: string, time: Instant) => {
      if (snapshots.at(-1)?.text === text) return
      snapshots.push({ text, time })
      characters += text.length
      if (characters <= MAX_RECORDED_CHARACTERS) return
      snapshots = [...snapshots.slice(0, 1), { text, time }]
      characters = first.length + text.length
    },
  }
}

export function findChange(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

function wrapTextarea(textarea: HTMLTextAreaElement, text: string) {
  // A textarea has LF for every line break; this is the text that it was given.
  let given = { value: toLf(textarea.defaultValue), text }
  const history = createTextHistory(given.value, Date.now())
  const listeners: (() => void)[] = []
  const onInput = () => {
    history.record(textarea.value, Date.now())
    for (const listener of listeners) listener()
  }
  textarea.addEventListener('input', onInput)
  // The user may have typed before this script ran.
  history.record(textarea.value, Date.now())
  const codeEditor: CodeEditor = {
    text: () => {
      const { value } = textarea
      if (value === given.value) return given.text
      return withLineBreaks(value, detectLineBreaks(given.text))
    },
    start: (characters) => textarea.value.slice(0, characters),
    isEmpty: () => textarea.textLength === 0,
    replace: (text) => {
      textarea.value = text
      given = { value: toLf(text), text }
      textarea.setSelectionRange(0, 0)
      onInput()
      return hasUniformLineBreaks(text)
    },
    focus: () => textarea.focus(),
    setLanguage: () => {},
    setExtension: () => {},
    setReadOnly: (readOnly) => {
      textarea.readOnly = readOnly
    },
    setErrorId: (id) => {
      textarea.setAttribute('aria-invalid', String(id !== null))
      if (id === null) textarea.removeAttribute('aria-describedby')
      else textarea.setAttribute('aria-describedby', id)
    },
    onChange: (listener) => listeners.push(listener),
  }
  return { codeEditor, history }
}

interface Options {
  /** What the textarea's default value stands for, with its own line breaks. */
  readonly text: string
  readonly label: HTMLLabelElement
  readonly describedBy: string
  readonly styleNonce: string
  /** The scripts of the code editor. */
  readonly files: readonly string[]
}

/** Events that start something in an element, and those that end it. */
const ACTIONS = { compositionstart: ['compositionend'], pointerdown: ['pointerup', 'pointercancel'] } as const

/** Returns what waits until nothing is composed or selected in the element: replacing it would lose that. */
function watchActions(element: HTMLElement): () => Promise<void> {
  const running = new Set<string>()
  for (const [start, ends] of Object.entries(ACTIONS)) {
    element.addEventListener(start, () => running.add(start))
    for (const end of ends) addEventListener(end, () => running.delete(start))
  }
  return async () => {
    while (running.size > 0) {
      await new Promise((resolve) => {
        for (const end of Object.values(ACTIONS).flat()) addEventListener(end, resolve, { once: true })
      })
      // Browsers send further events for the same action.
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
}

/** The textarea until the code editor, which takes over all it has, is loaded, or for good if it can't be. */
export function createUpgradingEditor(textarea: HTMLTextAreaElement, options: Options): CodeEditor {
  const { codeEditor: plain, history } = wrapTextarea(textarea, options.text)
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  let current: CodeEditor = plain
  plain.onChange(notify)
  /** What was set last, for the code editor that takes over. */
  const settings = new Map<keyof CodeEditor, () => void>()
  const set = (name: keyof CodeEditor, apply: () => void) => {
    settings.set(name, apply)
    apply()
  }

  const waitUntilIdle = watchActions(textarea)
  const upgrade = async () => {
    // The HTML doesn't ask for them: all that the page needs to react would have to share the network with them.
    preloadScripts(options.files)
    const { replaceTextarea } = await import('./code-editor.ts')
    await waitUntilIdle()
    // The form may have been replaced by another page's content in the meantime.
    if (!textarea.isConnected) return
    const { label, describedBy, styleNonce } = options
    label.id = 'content-label'
    label.removeAttribute('for')
    current = replaceTextarea(textarea, {
      text: plain.text(),
      labelledBy: label.id,
      describedBy,
      styleNonce,
      snapshots: history.snapshots(),
    })
    for (const apply of settings.values()) apply()
    current.onChange(notify)
  }
  upgrade().catch(() => {})

  return {
    text: () => current.text(),
    start: (characters) => current.start(characters),
    isEmpty: () => current.isEmpty(),
    replace: (text) => current.replace(text),
    focus: () => current.focus(),
    setLanguage: (support) => set('setLanguage', () => current.setLanguage(support)),
    setExtension: (extension) => set('setExtension', () => current.setExtension(extension)),
    setReadOnly: (readOnly) => set('setReadOnly', () => current.setReadOnly(readOnly)),
    setErrorId: (id) => set('setErrorId', () => current.setErrorId(id)),
    onChange: (listener) => listeners.push(listener),
  }
}
