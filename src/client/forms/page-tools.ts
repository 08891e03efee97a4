import {
  getColorScheme,
  getThemeColors,
  isNamedTheme,
  parseThemeCookie,
  type ThemeName,
} from '../../shared/themes.ts'
import { createCloseButton, createElement, loadStyles, requireElement } from '../shared/elements.ts'
import { isShortcut } from '../shared/shortcuts.ts'
import { DOCUMENT_KEYS } from '../viewer/document-keys.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'

// What every page offers, and loads when it's used: themes and keys.

function showTheme(theme: ThemeName): void {
  const styles = document.querySelector<HTMLElement>('form.theme')?.dataset.styles
  if (isNamedTheme(theme) && styles) void loadStyles(styles)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  requireElement<HTMLMetaElement>('meta[name="color-scheme"]').content = getColorScheme(theme)
  // The colours of the browser's own bars, such as a phone's address bar.
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.remove()
  document.head.append(...getThemeColors(theme).map((attributes) => createElement('meta', attributes)))
  for (const button of document.querySelectorAll<HTMLButtonElement>('.theme button[name="theme"]'))
    button.ariaPressed = String(button.value === theme)
}

/** Sets the cookie right away: the response to the form may be too late for the next page. */
function storeTheme(theme: ThemeName): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = theme === 'system' ? '; Max-Age=0' : theme
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `theme=${value}; Path=/; SameSite=Lax${secure}`
}

export const showChosenTheme = (): void => showTheme(parseThemeCookie(document.cookie))

/** Doesn't leave the page, so nothing typed into it is lost. */
export function switchTheme(form: HTMLFormElement, name: string): void {
  const theme = parseThemeCookie(`theme=${name}`)
  showTheme(theme)
  storeTheme(theme)
  // Some browsers keep a script's cookie for a week at most; the server's own lasts a year.
  const body = new URLSearchParams({ theme })
  fetch(form.action, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {})
}

type Key = readonly [keys: string, action: string]

interface KeyGroup {
  readonly title: string
  /** The keys work on pages that have such an element. */
  readonly where: string
  readonly keys: readonly Key[] | ((part: Element) => readonly Key[])
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The buttons and links of the moderation desk name their keys. */
const readNamedKeys = (desk: Element): Key[] =>
  [...desk.querySelectorAll<HTMLElement>('[data-key]')].map((element) => [
    element.dataset.key?.toUpperCase() ?? '',
    element.ariaLabel ?? element.firstChild?.textContent?.trim().replace('…', '') ?? '',
  ])

/** All keys of the site. The keys of the browser and of text fields go without saying. */
const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Document',
    where: '.tools .find',
    keys: () => [
      ['/', 'Find'],
      ['G', 'Go to a line'],
      ['W', 'Wrap lines'],
      ...DOCUMENT_KEYS.filter(([, , selector]) => document.querySelector(selector)).map(
        ([key, action]): Key => [key.toUpperCase(), action],
      ),
    ],
  },
  {
    title: 'Log',
    where: '.log-bar',
    keys: [
      ['N', 'Next error or warning'],
      ['Shift N', 'Previous error or warning'],
    ],
  },
  {
    title: 'Editor',
    where: '.cm-content, textarea[name="content"]',
    keys: [
      [isApple ? '⌘ S' : 'Ctrl S', 'Share or save'],
      [isApple ? '⌘ Enter' : 'Ctrl Enter', 'Share or save'],
      [isApple ? '⌘ F' : 'Ctrl F', 'Find in the text'],
      ['Tab', 'Indent'],
      ['Esc Tab', 'Leave the text'],
    ],
  },
  {
    title: 'List',
    where: '.list',
    keys: [
      ['J', 'Next document'],
      ['K', 'Previous document'],
      ['/', 'Search'],
      ['Space', 'Select'],
      ['Esc', 'Clear the selection'],
    ],
  },
  {
    title: 'History',
    where: '.steps',
    keys: [
      ['←', 'Older version'],
      ['→', 'Newer version'],
    ],
  },
  { title: 'Moderation', where: '.desk', keys: readNamedKeys },
  { title: 'Everywhere', where: 'body', keys: [['?', 'Show these keys']] },
]

const createKeys = (keys: string): HTMLElement =>
  createElement('span', { className: 'row' }, ...keys.split(' ').map((key) => createElement('kbd', {}, key)))

function createGroup({ title, where, keys }: KeyGroup): HTMLElement[] {
  const part = document.querySelector(where)
  const list = part === null ? [] : typeof keys === 'function' ? keys(part) : keys
  if (list.length === 0) return []
  const rows = list.map(([key, action]) =>
    createElement('li', { className: 'row apart' }, createElement('span', {}, action), createKeys(key)),
  )
  const heading = createElement('h3', { className: 'quiet-text' }, title)
  return [
    createElement(
      'section',
      { className: 'stack' },
      heading,
      createElement('ul', { className: 'plain-list stack' }, ...rows),
    ),
  ]
}

export async function showKeys(event: KeyboardEvent): Promise<void> {
  if (!isShortcut(event)) return
  await loadExtraStyles()
  // The key may have been pressed again meanwhile.
  if (document.querySelector('dialog:modal')) return
  const title = createElement('h2', { id: 'keys-title' }, 'Keyboard shortcuts')
  const close = createCloseButton(() => dialog.close())
  close.autofocus = true
  const groups = createElement('div', { className: 'stack' }, ...GROUPS.flatMap(createGroup))
  const header = createElement('div', { className: 'row apart' }, title, close)
  const dialog = createElement('dialog', { id: 'keys' }, header, groups)
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** Each key presses the button or follows the link that names it, while the focus is on the desk or nowhere. */
export function startDesk(desk: HTMLElement): void {
  addEventListener('keydown', (event) => {
    const { key, target } = event
    const named = desk.querySelector<HTMLElement>(`[data-key="${CSS.escape(key.toLowerCase())}"]`)
    if (!named || !isShortcut(event)) return
    if (target !== document.body && !(target instanceof Node && desk.contains(target))) return
    event.preventDefault()
    // Where the focus goes on from, into a menu, and comes back to.
    named.focus({ preventScroll: true })
    named.click()
  })
  desk.querySelector('.queue [aria-current]')?.scrollIntoView({ block: 'nearest' })
  // Without scrolling: the header says what was done.
  desk.querySelector<HTMLElement>('.case')?.focus({ preventScroll: true })
}
