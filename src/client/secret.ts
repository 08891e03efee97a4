import { canEncrypt } from './envelopes.ts'
import { copyOnClick } from './secret-copy.ts'
import { type SecretForm, secretForm } from './secret-form.ts'
import { linkWithPassword, takePassword } from './secret-fragment.ts'
import { showDocument } from './secret-page.ts'
import { encryptedOnceReading, encryptedReading, onceReading, type Reading } from './secret-readings.ts'

const HERE = 'It is opened here, in your browser: neither the password nor the text is sent anywhere.'
const NOT_HERE = isSecureContext
  ? 'This browser can not decrypt by itself. So the password is sent to this server, which opens the document with it and keeps neither.'
  : 'This page did not come over a secure connection (https), so the browser does not decrypt here. The password would be sent to this server without protection: anybody on the way could read it, and the document.'
const LINKED =
  'The link that you came by has the password in it: whoever has this link can read the document. It is out of the address bar now.'
const OPENED = 'Opened in your browser: neither the password nor the text was sent anywhere.'
const GONE =
  'This document is now deleted: you are its one reader. Save or copy what you need before you leave.'
const SEALED =
  'This document is now deleted, but its envelope was not made with this password. Save it as it is: any JOSE tool opens it with the right one.'

/** Makes a form that would send a password to the server open the document here instead. */
function openHere(template: HTMLTemplateElement, form: SecretForm, offered: string | null): void {
  const { document: id = '' } = template.dataset
  const once = template.dataset.once === 'true'
  const encrypted = template.dataset.encrypted === 'true'
  const read = once ? (encrypted ? encryptedOnceReading(id) : onceReading(id)) : encryptedReading(id)
  const arrivals = new AbortController()
  let linked: string | null = null

  const show = (reading: Reading, password: string) => {
    arrivals.abort()
    const words = reading.sealed ? SEALED : once ? GONE : password === linked ? LINKED : OPENED
    showDocument(template, reading, words)
    const link = document.querySelector<HTMLElement>('.link-with-password')
    const [button] = link?.getElementsByTagName('button') ?? []
    const said = link?.querySelector<HTMLElement>('[aria-live]')
    if (button && said) copyOnClick(button, said, linkWithPassword(id, password))
  }
  /** A mere visit deletes nothing, whoever follows the link: so what is read once still waits for its button. */
  const arrive = (password: string | null) => {
    linked = password
    if (password === null) return
    form.fill(password)
    if (!once) form.submit(password)
  }

  form.onSubmit(async (password) => {
    try {
      const reading = await read(password)
      if (reading) show(reading, password)
      else {
        const again = once ? 'Nothing was deleted; try again.' : 'Try again.'
        form.fail(`This is not the password. ${again}`, { passwordWrong: true })
      }
    } catch (error) {
      form.fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
  })
  addEventListener('hashchange', () => arrive(takePassword()), { signal: arrivals.signal })
  arrive(offered)
}

const password = takePassword()
const template = document.querySelector<HTMLTemplateElement>('template[data-document]')
const asking = document.querySelector<HTMLFormElement>('main form')
if (template && asking) {
  const form = secretForm(asking)
  if (template.dataset.encrypted !== 'true' || canEncrypt()) {
    form.explain(HERE)
    openHere(template, form, password)
  } else {
    form.explain(NOT_HERE)
    if (password !== null) form.fill(password)
  }
}
