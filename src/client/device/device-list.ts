import { formatAge } from '../../shared/format.ts'
import { announce, cloneTemplate, copyToClipboard, requireElement } from '../shared/elements.ts'
import { createAddNotice } from './add-to-account.ts'
import { type DeviceDocument, forgetDocument, listDeviceDocuments } from './device-documents.ts'
import { deleteCookie, restoreCookie } from './document-cookie.ts'

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

const waitFor = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export async function deleteDeviceDocuments(
  documents: readonly DeviceDocument[],
  { onProgress, wait = waitFor }: DeleteOptions,
): Promise<Progress> {
  let progress: Progress = { deleted: 0, failed: 0, pause: null }
  for (const one of documents) {
    const isGone = await deleteOne(one, async (seconds) => {
      onProgress({ ...progress, pause: seconds }, null)
      await wait(seconds * 1000)
    })
    // Its cookie stays until it expires: the server gives no answers about documents that are gone.
    if (isGone) forgetDocument(one.id)
    progress = isGone
      ? { ...progress, deleted: progress.deleted + 1 }
      : { ...progress, failed: progress.failed + 1 }
    onProgress(progress, isGone ? one : null)
  }
  return progress
}

async function deleteOne(
  { id, token }: DeviceDocument,
  pause: (seconds: number) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const init = { method: 'DELETE', headers: { 'X-Document-Token': token } }
    const response = await fetch(`/v1/document/${id}`, init).catch(() => null)
    if (response?.ok || response?.status === 404) return true
    const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN)
    if (attempt === MAX_ATTEMPTS || !(seconds > 0)) return false
    await pause(seconds)
  }
}

const GONE = 'Gone: somebody read or deleted it.'

/** Anyone with this link can edit and delete the document. */
export const buildManagementLink = (
  origin: string,
  { id, token }: Pick<DeviceDocument, 'id' | 'token'>,
): string => `${origin}/${id}/manage?token=${encodeURIComponent(token)}`

/** Burns nothing and counts no view. */
async function isGone({ id, token }: DeviceDocument): Promise<boolean> {
  const headers = { 'X-Document-Token': token }
  const response = await fetch(`/v1/document/${id}`, { method: 'HEAD', headers }).catch(() => null)
  return response?.status === 404
}

const getPart = <Kind extends HTMLElement>(row: HTMLElement, part: string) =>
  requireElement<Kind>(`[data-part="${part}"]`, row)

/** The page needs the document's cookie, which may have been lost. */
function followWithCookie(link: HTMLAnchorElement, { id, token }: DeviceDocument): void {
  link.addEventListener('click', async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    await restoreCookie(id, token)
    location.assign(link.href)
  })
}

interface Actions {
  readonly onCopy: (listed: DeviceDocument) => void
  readonly onForget: (listed: readonly DeviceDocument[]) => void
}

function createRow(listed: DeviceDocument, { onCopy, onForget }: Actions): HTMLElement {
  const { id, createdAt, expiresAt } = listed
  const now = Date.now()
  const name = listed.title ?? id
  const row = cloneTemplate('device-row')
  row.dataset.id = id
  const title = getPart<HTMLAnchorElement>(row, 'title')
  title.href = `/${id}`
  title.dir = 'auto'
  title.textContent = name
  getPart(row, 'created').textContent = formatAge(createdAt, now)
  getPart(row, 'expires').textContent = formatAge(expiresAt, now)
  for (const part of ['edit', 'delete']) {
    const link = getPart<HTMLAnchorElement>(row, part)
    link.href = `/${id}/${part}`
    link.ariaLabel = `${link.textContent} ${name}`
    followWithCookie(link, listed)
  }
  const copy = getPart(row, 'copy')
  copy.ariaLabel = `Copy management link of ${name}`
  copy.addEventListener('click', () => onCopy(listed))
  const forget = getPart(row, 'forget')
  forget.ariaLabel = `Forget ${name}`
  forget.addEventListener('click', () => onForget([listed]))
  return row
}

function removeGone(row: HTMLElement, id: string): void {
  forgetDocument(id)
  if (new URLSearchParams(location.search).get('deleted') === id) {
    row.remove()
    return
  }
  requireElement('.hint', row).textContent = GONE
  requireElement('.device-actions', row).remove()
  getPart(row, 'forget').remove()
  const title = getPart(row, 'title')
  title.replaceWith(title.textContent ?? id)
}

