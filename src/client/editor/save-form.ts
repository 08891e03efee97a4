import { nanoid } from 'nanoid'
import { READ_ONLY_MESSAGE } from '../../shared/error-codes.ts'
import type { CreateAnswer } from '../../shared/form-settings.ts'
import { parseUsernames } from '../../shared/form-settings.ts'
import { MAX_EDITORS } from '../../shared/settings.ts'
import { announce, createElement, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../text/chunks.ts'
import type { CodeEditor } from './text-box.ts'

interface ApiError {
  readonly code: string
  readonly message: string
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

/** Maps the site's name of a field to the API's. The content is in the code editor. */
const SELECTORS = {
  content: null,
  title: '#title',
  name: '#name',
  language: '#language-search',
  expires: '#expires',
  expiration: '#expires',
  editors: '#editors',
  password: '#encrypt-password',
  create_gist: '[name="create_gist"]',
} as const

/** Is null if the error isn't about any one field. */
type FormField = keyof typeof SELECTORS | null

const isField = (name: unknown): name is keyof typeof SELECTORS => Object.hasOwn(SELECTORS, String(name))

const PROBLEMS: Readonly<Record<string, string>> = {
  'settings.expiration': 'Choose an expiry between 1 minute and 10 years from now.',
  'settings.editors': `A document can have at most ${MAX_EDITORS} editors.`,
}

const OUR_FAULT = 'Something went wrong on our side. Your text is still here. Try again in a moment.'

const MESSAGES: Readonly<Record<string, string>> = {
  unauthorized: 'You’ve been signed out.',
  not_found:
    'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.',
  content_too_large: 'The text is too large. Shorten it, then try again.',
  internal_error: OUR_FAULT,
  unavailable: OUR_FAULT,
}

/** The API's messages are ASCII without a full stop. */
const toSentence = (message: string, detail = ''): string => `${message.replaceAll("'", '’')}${detail}.`

export function toSaveError(
  { code, message, errors = [] }: ApiError,
  editors: readonly string[] = [],
): SaveError {
  const [issue] = errors
  if (issue) {
    const [section, name = section, index] = issue.path
    const username = name === 'editors' && index !== undefined ? `: ${editors[Number(index)] ?? ''}` : ''
    const text = PROBLEMS[issue.path.join('.')] ?? toSentence(issue.message, username)
    return new SaveError(text, isField(name) ? name : null, code)
  }
  // The message says when to try again, or why that isn't possible now.
  if (code === 'rate_limited' || message === READ_ONLY_MESSAGE)
    return new SaveError(`Your text is still here. ${toSentence(message)}`, null, code)
  const field = code === 'content_too_large' ? 'content' : null
  return new SaveError(MESSAGES[code] ?? toSentence(message), field, code)
}

const BASE_TIMEOUT_MS = 60_000
/** The slowest upload we wait for, in bytes per millisecond (8 kB/s). */
const MIN_BYTES_PER_MS = 8

function measureBody(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size
  if (body instanceof FormData)
    return [...body.values()].reduce(
      (sum, value) => sum + (typeof value === 'string' ? value.length : value.size),
      0,
    )
  return typeof body === 'string' ? body.length : 0
}

/**
 * Returns a signal that ends a request that takes too long for its size. The user can't change the text until the
 * response comes or is overdue.
 */
function createTimeout(body: RequestInit['body']): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), BASE_TIMEOUT_MS + measureBody(body) / MIN_BYTES_PER_MS)
  return controller.signal
}

export async function requestApi<Data>(
  path: string,
  { editors = [], ...request }: RequestInit & { readonly editors?: readonly string[] | undefined } = {},
): Promise<{ data: Data; etag: string }> {
  const response = await fetch(path, {
    cache: 'no-store',
    signal: createTimeout(request.body),
    ...request,
  }).catch(() => {
    throw new SaveError('Can’t reach the server. Your text is still here. Try again when you’re online.')
  })
  const body: { data?: Data; error?: ApiError } = await response.json().catch(() => ({}))
  if (response.ok && body.data) return { data: body.data, etag: response.headers.get('ETag') ?? '' }
  throw toSaveError(body.error ?? { code: 'internal_error', message: '' }, editors)
}

/** The message is shown to the user. */
export class SaveError extends Error {
  override readonly name = 'SaveError'
  readonly field: FormField
  /** Is null if the error was found in the browser. */
  readonly code: string | null

  constructor(message: string, field: FormField = null, code: string | null = null) {
    super(message)
    this.field = field
    this.code = code
  }
}

