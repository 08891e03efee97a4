import { getDisplayName } from '../../shared/derive-title.ts'
import { MAX_ADDED_DOCUMENTS } from '../../shared/document-ids.ts'
import { formatAge } from '../../shared/format.ts'
import { COPY_REFUSED, getSelected, say, showSelection, startList } from '../lists/list.ts'
import {
  announce,
  cloneTemplate,
  copyToClipboard,
  createButton,
  createElement,
  isPlainClick,
  requireElement,
} from '../shared/elements.ts'
import {
  type DeviceDocument,
  deleteCookie,
  forgetDocument,
  requestDocument,
  restoreCookie,
} from './device-documents.ts'

/** A server limits how many deletions it takes in a minute. */
const MAX_ATTEMPTS = 5

export interface Progress {
  readonly deleted: number
  readonly failed: number
  readonly pause: number | null
}

interface DeleteOptions {
  readonly onProgress: (progress: Progress, done: DeviceDocument | null) => void
  readonly wait?: (milliseconds: number) => Promise<void>
}

export async function deleteDeviceDocuments(
  documents: readonly DeviceDocument[],
  { onProgress, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }: DeleteOptions,
): Promise<Progress> {
  let progress: Progress = { deleted: 0, failed: 0, pause: null }
  for (const one of documents) {
    const isGone = await deleteOne(one, async (seconds) => {
      onProgress({ ...progress, pause: seconds }, null)
      await wait(seconds * 1000)
    })
    // Its cookie stays until it expires: the server gives no answers about documents that are gone.
    if (isGone) forgetDocument(one.id)
    const counted = isGone ? 'deleted' : 'failed'
    progress = { ...progress, [counted]: progress[counted] + 1 }
    onProgress(progress, isGone ? one : null)
  }
  return progress
}

async function deleteOne(one: DeviceDocument, pause: (seconds: number) => Promise<void>): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const response = await requestDocument('DELETE', one)
    if (response?.ok || response?.status === 404) return true
    const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN)
    if (attempt === MAX_ATTEMPTS || !(seconds > 0)) return false
    await pause(seconds)
  }
}

/** Returns a link with which anyone can edit and delete the document. */
export const buildManagementLink = (
  origin: string,
  { id, token }: Pick<DeviceDocument, 'id' | 'token'>,
): string => `${origin}/${id}/manage?token=${encodeURIComponent(token)}`

type Compare = (one: DeviceDocument, other: DeviceDocument) => number

/** The page gives the orders these names. */
const ORDERS: Readonly<Record<string, Compare>> = {
  newest: (one, other) => other.createdAt - one.createdAt,
  oldest: (one, other) => one.createdAt - other.createdAt,
  title: (one, other) => getDisplayName(one).localeCompare(getDisplayName(other)),
  'title-reversed': (one, other) => getDisplayName(other).localeCompare(getDisplayName(one)),
  expiring: (one, other) => one.expiresAt - other.expiresAt,
  'expiring-last': (one, other) => other.expiresAt - one.expiresAt,
}

export function arrange(
  documents: readonly DeviceDocument[],
  { search, sort }: { readonly search: string; readonly sort: string },
): DeviceDocument[] {
  const toKey = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const wanted = toKey(search)
  return documents.filter((document) => toKey(getDisplayName(document)).includes(wanted)).sort(ORDERS[sort])
}

/** Each counts as a guess. A server takes 60 a minute from a network, and then answers nobody there. */
const MAX_GONE = 30

/** Browsers send this many requests to a server at once. */
const ASKED_AT_ONCE = 6

/** Asks for a few documents at a time, which burns nothing and counts no view. The next visit finds more. */
export async function findGone(
  documents: readonly DeviceDocument[],
  onGone: (one: DeviceDocument) => void,
): Promise<ReadonlySet<DeviceDocument>> {
  const gone = new Set<DeviceDocument>()
  for (let from = 0; from < documents.length; from += ASKED_AT_ONCE) {
    const asked = documents.slice(from, from + ASKED_AT_ONCE)
    const responses = await Promise.all(asked.map((one) => requestDocument('HEAD', one)))
    const found = asked.filter((_, index) => responses[index]?.status === 404)
    for (const one of found) {
      gone.add(one)
      onGone(one)
    }
    if (gone.size >= MAX_GONE || responses.some((response) => response?.status === 429)) break
  }
  return gone
}

/** The page needs the document's cookie, which may have been lost. */
function followWithCookie(link: HTMLAnchorElement, { id, token }: DeviceDocument): void {
  link.addEventListener('click', async (event) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    await restoreCookie(id, token)
    location.assign(link.href)
  })
}