interface ListParts {
  readonly list: HTMLElement
  readonly status: HTMLElement
  readonly removeRow: (id: string) => void
  readonly showEmpty: () => void
}

function startDeleteAll({ list, status, removeRow, showEmpty }: ListParts): void {
  const dialog = requireElement<HTMLDialogElement>('#delete-all', list)
  const button = requireElement<HTMLButtonElement>('[commandfor="delete-all"]', list)
  requireElement('[data-part="confirm"]', dialog).addEventListener('click', async () => {
    // Browsers without invoker commands open it as a popover.
    if (dialog.open) dialog.close()
    else dialog.hidePopover()
    const documents = listDeviceDocuments()
    button.disabled = true
    announce(status, describeProgress({ deleted: 0, failed: 0, pause: null }, documents.length))
    const { failed } = await deleteDeviceDocuments(documents, {
      onProgress: (progress, done) => {
        if (done) removeRow(done.id)
        announce(status, describeProgress(progress, documents.length))
      },
    })
    button.disabled = false
    if (failed === 0) return showEmpty()
    const what = failed === 1 ? 'One document' : `${failed} documents`
    announce(status, `${what} couldn’t be deleted. Try again in a moment.`)
  })
}

const describeProgress = ({ deleted, failed, pause }: Progress, count: number): string => {
  const done = `Deleting: ${deleted + failed} of ${count}.`
  return pause === null ? done : `${done} The server takes no more for now. Going on in ${pause} seconds.`
}

export async function startDeviceList(documents: readonly DeviceDocument[]): Promise<void> {
  const place = requireElement('#device')
  const showEmpty = () => place.replaceChildren(cloneTemplate('device-empty'))
  if (documents.length === 0) return showEmpty()
  const list = cloneTemplate('device-list')
  const rows = requireElement('.rows', list)
  const status = requireElement('#device-status', list)
  const dialog = requireElement<HTMLDialogElement>('#forget', list)
  const heading = requireElement('#forget-title', dialog)

  let toForget: readonly DeviceDocument[] = []
  const removeRow = (id: string) => rows.querySelector(`[data-id="${id}"]`)?.remove()
  requireElement('[data-part="confirm"]', dialog).addEventListener('click', () => {
    dialog.close()
    for (const { id } of toForget) {
      forgetDocument(id)
      void deleteCookie(id)
      removeRow(id)
    }
    if (rows.childElementCount === 0) showEmpty()
    else announce(status, 'Forgotten.')
  })
  const onForget = (listed: readonly DeviceDocument[]) => {
    toForget = listed
    heading.textContent = listed.length === 1 ? 'Forget this document?' : 'Forget all these documents?'
    dialog.showModal()
  }
  const onCopy = async (listed: DeviceDocument) => {
    const link = buildManagementLink(location.origin, listed)
    const copied = await copyToClipboard(link)
    announce(
      status,
      copied
        ? 'Copied. Anyone with this link can edit and delete the document.'
        : 'Couldn’t copy. Allow this site to use the clipboard, then try again.',
    )
  }
  requireElement('[data-part="forget-all"]', list).addEventListener('click', () => onForget(documents))
  const download = requireElement<HTMLFormElement>('form', list)
  download.addEventListener('submit', () => {
    const tokens = listDeviceDocuments().map(({ id, token }) => `${id}.${token}`)
    requireElement<HTMLInputElement>('[name="documents"]', download).value = tokens.join(' ')
  })
  startDeleteAll({ list, status, removeRow, showEmpty })
  rows.append(...documents.map((listed) => createRow(listed, { onCopy, onForget })))
  place.replaceChildren(list)

  const gone = await Promise.all(documents.map(isGone))
  documents.forEach(({ id }, index) => {
    const row = rows.querySelector<HTMLElement>(`[data-id="${id}"]`)
    if (gone[index] && row) removeGone(row, id)
  })
  if (rows.childElementCount === 0) showEmpty()
  const remaining = documents.filter((_, index) => !gone[index])
  if (place.dataset.signedIn === 'true' && remaining.length > 0) list.prepend(createAddNotice(remaining))
}
