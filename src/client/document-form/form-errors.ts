import type { CodeEditor } from '../code-editor/code-editor.ts'
import { requireElement } from '../shared/elements.ts'

/** A field of the form that something may be wrong with; null: it is about none of them. */
export type FormField = 'content' | 'language' | 'expires' | 'editors' | 'password' | 'gist' | null

/** What keeps a document from being saved, in words for whoever wrote it. */
export class SaveError extends Error {
  override readonly name = 'SaveProblem'
  readonly at: FormField
  /** Of the error of the API; null: the browser found it. */
  readonly code: string | null

  constructor(words: string, at: FormField = null, { code = null }: { code?: string | null } = {}) {
    super(words)
    this.at = at
    this.code = code
  }
}

const PROBLEM = 'problem'

const FIELDS: Record<Exclude<FormField, 'content' | null>, string> = {
  language: '#language',
  expires: '#expires',
  editors: '#editors',
  password: '#protect-password',
  gist: '[name="gist"]',
}

function fieldOf(form: HTMLFormElement, { at }: SaveError): HTMLElement | null {
  if (at === null || at === 'content') return null
  const date = at === 'expires' ? form.querySelector<HTMLElement>('.field:not([hidden]) > #expires-at') : null
  return date ?? form.querySelector<HTMLElement>(FIELDS[at])
}

const describedBy = (element: HTMLElement) => (element.getAttribute('aria-describedby') ?? '').split(' ')

/** Takes away what was shown last. */
export function clearError(form: HTMLFormElement, editor: CodeEditor): void {
  document.getElementById(PROBLEM)?.remove()
  editor.setProblem(null)
  for (const field of form.querySelectorAll<HTMLElement>('[aria-invalid="true"]:not(.cm-content)')) {
    field.removeAttribute('aria-invalid')
    const others = describedBy(field).filter((id) => id !== PROBLEM && id !== '')
    if (others.length > 0) field.setAttribute('aria-describedby', others.join(' '))
    else field.removeAttribute('aria-describedby')
  }
}

/** Says what is wrong beside what it is about, where it is read out too, and leads there. */
export function showError(form: HTMLFormElement, editor: CodeEditor, problem: SaveError): void {
  clearError(form, editor)
  const words = document.createElement('span')
  words.className = 'error'
  words.id = PROBLEM
  words.setAttribute('role', 'alert')
  const field = fieldOf(form, problem)
  if (field) {
    const details = field.closest('details')
    if (details) details.open = true
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', [PROBLEM, ...describedBy(field)].filter(Boolean).join(' '))
    // A row of buttons and a label stay whole.
    const whole = field.closest('.with-buttons, .choice') ?? field
    whole.after(words)
  } else if (problem.at === 'content') {
    requireElement('.cm-editor', form).after(words)
    editor.setProblem(PROBLEM)
  } else {
    requireElement('.actions', form).before(words)
  }
  // An alert is read out when it changes.
  words.textContent = problem.message
  // Signing in solves it.
  if (problem.code === 'unauthorized') {
    const link = Object.assign(document.createElement('a'), {
      href: '/sign-in',
      target: '_blank',
      textContent: 'Sign in in another tab',
    })
    words.append(' ', link, ', then save again.')
  }
  if (field) field.focus()
  else if (problem.at === 'content') editor.focus()
}
