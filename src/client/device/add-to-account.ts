import { MAX_ADDED_DOCUMENTS } from '../../shared/settings.ts'
import { announce } from '../shared/elements.ts'
import { type DeviceDocument, forgetDocument } from './device-documents.ts'

export async function addToAccount(documents: readonly DeviceDocument[]): Promise<string | null> {
  for (let from = 0; from < documents.length; from += MAX_ADDED_DOCUMENTS) {
    const body = new FormData()
    for (const { id, token } of documents.slice(from, from + MAX_ADDED_DOCUMENTS))
      body.append('document', `${id}.${token}`)
    const response = await fetch('/device', { method: 'POST', body }).catch(() => null)
    if (!response) return 'Can’t reach Regent. Try again when you’re online.'
    const answer: { ids?: string[]; message?: string } = await response.json().catch(() => ({}))
    if (!response.ok || !answer.ids) return answer.message ?? 'Something went wrong. Try again in a moment.'
    for (const id of answer.ids) forgetDocument(id)
  }
  return null
}

const describe = (count: number): string =>
  count === 1
    ? 'One document on this device isn’t in your account. '
    : `${count} documents on this device aren’t in your account. `

export function createAddNotice(documents: readonly DeviceDocument[]): HTMLElement {
  const notice = document.createElement('p')
  notice.className = 'banner'
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'link',
    textContent: documents.length === 1 ? 'Add it' : 'Add them',
  })
  const status = document.createElement('span')
  status.role = 'status'
  notice.append(describe(documents.length), button, ' ', status)
  button.addEventListener('click', async () => {
    button.disabled = true
    const problem = await addToAccount(documents)
    if (problem === null) return location.assign('/account/documents')
    announce(status, problem)
    button.disabled = false
  })
  return notice
}
