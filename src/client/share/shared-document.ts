import { NEVER } from '../../shared/expiry.ts'
import type { Instant } from '../../shared/instant.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { forgetDocument, requestDocument } from '../device/device-documents.ts'
import {
  announce,
  announceAgain,
  copyToClipboard,
  createButton,
  createCloseButton,
  createElement,
  markDone,
} from '../shared/elements.ts'
import { store, takeStored } from '../shared/storage.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'

/** The form that the page for new documents starts with, in this tab: the text of a deleted document, or a copy of one. */
export interface GivenForm {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
  readonly password: string | null
  /** The id of the document that it's a copy of; empty if that can't be read again. */
  readonly copyOf?: string
}

export interface SharedDocument {
  readonly id: string
  /** The link has no password. */
  readonly url: string
  /** The link was copied, with the password if the page generated that. */
  readonly copied: boolean
  /** Is set if the page generated it: nobody else knows it. */
  readonly password: string | null
  /** Is true if somebody chose the password, which isn't kept. */
  readonly wasTyped: boolean
  readonly burns: boolean
  readonly isPublic: boolean
  readonly expiresAt: Instant
  readonly token: string | null
  /** Is null if the text is too long to keep, or encrypted with a password that was typed. */
  readonly form: GivenForm | null
}

/** The key in the browser's storage, which every-page.ts looks for. */
const SHARED_KEY = 'regent.shared'
const GIVEN_KEY = 'regent.given'

const storeInTab = (key: string, value: SharedDocument | GivenForm): boolean =>
  store('sessionStorage', key, JSON.stringify(value))

/** Leaves out the form if that's too long for this browser. */
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

/** How long the message stays large, unless somebody uses it. */
const OPEN_MS = 8_000

const UNTIL = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

const AND = new Intl.ListFormat('en-GB')

interface Access extends Pick<SharedDocument, 'burns' | 'isPublic' | 'password' | 'wasTyped' | 'expiresAt'> {
  /** Is true if only accounts may read documents on this server. */
  readonly forAccounts: boolean
}

/** Says who can read the document, and until when. */
export function describeAccess({
  burns,
  isPublic,
  password,
  wasTyped,
  expiresAt,
  forAccounts,
}: Access): string {
  const until = expiresAt === NEVER ? '' : ` until ${UNTIL.format(expiresAt)}`
  const needs = AND.format([
    ...(forAccounts ? ['an account'] : []),
    'the link',
    ...(wasTyped || password !== null ? ['the password'] : []),
  ])
  if (burns) return `The first person with ${needs} who reads it deletes it. You can look at it until then.`
  if (isPublic) return `Anyone${forAccounts ? ' with an account' : ''} can find and read it${until}.`
  return `Anyone with ${needs} can read it${until}.`
}

const NOT_COPIED = 'Couldn’t copy. The text is selected: press Ctrl+C or ⌘C.'

interface Row {
  /** Is null where there is only one row. */
  readonly label: string | null
  readonly value: string
  /** The text that the button copies; null if the row has no button. */
  readonly copies: string | null
}

type Copy = (text: string, shown: HTMLElement, button: HTMLElement, name: string) => Promise<void>

function select(element: HTMLElement): void {
  element.focus()
  getSelection()?.selectAllChildren(element)
}

/** The value wraps, so that all of it can be read. */
function createRow({ label, value, copies }: Row, copy: Copy) {
  const shown = createElement('code', { textContent: value, tabIndex: -1, ariaLabel: label ?? 'Link' })
  shown.setAttribute('role', 'group')
  const element = createElement('div', { className: 'toast-row' })
  if (label !== null) element.append(createElement('span', { className: 'hint', textContent: label }))
  element.append(shown)
  if (copies !== null) {
    const button = createButton('Copy', () => void copy(value, shown, button, copies), 'quiet')
    button.ariaLabel = `Copy ${copies.toLowerCase()}`
    element.append(button)
  }
  return { element, shown }
}

const OPENS = 'Opens without asking'
const ASKS = 'Asks for the password'

/** The first is the link to copy. */
function getRows({ url, password, wasTyped }: SharedDocument): readonly [Row, ...Row[]] {
  if (wasTyped) return [{ label: ASKS, value: url, copies: null }]
  if (password === null) return [{ label: null, value: url, copies: null }]
  return [
    { label: OPENS, value: buildPasswordLink(url, password), copies: null },
    { label: ASKS, value: url, copies: 'Link without password' },
    { label: 'Password', value: password, copies: 'Password' },
  ]
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
  const { copied, password, wasTyped, form } = shared
  const guard = new AbortController()
  // A generated password is lost with the page unless the user has copied it, alone or with the link.
  if (copied || password === null) guard.abort()
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: guard.signal })
  await loadExtraStyles()
  const message = createElement('p', { className: 'toast-message', role: 'status' })
  const toast = createElement('section', { className: 'toast', ariaLabel: 'Shared' })
  // A copy by hand saves the password, too.
  toast.addEventListener('copy', () => guard.abort())
  const copy: Copy = async (text, shown, button, name) => {
    if (await copyToClipboard(text)) {
      // A link alone doesn't save the password.
      if (password !== null && text.includes(password)) guard.abort()
      markDone(button, 'Copied')
      return announceAgain(message, `${name} copied`)
    }
    select(shown)
    announceAgain(message, NOT_COPIED)
  }

  const [main, ...others] = getRows(shared)
  const link = createRow(main, copy)
  const mainName = password === null ? 'Link' : 'Link with password'
  const copyButton = createButton('Copy link', () => copy(main.value, link.shown, copyButton, mainName))
  const qrCode = createElement('div', { hidden: true })
  const showQrCode = async () => {
    if (qrCode.childElementCount === 0) qrCode.append(await createQrCode(main.value, 'QR code for the link'))
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
    toast.querySelector<HTMLElement>('[aria-label="Copy password"]')?.focus()
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

  const actions = createElement('div', { className: 'row' }, copyButton)
  // The apps of a phone. A browser that has no others refuses the address of an insecure page.
  if (navigator.canShare?.({ url: main.value }))
    actions.append(createButton('Share…', () => void shareLink(main.value), 'quiet'))
  actions.append(qrButton)
  if (form) actions.append(createButton('Undo', () => void undo(form), 'tool'))
  toast.append(createElement('div', { className: 'row' }, message, show, close), link.element)
  toast.append(...others.map((row) => createRow(row, copy).element))
  const hints = [
    describeAccess({ ...shared, forAccounts: document.documentElement.dataset.readers === 'accounts' }),
    ...(password === null ? [] : ['You won’t see this password again, and nobody can recover it.']),
    ...(wasTyped ? ['Enter the password, and “More” has a link that opens without asking.'] : []),
  ]
  toast.append(createElement('p', { className: 'hint', textContent: hints.join(' ') }), actions, qrCode)
  setSmall(false)
  // Among the first elements, so that the keyboard reaches it at once.
  document.body.prepend(toast)
  // Screen readers announce what changes in a live region, so the message comes last.
  announce(message, copied ? `${mainName} copied` : 'Shared. Copy the link:')
  if (!copied) select(link.shown)
  closeWhenUnused(
    toast,
    () => guard.signal.aborted && qrCode.hidden === true,
    () => setSmall(true),
  )
}

/** Somebody who closes the list of apps shares nothing. */
const shareLink = (url: string) => navigator.share({ url }).catch(() => {})
