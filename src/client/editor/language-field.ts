import { AUTO, findLanguage, findLanguageOfFile, LANGUAGES, PLAIN_TEXT } from '../../shared/languages.ts'
import { resolveLanguage } from '../../shared/resolve-language.ts'
import type { Grammar } from '../highlight/grammars.ts'
import { createElement, requireElement } from '../shared/elements.ts'
import { announceInForm } from './save-form.ts'
import type { CodeEditor } from './text-box.ts'

const DEBOUNCE_MS = 300

/** The start of the label of automatic detection, once it has found a language. */
const DETECTED = 'Auto: '

/** Detection only looks at the first characters, and at whether there are more. */
const DETECTION_CHARACTERS = 8_192

export type LanguageField = ReturnType<typeof bindLanguageField>

export function setLanguageValue(select: HTMLSelectElement, name: string): void {
  const value = name === AUTO ? AUTO : (findLanguage(name)?.name ?? name)
  if (![...select.options].some((option) => option.value === value)) select.add(new Option(value))
  select.value = value
  select.dispatchEvent(new Event('input', { bubbles: true }))
}

const NOT_FOUND = 4

/** Names that begin with what is typed come first. */
export function findLanguages(typed: string): string[] {
  const query = typed.trim().toLowerCase()
  const rank = ({ name, label, aliases }: (typeof LANGUAGES)[number]): number => {
    const shown = label.toLowerCase()
    const names = [shown, name, ...aliases]
    if (names.includes(query)) return 0
    if (shown.startsWith(query)) return 1
    if (names.some((one) => one.startsWith(query))) return 2
    return shown.includes(query) ? 3 : NOT_FOUND
  }
  const ranked = LANGUAGES.map((language) => ({ name: language.name, rank: rank(language) }))
  const found = ranked
    .filter((language) => language.rank < NOT_FOUND)
    .sort((one, other) => one.rank - other.rank)
  return [...(AUTO.startsWith(query) ? [AUTO] : []), ...found.map(({ name }) => name)]
}

/**
 * A combobox in place of the list of a hundred languages, which still holds the value. Returns a function that shows the
 * chosen language.
 */
function makeSearchable(select: HTMLSelectElement): () => void {
  const input = createElement('input', {
    id: 'language-search',
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    ariaExpanded: 'false',
    ariaAutoComplete: 'list',
  })
  const list = createElement('ul', {
    id: 'language-list',
    className: 'plain-list',
    role: 'listbox',
    ariaLabel: 'Suggestions',
    hidden: true,
  })
  input.setAttribute('aria-controls', list.id)
  const label = document.querySelector<HTMLLabelElement>(`label[for="${select.id}"]`)
  if (label) label.htmlFor = input.id
  select.hidden = true
  select.before(input)
  select.after(list)
  let names: readonly string[] = []
  let active = 0
  let searching = false

  const getLabel = (name: string) =>
    [...select.options].find(({ value }) => value === name)?.textContent?.trim() ?? name
  // The list says that it was detected.
  const update = () => {
    const shown = getLabel(select.value).replace(DETECTED, '')
    if (searching || input.value === shown) return
    const isSelected = input.selectionStart === 0 && input.selectionEnd === input.value.length
    input.value = shown
    // Typing replaces it, also if the language was detected a moment after somebody has come to the field.
    if (isSelected && document.activeElement === input) input.select()
  }
  const close = () => {
    list.hidden = true
    input.ariaExpanded = 'false'
    input.removeAttribute('aria-activedescendant')
    searching = false
    update()
  }
  const choose = (name: string) => {
    searching = false
    setLanguageValue(select, name)
    close()
  }
  const activate = (index: number) => {
    active = (index + names.length) % Math.max(1, names.length)
    for (const [at, option] of [...list.children].entries()) {
      option.ariaSelected = String(at === active)
      if (at !== active) continue
      option.scrollIntoView({ block: 'nearest' })
      input.setAttribute('aria-activedescendant', option.id)
    }
  }
  const open = (query: string) => {
    names = findLanguages(query)
    list.replaceChildren(
      ...names.map((name) =>
        createElement('li', { id: `language-${name}`, role: 'option', textContent: getLabel(name) }),
      ),
    )
    list.hidden = names.length === 0
    input.ariaExpanded = String(!list.hidden)
    activate(query === '' ? Math.max(0, names.indexOf(select.value)) : 0)
  }

  input.addEventListener('focus', () => input.select())
  input.addEventListener('click', () => {
    if (list.hidden) open('')
  })
  input.addEventListener('input', (event) => {
    event.stopPropagation()
    searching = true
    open(input.value)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (!['ArrowDown', 'ArrowUp', 'Enter', 'Escape'].includes(key) || event.isComposing) return
    if (event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (key === 'Escape') close()
    else if (list.hidden) open('')
    else if (key === 'Enter') choose(names[active] ?? select.value)
    else activate(active + (key === 'ArrowDown' ? 1 : -1))
  })
  input.addEventListener('blur', () => {
    const typed = findLanguage(input.value.trim().toLowerCase())?.name
    if (searching && typed) choose(typed)
    else close()
  })
  // The field keeps the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const name = target instanceof Element ? names[[...list.children].indexOf(target)] : undefined
    if (name !== undefined) choose(name)
  })
  update()
  return update
}

