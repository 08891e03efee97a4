import { announce } from '../shared/elements.ts'

const DEBOUNCE_MS = 300

function checkWhileTyping(field: HTMLInputElement): void {
  const status = document.getElementById('username-state')
  if (!status) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  const check = async () => {
    const name = field.value
    const number = ++latest
    const response = await fetch(`/sign-up/username?${new URLSearchParams({ name })}`).catch(() => null)
    if (!response?.ok || number !== latest) return
    const { problem }: { problem: string | null } = await response.json()
    field.setAttribute('aria-invalid', String(problem !== null))
    announce(status, problem ?? 'This username is available.')
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    latest += 1
    field.removeAttribute('aria-invalid')
    announce(status, '')
    if (field.value !== '') timer = setTimeout(check, DEBOUNCE_MS)
  })
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[name="username"]'))
  checkWhileTyping(field)
