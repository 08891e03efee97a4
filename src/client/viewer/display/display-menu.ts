import type { Display } from '../../../shared/display.ts'
import { findLanguage, LANGUAGES } from '../../../shared/languages.ts'
import { createButton, createElement } from '../../shared/elements.ts'
import type { DocumentLanguage } from './document-language.ts'

interface DisplayMenuOptions {
  readonly language: DocumentLanguage
  readonly getDisplay: () => Display
  readonly setDisplay: (display: Display) => void
  /** Passed in rather than imported, like the shortcuts: a module shared with the viewer would be another file to load. */
  readonly fontSizes: readonly number[]
  readonly shortcuts: { readonly areOn: () => boolean; readonly set: (on: boolean) => void }
}

/** The value of the option for the document's own language. */
const OWN = ''

function createLanguageField({ language }: DisplayMenuOptions): HTMLElement {
  const select = createElement('select', { id: 'display-language' })
  const own = new Option(`Default: ${language.ownLabel()}`, OWN)
  select.append(own, ...LANGUAGES.map(({ name, label }) => new Option(label, name)))
  select.value = findLanguage(language.choice() ?? OWN)?.name ?? OWN
  select.addEventListener('change', () => language.choose(select.value === OWN ? null : select.value))
  return createElement('label', {}, 'Language', select)
}

function createFontSizeField({ getDisplay, setDisplay, fontSizes }: DisplayMenuOptions): HTMLElement {
  const output = createElement('output', {})
  const show = () => {
    output.textContent = `${getDisplay().fontSize} px`
  }
  const createStep = (label: string, by: number) =>
    createButton(label, () => {
      const display = getDisplay()
      const fontSize = fontSizes[fontSizes.indexOf(display.fontSize) + by]
      if (fontSize !== undefined) setDisplay({ ...display, fontSize })
      show()
    })
  show()
  const steps = [createStep('Smaller', -1), output, createStep('Larger', 1)]
  return createElement('div', { className: 'font-size' }, createElement('span', {}, 'Text size'), ...steps)
}

function createShortcutsField({ shortcuts }: DisplayMenuOptions): HTMLElement {
  const box = createElement('input', { type: 'checkbox', checked: shortcuts.areOn() })
  box.addEventListener('change', () => shortcuts.set(box.checked))
  return createElement('label', { className: 'choice' }, box, 'Keyboard shortcuts: / G W')
}

export function fillDisplayMenu(menu: HTMLElement, options: DisplayMenuOptions): void {
  menu.replaceChildren(
    createLanguageField(options),
    createFontSizeField(options),
    createShortcutsField(options),
  )
}
