import { showDocument } from './decrypted-page.ts'
import { canEncrypt } from './jwe-client.ts'
import { copyOnClick } from './keep-copy.ts'
import { linkWithPassword, takePassword } from './link-password.ts'
import { HERE, NOT_HERE } from './messages.ts'
import { type SecretForm, secretForm } from './password-form.ts'
import { encryptedOnceReading, encryptedReading, onceReading, type Reading } from './readings.ts'
// What is opened gets the tools of any text.
import '../viewer/viewer.ts'

const LINKED =
  'The link that you came by has the password in it: whoever has this link can read the document. It is out of the address bar now.'
const OPENED = 'Opened in your browser: neither the password nor the text was sent anywhere.'
const GONE =
  'This document is now deleted: you are its one reader. Save or copy what you need before you leave.'
const SEALED =
  'This document is now deleted, and its envelope could not be opened here. Save it as it is: any JOSE tool opens it with its password.'

/** Whether somebody comes from editing it, who has no need to hear what their link is. */
const edited = (id: string): boolean => document.referrer === `${location.origin}/${id}/edit`

/** Once the document is open, a password that comes by the address is only taken out of it. */
let opened = false

/**
 * Makes a form that would send a password to the server open the document here instead.
 *
 * @returns what to do with a password that came by the address.
 */
function openHere(template: HTMLTemplateElement, form: SecretForm): (password: string) => void {
  const { document: id = '' } = template.dataset
  const once = template.dataset.once === 'true'
  const encrypted = template.dataset.encrypted === 'true'
  const read = once ? (encrypted ? encryptedOnceReading(id) : onceReading(id)) : encryptedReading(id)
  let linked: string | null = null

  const show = async (reading: Reading, password: string) => {
    opened = true
    const words = reading.sealed ? SEALED : once ? GONE : password === linked && !edited(id) ? LINKED : OPENED
    await showDocument(template, reading, words)
    const link = document.querySelector<HTMLElement>('.link-with-password')
    const [button] = link?.getElementsByTagName('button') ?? []
    const said = link?.querySelector<HTMLElement>('[aria-live]')
    if (button && said) copyOnClick(button, said, linkWithPassword(`${location.origin}/${id}`, password))
    document.querySelector(`a[href="/${id}/edit"]`)?.addEventListener('click', (event) => {
      event.preventDefault()
      location.assign(linkWithPassword(`/${id}/edit`, password))
    })
  }
  form.onSubmit(async (password) => {
    try {
      const reading = await read(password)
      if (reading) await show(reading, password)
      else {
        const again = once ? 'Nothing was deleted; try again.' : 'Try again.'
        form.fail(`This is not the password. ${again}`, { passwordWrong: true })
      }
    } catch (error) {
      form.fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
  })
  return (password) => {
    linked = password
    form.fill(password)
    // A mere visit deletes nothing, whoever follows the link: what is read once still waits for its button.
    if (!once) form.submit(password)
  }
}

const offered = takePassword()
const template = document.querySelector<HTMLTemplateElement>('template[data-document]')
const asking = document.querySelector<HTMLFormElement>('main form')
if (template && asking) {
  const form = secretForm(asking)
  const here = template.dataset.encrypted !== 'true' || canEncrypt()
  form.explain(here ? HERE : NOT_HERE)
  const arrive = here ? openHere(template, form) : form.fill
  if (offered !== null) arrive(offered)
  const next = () => {
    const password = takePassword()
    if (password !== null && !opened) arrive(password)
  }
  addEventListener('hashchange', next)
}
