import { formatDateTime, formatSize } from '../../shared/format.ts'
import { findLanguage, getFileExtension } from '../../shared/languages.ts'
import { announce } from '../shared/announce.ts'
import { yieldToPage } from '../shared/yield.ts'
import { fillText } from './decrypted-text.ts'
import { createHiddenWarning } from './hidden-warning.ts'
import type { ReadResult } from './read-document.ts'
import { startSaveCopy } from './save-copy.ts'

const createTime = (iso: string): HTMLTimeElement =>
  Object.assign(document.createElement('time'), {
    dateTime: iso,
    textContent: formatDateTime(Date.parse(iso)),
  })

/** Creates the facts about a burned document, which the server doesn't reveal before it is read. */
function createFacts({ document: { settings, creator, timestamps }, text }: ReadResult): HTMLElement[] {
  const facts: [string, string | Node][] = [
    ['Language', findLanguage(settings.language)?.label ?? settings.language],
    ['Size', formatSize(new Blob([text]).size)],
    ...(creator ? [['Author', creator.username] satisfies [string, string]] : []),
    ['Created', createTime(timestamps.creation)],
  ]
  return facts.map(([term, description]) => {
    const row = document.createElement('div')
    row.append(document.createElement('dt'), document.createElement('dd'))
    row.firstElementChild?.append(term)
    row.lastElementChild?.append(description)
    return row
  })
}

/**
 * Replaces the password form with the document, using the template that the server sent along.
 *
 * @param message says what happened. Screen readers announce it.
 */
export async function showDocument(
  template: HTMLTemplateElement,
  result: ReadResult,
  message: string,
): Promise<void> {
  const main = document.querySelector('main')
  const page = template.content.cloneNode(true) as DocumentFragment
  const { id, settings } = result.document
  page.querySelector('.facts:empty')?.append(...createFacts(result))
  const warning = createHiddenWarning(result.text)
  if (warning) page.querySelector('.facts')?.after(warning)
  const section = page.querySelector<HTMLElement>('section.text')
  if (section) {
    section.dataset.language = result.decrypted ? settings.language : 'plaintext'
    section.dataset.decrypted = 'true'
  }
  const status = page.querySelector<HTMLElement>('[role="status"]')
  const heading = page.querySelector('h1')
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
  // Starts the viewer and the copy buttons.
  document.dispatchEvent(new CustomEvent('regent:document'))
}
