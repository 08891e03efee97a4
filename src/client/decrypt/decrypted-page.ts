import { formatDateTime, formatSize } from '../../shared/format.ts'
import { findLanguage, getFileExtension } from '../../shared/languages.ts'
import { announce } from '../shared/announce.ts'
import { rest } from '../shared/idle.ts'
import { fillText } from './decrypted-text.ts'
import { hiddenWarning } from './hidden-warning.ts'
import { keepCopy } from './keep-copy.ts'
import type { Reading } from './readings.ts'

/** As the server writes an instant. */
const time = (iso: string): HTMLTimeElement =>
  Object.assign(document.createElement('time'), {
    dateTime: iso,
    textContent: formatDateTime(Date.parse(iso)),
  })

/** What is known about a document only once it has been read. */
function facts({ document: { settings, creator, timestamps }, text }: Reading): HTMLElement[] {
  const known: [string, string | Node][] = [
    ['Language', findLanguage(settings.language)?.label ?? settings.language],
    ['Size', formatSize(new Blob([text]).size)],
    ...(creator ? [['Creator', creator.username] satisfies [string, string]] : []),
    ['Created', time(timestamps.creation)],
  ]
  return known.map(([term, description]) => {
    const row = document.createElement('div')
    row.append(document.createElement('dt'), document.createElement('dd'))
    row.firstElementChild?.append(term)
    row.lastElementChild?.append(description)
    return row
  })
}

/**
 * Shows what was read in place of what asked for it, in the frame that the server sent along, which is the
 * one that it shows other documents in.
 *
 * @param words that say what happened, and are read out.
 */
export async function showDocument(
  template: HTMLTemplateElement,
  reading: Reading,
  words: string,
): Promise<void> {
  const main = document.querySelector('main')
  const frame = template.content.cloneNode(true) as DocumentFragment
  const { id, settings } = reading.document
  const language = reading.sealed ? 'plaintext' : settings.language
  frame.querySelector('.facts:empty')?.append(...facts(reading))
  const warning = hiddenWarning(reading.text)
  if (warning) frame.querySelector('.facts')?.after(warning)
  const section = frame.querySelector<HTMLElement>('section.text')
  if (section) section.dataset.language = language
  const status = frame.querySelector<HTMLElement>('[role="status"]')
  const heading = frame.querySelector('h1')
  const actions = frame.querySelector<HTMLElement>('.keep')
  if (actions) {
    keepCopy(actions, reading.text, `${id}.${reading.sealed ? 'jwe' : getFileExtension(settings.language)}`)
  }
  await fillText(frame, reading.text)
  main?.replaceChildren(frame)
  document.title = document.title.replace(/^.* ·/, `${id} ·`)
  if (heading) {
    heading.tabIndex = -1
    heading.focus()
  }
  // What stands in a live region from its beginning is not read out.
  if (status) requestAnimationFrame(() => announce(status, words))
  // Laying out a long text takes its time, and so does looking through it.
  await rest()
  // For whatever makes a text on a page more comfortable to read.
  document.dispatchEvent(new CustomEvent('regent:document'))
}
