import { announce } from '../shared/announce.ts'

/** From when on somebody is told that they wait, in milliseconds. */
const BLINK_MS = 150

export interface SecretForm {
  /** Says where the password goes. */
  readonly explain: (words: string) => void
  /** Says what went wrong, read out at once also when it is the same as before. */
  readonly fail: (words: string, options: { readonly passwordWrong: boolean }) => void
  readonly fill: (password: string) => void
  /** Calls `open` with what was typed, instead of sending it. What is sent meanwhile is not heard. */
  readonly onSubmit: (open: (password: string) => Promise<void>) => void
  /** The same, for a password that nobody typed. */
  readonly submit: (password: string) => void
}

/** The form that asks for a password, or before reading what is read once, as a script uses it. */
export function secretForm(form: HTMLFormElement): SecretForm {
  const field = form.querySelector<HTMLInputElement>('#password')
  const hint = form.querySelector<HTMLElement>('#password-way')
  const progress = Object.assign(document.createElement('p'), { className: 'hint' })
  progress.role = 'status'
  form.append(progress)
  let problem = form.querySelector<HTMLElement>('[role="alert"]')
  let busy = false
  let submitted: (password: string) => Promise<void> = async () => {}

  const describe = (passwordWrong: boolean) => {
    if (!field) return
    const described = [...(problem ? ['password-error'] : []), ...(hint ? ['password-way'] : [])]
    field.setAttribute('aria-describedby', described.join(' '))
    field.ariaInvalid = passwordWrong ? 'true' : null
  }
  const clear = () => {
    problem?.remove()
    problem = null
    describe(false)
  }
  const submit = async (password: string) => {
    if (busy) return
    busy = true
    clear()
    const timer = setTimeout(() => announce(progress, 'Opening…'), BLINK_MS)
    await submitted(password)
    clearTimeout(timer)
    announce(progress, '')
    busy = false
  }
  return {
    explain: (words) => {
      if (hint) hint.textContent = words
    },
    fail: (words, { passwordWrong }) => {
      clear()
      problem = Object.assign(document.createElement('p'), { className: 'error', id: 'password-error' })
      problem.role = 'alert'
      form.prepend(problem)
      problem.textContent = words
      describe(passwordWrong)
      if (passwordWrong) {
        field?.focus()
        field?.select()
      }
    },
    fill: (password) => {
      if (!field) return
      field.value = password
      form.querySelector('button')?.focus()
    },
    onSubmit: (open) => {
      submitted = open
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        void submit(field?.value ?? '')
      })
    },
    submit: (password) => void submit(password),
  }
}
