import { LanguageDescription, type LanguageSupport } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { findLanguage, PLAIN_TEXT, resolveLanguage } from '../../shared/languages.ts'
import type { CodeEditor } from '../code-editor/code-editor.ts'
import { requireElement } from '../shared/elements.ts'

/** Languages that CodeMirror knows by the name of a close relative alone. */
const RELATIVES: Readonly<Record<string, string>> = {
  svelte: 'html',
  elixir: 'ruby',
  objectivec: 'objc',
}

/** How long typing rests before the language is detected, in milliseconds. */
const REST_MS = 300

/** Detection looks at the beginning alone, and whether there is more of it. */
const LOOKED_AT = 8_192

/** How CodeMirror reads a language of the site, loaded on demand; null where it knows none like it. */
async function loadLanguageSupport(name: string): Promise<LanguageSupport | null> {
  const known = findLanguage(name)
  if (!known || known.name === PLAIN_TEXT) return null
  const names = [RELATIVES[known.name] ?? known.name, known.label]
  for (const candidate of names) {
    const description = LanguageDescription.matchLanguageName(languages, candidate, false)
    if (description) return description.load()
  }
  return null
}

export interface LanguageField {
  /** The name to store for the text as it is now. */
  readonly current: () => Promise<string>
  /** Chooses the language that a file's name tells; without one that is known, `auto`. */
  readonly chooseFor: (fileName: string) => void
}

/** The language of a file, by what its name ends with or is. */
export function findLanguageOfFile(fileName: string): string | null {
  const description = LanguageDescription.matchFilename(languages, fileName)
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1)
  return findLanguage(ending)?.name ?? findLanguage(description?.name ?? '')?.name ?? null
}

/** Colours the text in the language of the field, and says what was detected. */
export function bindLanguageField(
  editor: CodeEditor,
  field: HTMLInputElement,
  { kept }: { kept: boolean },
): LanguageField {
  const words = requireElement('#detected')
  const use = requireElement<HTMLButtonElement>('#use-detected')
  let shown = PLAIN_TEXT
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0

  const asName = () => field.value.trim().toLowerCase() || PLAIN_TEXT
  const current = async () => {
    const name = await resolveLanguage(asName(), editor.start(LOOKED_AT))
    return findLanguage(name)?.name ?? name
  }
  const choose = (name: string) => {
    field.value = name
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  let offered = PLAIN_TEXT
  /** Whoever's texts are plain by default is asked about one that does not look so. */
  const offer = async () => {
    const plain = asName() === PLAIN_TEXT && !editor.isEmpty() && field.type !== 'hidden'
    offered = plain
      ? await resolveLanguage('auto', editor.start(LOOKED_AT)).catch(() => PLAIN_TEXT)
      : PLAIN_TEXT
    const label = findLanguage(offered)?.label ?? offered
    use.hidden = offered === PLAIN_TEXT || asName() !== PLAIN_TEXT
    use.textContent = `It looks like ${label}: use that`
  }
  use.addEventListener('click', () => {
    choose(offered)
    editor.focus()
  })
  const say = (name: string, problem = '') => {
    const label = findLanguage(name)?.label ?? name
    const detected = asName() === 'auto' && !editor.isEmpty() ? `Detected: ${label}.` : ''
    const unkept = !kept && name !== PLAIN_TEXT ? 'Without an account it is saved as plain text.' : ''
    words.textContent = [detected, unkept, problem].filter(Boolean).join(' ')
  }
  const show = async () => {
    const number = ++asked
    const name = await current().catch(() => PLAIN_TEXT)
    if (number !== asked) return
    void offer()
    if (name === shown) return say(name)
    try {
      const support = await loadLanguageSupport(name)
      // Only the language that is asked for by now counts.
      if (number !== asked) return
      editor.setLanguage(support)
      shown = name
      say(name)
    } catch {
      say(name, 'Its colours could not be loaded.')
    }
  }
  editor.onChange(() => {
    if (asName() !== 'auto' && asName() !== PLAIN_TEXT) return
    clearTimeout(timer)
    timer = setTimeout(show, REST_MS)
  })
  // A draft that is restored changes it without typing.
  for (const event of ['input', 'change']) field.addEventListener(event, show)
  // A list offers what matches the field, so all of it only while the field is about to be replaced.
  field.addEventListener('focus', () => field.select())
  void show()
  return {
    current,
    chooseFor: (fileName) => choose(findLanguageOfFile(fileName) ?? 'auto'),
  }
}