export function rethrowForUser(error: unknown): never {
  throw error instanceof Error ? new SaveError(error.message) : error
}

/** Many more, encoded in one go, would block the page. */
const SLICE_CHARACTERS = 512 * 1024

export async function toJsonBody(members: object, content?: string): Promise<string | Blob> {
  if (content === undefined || content.length <= SLICE_CHARACTERS)
    return JSON.stringify({ content, ...members })
  const slices: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE_CHARACTERS) {
    await yieldToPage()
    // A slice may end inside a surrogate pair: JSON escapes each half, and the parser joins them again.
    slices.push(new Blob([JSON.stringify(content.slice(at, at + SLICE_CHARACTERS)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...slices, `",${JSON.stringify(members).slice(1)}`])
}

/** Cloudflare's widget adds it to the form. Each works once. */
export const TURNSTILE_FIELD = 'cf-turnstile-response'

interface NewDocument {
  readonly text: string
  /** The fields of the request, except for the text and the password. */
  readonly form: FormData
  /** It is never among the fields; null for a document that isn't encrypted. */
  readonly password: string | null
  /** Encrypting the same text again makes another JWE. */
  readonly prepare: (form: FormData) => Promise<FormData>
}

/**
 * Sends what the user wants to share. The same again, for example because the answer was lost, is the same request: it gets
 * the document that the first one created, with its token.
 */
export function createDocumentSender() {
  let attempt: Readonly<{ text: string; settings: string; key: string; sent: FormData }> | null = null
  return async (
    { text, form, password, prepare }: NewDocument,
    onSend: () => void,
  ): Promise<CreateAnswer> => {
    const fields = [...form].filter(([name]) => name !== TURNSTILE_FIELD && name !== 'content')
    const settings = JSON.stringify([password, fields])
    if (attempt?.text !== text || attempt.settings !== settings)
      attempt = { text, settings, key: nanoid(), sent: await prepare(form) }
    const { key, sent } = attempt
    const token = form.get(TURNSTILE_FIELD)
    if (token !== null) sent.set(TURNSTILE_FIELD, token)
    onSend()
    const { data } = await requestApi<CreateAnswer>('/', {
      method: 'POST',
      headers: { Accept: 'application/json', 'Idempotency-Key': key },
      body: sent,
      editors: parseUsernames(String(sent.get('editors') ?? '')),
    }).catch((error) => {
      // The document of the first request is gone, so only another request can create one.
      if (error.code === 'conflict') attempt = null
      throw error
    })
    attempt = null
    return data
  }
}

export const announceInForm = (message: string): void => announce(requireElement('#form-status'), message)

/** Returns true while the form is being saved, and says so: what changes now would be lost. */
export function refusesChange(form: HTMLFormElement): boolean {
  if (form.inert) announceInForm('Wait until this is saved.')
  return form.inert
}

const MESSAGE_ID = 'problem'

function findField(form: HTMLFormElement, { field }: SaveError): HTMLElement | null {
  const selector = field && SELECTORS[field]
  const date =
    selector === '#expires' ? form.querySelector<HTMLElement>(':not([hidden]) > #expires-at') : null
  return date ?? (selector && form.querySelector<HTMLElement>(selector))
}

/** Marks a field as wrong or right, and names the message among what describes it. */
function markField(field: HTMLElement, isWrong: boolean): void {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ')
  const others = ids.filter((id) => id !== MESSAGE_ID && id !== '')
  const described = isWrong ? [MESSAGE_ID, ...others] : others
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '))
  else field.removeAttribute('aria-describedby')
  field.ariaInvalid = isWrong ? 'true' : null
}

export function clearError(form: HTMLFormElement, codeEditor: CodeEditor): void {
  document.getElementById(MESSAGE_ID)?.remove()
  codeEditor.setErrorId(null)
  const fields = form.querySelectorAll<HTMLElement>('[aria-invalid="true"]:not(.cm-content, textarea)')
  for (const field of fields) markField(field, false)
}

/** Shows an error beside its field, which gets the focus. Screen readers announce it. */
export function showError(form: HTMLFormElement, codeEditor: CodeEditor, error: SaveError): void {
  clearError(form, codeEditor)
  // Nothing is wrong with a text that somebody else's was merged into.
  const className = error.code === 'precondition_failed' ? 'banner' : 'error'
  const message = createElement('p', { className, id: MESSAGE_ID, role: 'alert' })
  const field = findField(form, error)
  const strip = requireElement('[data-part="strip"]', form)
  if (field) {
    const details = field.closest('details')
    if (details) details.open = true
    markField(field, true)
    // The message goes below the whole row, not between its parts.
    const row = field.closest('.choice') ?? field
    if (field.closest('.bar') && !details) strip.append(message)
    else row.after(message)
  } else {
    strip.append(message)
    if (error.field === 'content') codeEditor.setErrorId(MESSAGE_ID)
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

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

/** S counts with caps lock on, and by its place on the keyboard where the letters aren't Latin. */
export function isSaveShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Key): boolean {
  if (!(ctrlKey || metaKey) || altKey || shiftKey || isComposing) return false
  return key === 'Enter' || key.toLowerCase() === 's' || (code === 'KeyS' && !/^[ -~]$/.test(key))
}

const NOT_SENT =
  'Something went wrong in your browser, and nothing was sent. Copy your text, then reload the page.'

/** The text that was sent may be stored, but sending it again doesn't store it twice. */
const FAILED_AFTER_SENDING =
  'Something went wrong in your browser after the text was sent. Your text is still here. Try again.'

/** Only longer work is announced: otherwise the message would just flicker. */
const SLOW_MS = 150

export interface Saving {
  readonly onProgress: (step: string) => void
  /** Is called right before the text is sent. */
  readonly onSend: () => void
}

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  /** Returns the address of the page to open then. */
  readonly save: (saving: Saving) => Promise<string>
  /** Returns false where the form without scripts would send text that the browser is to encrypt. */
  readonly maySendPlain: () => boolean
  /** Returns true if leaving the page would lose text, so that the browser asks first. */
  readonly losesText: () => boolean
}

export function saveOnSubmit(options: Options): void {
  const { form, codeEditor, save, maySendPlain, losesText } = options
  const button = requireElement<HTMLButtonElement>('button[type="submit"]', form)
  let saving = false
  let leaving = false
  let focused: HTMLElement | null = null

  const setSaving = (isSaving: boolean) => {
    saving = isSaving
    if (saving) button.setAttribute('aria-disabled', 'true')
    else button.removeAttribute('aria-disabled')
    codeEditor.setReadOnly(saving)
    if (saving) {
      focused = form.querySelector<HTMLElement>(':focus')
      // Leaving a field may change the document, such as the name of a file.
      focused?.blur()
    }
    form.inert = saving
    // Somebody may have gone on elsewhere.
    if (saving || document.activeElement !== document.body) return
    if (focused?.matches('.cm-content, #content')) codeEditor.focus()
    else focused?.focus()
  }
  /** A double click or a key held down saves once. */
  const start = async () => {
    if (saving || !form.isConnected) return
    setSaving(true)
    clearError(form, codeEditor)
    announceInForm('')
    let step = 'Saving…'
    let slow = false
    let wasSent = false
    const timer = setTimeout(() => {
      slow = true
      announceInForm(step)
    }, SLOW_MS)
    const onProgress = (next: string) => {
      // Another message may have come meanwhile.
      if (next === step) return
      step = next
      if (slow) announceInForm(step)
    }
    const onSend = () => {
      wasSent = true
    }
    let address: string
    try {
      address = await save({ onProgress, onSend })
    } catch (thrown) {
      clearTimeout(timer)
      setSaving(false)
      announceInForm('')
      // A mistake in a script, or something that this browser lacks: the form works without scripts, too.
      if (!(thrown instanceof SaveError) && !wasSent && maySendPlain()) {
        leaving = true
        return form.submit()
      }
      const error =
        thrown instanceof SaveError ? thrown : new SaveError(wasSent ? FAILED_AFTER_SENDING : NOT_SENT)
      return showError(form, codeEditor, error)
    }
    // The form stays busy until the browser has left the page.
    leaving = true
    location.assign(address)
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void start()
  })
  // Captured, so that neither the code editor nor the browser handles the shortcut first.
  addEventListener(
    'keydown',
    (event) => {
      if (!isSaveShortcut(event)) return
      // Once the form is gone, only swallow the repeats of a key that is still held down.
      if (!form.isConnected && !event.repeat) return
      event.preventDefault()
      event.stopPropagation()
      void start()
    },
    { capture: true },
  )
  addEventListener('beforeunload', (event) => {
    if (!leaving && form.isConnected && losesText()) event.preventDefault()
  })
  // A page restored from the back/forward cache shows what has been saved already.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && leaving) location.reload()
  })
}
