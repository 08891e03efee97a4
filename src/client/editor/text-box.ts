import type { LanguageSupport } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { Instant } from '../../shared/instant.ts'
import { detectLineBreaks, withLineBreaks } from '../../shared/lines.ts'
import { preloadScripts, requireElement } from '../shared/elements.ts'

/** The content of a text box: its text, and what the box itself knows of it, such as its undo history. */
export interface KeptBox {
  readonly shown: () => string
}

/** A textarea or CodeMirror, which have LF for every line break. */
export interface TextBox {
  readonly start: (characters?: number) => string
  /** Replaces the text in one step, which can be undone. */
  readonly replace: (text: string) => void
  readonly keep: () => KeptBox
  /** Each text has its own steps of undo. */
  readonly show: (kept: KeptBox) => void
  /** One step of undo. The changes are in the order of the text, and in the text as it is now. */
  readonly change: (changes: readonly TextChange[]) => void
  /** Selects a part of the text, shows it and moves the focus there. */
  readonly select: (from: number, to: number) => void
  readonly focus: () => void
  readonly setLanguage: (support: LanguageSupport | null, language: string) => void
  readonly setExtension: (extension: Extension | null) => void
  readonly setReadOnly: (readOnly: boolean) => void
  /** The id of the message; null marks the text as valid. */
  readonly setErrorId: (id: string | null) => void
}

/** One of several files, while another one is in the code editor. */
export interface KeptText {
  readonly given: ReturnType<typeof toGiven>
  readonly box: KeptBox
}

/** Returns the text with the line breaks that it's saved with. */
export function readKept({ given, box }: KeptText): string {
  const shown = box.shown()
  return shown === given.shown ? given.text : withLineBreaks(shown, given.lineBreaks)
}

export function keepText(text: string): KeptText {
  const given = toGiven(text)
  return { given, box: { shown: () => given.shown } }
}

export interface CodeEditor extends Omit<TextBox, 'replace' | 'keep' | 'show'> {
  /** Has the line breaks that it is saved with. */
  readonly text: () => string
  readonly isEmpty: () => boolean
  /** Returns true if the line breaks are uniform: editing keeps those. */
  readonly replace: (text: string) => boolean
  readonly keep: () => KeptText
  readonly show: (kept: KeptText) => void
  readonly onChange: (listener: () => void) => void
  /** Resolves once nothing takes over from the textarea any more. */
  readonly ready: Promise<void>
}

export const CR_KEPT = 'Its lines end with CR, and stay so.'

export const toLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

export interface TextSnapshot {
  readonly text: string
  readonly time: Instant
}

/** If all snapshots have more characters than this, only the first and the newest one stay. */
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

interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

export function findChange(before: string, after: string): TextChange {
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

function wrapTextarea(textarea: HTMLTextAreaElement, onChange: () => void): TextBox {
  textarea.addEventListener('input', onChange)
  return {
    start: (characters) => textarea.value.slice(0, characters),
    replace: (text) => {
      textarea.value = text
      textarea.setSelectionRange(0, 0)
      onChange()
    },
    keep: () => {
      const text = textarea.value
      return { shown: () => text }
    },
    show: (kept) => {
      textarea.value = kept.shown()
      textarea.setSelectionRange(0, 0)
    },
    change: (changes) => {
      for (const { from, to, insert } of changes.toReversed()) textarea.setRangeText(insert, from, to)
      onChange()
    },
    select: (from, to) => {
      textarea.focus()
      textarea.setSelectionRange(from, to)
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
  }
}

/** A text with its own line breaks, and as a text box has it. */
const toGiven = (text: string) => ({ text, shown: toLf(text), lineBreaks: detectLineBreaks(text) })

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

/**
 * The textarea until the code editor, which takes over all it has, is loaded, or for good if it can't be.
 *
 * @param stored what the textarea's default value stands for, with its own line breaks. By default, that value.
 */
export function createUpgradingEditor(form: HTMLFormElement, stored?: string): CodeEditor {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const listeners: (() => void)[] = []
  let given = toGiven(stored ?? textarea.defaultValue)
  const isEmpty = () => box.start(1) === ''
  const onChange = () => {
    // A text typed after everything was deleted has nothing to do with the file that was there, unless that comes back.
    if (isEmpty()) given = { ...given, lineBreaks: 'lf' }
    for (const listener of listeners) listener()
  }
  const history = createTextHistory(given.shown, Date.now())
  // The user may have typed before this script ran.
  history.record(textarea.value, Date.now())
  let box = wrapTextarea(textarea, () => {
    history.record(textarea.value, Date.now())
    onChange()
  })
  const text = () => readKept({ given, box: { shown: () => box.start() } })
  form.addEventListener('formdata', ({ formData }) => formData.set(textarea.name, text()))
  /** The latest call of each method, for the code editor that takes over. */
  const settings = new Map<keyof TextBox, () => void>()
  const set = (setting: keyof TextBox, apply: () => void) => {
    settings.set(setting, apply)
    apply()
  }

  const waitUntilIdle = watchActions(textarea)
  const upgrade = async () => {
    // The HTML doesn't ask for them: all that the page needs to react would have to share the network with them.
    preloadScripts(form.dataset.codeEditorFiles?.split(' ') ?? [])
    const { replaceTextarea } = await import('./code-editor.ts')
    await waitUntilIdle()
    // The form may have been replaced by another page's content in the meantime.
    if (!textarea.isConnected) return
    box = replaceTextarea(textarea, { snapshots: history.snapshots(), onChange })
    for (const apply of settings.values()) apply()
  }
  const ready = upgrade().catch(() => textarea.removeAttribute('data-long'))

  return {
    text,
    start: (characters) => box.start(characters),
    isEmpty,
    replace: (replacement) => {
      given = toGiven(replacement)
      box.replace(given.shown)
      return given.lineBreaks !== 'mixed'
    },
    change: (changes) => box.change(changes),
    select: (from, to) => box.select(from, to),
    focus: () => {
      // To focus a textarea, the browser lays out its text.
      if (textarea.isConnected && textarea.matches('[data-long]')) settings.set('focus', () => box.focus())
      else box.focus()
    },
    setLanguage: (support, language) => set('setLanguage', () => box.setLanguage(support, language)),
    setExtension: (extension) => set('setExtension', () => box.setExtension(extension)),
    setReadOnly: (readOnly) => set('setReadOnly', () => box.setReadOnly(readOnly)),
    setErrorId: (id) => set('setErrorId', () => box.setErrorId(id)),
    onChange: (listener) => listeners.push(listener),
    ready,
    keep: () => ({ given, box: box.keep() }),
    show: (kept) => {
      given = kept.given
      box.show(kept.box)
      // They belong to the text that was there.
      settings.delete('setExtension')
      settings.delete('setLanguage')
      for (const apply of settings.values()) apply()
      onChange()
    },
  }
}