function createRow(pattern: HTMLElement, listed: DeviceDocument): HTMLElement {
  const { id, createdAt, expiresAt } = listed
  const [name, now] = [getDisplayName(listed), Date.now()]
  const row = pattern.cloneNode(true) as HTMLElement
  row.dataset.id = id
  const link = requireElement<HTMLAnchorElement>('th a', row)
  link.href = `/${id}`
  link.replaceChildren(createElement('bdi', {}, name))
  requireElement('[data-part="created"]', row).textContent = formatAge(createdAt, now)
  requireElement('[data-part="expires"]', row).textContent = formatAge(expiresAt, now)
  const box = requireElement<HTMLInputElement>('input[name="id"]', row)
  box.value = id
  box.ariaLabel = `Select ${name}`
  const more = requireElement<HTMLButtonElement>('.list-menu > button', row)
  more.ariaLabel = `More for ${name}`
  const menu = requireElement('.menu', row)
  menu.id = `menu-${id}`
  more.setAttribute('popovertarget', menu.id)
  for (const link of menu.querySelectorAll<HTMLAnchorElement>('a')) {
    const action = link.getAttribute('href') ?? ''
    link.href = `/${id}${action}`
    if (action !== '/delete') followWithCookie(link, listed)
  }
  return row
}

/** It stays on the page, so that nobody looks for it. */
function showGone(row: HTMLElement): void {
  const title = requireElement('.list-title', row)
  const badge = createElement('span', { className: 'badge danger' }, 'Gone: somebody read or deleted it')
  const name = title.querySelector('bdi')
  title.replaceChildren(...(name ? [name] : []), badge)
  for (const cell of row.querySelectorAll('td')) cell.replaceChildren()
}

const describeProgress = ({ deleted, failed, pause }: Progress, count: number): string => {
  const done = `Deleting: ${deleted + failed} of ${count}.`
  return pause === null ? done : `${done} The server takes no more for now. Going on in ${pause} seconds.`
}

/** Closes it like a button of the page: in browsers without invoker commands, Cancel closes only a popover. */
function open(dialog: HTMLDialogElement): void {
  if ('commandForElement' in HTMLButtonElement.prototype) dialog.showModal()
  else dialog.showPopover()
}

function close(dialog: HTMLDialogElement): void {
  // Browsers without invoker commands open it as a popover.
  if (dialog.open) dialog.close()
  else dialog.hidePopover()
}

