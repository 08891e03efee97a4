import { customAlphabet } from 'nanoid'
import { canEncrypt } from '../decrypt/jwe-client.ts'
import { SaveError } from '../document-form/form-errors.ts'
import { copyText } from '../shared/copy-text.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'

/** Of the alphabet of ids: 134 bits, which need no stretching. */
const GENERATED_CHARACTERS = 24

/** What a document is encrypted with. */
export interface EncryptionPassword {
  readonly password: string
  /** Whether it was made here, so that nobody can know it who has not copied it. */
  readonly generated: boolean
}

export interface EncryptionField {
  readonly isChosen: () => boolean
  /** What to encrypt with. Throws a SaveProblem where nothing sensible was typed. */
  readonly requirePassword: () => EncryptionPassword
}

const CAN_NOT =
  'A browser encrypts only on pages that come by HTTPS, so that nobody on the way can change them. ' +
  'This page did not, so here a document can not be protected.'

/** For somebody whose defaults ask for what can not be done: it is not dropped in silence. */
const NOT_AS_CHOSEN = ' By your defaults your documents are encrypted: this one would not be.'

/**
 * Puts the choice of a password into the form, in the place of the one that the service would encrypt by.
 *
 * @param changed is called when it is chosen, or not any more.
 */
export function addEncryptionField(form: HTMLFormElement, changed: () => void): EncryptionField {
  const choice = requireElement<HTMLSelectElement>('#encryption', form)
  const fieldset = cloneTemplate('editor-protection')
  const preset = choice.value
  // What stays in the form could be sent with it.
  form.querySelector('#password')?.closest('.field')?.remove()
  choice.closest('.field')?.remove()
  // In sight, for it is what many come for.
  requireElement('details.settings', form).after(fieldset)

  const check = requireElement<HTMLInputElement>('#protect', fieldset)
  const fields = requireElement('#protect-fields', fieldset)
  const field = requireElement<HTMLInputElement>('#protect-password', fieldset)
  const kind = requireElement('#protect-kind', fieldset)
  const show = requireElement<HTMLButtonElement>('[data-part="show"]', fieldset)
  if (!canEncrypt()) {
    check.disabled = true
    const hint = requireElement('#protect-hint', fieldset)
    hint.textContent = CAN_NOT + (preset === 'none' ? '' : NOT_AS_CHOSEN)
    hint.classList.toggle('error', preset !== 'none')
    return { isChosen: () => false, requirePassword: () => ({ password: '', generated: false }) }
  }

  const draw = customAlphabet(fieldset.dataset.alphabet ?? '', GENERATED_CHARACTERS)
  let drawn = ''
  const describe = () => {
    kind.textContent =
      field.value !== '' && field.value === drawn
        ? 'Generated: nobody can guess it. You can type one of your own instead.'
        : 'Your own. The longer it is, the harder it is to guess.'
  }
  const generate = () => {
    drawn = draw()
    field.value = drawn
    describe()
  }
  const choose = () => {
    fields.hidden = !check.checked
    if (check.checked && field.value === '' && preset !== 'own') generate()
    describe()
    changed()
  }
  check.addEventListener('change', choose)
  field.addEventListener('input', describe)
  requireElement('[data-part="generate"]', fieldset).addEventListener('click', generate)
  requireElement('[data-part="copy"]', fieldset).addEventListener('click', () => copyText(field))
  show.addEventListener('click', () => {
    const shown = field.type === 'password'
    field.type = shown ? 'text' : 'password'
    show.setAttribute('aria-pressed', String(shown))
  })
  if (preset !== 'none') {
    check.checked = true
    choose()
  }
  return {
    isChosen: () => check.checked,
    requirePassword: () => {
      const password = field.value
      if (password === '') throw new SaveError('Type a password, or let one be generated.', 'password')
      if (!password.isWellFormed())
        throw new SaveError('This password has half a character in it.', 'password')
      return { password, generated: password === drawn }
    },
  }
}
