import { splitLastWord } from './last-word.ts'

const DEBOUNCE_MS = 200

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
        ...usernames.map((name) => Object.assign(document.createElement('option'), { value: before + name })),
      )
    }, DEBOUNCE_MS)
  })
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-complete]'))
  completeWhileTyping(field)
