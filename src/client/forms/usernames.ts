import { announce, createElement } from '../shared/elements.ts'

// Checks a username, and completes those of other people, while somebody types.

const CHECK_AFTER_MS = 300

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
    if (field.value !== '') timer = setTimeout(check, CHECK_AFTER_MS)
  })
}

export function splitLastWord(typed: string): { readonly before: string; readonly word: string } {
  const word = /(?<![^\s,])[^\s,]*$/.exec(typed)?.[0] ?? ''
  return { before: typed.slice(0, typed.length - word.length), word }
}

const COMPLETE_AFTER_MS = 200

const MIN_PREFIX_CHARACTERS = 2

function completeWhileTyping(field: HTMLInputElement): void {
  const list = field.list
  if (!list) return
  let timer: ReturnType<typeof setTimeout> | undefined
  field.addEventListener('input', () => {
    clearTimeout(timer)
    const typed = field.value
    const { before, word: prefix } = splitLastWord(typed)
    if (prefix.length < MIN_PREFIX_CHARACTERS) return
    timer = setTimeout(async () => {
      const response = await fetch(`/account/usernames?${new URLSearchParams({ prefix })}`).catch(() => null)
      if (!response?.ok || field.value !== typed) return
      const { usernames }: { usernames: string[] } = await response.json()
      list.replaceChildren(
        // A datalist replaces the whole value, so each option repeats the names before.
        ...usernames.map((name) => createElement('option', { value: before + name })),
      )
    }, COMPLETE_AFTER_MS)
  })
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[name="username"]'))
  checkWhileTyping(field)
for (const field of document.querySelectorAll<HTMLInputElement>('input[data-complete]'))
  completeWhileTyping(field)
