import { canEncrypt, open } from '../decrypt/jwe-client.ts'
import { takePassword } from '../decrypt/link-password.ts'
import { HERE, NOT_HERE } from '../decrypt/messages.ts'
import { secretForm } from '../decrypt/password-form.ts'
import { requireElement } from '../shared/elements.ts'
import { startEditForm } from './edit-form.ts'

/** Opens the text of an encrypted document in this browser, instead of at the server. */
function unlock(locked: HTMLElement, opened: HTMLTemplateElement, envelope: string): void {
  const form = secretForm(requireElement<HTMLFormElement>('form', locked))
  const offered = takePassword()
  form.explain(canEncrypt() ? HERE : NOT_HERE)
  if (offered !== null) form.fill(offered)
  if (!canEncrypt()) return
  form.onSubmit(async (password) => {
    try {
      const text = await open(envelope, password)
      if (text === null) return form.fail('This is not the password. Try again.', { passwordWrong: true })
      locked.replaceWith(opened.content.cloneNode(true))
      startEditForm(requireElement<HTMLFormElement>('form#edit'), { password, text, envelope })
    } catch (error) {
      form.fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
  })
  if (offered !== null) form.submit(offered)
}

const locked = document.querySelector<HTMLElement>('#locked')
const opened = document.querySelector<HTMLTemplateElement>('template#opened')
const envelope = document.querySelector<HTMLTemplateElement>('template#envelope')?.content.textContent
// What the server opened it saves, too: it came without this script, or over no secure connection.
const form = document.querySelector<HTMLFormElement>(
  'form#edit[data-line-breaks]:not(:has([name="password"]))',
)
if (locked && opened && envelope) unlock(locked, opened, envelope.trim())
else if (form) startEditForm(form, null)
