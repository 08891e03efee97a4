import { forgetDocument } from '../device/device-documents.ts'
import { announce, copyToClipboard, createButton, createElement } from '../shared/elements.ts'
import { createQrCode } from '../shared/qr-code.ts'
import { type SharedDocument, storeUnshared, takeShared, type UnsharedForm } from './shared-document.ts'

const STYLES = `
.share-toast {
  position: fixed;
  right: max(1rem, env(safe-area-inset-right));
  bottom: max(1rem, env(safe-area-inset-bottom));
  z-index: 20;
  display: grid;
  gap: var(--space-3);
  width: min(26rem, calc(100vw - 2rem));
  max-height: calc(100dvh - 2rem);
  padding: var(--space-3) var(--space-3) var(--space-3) var(--space-4);
  overflow: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: var(--radius-large);
  box-shadow: var(--shadow-large);
  font-size: var(--small);
  animation: share-toast var(--slow) var(--ease);
}
@keyframes share-toast {
  from { opacity: 0; transform: translateY(0.75rem); }
}
.share-toast [hidden] { display: none; }
.share-toast p { margin: 0; }
.share-toast .toast-row { display: flex; align-items: center; gap: var(--space-1); }
.share-toast .toast-message { flex: 1; font-weight: var(--bold); }
.share-toast .toast-row button {
  min-width: var(--control-small);
  min-height: var(--control-small);
  margin: 0;
  padding: 0 var(--space-3);
  background: none;
  color: var(--accent);
  border: 0;
}
.share-toast .toast-row button:hover { background: var(--hover); }
.share-toast .toast-row button[aria-expanded="true"] { background: var(--tint); }
.share-toast .toast-row .toast-close { padding: 0; color: var(--muted); font-size: 1.25rem; font-weight: 400; }
.share-toast .toast-field { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-1) var(--space-2); }
.share-toast label { grid-column: 1 / -1; }
.share-toast input { min-height: var(--control-small); font-family: var(--mono); }
.share-toast .toast-field button { min-height: var(--control-small); margin: 0; padding: 0 var(--space-3); }
.share-toast .toast-hint { color: var(--muted); font-size: var(--text-sm); }
.share-toast .toast-error { color: var(--danger); }
.share-toast svg { display: block; width: min(14rem, 100%); margin: 0 auto; border-radius: var(--radius); }
@media print { .share-toast { display: none; } }
`

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
  button.className = 'quiet'
  const element = createElement(
    'div',
    { className: 'toast-field' },
    createElement('label', { htmlFor: id, textContent: label }),
    input,
    button,
  )
  return { element, input }
}

/** Returns what went wrong; null if nothing did. */
async function deleteDocument({ id, token }: SharedDocument): Promise<string | null> {
  const response = await fetch(`/v1/document/${id}`, {
    method: 'DELETE',
    headers: token === null ? {} : { 'X-Document-Token': token },
  }).catch(() => null)
  if (response?.ok) return null
  if (response?.status === 404) return 'The document is already gone: somebody read or deleted it.'
  return response
    ? 'Couldn’t delete the document. Try again.'
    : 'Can’t reach Regent. Try again when you’re online.'
}

export function showShareToast(): void {
  const shared = takeShared(location.pathname.slice(1))
  if (!shared) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
  const { link, copied, password, generated, form } = shared
  const message = createElement('p', { className: 'toast-message', role: 'status' })
  const toast = createElement('section', { className: 'share-toast', ariaLabel: 'Shared' })

  /** A generated password is lost with the page unless the user has copied it, alone or with the link. */
  const guard = new AbortController()
  const onCopy = (name: string) => (wasCopied: boolean) => {
    announce(message, '')
    requestAnimationFrame(() =>
      announce(message, wasCopied ? `${name} copied` : 'Couldn’t copy. Press Ctrl+C or ⌘C.'),
    )
    if (wasCopied) guard.abort()
  }
  if (generated && !copied)
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: guard.signal })
  else guard.abort()

  const linkField = createCopyField('Link', link, onCopy('Link'))
  const qrCode = createElement('div', { hidden: true })
  const qrButton = createButton('QR', async () => {
    if (qrCode.childElementCount === 0) qrCode.append(await createQrCode(link, 'QR code for the link'))
    qrCode.hidden = !qrCode.hidden
    qrButton.ariaExpanded = String(!qrCode.hidden)
  })
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
  const close = createButton('×', () => {
    if (warned || guard.signal.aborted) {
      guard.abort()
      return toast.remove()
    }
    warned = true
    announce(message, 'Copy the password first: you won’t see it again.')
    toast.querySelector<HTMLInputElement>('#shared-password')?.focus()
  })
  close.className = 'toast-close'
  close.ariaLabel = 'Close'

  const row = createElement('div', { className: 'toast-row' }, message, qrButton)
  if (form) row.append(createButton('Undo', () => void undo(form)))
  row.append(close)
  toast.append(row)
  if (!copied) toast.append(linkField.element)
  if (password !== null) {
    toast.append(createCopyField('Password', password, onCopy('Password')).element)
    const hint = generated
      ? 'You won’t see this password again, and nobody can recover it. The link includes it.'
      : 'The link includes the password: anyone with the link can read the document.'
    toast.append(createElement('p', { className: 'toast-hint', textContent: hint }))
  }
  toast.append(qrCode)
  // Among the first elements, so that the keyboard reaches it at once.
  const header = document.querySelector('body > header')
  if (header) header.before(toast)
  else document.body.prepend(toast)
  // Screen readers announce what changes in a live region, so the message comes last.
  announce(message, copied ? 'Link copied' : 'Shared. Copy the link:')
  if (!copied) linkField.input.focus()
}
