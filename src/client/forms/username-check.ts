import { announce } from '../shared/announce.ts'

/** How long typing rests before the name is checked, in milliseconds. */
const REST_MS = 300

interface Answer {
  readonly problem: string | null
}

/** Says under the field of a username whether it is free, while it is typed. */
function checkWhileTyping(field: HTMLInputElement): void {
  const words = document.getElementById('username-state')
  if (!words) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  const check = async () => {
    const name = field.value
    const number = ++asked
    const response = await fetch(`/sign-up/username?${new URLSearchParams({ name })}`).catch(() => null)
    // Only the answer to what now stands there counts.
    if (!response?.ok || number !== asked) return
    const { problem }: Answer = await response.json()
    field.setAttribute('aria-invalid', String(problem !== null))
    announce(words, problem ?? 'This name is free.')
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    asked += 1
    field.removeAttribute('aria-invalid')
    announce(words, '')
    if (field.value !== '') timer = setTimeout(check, REST_MS)
  })
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[name="username"]'))
  checkWhileTyping(field)
