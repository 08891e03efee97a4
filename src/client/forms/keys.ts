import { createElement } from '../shared/elements.ts'
import { isShortcut } from '../shared/shortcuts.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'

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
    element.ariaLabel ?? element.textContent?.trim().replace('…', '') ?? '',
  ])

/** All keys of the site. Those of the browser and of text fields go without saying. */
const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Document',
    where: '.tools .find',
    keys: [
      ['/', 'Find'],
      ['G', 'Go to a line'],
      ['W', 'Wrap lines'],
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
    createElement('section', {}, heading, createElement('ul', { className: 'plain-list stack' }, ...rows)),
  ]
}

/** Lists the keys of this page, unless single keys are turned off. */
export async function showKeys(event: KeyboardEvent): Promise<void> {
  if (!isShortcut(event)) return
  await loadExtraStyles()
  // The key may have been pressed again meanwhile.
  if (document.querySelector('dialog:modal')) return
  const title = createElement('h2', { id: 'keys-title' }, 'Keyboard shortcuts')
  const close = createElement('button', { type: 'button', className: 'quiet', autofocus: true }, 'Close')
  const help: KeyGroup = { title: 'Everywhere', where: 'body', keys: [['?', 'Show these keys']] }
  const groups = createElement('div', { className: 'stack' }, ...[...GROUPS, help].flatMap(createGroup))
  const dialog = createElement('dialog', { id: 'keys' }, title, groups, close)
  dialog.setAttribute('aria-labelledby', title.id)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** Each key presses the button or follows the link that names it, while the focus is on the desk (WCAG 2.1.4). */
export function startDesk(desk: HTMLElement): void {
  desk.addEventListener('keydown', (event) => {
    const named = desk.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)
    if (!named || !isShortcut(event)) return
    event.preventDefault()
    named.click()
  })
  desk.querySelector('.queue [aria-current]')?.scrollIntoView({ block: 'nearest' })
  // Without scrolling: the header says what was done.
  desk.querySelector<HTMLElement>('.case')?.focus({ preventScroll: true })
}
