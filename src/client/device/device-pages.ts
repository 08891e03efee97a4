import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import { createElement } from '../shared/elements.ts'
import { findStored, store } from '../shared/storage.ts'
import { findToken, forgetDocument, listDeviceDocuments, restoreCookie } from './device-documents.ts'

const RESTORED_KEY = 'regent.restored'

/** Allows one reload for each document, so that a browser that refuses the cookie doesn't reload for ever. */
function mayReload(id: string): boolean {
  return findStored('sessionStorage', RESTORED_KEY) !== id && store('sessionStorage', RESTORED_KEY, id)
}

function hasEditLink(): boolean {
  const places = [document, ...[...document.querySelectorAll('template')].map(({ content }) => content)]
  return places.some((place) => place.querySelector('.manage') !== null)
}

/** Restores the cookie of a document's token, which may have been lost. */
async function restoreOnPage(id: string, token: string): Promise<void> {
  const result = await restoreCookie(id, token)
  if (result === 'gone') forgetDocument(id)
  // A reload would lose the password of an encrypted document, which the address bar no longer has.
  const isEncrypted = document.querySelector('main input[name="password"]') !== null
  if (result === 'kept' && !isEncrypted && mayReload(id)) location.reload()
}

const SVG = 'http://www.w3.org/2000/svg'

/** Stands in the header, where an account has the link to its documents. */
function addLink(): void {
  const signIn = document.querySelector('.masthead a[href="/sign-in"]')
  if (!signIn) return
  const icon = document.createElementNS(SVG, 'svg')
  for (const [name, value] of [
    ['class', 'icon'],
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
  ] as const)
    icon.setAttribute(name, value)
  for (const [tag, attributes] of FileText) {
    const shape = document.createElementNS(SVG, tag)
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value))
    icon.append(shape)
  }
  const words = 'Your documents'
  const link = createElement('a', { href: '/device', title: words }, icon, createElement('span', {}, words))
  if (location.pathname === '/device') link.ariaCurrent = 'page'
  signIn.before(link)
}

export async function startDevicePages(): Promise<void> {
  const documents = listDeviceDocuments()
  const { pathname } = location
  if (pathname === '/device') {
    const { startDeviceList } = await import('./device-list.ts')
    if (documents.length > 0) addLink()
    return startDeviceList(documents)
  }
  if (documents.length === 0) return
  addLink()
  if (pathname === '/account/documents') {
    const { createAddNotice } = await import('./device-list.ts')
    const link = createElement('a', { href: '/device', className: 'button quiet small' }, 'Show')
    const text =
      documents.length === 1
        ? 'One document on this device isn’t in your account.'
        : `${documents.length} documents on this device aren’t in your account.`
    document.querySelector('main nav.segments')?.after(createAddNotice(documents, text, link))
    return
  }
  const id = pathname.slice(1).split('.')[0] ?? ''
  const token = findToken(id)
  if (token !== null && !hasEditLink()) await restoreOnPage(id, token)
}
