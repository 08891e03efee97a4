import { customAlphabet } from 'nanoid'
import { GENERATED_PASSWORD_CHARACTERS } from '../../shared/document-ids.ts'
import { canEncrypt } from '../encryption/encryption.ts'
import { announceAgain, cloneTemplate, copyToClipboard, requireElement } from '../shared/elements.ts'
import { markMenu } from './bar-menus.ts'
import { SaveError } from './save-form.ts'

/** Copies the value of a field. If the browser refuses, selects the value instead. */
async function copyField(field: HTMLInputElement): Promise<void> {
  const status = requireElement('#form-status')
  const copied = await copyToClipboard(field.value)
  if (!copied) {
    field.focus()
    field.select()
  }
  announceAgain(status, copied ? 'Copied.' : 'Couldn’t copy. The text is selected: press Ctrl+C or ⌘C.')
}

export type EncryptionField = ReturnType<typeof addEncryptionField>

const INSECURE_PAGE = 'This page wasn’t loaded over HTTPS, so your browser can’t encrypt the document.'

const DEFAULT_IGNORED = ' Your defaults turn encryption on, but this document will be saved unencrypted.'

/** The fields that encrypt in the browser, and those for encryption on the server, which they replaced. */
let replaced: { readonly fieldset: HTMLElement; readonly serverFields: HTMLElement } | null = null

/** Is for a page whose script fails: then the server encrypts. */
export function restoreServerFields(): void {
  replaced?.fieldset.replaceWith(replaced.serverFields)
  replaced = null
}

/** Replaces encryption on the server. */
export function addEncryptionField(form: HTMLFormElement, onChange: () => void) {
  const serverChoice = requireElement<HTMLSelectElement>('#encryption', form)
  const fieldset = cloneTemplate('encryption-template')
  const preset = serverChoice.value
  // Fields that stay in the form could be sent to the server.
  const serverFields = requireElement('[data-part="server-encryption"]', form)
  serverFields.replaceWith(fieldset)
  replaced = { fieldset, serverFields }
  const menu = requireElement('#password-menu', form)
  const title = requireElement<HTMLInputElement>('#title', form)
  const { placeholder } = title

  const checkbox = requireElement<HTMLInputElement>('#encrypt', fieldset)
  const passwordFields = requireElement('#encrypt-fields', fieldset)
  const input = requireElement<HTMLInputElement>('#encrypt-password', fieldset)
  const passwordHint = requireElement('#encrypt-password-hint', fieldset)
  const showButton = requireElement<HTMLButtonElement>('[data-part="hide"]', fieldset)
  if (!canEncrypt()) {
    checkbox.disabled = true
    const hint = requireElement('#encrypt-hint', fieldset)
    hint.textContent = INSECURE_PAGE + (preset === 'none' ? '' : DEFAULT_IGNORED)
    hint.classList.toggle('error', preset !== 'none')
  }

  const generatePassword = customAlphabet(fieldset.dataset.alphabet ?? '', GENERATED_PASSWORD_CHARACTERS)
  let generated = ''
  const describePassword = () => {
    passwordHint.textContent =
      input.value !== '' && input.value === generated
        ? 'This generated password is impossible to guess. You can enter your own instead.'
        : 'Longer passwords are harder to guess.'
  }
  const generate = () => {
    generated = generatePassword()
    input.value = generated
    describePassword()
  }
  const update = () => {
    passwordFields.hidden = !checkbox.checked
    markMenu(menu, checkbox.checked)
    // The server would learn the title.
    title.disabled = checkbox.checked
    title.placeholder = checkbox.checked ? 'No title (encrypted)' : placeholder
    if (checkbox.checked && input.value === '' && preset !== 'own') generate()
    describePassword()
    onChange()
  }
  checkbox.addEventListener('change', update)
  input.addEventListener('input', describePassword)
  requireElement('[data-part="generate"]', fieldset).addEventListener('click', generate)
  requireElement('[data-part="copy"]', fieldset).addEventListener('click', () => copyField(input))
  showButton.addEventListener('click', () => {
    const show = input.type === 'password'
    input.type = show ? 'text' : 'password'
    showButton.textContent = show ? 'Hide' : 'Show'
    showButton.ariaLabel = `${showButton.textContent} password`
  })
  const choose = () => {
    if (checkbox.disabled) return
    checkbox.checked = true
    update()
  }
  if (preset !== 'none') choose()
  // Whoever opens it wants a password.
  menu.addEventListener('toggle', () => {
    if (!(menu as HTMLDetailsElement).open || checkbox.checked || checkbox.disabled) return
    choose()
    input.select()
  })
  return {
    isChosen: () => checkbox.checked,
    /** A generated one is lost if the user leaves without copying it. */
    requirePassword: () => {
      const password = input.value
      if (password === '') throw new SaveError('Enter a password or generate one.', 'password')
      if (/\p{Surrogate}/u.test(password))
        throw new SaveError(
          'This password contains an invalid character. Choose another password.',
          'password',
        )
      return { password, generated: password === generated }
    },
    /** Takes back a password that was generated before. */
    choose: (password: string) => {
      generated = password
      input.value = password
      choose()
    },
  }
}
