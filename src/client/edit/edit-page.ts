import { canEncrypt, decryptText } from '../encryption/jwe-client.ts'
import { takePassword } from '../encryption/link-password.ts'
import { createPasswordForm } from '../encryption/password-form.ts'
import { getPasswordHint } from '../encryption/password-hints.ts'
import { requireElement } from '../shared/elements.ts'
import { startEditForm } from './edit-form.ts'

/** Decrypts an encrypted document in this browser instead of on the server, then shows the form to edit it. */
function decryptToEdit(locked: HTMLElement, decrypted: HTMLTemplateElement, jwe: string): void {
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
      startEditForm(requireElement<HTMLFormElement>('form#edit'), { password, text, jwe })
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
if (locked && decrypted && jwe) decryptToEdit(locked, decrypted, jwe.trim())
else if (form) startEditForm(form, null)
