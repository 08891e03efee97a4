import { linkWithPassword } from '../decrypt/link-password.ts'
import { announce } from '../shared/announce.ts'
import { copyText } from '../shared/copy-text.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import type { CreatedDocument } from './create-request.ts'
import type { EncryptionPassword } from './encryption-field.ts'
import { createQrCode } from './qr-code.ts'

const NEVER = '9999-12-31T23:59:59.999Z'

function describeDocument({ timestamps: { expiration }, settings, gist_url }: CreatedDocument): string {
  const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })
  return [
    expiration === NEVER ? 'It never expires.' : `It expires on ${date.format(new Date(expiration))}.`,
    settings.instant_delete && 'Its first reader deletes it.',
    gist_url && 'A gist was made of it.',
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Asks before somebody leaves without a password that nobody has typed, and that nothing else has kept.
 *
 * @returns what to call with each field that was copied.
 */
function guardPassword(): (field: EventTarget | null) => void {
  const leaving = new AbortController()
  const { signal } = leaving
  const copied = (field: EventTarget | null) => {
    if (!(field instanceof Element && field.id === 'saved-link')) leaving.abort()
  }
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  document.addEventListener('copy', ({ target }) => copied(target), { signal })
  return copied
}

/**
 * Puts the address of the document into the address bar: whoever reloads, or takes the link from there, gets the
 * document and no empty form.
 */
function takeAddress(path: string): void {
  history.replaceState(null, '', path)
  // A link to a line of it is now a place on this page for the browser, which would load nothing.
  addEventListener('hashchange', () => {
    if (/^#L\d/.test(location.hash)) location.reload()
  })
}

/** Shows where a document is, in the place of the form; for an encrypted one also what opens it. */
export function showCreatedPanel(
  form: HTMLFormElement,
  created: CreatedDocument,
  key: EncryptionPassword | null,
): void {
  const panel = cloneTemplate('editor-saved')
  const link = created.links.formatted
  const fill = (id: string, value: string) => {
    requireElement<HTMLInputElement>(`#${id}`, panel).value = value
  }
  requireElement('[data-part="facts"]', panel).textContent = describeDocument(created)
  fill('saved-link', link)
  requireElement<HTMLAnchorElement>('[data-part="open"]', panel).href = `/${created.id}`
  if (key === null) requireElement('[data-part="secret"]', panel).remove()
  else {
    fill('saved-password', key.password)
    fill('saved-whole', linkWithPassword(link, key.password))
  }
  const copied = key?.generated ? guardPassword() : () => {}
  for (const button of panel.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
    const field = requireElement<HTMLInputElement>(`#${button.dataset.copies}`, panel)
    field.addEventListener('focus', () => field.select())
    button.addEventListener('click', async () => {
      if (await copyText(field)) copied(field)
    })
  }
  form.replaceWith(panel)
  if (key === null) takeAddress(`/${created.id}`)
  createQrCode(link, 'QR code of the link').then(
    (picture) => requireElement('[data-part="code"]', panel).append(picture),
    // The link says the same.
    () => requireElement('[data-part="code"]', panel).remove(),
  )
  const title = requireElement('#editor-title')
  title.textContent = 'Document saved'
  document.title = document.title.replace('New document', 'Document saved')
  title.tabIndex = -1
  title.focus()
  announce(requireElement('#editor-state'), 'Saved.')
}
