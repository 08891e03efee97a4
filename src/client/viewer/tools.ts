import { announce } from '../shared/announce.ts'
import type { Finder, Search } from './find.ts'
import type { LineLinks } from './line-links.ts'

const find = <Found extends HTMLElement>(selector: string) => document.querySelector<Found>(selector)

const say = (words: string) => {
  const region = find('#text-state')
  if (region) announce(region, words)
}

/** A button that is pressed or not; `change` is told each time. */
export function startToggle(selector: string, pressed: boolean, change: (pressed: boolean) => void) {
  const button = find<HTMLButtonElement>(selector)
  if (!button) return null
  const set = (next: boolean) => {
    button.setAttribute('aria-pressed', String(next))
    change(next)
  }
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'))
  button.hidden = false
  set(pressed)
  return { set }
}

/** Storage of the browser, which may be forbidden or full. */
function keep(storage: () => Storage, key: string, value: string): boolean {
  try {
    storage().setItem(key, value)
    return true
  } catch {
    // The caller tells the person, where it matters.
    return false
  }
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Wraps long lines, or does not, as it was chosen last. `around` is given what changes the text. */
export const startWrap = (section: HTMLElement, around: (change: () => void) => void) =>
  startToggle('#wrap', kept('wrap') === 'yes', (wrapped) => {
    around(() => section.classList.toggle('wrapped', wrapped))
    if (wrapped || kept('wrap')) keep(() => localStorage, 'wrap', wrapped ? 'yes' : 'no')
  })

/** Hands the text to the page where new documents are written, which takes it out of `duplicate`. */
export function startDuplicate(section: HTMLElement, code: HTMLElement): void {
  const button = find<HTMLButtonElement>('#duplicate')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    const copy = { text: code.textContent ?? '', language: section.dataset.language }
    if (keep(() => sessionStorage, 'duplicate', JSON.stringify(copy))) location.assign('/')
    else say('This text is too long to be handed over here: copy it.')
  })
}

/** Lets a text be saved that no link has any more, or only encrypted. */
export function startDownload(code: HTMLElement): void {
  const link = find<HTMLAnchorElement>('#download')
  if (!link?.hidden) return
  link.hidden = false
  link.href = '#'
  link.addEventListener('click', () => {
    if (link.href.startsWith('blob:')) return
    link.href = URL.createObjectURL(new Blob([code.textContent ?? ''], { type: 'text/plain' }))
  })
}

/** Finds what is typed; what that needs is loaded once somebody is about to. */
export function startFind(search: Omit<Search, 'say'>): { readonly finder: () => Finder | null } {
  const form = find<HTMLFormElement>('.find')
  let finder: Finder | null = null
  let loading = false
  const load = async () => {
    if (!form || finder || loading) return
    loading = true
    try {
      const { startFinder } = await import('./find.ts')
      finder = startFinder(form, { ...search, say })
    } catch {
      say('What finds words could not be loaded. Try again when you are online.')
    }
    loading = false
  }
  if (form) form.hidden = false
  form?.addEventListener('focusin', load)
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void load()
  })
  return { finder: () => finder }
}

/** Goes to the line that is typed. */
export function startGoToLine({ go }: LineLinks, lines: number): void {
  const form = find<HTMLFormElement>('.go-to-line')
  const field = form?.querySelector('input')
  if (!form || !field) return
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const found = go(field.value)
    if (!found) say(`There are ${lines} lines: 10 goes to the tenth, 10-20 marks eleven.`)
    else if (found.first === found.last) say(`Line ${found.first}.`)
    else say(`Lines ${found.first} to ${found.last}.`)
  })
}

/** Where a text cannot be shown in another way, says so. */
export const sayNotShown = () => say('This text could not be shown that way.')
