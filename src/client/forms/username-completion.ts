/** How long typing rests before names are asked for, in milliseconds. */
const REST_MS = 200

/** Offers usernames that begin with the last word typed, in the list that belongs to the field. */
function completeWhileTyping(field: HTMLInputElement): void {
  const list = field.list
  if (!list) return
  let timer: ReturnType<typeof setTimeout> | undefined
  field.addEventListener('input', () => {
    clearTimeout(timer)
    const typed = field.value
    const prefix = /[^\s,]*$/.exec(typed)?.[0] ?? ''
    if (prefix.length < 2) return
    timer = setTimeout(async () => {
      const response = await fetch(`/account/usernames?${new URLSearchParams({ prefix })}`).catch(() => null)
      if (!response?.ok || field.value !== typed) return
      const { usernames }: { usernames: string[] } = await response.json()
      list.replaceChildren(
        ...usernames.map((name) =>
          // A list completes the whole field.
          Object.assign(document.createElement('option'), {
            value: typed.slice(0, typed.length - prefix.length) + name,
          }),
        ),
      )
    }, REST_MS)
  })
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-complete]'))
  completeWhileTyping(field)
