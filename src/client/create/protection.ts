import { customAlphabet } from 'nanoid'
import { canEncrypt } from '../decrypt/jwe-client.ts'
import { SaveProblem } from '../editor/form-problems.ts'
import { copyText } from '../shared/copy-text.ts'
import { copyOf, part } from '../shared/elements.ts'

/** Of the alphabet of ids: 134 bits, which need no stretching. */
const GENERATED_CHARACTERS = 24

/** What a document is encrypted with. */
export interface Key {
  readonly password: string
  /** Whether it was made here, so that nobody can know it who has not copied it. */
  readonly generated: boolean
}

export interface Protection {
  readonly chosen: () => boolean
  /** What to encrypt with. Throws a SaveProblem where nothing sensible was typed. */
  readonly require: () => Key
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
export function offerProtection(form: HTMLFormElement, changed: () => void): Protection {
  const choice = part<HTMLSelectElement>('#encryption', form)
  const fieldset = copyOf('editor-protection')
  const preset = choice.value
  // What stays in the form could be sent with it.
  form.querySelector('#password')?.closest('.field')?.remove()
  choice.closest('.field')?.remove()
  // In sight, for it is what many come for.
  part('details.settings', form).after(fieldset)

  const check = part<HTMLInputElement>('#protect', fieldset)
  const fields = part('#protect-fields', fieldset)
  const field = part<HTMLInputElement>('#protect-password', fieldset)
  const kind = part('#protect-kind', fieldset)
  const show = part<HTMLButtonElement>('[data-part="show"]', fieldset)
  if (!canEncrypt()) {
    check.disabled = true
    const hint = part('#protect-hint', fieldset)
    hint.textContent = CAN_NOT + (preset === 'none' ? '' : NOT_AS_CHOSEN)
    hint.classList.toggle('error', preset !== 'none')
    return { chosen: () => false, require: () => ({ password: '', generated: false }) }
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
  part('[data-part="generate"]', fieldset).addEventListener('click', generate)
  part('[data-part="copy"]', fieldset).addEventListener('click', () => copyText(field))
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
    chosen: () => check.checked,
    require: () => {
      const password = field.value
      if (password === '') throw new SaveProblem('Type a password, or let one be generated.', 'password')
      if (!password.isWellFormed())
        throw new SaveProblem('This password has half a character in it.', 'password')
      return { password, generated: password === drawn }
    },
  }
}
