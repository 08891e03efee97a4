import { findToken } from '../device/device-documents.ts'
import { canEncrypt, decryptText } from '../encryption/jwe-client.ts'
import { takePassword } from '../encryption/link-password.ts'
import { createPasswordForm } from '../encryption/password-form.ts'
import { getPasswordHint } from '../encryption/password-hints.ts'
import { requireElement } from '../shared/elements.ts'
import { startEditForm } from './edit-form.ts'

interface Locked {
  readonly locked: HTMLElement
  readonly decrypted: HTMLTemplateElement
  readonly jwe: string
  /** The document token; null for an account. */
  readonly token: string | null
}

/** Decrypts an encrypted document in this browser instead of on the server, then shows the form to edit it. */
function decryptToEdit({ locked, decrypted, jwe, token }: Locked): void {
  const form = createPasswordForm(requireElement<HTMLFormElement>('form', locked))
  const linkPassword = takePassword()
  form.setHint(getPasswordHint(canEncrypt()))
  if (linkPassword !== null) form.fill(linkPassword)
  if (!canEncrypt()) return
  form.onSubmit(async (password) => {
    try {
      const text = await decryptText(jwe, password)
      if (text === null) return form.fail('Wrong password. Try again.', { passwordWrong: true })
      locked.replaceWith(decrypted.content.cloneNode(true))
      startEditForm(requireElement<HTMLFormElement>('form#edit'), {
        decrypted: { password, text, jwe },
        token,
      })
    } catch (error) {
      form.fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
  })
  if (linkPassword !== null) form.submit(linkPassword)
}

const locked = document.querySelector<HTMLElement>('#locked')
const decrypted = document.querySelector<HTMLTemplateElement>('template#decrypted-form')
const jwe = document.querySelector<HTMLTemplateElement>('template#jwe')?.content.textContent
// A form that holds a password was decrypted on the server, which saves it too.
const form = document.querySelector<HTMLFormElement>(
  'form#edit[data-line-breaks]:not(:has([name="password"]))',
)
const dataset = (form ?? decrypted?.content.querySelector<HTMLFormElement>('form#edit'))?.dataset
const token = dataset?.byToken === 'true' ? findToken(dataset.document ?? '') : null
// After a management link, only the cookie has the token: scripts can't read it, and the plain form needs no more.
const isPlain = dataset?.byToken === 'true' && token === null
if (!isPlain && locked && decrypted && jwe) decryptToEdit({ locked, decrypted, jwe: jwe.trim(), token })
else if (!isPlain && form) startEditForm(form, { decrypted: null, token })
