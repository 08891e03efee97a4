import { announce, createElement } from '../shared/elements.ts'

const PROGRESS_DELAY_MS = 150

export interface PasswordForm {
  readonly setHint: (hint: string) => void
  /** Screen readers announce an error even if it is the same as before. */
  readonly fail: (message: string, options: { readonly passwordWrong: boolean }) => void
  readonly fill: (password: string) => void
  /** In place of sending the form. Shows the error if `open` throws, and ignores submissions while it runs. */
  readonly onSubmit: (open: (password: string) => Promise<void>) => void
  readonly submit: (password: string) => void
}

export function createPasswordForm(form: HTMLFormElement): PasswordForm {
  const field = form.querySelector<HTMLInputElement>('#password')
  const hint = form.querySelector<HTMLElement>('#password-hint')
  const progress = createElement('p', { className: 'hint', role: 'status' })
  form.append(progress)
  let alert = form.querySelector<HTMLElement>('[role="alert"]')
  let busy = false
  let onSubmitted: (password: string) => Promise<void> = async () => {}

  const describeField = (passwordWrong: boolean) => {
    if (!field) return
    const ids = [...(alert ? ['password-error'] : []), ...(hint ? ['password-hint'] : [])]
    field.setAttribute('aria-describedby', ids.join(' '))
    field.ariaInvalid = passwordWrong ? 'true' : null
  }
  const clear = () => {
    alert?.remove()
    alert = null
    describeField(false)
  }
  const fail: PasswordForm['fail'] = (message, { passwordWrong }) => {
    clear()
    alert = createElement('p', { className: 'error', id: 'password-error', role: 'alert' })
    form.prepend(alert)
    alert.textContent = message
    describeField(passwordWrong)
    if (passwordWrong) {
      field?.focus()
      field?.select()
    }
  }
  const submit = async (password: string) => {
    if (busy) return
    busy = true
    clear()
    const timer = setTimeout(() => announce(progress, 'Decrypting…'), PROGRESS_DELAY_MS)
    try {
      await onSubmitted(password)
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
    clearTimeout(timer)
    announce(progress, '')
    busy = false
  }
  return {
    setHint: (text) => {
      if (hint) hint.textContent = text
    },
    fail,
    fill: (password) => {
      if (!field) return
      field.value = password
      form.querySelector('button')?.focus()
    },
    onSubmit: (open) => {
      onSubmitted = open
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        void submit(field?.value ?? '')
      })
    },
    submit: (password) => void submit(password),
  }
}
