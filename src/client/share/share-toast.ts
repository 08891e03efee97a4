import { forgetDocument, tokenHeader } from '../device/device-documents.ts'
import { announce, copyToClipboard, createButton, createElement } from '../shared/elements.ts'
import { createQrCode } from '../shared/qr-code.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'
import { type SharedDocument, storeUnshared, takeShared, type UnsharedForm } from './shared-document.ts'

/** Then the message becomes small, unless somebody uses it. */
const OPEN_MS = 8_000

interface CopyField {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

function createCopyField(label: string, value: string, onCopy: (copied: boolean) => void): CopyField {
  const id = `shared-${label.toLowerCase()}`
  // With autocomplete on, browsers write the value to disk to restore it later.
  const input = createElement('input', { id, value, readOnly: true, autocomplete: 'off', spellcheck: false })
  input.addEventListener('focus', () => input.select())
  input.addEventListener('copy', () => onCopy(true))
  const button = createButton('Copy', async () => {
    const copied = await copyToClipboard(value)
    if (!copied) input.focus()
    onCopy(copied)
  })
  button.ariaLabel = `Copy ${label.toLowerCase()}`
  const element = createElement(
    'div',
    { className: 'toast-field' },
    createElement('label', {
      htmlFor: id,
      textContent: label,
      className: label === 'Link' ? 'visually-hidden' : '',
    }),
    input,
    button,
  )
  return { element, input }
}

/** Returns what went wrong; null if nothing did. */
async function deleteDocument({ id, token }: SharedDocument): Promise<string | null> {
  const response = await fetch(`/v1/document/${id}`, {
    method: 'DELETE',
    headers: tokenHeader(token),
  }).catch(() => null)
  if (response?.ok) return null
  if (response?.status === 404) return 'The document is already gone: somebody read or deleted it.'
  return response
    ? 'Couldn’t delete the document. Try again.'
    : 'Can’t reach Regent. Try again when you’re online.'
}

/** Calls `close` a while after somebody last pointed at the element or had the focus in it. */
function closeWhenUnused(element: HTMLElement, mayClose: () => boolean, close: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => (mayClose() && !element.matches(':hover, :focus-within') ? close() : restart()),
      OPEN_MS,
    )
  }
  for (const type of ['pointerleave', 'focusout', 'click']) element.addEventListener(type, restart)
  restart()
}

/** A generated password is lost with the page unless the user has copied it, alone or with the link. */
function guardPassword({ generated, copied }: SharedDocument): AbortController {
  const guard = new AbortController()
  if (generated && !copied)
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: guard.signal })
  else guard.abort()
  return guard
}

export async function showShareToast(): Promise<void> {
  const shared = takeShared(location.pathname.slice(1))
  if (!shared) return
  const { link, copied, password, generated, form } = shared
  const guard = guardPassword(shared)
  await loadExtraStyles()
  const message = createElement('p', { className: 'toast-message', role: 'status' })
  const toast = createElement('section', { className: 'toast', ariaLabel: 'Shared' })
  const onCopy = (name: string) => (wasCopied: boolean) => {
    announce(message, '')
    requestAnimationFrame(() =>
      announce(message, wasCopied ? `${name} copied` : 'Couldn’t copy. Press Ctrl+C or ⌘C.'),
    )
    if (wasCopied) guard.abort()
  }

  const linkField = createCopyField('Link', link, onCopy('Link'))
  const qrCode = createElement('div', { hidden: true })
  const showQrCode = async () => {
    if (qrCode.childElementCount === 0) qrCode.append(await createQrCode(link, 'QR code for the link'))
    qrCode.hidden = !qrCode.hidden
    qrButton.ariaExpanded = String(!qrCode.hidden)
  }
  const qrButton = createButton('QR', showQrCode, 'tool')
  qrButton.ariaExpanded = 'false'
  const undo = async (back: UnsharedForm) => {
    const problem = await deleteDocument(shared)
    if (problem !== null) return announce(message, problem)
    guard.abort()
    forgetDocument(shared.id)
    storeUnshared(back)
    location.assign('/')
  }
  let warned = false
  const tryToClose = () => {
    if (warned || guard.signal.aborted) {
      guard.abort()
      return toast.remove()
    }
    warned = true
    announce(message, 'Copy the password first: you won’t see it again.')
    toast.querySelector<HTMLInputElement>('#shared-password')?.focus()
  }
  const close = createButton('×', tryToClose, 'tool')
  close.ariaLabel = 'Close'
  const setSmall = (small: boolean) => {
    toast.classList.toggle('small', small)
    show.hidden = !small
  }
  const showAgain = () => {
    setSmall(false)
    close.focus()
  }
  const show = createButton('Show', showAgain, 'tool')

  const actions = createElement('div', { className: 'row' }, qrButton)
  if (form) actions.append(createButton('Undo', () => void undo(form), 'tool'))
  toast.append(createElement('div', { className: 'row' }, message, show, close), linkField.element)
  if (password !== null) {
    const hint = generated
      ? 'You won’t see this password again, and nobody can recover it. The link includes it.'
      : 'The link includes the password: anyone with the link can read the document.'
    toast.append(
      createCopyField('Password', password, onCopy('Password')).element,
      createElement('p', { className: 'hint', textContent: hint }),
    )
  }
  toast.append(actions, qrCode)
  setSmall(false)
  // Among the first elements, so that the keyboard reaches it at once.
  document.body.prepend(toast)
  // Screen readers announce what changes in a live region, so the message comes last.
  announce(message, copied ? 'Link copied' : 'Shared. Copy the link:')
  if (!copied) linkField.input.focus()
  closeWhenUnused(
    toast,
    () => guard.signal.aborted && qrCode.hidden === true,
    () => setSmall(true),
  )
}