/**
 * Connects the field for the language with the code editor. Without the field, the language is the document's, and only
 * highlights.
 */
export function bindLanguageField(form: HTMLFormElement, codeEditor: CodeEditor) {
  const select = form.querySelector<HTMLSelectElement>('select#language')
  // A title may be a file name, which tells the language.
  const titleInput = form.querySelector<HTMLInputElement>('input#title')
  const updateSearch = select && makeSearchable(select)
  let fileName: (() => string) | null = null
  let shown: string | null = PLAIN_TEXT
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const getValue = () => select?.value ?? form.dataset.language ?? PLAIN_TEXT
  const current = async () => {
    const title = (fileName?.() ?? titleInput?.value.trim()) || undefined
    // Without text and title there is nothing to load the detection for.
    if (getValue() === AUTO && codeEditor.isEmpty() && title === undefined) return PLAIN_TEXT
    const name = await resolveLanguage(getValue(), codeEditor.start(DETECTION_CHARACTERS), title)
    return findLanguage(name)?.name ?? name
  }
  const loadSupport = async (name: string) => {
    if (name === PLAIN_TEXT) return null
    const grammars: Readonly<Record<string, Grammar>> = await import('../highlight/grammars.ts')
    return (await grammars[name]?.()) ?? null
  }
  const nameDetected = (name: string) => {
    if (!select) return
    const detected = getValue() === AUTO && !codeEditor.isEmpty() && name !== PLAIN_TEXT
    requireElement(`option[value="${AUTO}"]`, select).textContent = detected
      ? `${DETECTED}${findLanguage(name)?.label ?? name}`
      : 'Auto'
    updateSearch?.()
  }
  const show = async () => {
    const number = ++latest
    const name = await current().catch(() => PLAIN_TEXT)
    if (number !== latest) return
    nameDetected(name)
    if (name === shown) return
    try {
      const support = await loadSupport(name)
      // The language may have changed while this one was loading.
      if (number !== latest) return
      codeEditor.setLanguage(support, name)
      shown = name
    } catch {
      announceInForm('Syntax highlighting couldn’t be loaded.')
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
  select?.addEventListener('input', show)
  void show()
  return {
    current,
    choice: getValue,
    /** Means one of several files from now on, whose name tells its language; null means the document. */
    showFile: (getName: (() => string) | null, choice: string) => {
      fileName = getName
      shown = null
      if (select) setLanguageValue(select, choice)
      else void show()
    },
    chooseForFile: (name: string) => select && setLanguageValue(select, findLanguageOfFile(name) ?? AUTO),
  }
}
