import { buildPasswordLink } from '../encryption/link-password.ts'
import { announce } from '../shared/announce.ts'
import { copyText } from '../shared/copy-text.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import type { CreatedDocument } from './create-request.ts'
import { describeDocument } from './describe-document.ts'
import type { EncryptionPassword } from './encryption-field.ts'
import { createQrCode } from './qr-code.ts'

/**
 * Asks before the page is left with a generated password that hasn't been copied and is stored nowhere else.
 *
 * @returns a function to call with each field that is copied.
 */
function guardPassword(): (field: EventTarget | null) => void {
  const guard = new AbortController()
  const { signal } = guard
  const onCopy = (field: EventTarget | null) => {
    if (!(field instanceof Element && field.id === 'created-link')) guard.abort()
  }
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  document.addEventListener('copy', ({ target }) => onCopy(target), { signal })
  return onCopy
}

/** Puts the document's path into the address bar, so that reloading or copying the address leads to the document. */
function showAddress(path: string): void {
  history.replaceState(null, '', path)
  // Following a link to a line (#L10) would only change the fragment of this page.
  addEventListener('hashchange', () => {
    if (/^#L\d/.test(location.hash)) location.reload()
  })
}

/** Replaces the form with the link of the new document, and its password if it's encrypted. */
export function showCreatedPanel(
  form: HTMLFormElement,
  created: CreatedDocument,
  encryption: EncryptionPassword | null,
): void {
  const panel = cloneTemplate('created-template')
  const link = created.links.formatted
  const fill = (id: string, value: string) => {
    requireElement<HTMLInputElement>(`#${id}`, panel).value = value
  }
  requireElement('[data-part="description"]', panel).textContent = describeDocument(created)
  fill('created-link', link)
  requireElement<HTMLAnchorElement>('[data-part="open"]', panel).href = `/${created.id}`
  if (encryption === null) requireElement('[data-part="password"]', panel).remove()
  else {
    fill('created-password', encryption.password)
    fill('created-link-with-password', buildPasswordLink(link, encryption.password))
  }
  const onCopy = encryption?.generated ? guardPassword() : () => {}
  for (const button of panel.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
    const field = requireElement<HTMLInputElement>(`#${button.dataset.copies}`, panel)
    field.addEventListener('focus', () => field.select())
    button.addEventListener('click', async () => {
      if (await copyText(field)) onCopy(field)
    })
  }
  form.replaceWith(panel)
  // The password would be lost on a reload.
  if (encryption === null) showAddress(`/${created.id}`)
  createQrCode(link, 'QR code for the link').then(
    (image) => requireElement('[data-part="qr-code"]', panel).append(image),
    // Without the QR code there is still the link.
    () => requireElement('[data-part="qr-code"]', panel).remove(),
  )
  const heading = requireElement('#page-heading')
  heading.textContent = 'Document created'
  document.title = document.title.replace('New document', 'Document created')
  heading.tabIndex = -1
  heading.focus()
  announce(requireElement('#form-status'), 'Saved.')
}
