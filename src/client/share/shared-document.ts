import { forgetDocument, requestDocument } from '../device/device-documents.ts'
import {
  announce,
  announceAgain,
  copyToClipboard,
  createButton,
  createCloseButton,
  createElement,
} from '../shared/elements.ts'
import { store, takeStored } from '../shared/storage.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'

/** What the page for new documents starts with, in this tab: the text of a deleted document, or a copy of one. */
export interface GivenForm {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  readonly password: string | null
  /** The id of the document that it's a copy of; empty if that can't be read again. */
  readonly copyOf?: string
}

export interface SharedDocument {
  readonly id: string
  /** With its password if the page generated that. */
  readonly link: string
  readonly copied: boolean
  /** That the page generated: nobody else knows it. */
  readonly password: string | null
  /** The copied link has the password, but this isn't kept. */
  readonly wasTyped: boolean
  readonly token: string | null
  /** Is null if the text is too long to keep, or encrypted with a password that was typed. */
  readonly form: GivenForm | null
}

/** every-page.ts looks for it. */
const SHARED_KEY = 'regent.shared'
const GIVEN_KEY = 'regent.given'

const storeInTab = (key: string, value: SharedDocument | GivenForm): boolean =>
  store('sessionStorage', key, JSON.stringify(value))

/** Without the form if that's too long for this browser. */
export const storeShared = (shared: SharedDocument): boolean =>
  storeInTab(SHARED_KEY, shared) || storeInTab(SHARED_KEY, { ...shared, form: null })

/** Removes it, whichever document it is about. */
export function takeShared(id: string): SharedDocument | null {
  const shared = takeStored(SHARED_KEY) as SharedDocument | null
  return shared?.id === id ? shared : null
}

export const storeGiven = (form: GivenForm): boolean => storeInTab(GIVEN_KEY, form)

export const takeGiven = (): GivenForm | null => takeStored(GIVEN_KEY) as GivenForm | null

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

/** Width of the white border in modules (ISO/IEC 18004): scanners need it to find the code. */
const QUIET_ZONE_MODULES = 4

export const toModulePath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')

const createSvg = (name: string, attributes: Readonly<Record<string, string>>): SVGElement => {
  const element = document.createElementNS(SVG_NAMESPACE, name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

export async function createQrCode(text: string, label: string): Promise<SVGElement> {
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { border: QUIET_ZONE_MODULES })
  const image = createSvg('svg', {
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': label,
    'shape-rendering': 'crispEdges',
  })
  // Dark on light in the dark theme too, because scanners expect it.
  image.append(
    createSvg('path', { d: `M0 0h${size}v${size}h-${size}z`, fill: '#fff' }),
    createSvg('path', { d: toModulePath(data), fill: '#000' }),
  )
  return image
}

/** Then the message becomes small, unless somebody uses it. */
const OPEN_MS = 8_000

function createCopyField(label: string, value: string, onCopy: (copied: boolean) => void) {
  const id = `shared-${label.toLowerCase()}`
  // With autocomplete on, browsers write the value to disk to restore it later.
  const input = createElement('input', { id, value, readOnly: true, autocomplete: 'off', spellcheck: false })
  input.addEventListener('focus', () => {
    input.select()
    // The name of the site is at the start.
    input.scrollLeft = 0
  })
  input.addEventListener('copy', () => onCopy(true))
  const button = createButton('Copy', async () => {
    const copied = await copyToClipboard(value)
    if (!copied) input.focus()
    onCopy(copied)
  })
  button.ariaLabel = `Copy ${label.toLowerCase()}`
  button.classList.toggle('quiet', label !== 'Link')
  const element = createElement(
    'div',
    { className: 'toast-field field-row' },
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

async function deleteDocument(shared: SharedDocument): Promise<string | null> {
  const response = await requestDocument('DELETE', shared)
  if (response?.ok) return null
  if (response?.status === 404) return 'The document is already gone: somebody read or deleted it.'
  return response
    ? 'Couldn’t delete the document. Try again.'
    : 'Can’t reach the server. Try again when you’re online.'
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

export async function showShareToast(): Promise<void> {
  const shared = takeShared(location.pathname.slice(1))
  if (!shared) return
  const { link, copied, password, wasTyped, form } = shared
  const guard = new AbortController()
  // A generated password is lost with the page unless the user has copied it, alone or with the link.
  if (copied || password === null) guard.abort()
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: guard.signal })
  await loadExtraStyles()
  const message = createElement('p', { className: 'toast-message', role: 'status' })
  const toast = createElement('section', { className: 'toast', ariaLabel: 'Shared' })
  const onCopy = (name: string) => (wasCopied: boolean) => {
    announceAgain(message, wasCopied ? `${name} copied` : 'Couldn’t copy. Press Ctrl+C or ⌘C.')
    if (wasCopied) guard.abort()
  }

  const linkField = createCopyField('Link', link, onCopy('Link'))
  const qrCode = createElement('div', { hidden: true })
  const showQrCode = async () => {
    if (qrCode.childElementCount === 0) qrCode.append(await createQrCode(link, 'QR code for the link'))
    qrCode.hidden = !qrCode.hidden
    qrButton.ariaExpanded = String(!qrCode.hidden)
  }
  const qrButton = createButton('QR code', showQrCode, 'tool')
  qrButton.ariaExpanded = 'false'
  const undo = async (back: GivenForm) => {
    const problem = await deleteDocument(shared)
    if (problem !== null) return announce(message, problem)
    guard.abort()
    forgetDocument(shared.id)
    storeGiven(back)
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
  const close = createCloseButton(tryToClose)
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
  if (password !== null) toast.append(createCopyField('Password', password, onCopy('Password')).element)
  const hint =
    password !== null
      ? 'You won’t see this password again, and nobody can recover it. The link includes it.'
      : copied
        ? 'The link that was copied includes your password: anyone with that link can read the document.'
        : 'This link doesn’t include your password. Enter the password to copy one that does.'
  if (password !== null || wasTyped)
    toast.append(createElement('p', { className: 'hint', textContent: hint }))
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
