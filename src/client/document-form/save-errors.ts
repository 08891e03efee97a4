import type { CodeEditor } from '../code-editor/code-editor.ts'
import { createElement, requireElement } from '../shared/elements.ts'

/** Null if the error isn't about any one field. */
export type FormField = 'content' | 'title' | 'language' | 'expires' | 'editors' | 'password' | 'gist' | null

/** The message is shown to the user. */
export class SaveError extends Error {
  override readonly name = 'SaveError'
  readonly field: FormField
  /** Null if the error was found in the browser. */
  readonly code: string | null

  constructor(message: string, field: FormField = null, { code = null }: { code?: string | null } = {}) {
    super(message)
    this.field = field
    this.code = code
  }
}

const MESSAGE_ID = 'problem'

const SELECTORS: Record<Exclude<FormField, 'content' | null>, string> = {
  title: '#title',
  language: '#language',
  expires: '#expires',
  editors: '#editors',
  password: '#encrypt-password',
  gist: '[name="create_gist"]',
}

function findField(form: HTMLFormElement, { field }: SaveError): HTMLElement | null {
  if (field === null || field === 'content') return null
  const date =
    field === 'expires' ? form.querySelector<HTMLElement>('.field:not([hidden]) > #expires-at') : null
  return date ?? form.querySelector<HTMLElement>(SELECTORS[field])
}

const getDescriptionIds = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '').split(' ')

export function clearError(form: HTMLFormElement, codeEditor: CodeEditor): void {
  document.getElementById(MESSAGE_ID)?.remove()
  codeEditor.setErrorId(null)
  for (const field of form.querySelectorAll<HTMLElement>(
    '[aria-invalid="true"]:not(.cm-content, textarea)',
  )) {
    field.removeAttribute('aria-invalid')
    const others = getDescriptionIds(field).filter((id) => id !== MESSAGE_ID && id !== '')
    if (others.length > 0) field.setAttribute('aria-describedby', others.join(' '))
    else field.removeAttribute('aria-describedby')
  }
}

/** Beside its field, which gets the focus. Screen readers announce it. */
export function showError(form: HTMLFormElement, codeEditor: CodeEditor, error: SaveError): void {
  clearError(form, codeEditor)
  const message = createElement('span', { className: 'error', id: MESSAGE_ID, role: 'alert' })
  const field = findField(form, error)
  // Where the text fills the window, messages have a place of their own.
  const strip = form.querySelector('[data-part="strip"]')
  if (field) {
    const details = field.closest('details')
    if (details) details.open = true
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute(
      'aria-describedby',
      [MESSAGE_ID, ...getDescriptionIds(field)].filter(Boolean).join(' '),
    )
    // The message goes below the whole row, not between its parts.
    const row = field.closest('.input-with-buttons, .choice') ?? field
    if (field.closest('.bar') && !details) strip?.append(message)
    else row.after(message)
  } else if (strip) {
    strip.append(message)
    if (error.field === 'content') codeEditor.setErrorId(MESSAGE_ID)
  } else if (error.field === 'content') {
    requireElement('.cm-editor', form).after(message)
    codeEditor.setErrorId(MESSAGE_ID)
  } else {
    requireElement('.actions', form).before(message)
  }
  // Screen readers announce an alert when its text changes, so the text comes last.
  message.textContent = error.message
  if (error.code === 'unauthorized') {
    const link = createElement('a', {
      href: '/sign-in',
      target: '_blank',
      textContent: 'Sign in',
    })
    message.append(' ', link, ' (opens a new tab), then save again.')
  }
  if (field) field.focus()
  else if (error.field === 'content') codeEditor.focus()
}