export async function startDeviceList(documents: readonly DeviceDocument[]): Promise<void> {
  const place = requireElement('#device')
  const showEmpty = () => place.replaceChildren(cloneTemplate('device-empty'))
  if (documents.length === 0) return showEmpty()
  const device = cloneTemplate('device-list')
  const list = requireElement('.list', device)
  const body = requireElement('tbody', list)
  const pattern = requireElement('tr', body)
  const total = requireElement('.list-total', list)
  const rows = new Map(documents.map((listed) => [listed.id, createRow(pattern, listed)]))

  const showTotal = () => {
    const count = body.childElementCount
    announce(total, count === 1 ? '1 document' : `${count} documents`)
    showSelection(list)
  }
  const remove = (id: string) => {
    rows.get(id)?.remove()
    rows.delete(id)
    // Those that are gone have no checkbox any more.
    if ([...rows.values()].some((row) => row.querySelector('input'))) showTotal()
    else showEmpty()
  }
  const isListed = ({ id }: DeviceDocument) => rows.has(id)
  const listSelected = () => {
    const ids = new Set(getSelected(list).map(({ dataset }) => dataset.id))
    return documents.filter(({ id }) => ids.has(id))
  }

  const form = requireElement<HTMLFormElement>('.list-form', list)
  const sort = requireElement<HTMLSelectElement>('.list-sort', form)
  const arrangeRows = () => {
    const { search } = Object.fromEntries(new FormData(form))
    const shown = arrange(documents.filter(isListed), { search: String(search), sort: sort.value })
    body.replaceChildren(...shown.flatMap(({ id }) => rows.get(id) ?? []))
    showTotal()
  }
  const sortBy = (link: HTMLAnchorElement) => {
    const [usual = '', other = ''] = (link.dataset.sorts ?? '').split(' ')
    sort.value = sort.value === usual ? other : usual
    for (const header of list.querySelectorAll('th[aria-sort]')) header.removeAttribute('aria-sort')
    const isAscending = (sort.value === usual) === (link.dataset.ascending === 'true')
    link.closest('th')?.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending')
    arrangeRows()
  }

  const dialog = requireElement<HTMLDialogElement>('#forget', device)
  let toForget: readonly DeviceDocument[] = []
  const confirm = requireElement('[data-part="confirm"]', dialog)
  confirm.addEventListener('click', () => {
    close(dialog)
    for (const { id } of toForget) {
      forgetDocument(id)
      void deleteCookie(id)
      remove(id)
    }
    if (rows.size > 0) say(list, 'Forgotten.')
  })
  const forget = (listed: readonly DeviceDocument[]) => {
    toForget = listed
    requireElement('#forget-title', dialog).textContent =
      listed.length === 1 ? 'Forget 1 document?' : `Forget ${listed.length} documents?`
    confirm.textContent = listed.length === 1 ? 'Forget' : `Forget ${listed.length}`
    open(dialog)
  }
  const download = (listed: readonly DeviceDocument[]) => {
    const sent = requireElement<HTMLFormElement>('#device-download', device)
    requireElement<HTMLInputElement>('input', sent).value = listed
      .map(({ id, token }) => `${id}.${token}`)
      .join(' ')
    sent.requestSubmit()
  }
  const copyManagementLink = async (listed: DeviceDocument) => {
    const copied = await copyToClipboard(buildManagementLink(location.origin, listed))
    say(list, copied ? 'Copied. Anyone with this link can edit and delete the document.' : COPY_REFUSED)
  }
  list.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-action], .menu-item') : null
    const listed = documents.find(({ id }) => id === button?.closest('tr')?.dataset.id)
    if (button?.dataset.action === 'forget') forget(listSelected())
    if (button?.dataset.action === 'download') download(listSelected())
    if (button?.dataset.tool === 'forget' && listed) forget([listed])
    if (button?.dataset.tool === 'copy-management-link' && listed) void copyManagementLink(listed)
  })
  const question = requireElement<HTMLDialogElement>('dialog#selected', list)
  requireElement('form', question).addEventListener('submit', async (event) => {
    event.preventDefault()
    close(question)
    const selected = listSelected()
    const onProgress = (progress: Progress, done: DeviceDocument | null) => {
      if (done) remove(done.id)
      say(list, describeProgress(progress, selected.length))
    }
    list.inert = true
    onProgress({ deleted: 0, failed: 0, pause: null }, null)
    const { failed } = await deleteDeviceDocuments(selected, { onProgress })
    list.inert = false
    if (rows.size === 0) return
    showTotal()
    const what = failed === 1 ? 'One document' : `${failed} documents`
    if (failed > 0) say(list, `${what} couldn’t be deleted. Try again in a moment.`)
  })

  arrangeRows()
  place.replaceChildren(device)
  startList(list, { search: arrangeRows, follow: sortBy })
  const deleted = new URLSearchParams(location.search).get('deleted')
  const inOrder = documents.toSorted(
    (one, other) => Number(other.id === deleted) - Number(one.id === deleted),
  )
  const gone = await findGone(inOrder, ({ id }) => {
    forgetDocument(id)
    const row = rows.get(id)
    if (id === deleted) remove(id)
    else if (row) showGone(row)
    showSelection(list)
  })
  const remaining = documents.filter((listed) => !gone.has(listed) && isListed(listed))
  const explanation = requireElement('p', device)
  if (place.dataset.signedIn === 'true' && remaining.length > 0)
    explanation.replaceWith(createAddNotice(remaining, explanation.textContent ?? ''))
}

export async function addToAccount(documents: readonly DeviceDocument[]): Promise<string | null> {
  for (let from = 0; from < documents.length; from += MAX_ADDED_DOCUMENTS) {
    const body = new FormData()
    for (const { id, token } of documents.slice(from, from + MAX_ADDED_DOCUMENTS))
      body.append('document', `${id}.${token}`)
    const response = await fetch('/device', { method: 'POST', body }).catch(() => null)
    if (!response) return 'Can’t reach the server. Try again when you’re online.'
    const answer: { ids?: string[]; message?: string } = await response.json().catch(() => ({}))
    if (!response.ok || !answer.ids) return answer.message ?? 'Something went wrong. Try again in a moment.'
    for (const id of answer.ids) forgetDocument(id)
  }
  return null
}

export function createAddNotice(
  documents: readonly DeviceDocument[],
  text: string,
  ...more: HTMLElement[]
): HTMLElement {
  const status = createElement('span', { role: 'status' }, text)
  const add = async () => {
    button.disabled = true
    const problem = await addToAccount(documents)
    if (problem === null) return location.assign('/account/documents')
    announce(status, problem)
    button.disabled = false
  }
  const button = createButton('Add to your account', add, 'small')
  const buttons = createElement('span', { className: 'row' }, ...more, button)
  return createElement('p', { className: 'banner card row apart' }, status, buttons)
}
