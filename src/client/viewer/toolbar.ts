import { announce } from '../shared/announce.ts'
import { yieldToPage } from '../shared/yield.ts'
import type { FindBar, FindTarget } from './find-bar.ts'
import type { LineLinks } from './line-links.ts'

const findElement = <Found extends HTMLElement>(selector: string) => document.querySelector<Found>(selector)

/** Shows a message in the toolbar, which screen readers announce. */
export function announceInToolbar(message: string): void {
  const region = findElement('#text-status')
  if (region) announce(region, message)
}

/** Starts a toggle button. Calls `onChange` with the initial state, then with each change. */
export function startToggle(selector: string, pressed: boolean, onChange: (pressed: boolean) => void) {
  const button = findElement<HTMLButtonElement>(selector)
  if (!button) return null
  const set = (next: boolean) => {
    button.setAttribute('aria-pressed', String(next))
    onChange(next)
  }
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'))
  button.hidden = false
  set(pressed)
  return { set }
}

/**
 * Stores a value. Returns false if storage is full or forbidden.
 *
 * @param getStorage a function, because the mere access to `localStorage` can throw.
 */
function store(getStorage: () => Storage, key: string, value: string): boolean {
  try {
    getStorage().setItem(key, value)
    return true
  } catch {
    return false
  }
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/**
 * Starts the button that wraps long lines. The choice is remembered.
 *
 * @param aroundChange called with the function that changes the layout.
 */
export const startWrap = (section: HTMLElement, aroundChange: (change: () => void) => void) =>
  startToggle('#wrap', readStored('wrap') === 'yes', (wrapped) => {
    aroundChange(() => section.classList.toggle('wrapped', wrapped))
    if (wrapped || readStored('wrap')) store(() => localStorage, 'wrap', wrapped ? 'yes' : 'no')
  })

/** Starts the button that opens a copy of the text on the home page, which reads it from session storage. */
export function startDuplicate(section: HTMLElement, code: HTMLElement): void {
  const button = findElement<HTMLButtonElement>('#duplicate')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    const copy = { text: code.textContent ?? '', language: section.dataset.language }
    if (store(() => sessionStorage, 'duplicate', JSON.stringify(copy))) location.assign('/')
    else announceInToolbar('This text is too long to duplicate. Copy it instead.')
  })
}

/** Starts the download link of a text that the server can't offer: it is deleted, or stored encrypted. */
export function startDownload(code: HTMLElement): void {
  const link = findElement<HTMLAnchorElement>('#download')
  if (!link?.hidden) return
  link.hidden = false
  link.href = '#'
  link.addEventListener('click', () => {
    if (link.href.startsWith('blob:')) return
    link.href = URL.createObjectURL(new Blob([code.textContent ?? ''], { type: 'text/plain' }))
  })
}

/** Shows the find bar, and loads its code when it is focused. */
export function startFind(target: Omit<FindTarget, 'announce' | 'yieldToPage'>): {
  readonly findBar: () => FindBar | null
} {
  const form = findElement<HTMLFormElement>('.find')
  let findBar: FindBar | null = null
  let loading = false
  const load = async () => {
    if (!form || findBar || loading) return
    loading = true
    try {
      const { startFindBar } = await import('./find-bar.ts')
      findBar = startFindBar(form, { ...target, announce: announceInToolbar, yieldToPage })
    } catch {
      announceInToolbar('Find couldn’t be loaded. Check your connection and try again.')
    }
    loading = false
  }
  if (form) form.hidden = false
  form?.addEventListener('focusin', load)
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void load()
  })
  return { findBar: () => findBar }
}

/** Starts the field that goes to a line. */
export function startGoToLine({ goTo }: LineLinks, lines: number): void {
  const form = findElement<HTMLFormElement>('.go-to-line')
  const field = form?.querySelector('input')
  if (!form || !field) return
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const found = goTo(field.value)
    if (!found) announceInToolbar(`Enter a line number from 1 to ${lines}, or a range such as 10-20.`)
    else if (found.first === found.last) announceInToolbar(`Line ${found.first}`)
    else announceInToolbar(`Lines ${found.first} to ${found.last}`)
  })
}
