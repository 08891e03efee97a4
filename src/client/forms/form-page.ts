import { announce, copyAndSay, createElement } from '../shared/elements.ts'

// What forms and the pages around them can do: each part starts where the page has what it needs.

/** How long a form can't be sent twice: longer than most responses take, but not than people wait. */
const BLOCKED_MS = 5_000

/**
 * Sends a form once on a double click. Browsers would drop the response to the first request, and with it anything
 * shown only once: an API key, or a document that is burned after reading.
 */
function submitOnce(): void {
  let submittedAt = Number.NEGATIVE_INFINITY
  addEventListener('submit', (event) => {
    const { target, timeStamp, defaultPrevented } = event
    if (defaultPrevented || !(target instanceof HTMLFormElement) || target.method !== 'post') return
    if (timeStamp - submittedAt < BLOCKED_MS) event.preventDefault()
    else submittedAt = timeStamp
  })
  // A page restored from the back/forward cache may submit its form again.
  addEventListener('pageshow', () => {
    submittedAt = Number.NEGATIVE_INFINITY
  })
}

function bindCopyButton(button: HTMLButtonElement): void {
  const source = document.getElementById(button.dataset.copy ?? '')
  const status = document.getElementById(button.dataset.copied ?? '')
  if (!source || !status || !navigator.clipboard) return
  // The page hides the button because it needs this script.
  button.hidden = false
  button.addEventListener('click', () =>
    copyAndSay(source.textContent ?? '', (message) => announce(status, message)),
  )
}

const CHECK_AFTER_MS = 300

/** Says whether a username is valid and free. */
function checkWhileTyping(field: HTMLInputElement): void {
  const status = document.getElementById('username-state')
  if (!status) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  const check = async () => {
    const name = field.value
    const number = ++latest
    const invitation = new FormData(field.form ?? undefined).get('invitation')
    const query = new URLSearchParams({ name, ...(invitation && { invitation: String(invitation) }) })
    const response = await fetch(`/sign-up/username?${query}`).catch(() => null)
    if (!response?.ok || number !== latest) return
    const { problem }: { problem: string | null } = await response.json()
    field.setAttribute('aria-invalid', String(problem !== null))
    announce(status, problem ?? 'This username is available.')
  }
  const checkSoon = () => {
    clearTimeout(timer)
    latest += 1
    field.removeAttribute('aria-invalid')
    // It was about another name.
    document.getElementById(`${field.id}-problem`)?.remove()
    announce(status, '')
    if (field.value !== '') timer = setTimeout(check, CHECK_AFTER_MS)
  }
  field.addEventListener('input', checkSoon)
  // What was typed before this script had arrived.
  if (field.value !== field.defaultValue) checkSoon()
}

export function splitLastWord(typed: string): { readonly before: string; readonly word: string } {
  const word = /(?<![^\s,])[^\s,]*$/.exec(typed)?.[0] ?? ''
  return { before: typed.slice(0, typed.length - word.length), word }
}

const COMPLETE_AFTER_MS = 200

const MIN_PREFIX_CHARACTERS = 2

/** Offers the usernames of other people. */
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

/** A form with a problem comes back in its dialog. */
function reopenDialog(dialog: HTMLDialogElement): void {
  dialog.close()
  dialog.showModal()
}

submitOnce()
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) bindCopyButton(button)
for (const field of document.querySelectorAll<HTMLInputElement>('input[name="username"]'))
  checkWhileTyping(field)
for (const field of document.querySelectorAll<HTMLInputElement>('input[data-complete]'))
  completeWhileTyping(field)
for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) reopenDialog(dialog)
const desk = document.querySelector<HTMLElement>('.desk')
if (desk) void import('./page-tools.ts').then(({ startDesk }) => startDesk(desk))
