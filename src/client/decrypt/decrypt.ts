import '../viewer/viewer.ts'
import { buildPasswordLink, findGeneratedPassword } from '../../shared/password-link.ts'
import {
  canEncrypt,
  createPasswordForm,
  findLinkPassword,
  forgetPassword,
  getPasswordHint,
  type PasswordForm,
  storeLinkPassword,
  takePassword,
} from '../encryption/encryption.ts'
import {
  copyOnClick,
  createBurnReader,
  createEncryptedBurnReader,
  createEncryptedReader,
  type ReadResult,
  showDocument,
} from './decrypted-document.ts'

// The decrypted document gets the same tools as any other.

const DECRYPTED = 'Decrypted in your browser. Neither the password nor the text was sent to the server.'
const DECRYPTED_BY_LINK =
  'Your link contains the password: anyone with the link can read this document. We’ve removed the password from the address bar.'
const BURNED = 'This document has been deleted. Save or copy what you need before you leave.'
const BURNED_UNDECRYPTED =
  'This document has been deleted, but it couldn’t be decrypted. Save the encrypted content: any JOSE tool can decrypt it with the right password.'

const isReload = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload')

/**
 * Tells whether the viewer has just created or edited this document: they don't need it explained, and the text stays
 * where it was.
 */
const wasJustSaved = (id: string): boolean =>
  !isReload() && ['/', `/${id}/edit`].some((path) => document.referrer === location.origin + path)

/** Is set once the text is shown. A password that comes into the address later is removed and not used. */
let shown = false

function openInBrowser(template: HTMLTemplateElement, form: PasswordForm): (password: string) => void {
  const { document: id = '' } = template.dataset
  const burns = template.dataset.burn === 'true'
  const encrypted = template.dataset.encrypted === 'true'
  const keepsPassword = template.dataset.keepsPassword === 'true'
  const createReader = burns
    ? encrypted
      ? createEncryptedBurnReader
      : createBurnReader
    : createEncryptedReader
  const read = createReader(id)
  let linkPassword: string | null = null

  const getMessage = ({ decrypted }: ReadResult, password: string) => {
    if (!decrypted) return BURNED_UNDECRYPTED
    if (burns) return BURNED
    if (wasJustSaved(id)) return ''
    return password === linkPassword && !isReload() ? DECRYPTED_BY_LINK : DECRYPTED
  }
  const show = async (result: ReadResult, password: string) => {
    shown = true
    const isInLink = password === linkPassword
    if (isInLink && keepsPassword) storeLinkPassword(id, password)
    else forgetPassword(id)
    await showDocument(template, result, getMessage(result, password))
    const linkButton = document.querySelector<HTMLElement>('[data-tool="copy-password-link"]')
    if (linkButton) copyOnClick(linkButton, buildPasswordLink(`${location.origin}/${id}`, password))
    // Browsers write addresses to disk, so a password that was typed doesn't become part of one.
    if (!isInLink) return
    document.querySelector(`a[href="/${id}/edit"]`)?.addEventListener('click', (event) => {
      event.preventDefault()
      location.assign(buildPasswordLink(`/${id}/edit`, password))
    })
  }
  form.onSubmit(async (password) => {
    const result = await read(password)
    if (result) return show(result, password)
    const shorter = password === linkPassword ? findGeneratedPassword(password) : null
    const found = shorter !== null && (await read(shorter))
    if (found) {
      linkPassword = shorter
      return show(found, shorter)
    }
    if (password === linkPassword) forgetPassword(id)
    form.fail(`Wrong password. ${burns ? 'Nothing was deleted. ' : ''}Try again.`, { passwordWrong: true })
  })
  return (password) => {
    linkPassword = password
    form.fill(password)
    // Following a link never burns a document: that takes a click on the button.
    if (!burns) form.submit(password)
  }
}

const template = document.querySelector<HTMLTemplateElement>('template[data-document]')
const initialPassword = takePassword() ?? findLinkPassword(template?.dataset.document ?? '')
const formElement = document.querySelector<HTMLFormElement>('main form')
if (template && formElement) {
  const form = createPasswordForm(formElement)
  const inBrowser = template.dataset.encrypted !== 'true' || canEncrypt()
  form.setHint(getPasswordHint(inBrowser))
  const usePassword = inBrowser ? openInBrowser(template, form) : form.fill
  if (initialPassword !== null) usePassword(initialPassword)
  addEventListener('hashchange', () => {
    const password = takePassword()
    if (password !== null && !shown) usePassword(password)
  })
}
