import { deriveTitle } from '../../shared/derive-title.ts'
import { formatAge, formatDateTime, formatSize } from '../../shared/format.ts'
import { findLanguage, getFileExtension, PLAIN_TEXT } from '../../shared/languages.ts'
import { announce, COPY_FAILED, copyToClipboard, createElement } from '../shared/elements.ts'
import { yieldToPage } from '../shared/yield.ts'
import { createHiddenWarning, fillText } from './decrypted-text.ts'
import type { ReadResult } from './read-document.ts'

export function copyOnClick(
  button: HTMLButtonElement,
  status: HTMLElement,
  text: string,
  onCopied = () => {},
): void {
  if (!navigator.clipboard) {
    button.hidden = true
    return
  }
  button.addEventListener('click', async () => {
    const copied = await copyToClipboard(text)
    announce(status, copied ? 'Copied.' : COPY_FAILED)
    if (copied) onCopied()
  })
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  createElement('a', { href: address, download: fileName }).click()
  // The browser has started to read the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Until the burned document is saved or copied, the browser asks before the page is closed. */
function startSaveCopy(actions: HTMLElement, text: string, fileName: string): void {
  const [saveButton, copyButton] = actions.querySelectorAll('button')
  const status = actions.querySelector<HTMLElement>('[aria-live]')
  if (!saveButton || !copyButton || !status) return
  const guard = new AbortController()
  const onSaved = () => guard.abort()
  const { signal } = guard
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  // Copying a part of the text by hand counts, too.
  document.addEventListener('copy', onSaved, { signal })
  saveButton.addEventListener('click', () => {
    save(text, fileName)
    announce(status, `Saved as ${fileName}.`)
    onSaved()
  })
  copyOnClick(copyButton, status, text, onSaved)
}

/** As the server writes it, which the viewer's script keeps up to date. */
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
  page.querySelector('.facts-line:empty')?.append(...createFacts(result))
  const warning = createHiddenWarning(result.text)
  if (warning) page.querySelector('.document-header')?.after(warning)
  const section = page.querySelector<HTMLElement>('section.text')
  if (section) {
    const language = findLanguage(settings.language)?.name ?? settings.language
    section.dataset.language = result.decrypted ? language : PLAIN_TEXT
    section.dataset.decrypted = 'true'
    if (section.dataset.detect !== undefined) section.dataset.detect = settings.title ?? ''
  }
  const status = page.querySelector<HTMLElement>('[role="status"]')
  const heading = page.querySelector('h1')
  // Only the page has the title. The browser's history would keep it, so the window's title doesn't.
  const title = result.decrypted ? (settings.title ?? deriveTitle(result.text)) : id
  if (heading) heading.textContent = title ?? 'Untitled'
  const actions = page.querySelector<HTMLElement>('.save-copy')
  if (actions) {
    const extension = result.decrypted ? getFileExtension(settings.language) : 'jwe'
    startSaveCopy(actions, result.text, `${id}.${extension}`)
  }
  await fillText(page, result.text)
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
  document.dispatchEvent(new CustomEvent('regent:document'))
}
