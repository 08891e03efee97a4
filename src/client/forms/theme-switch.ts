/** The switch between themes, in its place: nothing that the page shows, or that was typed into it, is lost. */
const form = document.querySelector<HTMLFormElement>('form.theme')
const buttons = [...(form?.querySelectorAll<HTMLButtonElement>('button[name="theme"]') ?? [])]

function show(theme: string): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const button of buttons) button.ariaPressed = String(button.value === theme)
}

const remembered = (): string => /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] ?? 'system'

/** Whoever goes on at once has the choice already: the answer to the form may come too late for that. */
function remember(theme: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = theme === 'system' ? '; Max-Age=0' : `${theme}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is asynchronous, and on https alone.
  document.cookie = `theme=${value}; Path=/; SameSite=Lax${secure}`
}

if (form) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    const { value } = event.submitter as HTMLButtonElement
    event.preventDefault()
    show(value)
    remember(value)
    // Some browsers keep a cookie of a script for no more than a week; the server's stays for a year.
    const body = new URLSearchParams({ theme: value })
    fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
  })
  // A page that comes back from the browser's memory may be older than the choice.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show(remembered())
  })
}

/** Whoever presses it is on a page of the site, and need not be asked. */
document.querySelector('.masthead a[href="/sign-out"]')?.addEventListener('click', (event) => {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const leave = Object.assign(document.createElement('form'), { method: 'post', action: '/sign-out' })
  document.body.append(leave)
  leave.submit()
})
