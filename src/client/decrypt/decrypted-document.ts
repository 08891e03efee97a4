import { findFirstHeading, titleText } from '../../shared/derive-title.ts'
import { LONG_SOURCE_BYTES, MAX_RENDERED } from '../../shared/display.ts'
import { hasEscapeSequences } from '../../shared/escape-sequences.ts'
import { findFiles } from '../../shared/find-files.ts'
import { formatAge, formatDateTime, formatSize } from '../../shared/format.ts'
import { findLanguage, getFileExtension, PLAIN_TEXT, TXTAR } from '../../shared/languages.ts'
import { CR_LABEL, hasCrLines } from '../../shared/lines.ts'
import { findToken, tokenHeader } from '../device/device-documents.ts'
import { decryptInWorker, deriveClaimTokenInWorker } from '../encryption/encryption.ts'
import { announce, createElement, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../text/chunks.ts'
import { announceInToolbar, copyAndMark } from '../viewer/toolbar.ts'
import { createHiddenWarning, fillText } from './decrypted-text.ts'

export interface ApiDocument {
  readonly id: string
  readonly content: string
  readonly creator: { readonly username: string } | null
  readonly timestamps: { readonly creation: string }
  readonly settings: { readonly language: string; readonly title?: string }
}

/** The reader reads them. `unanswered`: the request may or may not have reached the server. */
const READ_FAILURES = {
  unanswered: 'The server couldn’t be reached. Check your connection and try again.',
  interrupted: 'The connection was interrupted. Try again.',
  gone: 'This document is gone. It has expired or was deleted.',
  refused: 'This document has changed since you opened this page. Reload the page.',
  'rate-limited': 'Too many attempts. Try again in a minute.',
  'server-error': 'Something went wrong on the server, and nothing was deleted. Try again in a moment.',
}

type Failures = typeof READ_FAILURES

/** Reading burns the document, so the reader must know whether that may have happened. */
const BURN_FAILURES: Failures = {
  ...READ_FAILURES,
  unanswered: 'The connection was lost, so the document may already be deleted. Try again to find out.',
  interrupted:
    'The connection was interrupted while the document was being sent. The document has been deleted and can’t be shown.',
  gone: 'This document is gone. Somebody has read it, it has expired, or it was deleted.',
  'server-error':
    'Something went wrong on the server. Try again to find out whether the document still exists.',
}

function getFailure(status: number): keyof Failures {
  if (status === 404) return 'gone'
  if (status === 429) return 'rate-limited'
  return status >= 500 ? 'server-error' : 'refused'
}

async function request<Data>(path: string, failures: Failures, init?: RequestInit): Promise<Data> {
  const fail = (failure: keyof Failures): never => {
    throw new Error(failures[failure], { cause: failure })
  }
  const response = await fetch(path, { ...init, cache: 'no-store' }).catch(() => fail('unanswered'))
  if (!response.ok) fail(getFailure(response.status))
  const { data }: { data: Data } = await response.json().catch(() => fail('interrupted'))
  return data
}

export const fetchClaimHeader = async (id: string): Promise<string> =>
  (await request<{ header: string }>(`/v1/document/${id}/claim`, READ_FAILURES)).header

export const claimDocument = (id: string, token: string): Promise<ApiDocument | null> =>
  request<ApiDocument>(`/v1/document/${id}/claim`, BURN_FAILURES, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch((error) => {
    if (error.cause === 'refused') return null
    throw error
  })

export interface ReadResult {
  readonly document: ApiDocument
  /** The text, or the JWE if it couldn't be decrypted. */
  readonly text: string
  readonly decrypted: boolean
}

type DocumentReader = (password: string) => Promise<ReadResult | null>

/** Fetches the JWE once: several attempts count as one view, and those of its creator, who has a token, as none. */
export function createEncryptedReader(id: string): DocumentReader {
  let document: ApiDocument | undefined
  return async (password) => {
    const init = { headers: tokenHeader(findToken(id)) }
    document ??= await request<ApiDocument>(`/v1/document/${id}`, READ_FAILURES, init)
    const text = await decryptInWorker(document.content, password)
    return text === null ? null : { document, text, decrypted: true }
  }
}

export const createBurnReader =
  (id: string): DocumentReader =>
  async () => {
    const document = await request<ApiDocument>(`/v1/document/${id}`, BURN_FAILURES)
    return { document, text: document.content, decrypted: true }
  }

/** Claims the document, which burns it, and decrypts what it gets. */
export const createEncryptedBurnReader =
  (id: string): DocumentReader =>
  async (password) => {
    const header = await fetchClaimHeader(id)
    const token = await deriveClaimTokenInWorker(header, password)
    const document = await claimDocument(id, token)
    if (!document) return null
    // The document is deleted by now. If its JWE was made with another password than its claim hash, show the JWE.
    const text = await decryptInWorker(document.content, password).catch(() => null)
    return { document, text: text ?? document.content, decrypted: text !== null }
  }

export function copyOnClick(button: HTMLElement, text: string, onCopied = () => {}): void {
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    if (await copyAndMark(button, text)) onCopied()
  })
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  createElement('a', { href: address, download: fileName }).click()
  // The browser has started to read the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/**
 * Starts the buttons that save and copy a burned document. Until one is used, the browser asks before it closes the
 * page.
 */
function startSaveCopy(page: ParentNode, text: string, fileName: string): void {
  const guard = new AbortController()
  const onSaved = () => guard.abort()
  const { signal } = guard
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  // Copying a part of the text by hand counts, too.
  document.addEventListener('copy', onSaved, { signal })
  requireElement('[data-tool="save"]', page).addEventListener('click', () => {
    save(text, fileName)
    announceInToolbar(`Saved as ${fileName}.`)
    onSaved()
  })
  copyOnClick(requireElement('[data-tool="copy-last"]', page), text, onSaved)
}

/** Writes it like the server. The viewer's script keeps it up to date. */
function createAge(iso: string): HTMLTimeElement {
  const at = Date.parse(iso)
  const time = createElement('time', { className: 'age', dateTime: iso, tabIndex: 0 })
  time.dataset.tip = formatDateTime(at)
  const age = createElement('span', {}, formatAge(at, Date.now()))
  age.dataset.age = String(at)
  const exact = createElement('span', { className: 'exact' }, time.dataset.tip)
  time.append(age, exact)
  return time
}

/** The server doesn't reveal these facts about a burned document before it is read. */
function createFacts({ document: { settings, creator, timestamps }, text }: ReadResult): HTMLElement[] {
  const language = findLanguage(settings.language)?.label ?? settings.language
  return [
    createElement('span', { id: 'shown-language' }, language),
    createElement('span', {}, formatSize(new Blob([text]).size)),
    ...(creator ? [createElement('span', {}, `by ${creator.username}`)] : []),
    createElement('span', {}, createAge(timestamps.creation)),
  ]
}

export async function showDocument(
  template: HTMLTemplateElement,
  result: ReadResult,
  message: string,
): Promise<void> {
  const main = document.querySelector('main')
  const page = template.content.cloneNode(true) as DocumentFragment
  const { id, settings } = result.document
  if (template.dataset.burn === 'true') page.querySelector('.facts-line')?.append(...createFacts(result))
  if (hasCrLines(result.text)) page.querySelector('.facts-line')?.append(createElement('span', {}, CR_LABEL))
  const section = page.querySelector<HTMLElement>('section.text')
  const languageChosen = section?.dataset.detect === undefined
  const archive = { language: settings.language, languageChosen }
  const files = result.decrypted ? findFiles(archive, result.text) : null
  const warning = files ? null : await createHiddenWarning(result.text, section?.dataset ?? {})
  if (warning) page.querySelector('.bar-strip')?.append(warning)
  if (section) {
    const language = findLanguage(settings.language)?.name ?? settings.language
    section.dataset.language = result.decrypted ? language : PLAIN_TEXT
    section.dataset.decrypted = 'true'
    if (section.dataset.detect !== undefined) section.dataset.detect = settings.title ?? ''
  }
  const status = page.querySelector<HTMLElement>('.bar-strip [role="status"]')
  const heading = page.querySelector('h1')
  const chosenLanguage = files ? TXTAR : languageChosen ? settings.language : null
  const getTitle = (text: string) => settings.title ?? titleText(text, chosenLanguage)
  // Only the page has the title. The browser's history would keep it, so the window's title doesn't.
  const title = result.decrypted ? getTitle(result.text) : id
  if (heading) heading.textContent = heading.title = title
  // The page shows it right away as the first heading of the text.
  const asSource = location.search.includes('view=source')
  const isTerminal = !files && section?.dataset.language !== 'log' && hasEscapeSequences(result.text)
  const startsRendered =
    section?.dataset.language === 'markdown' && result.text.length <= MAX_RENDERED && !asSource && !isTerminal
  // As on other pages of terminal output, the source isn't shown first.
  if (section && isTerminal && !asSource)
    section.dataset.startsRendered = result.text.length > LONG_SOURCE_BYTES ? 'long' : ''
  heading?.classList.toggle('visually-hidden', startsRendered && title === findFirstHeading(result.text))
  const saveButton = page.querySelector<HTMLElement>('[data-tool="save"]')
  if (saveButton) {
    const extension = result.decrypted ? getFileExtension(files ? TXTAR : settings.language) : 'jwe'
    startSaveCopy(page, result.text, `${id}.${extension}`)
  }
  // The server may have deleted the document by now. If its files can't be shown, their text is.
  const parts = files && (await import('./decrypted-files.ts').catch(() => null))
  const fillSource = section && files && (await parts?.replaceByFiles(page, section, files, result.text))
  if (!parts) await fillText(page, result.text)
  main?.replaceChildren(page)
  document.title = document.title.replace(/^.* ·/, `${id} ·`)
  if (heading) {
    heading.tabIndex = -1
    heading.focus()
  }
  // Screen readers only announce changes of a live region, so the message is added in the next frame.
  if (status) requestAnimationFrame(() => announce(status, message))
  // Laying out a long text takes time, and so does starting the viewer.
  await yieldToPage()
  if (fillSource) return parts?.startFiles(requireElement('div.files'), fillSource)
  document.dispatchEvent(new CustomEvent('regent:document'))
}
