import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { isChoice } from '../../shared/form-settings.ts'
import type { RequestSettings } from '../../shared/settings.ts'
import { startPreviewButton } from '../markdown/preview-button.ts'
import { announce, cloneTemplate, requireElement } from '../shared/elements.ts'
import { bindLanguageField, type LanguageField } from './language-field.ts'
import { openFilesIntoEditor } from './open-files.ts'
import { SaveError } from './save-form.ts'
import { type CodeEditor, createUpgradingEditor } from './text-box.ts'

const ON_DATE = 'date'

/** The choice of a date needs the browser's time zone. */
function addExpiryDate(form: HTMLFormElement): void {
  const select = form.querySelector<HTMLSelectElement>('#expires')
  if (!select || form.dataset.anyDate === 'false') return
  const dateField = cloneTemplate('expiry-date-template')
  requireElement('[data-part="strip"]', form).append(dateField)
  select.add(new Option('On a date…', ON_DATE))
  select.addEventListener('change', () => {
    dateField.hidden = select.value !== ON_DATE
    if (!dateField.hidden) requireElement('input', dateField).focus()
  })
}

export function readExpiryDate(form: HTMLFormElement): string {
  const date = new Date(requireElement<HTMLInputElement>('#expires-at', form).value)
  if (Number.isNaN(date.getTime())) throw new SaveError('Choose an expiry date and time.', 'expires')
  return date.toISOString()
}

export function readExpiration(form: HTMLFormElement): RequestSettings<'expiration'> {
  const choice = form.querySelector<HTMLSelectElement>('#expires')?.value ?? ''
  if (choice !== ON_DATE)
    return isChoice('expires', choice) ? { expiration: EXPIRY_CHOICES[choice].days } : {}
  return { expiration: readExpiryDate(form) }
}

export function markMenu(menu: HTMLElement, changed: boolean): void {
  menu.classList.toggle('changed', changed)
  requireElement('[data-part="state"]', menu).textContent = changed ? ' (on)' : ''
}

/** On Escape, and on a click or focus elsewhere. */
function closeMenusElsewhere(form: HTMLFormElement): void {
  const menus = [...form.querySelectorAll<HTMLDetailsElement>('details.bar-menu')]
  // A label in a panel moves the focus to its field in the bar.
  const isInside = (menu: HTMLElement, target: EventTarget | null) =>
    target instanceof Element &&
    (menu.contains(target) || menu.querySelector(`label[for="${target.id}"]`) !== null)
  const closeOthers = ({ target }: Event) => {
    for (const menu of menus) if (!isInside(menu, target)) menu.open = false
  }
  document.addEventListener('pointerdown', closeOthers)
  document.addEventListener('focusin', closeOthers)
  for (const menu of menus) {
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      event.stopPropagation()
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}

/** The page has the shortcut as most platforms write it. */
function showSaveKey(form: HTMLFormElement): void {
  const button = requireElement<HTMLButtonElement>('button[type="submit"]', form)
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  button.setAttribute('aria-keyshortcuts', isApple ? 'Meta+S Meta+Enter' : 'Control+S Control+Enter')
  if (isApple) requireElement('kbd', button).textContent = '⌘S'
}

/** On touch screens, while there is no text: pasting by hand takes a long press and a menu. */
function startPasteButton(
  form: HTMLFormElement,
  { codeEditor, status }: Pick<DocumentForm, 'codeEditor' | 'status'>,
): void {
  const button = requireElement<HTMLButtonElement>('[data-part="paste"]', form)
  const canPaste =
    matchMedia('(pointer: coarse)').matches && typeof navigator.clipboard?.readText === 'function'
  const update = () => {
    button.hidden = !canPaste || !codeEditor.isEmpty()
  }
  button.addEventListener('click', async () => {
    const text = await navigator.clipboard.readText().catch(() => null)
    if (text) return codeEditor.replace(text)
    announce(
      status,
      text === ''
        ? 'Your clipboard is empty.'
        : 'Your browser didn’t allow it. Press and hold here to paste.',
    )
    codeEditor.focus()
  })
  codeEditor.onChange(update)
  update()
}

export interface DocumentForm {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly language: LanguageField
  readonly status: HTMLElement
  readonly maxContentBytes: number
}

interface Options {
  /** What the text box stands for, with its own line breaks. By default, what the page has. */
  readonly text?: string
  readonly onOpenFile?: (name: string) => void
}

/** What a new document and one that is edited have in common. */
export function startDocumentForm(form: HTMLFormElement, { text, onOpenFile }: Options = {}): DocumentForm {
  const status = requireElement('#form-status')
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const codeEditor = createUpgradingEditor(textarea, {
    text: text ?? textarea.defaultValue,
    label: requireElement<HTMLLabelElement>('label[for="content"]', form),
    describedBy: 'keyboard-help',
    styleNonce: form.dataset.styleNonce ?? '',
  })
  const onProblem = (problem: string) => announce(status, problem)
  const language = bindLanguageField({ form, codeEditor, onProblem })
  const previewButton = requireElement<HTMLButtonElement>('[data-part="preview"]', form)
  startPreviewButton({ form, codeEditor, getLanguage: language.current, button: previewButton, status })
  openFilesIntoEditor({ form, codeEditor, language, status, ...(onOpenFile && { onOpen: onOpenFile }) })
  addExpiryDate(form)
  closeMenusElsewhere(form)
  showSaveKey(form)
  startPasteButton(form, { codeEditor, status })
  return { form, codeEditor, language, status, maxContentBytes: Number(form.dataset.maxContentBytes) }
}
