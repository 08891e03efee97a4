import {
  AUTO,
  findLanguage,
  findLanguageOfFile,
  PLAIN_TEXT,
  resolveLanguage,
} from '../../shared/languages.ts'
import type { CodeEditor } from '../code-editor/code-editor.ts'

const DEBOUNCE_MS = 300

/** Detection only looks at the first characters, and at whether there are more. */
export const DETECTION_CHARACTERS = 8_192

export interface LanguageField {
  readonly current: () => Promise<string>
  readonly choose: (name: string) => void
  readonly chooseForFile: (fileName: string) => void
}

interface Options {
  /** A title may be a file name, which tells the language. */
  readonly titleInput?: HTMLInputElement
  readonly onShow: (shown: { name: string; detected: boolean; problem: string }) => void
}

export function setLanguageValue(field: HTMLSelectElement | HTMLInputElement, name: string): void {
  const value = name === AUTO ? AUTO : (findLanguage(name)?.name ?? name)
  const isList = field instanceof HTMLSelectElement
  if (isList && ![...field.options].some((option) => option.value === value)) field.add(new Option(value))
  field.value = isList ? value : name
}

export function bindLanguageField(
  codeEditor: CodeEditor,
  field: HTMLSelectElement | HTMLInputElement,
  { titleInput, onShow }: Options,
): LanguageField {
  let shown = PLAIN_TEXT
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const getValue = () => field.value.trim().toLowerCase() || PLAIN_TEXT
  const current = async () => {
    const title = titleInput?.value.trim() || undefined
    // Without text and title there is nothing to load the detection for.
    if (getValue() === AUTO && codeEditor.isEmpty() && title === undefined) return PLAIN_TEXT
    const name = await resolveLanguage(getValue(), codeEditor.start(DETECTION_CHARACTERS), title)
    return findLanguage(name)?.name ?? name
  }
  const choose = (name: string) => {
    setLanguageValue(field, name)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const loadSupport = async (name: string) => {
    if (name === PLAIN_TEXT) return null
    const { findGrammar } = await import('../highlight/code-tokens.ts')
    return (await findGrammar(name)?.load()) ?? null
  }
  const show = async () => {
    const number = ++latest
    const name = await current().catch(() => PLAIN_TEXT)
    if (number !== latest) return
    const detected = getValue() === AUTO && !codeEditor.isEmpty()
    onShow({ name, detected, problem: '' })
    if (name === shown) return
    try {
      const support = await loadSupport(name)
      // The language may have changed while this one was loading.
      if (number !== latest) return
      codeEditor.setLanguage(support)
      shown = name
    } catch {
      onShow({ name, detected, problem: 'Syntax highlighting couldn’t be loaded.' })
    }
  }
  const showSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(show, DEBOUNCE_MS)
  }
  codeEditor.onChange(() => {
    if (getValue() === AUTO || getValue() === PLAIN_TEXT) showSoon()
  })
  titleInput?.addEventListener('input', () => {
    if (getValue() === AUTO) showSoon()
  })
  // Restoring a draft fires `change` only.
  for (const event of ['input', 'change']) field.addEventListener(event, show)
  void show()
  return {
    current,
    choose,
    chooseForFile: (fileName) => choose(findLanguageOfFile(fileName) ?? AUTO),
  }
}
