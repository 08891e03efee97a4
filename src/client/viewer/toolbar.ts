import { announce, copyToClipboard, loadStyles, requireElement } from '../shared/elements.ts'
import { NOT_LOADED } from '../shared/workers.ts'
import type { FindBar, FindTarget } from './find-bar.ts'
import type { LineLinks } from './lines.ts'

/** Returns once they are loaded, or can't be. */
export async function loadExtraStyles(): Promise<void> {
  const href = document.querySelector<HTMLElement>('.tools')?.dataset.styles
  if (href) await loadStyles(href)
}

const findElement = <Found extends HTMLElement>(selector: string) => document.querySelector<Found>(selector)

const MESSAGE_MS = 4_000

let clearing: ReturnType<typeof setTimeout> | undefined

/** The message goes after a while, unless it `stays`. */
export function announceInToolbar(message: string, { stays = false } = {}): void {
  const region = findElement('#text-status')
  if (!region) return
  announce(region, message)
  clearTimeout(clearing)
  if (!stays) clearing = setTimeout(() => announce(region, ''), MESSAGE_MS)
}

export async function openMenu(id: string): Promise<void> {
  await loadExtraStyles()
  findElement(`#${id}`)?.showPopover()
}

/** The address has the linked lines, but no password. */
const getLink = (): string =>
  location.origin + location.pathname + location.search + (/^#L\d/.test(location.hash) ? location.hash : '')

/** The link of a text that the server can't offer: it is deleted, or stored encrypted. */
export const UNOFFERED = '.tools a[download]:not([href])'

const loadMenus = () => import('./menus.ts')

/** Copies a text, and returns whether that worked. */
export async function copyAndMark(button: HTMLElement, text: string, done?: string): Promise<boolean> {
  const copied = await copyToClipboard(text)
  void loadMenus().then(({ sayCopied }) => sayCopied(button, copied, done))
  return copied
}

const announceNotLoaded = () => announceInToolbar(NOT_LOADED)

const runInMenus = (run: (menus: Awaited<ReturnType<typeof loadMenus>>) => Promise<void>): void =>
  void loadMenus().then(run).catch(announceNotLoaded)

export interface ToolbarOptions {
  readonly code: HTMLElement
  /** Returns null once the browser has received all of the text. */
  readonly receiving: () => Promise<void> | null
  readonly getLanguage: () => string
  /** Has them by their names on the page. They come before those of every text. */
  readonly tools: Readonly<Record<string, (button: HTMLElement) => void>>
  readonly goTo: LineLinks['goTo']
  readonly getLastLine: () => number
}

/** Has the CR of the document, for which the page has LF. */
export function getOriginalText(code: HTMLElement): string {
  const text = code.textContent ?? ''
  return code.closest<HTMLElement>('section')?.dataset.lineBreaks === 'cr'
    ? text.replaceAll('\n', '\r')
    : text
}

export function startToolbar({ code, receiving, getLanguage, tools, ...lines }: ToolbarOptions) {
  const toolbar = findElement('.tools')
  const waitForText = async () => {
    const rest = receiving()
    if (rest) announceInToolbar('Loading the rest of the text…', { stays: true })
    await rest
  }
  const copyText = async (button: HTMLElement) => {
    await waitForText()
    await copyAndMark(button, getOriginalText(code))
  }
  const duplicate = async () => {
    const [menus] = await Promise.all([loadMenus(), waitForText()])
    announceInToolbar(menus.duplicate(code, getLanguage()))
  }
  const actions: Readonly<Record<string, (button: HTMLElement) => void>> = {
    copy: (button) => void copyText(button),
    'copy-link': (button) => void copyAndMark(button, getLink(), 'Link copied.'),
    duplicate: () => void duplicate(),
    'copy-picture': () => runInMenus(({ copyPicture }) => copyPicture(lines.getLastLine())),
    qr: () => runInMenus(({ showQrCode }) => showQrCode()),
    print: () => print(),
    ...tools,
  }
  // Before a menu is opened, or a tooltip appears. They are invisible without their styles.
  for (const type of ['pointerover', 'focusin', 'click']) {
    findElement('.document-header')?.addEventListener(type, () => void loadExtraStyles())
    toolbar?.addEventListener(type, () => {
      void loadExtraStyles()
      void loadMenus()
        .then(({ updateLinks }) => updateLinks(lines.getLastLine()))
        .catch(console.error)
    })
  }
  toolbar?.addEventListener('click', (event) => {
    const { target } = event
    const item = target instanceof Element ? target.closest<HTMLElement>('[data-tool], .menu-item') : null
    // The address is for the script, which makes the picture of it.
    if (item?.matches('a[data-tool]')) event.preventDefault()
    if (item?.matches('.menu-item')) item.closest<HTMLElement>('[popover]')?.hidePopover()
    if (item) actions[item.dataset.tool ?? '']?.(item)
  })
  // Clicked before this script was there: the focus of a keyboard would be visible.
  toolbar?.querySelector<HTMLElement>('[data-tool]:focus:not(:focus-visible)')?.click()
  if (findElement(UNOFFERED)) void loadMenus().then(({ startDownload }) => startDownload(code))
  const form = findElement<HTMLFormElement>('.go-to-line')
  form?.addEventListener('submit', async (event) => {
    event.preventDefault()
    ;(await loadMenus()).goToLine(form, lines)
  })
  return {
    goToLine: async () => {
      await openMenu('more')
      form?.querySelector('input')?.select()
    },
  }
}

/** The code of the bar is loaded when it is opened. */
export function startFind(target: Omit<FindTarget, 'announce'>) {
  const toolbar = requireElement('.tools')
  const form = requireElement<HTMLFormElement>('.find', toolbar)
  const button = requireElement('[data-tool="find"]', toolbar)
  const field = requireElement<HTMLInputElement>('input', form)
  let findBar: FindBar | null = null
  let loading = false
  const setOpen = (open: boolean) => {
    form.hidden = !open
    toolbar.classList.toggle('finding', open)
    // The number of matches is beside the field.
    findElement('#text-status')?.classList.toggle('toast', !open)
    button.ariaExpanded = String(open)
  }
  const load = async () => {
    if (findBar || loading) return
    loading = true
    void loadExtraStyles()
    try {
      const { startFindBar } = await import('./find-bar.ts')
      findBar = startFindBar(form, {
        ...target,
        announce: (message) => announceInToolbar(message, { stays: true }),
      })
    } catch {
      announceNotLoaded()
    }
    loading = false
  }
  // This isn't in the find bar's code, because readers may close the bar before its code has loaded.
  const close = () => {
    field.value = ''
    findBar?.clear()
    setOpen(false)
    button.focus()
  }
  form.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
  form.querySelector('button:last-of-type')?.addEventListener('click', close)
  form.addEventListener('submit', (event) => event.preventDefault())
  setOpen(false)
  const open = () => {
    setOpen(true)
    field.focus()
    field.select()
    void load()
  }
  return { findBar: () => findBar, open }
}
