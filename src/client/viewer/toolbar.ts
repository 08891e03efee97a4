import { announce } from '../shared/announce.ts'
import { store } from './display/stored.ts'
import { loadExtraStyles } from './extra-styles.ts'

const findElement = <Found extends HTMLElement>(selector: string) => document.querySelector<Found>(selector)

/** How long a message stays, in milliseconds. */
const MESSAGE_MS = 4_000

let clearing: ReturnType<typeof setTimeout> | undefined

/** Shows a message in the toolbar, which screen readers announce. It goes after a while, unless it is to stay. */
export function announceInToolbar(message: string, { stays = false } = {}): void {
  const region = findElement('#text-status')
  if (!region) return
  announce(region, message)
  clearTimeout(clearing)
  if (!stays) clearing = setTimeout(() => announce(region, ''), MESSAGE_MS)
}

/** Opens the menu of the toolbar with this id, if it is closed. */
export async function openMenu(id: string): Promise<void> {
  await loadExtraStyles()
  findElement(`#${id}`)?.showPopover()
}

async function copy(text: string, message: string): Promise<void> {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  announceInToolbar(copied ? message : 'Couldn’t copy. Select the text and copy it.')
}

/** Returns the link to the document, with the linked lines but without a password. */
const getLink = (): string =>
  location.origin + location.pathname + location.search + (/^#L\d/.test(location.hash) ? location.hash : '')

/** Loads what only some tools of the menus need. */
const loadMenuTools = () => import('./menu-tools.ts')

async function showQrCode(): Promise<void> {
  const menu = findElement('#qr')
  if (!menu) return
  try {
    await (await loadMenuTools()).drawQrCode(menu)
    await openMenu('qr')
  } catch {
    announceInToolbar('The QR code couldn’t be loaded. Check your connection and try again.')
  }
}

async function copyPicture(): Promise<void> {
  announceInToolbar('Drawing the image…', { stays: true })
  announceInToolbar(await (await loadMenuTools()).copyPicture())
}

interface ToolbarOptions {
  readonly code: HTMLElement
  readonly getLanguage: () => string
  /** What happens with the tools that change how the text is displayed. */
  readonly tools: Readonly<Record<'wrap' | 'find', () => void>>
}

/** Starts the buttons of the toolbar and of its menus. */
export function startToolbar({ code, getLanguage, tools }: ToolbarOptions): void {
  const toolbar = findElement('.tools')
  const getText = () => code.textContent ?? ''
  const actions: Readonly<Record<string, () => void>> = {
    ...tools,
    copy: () => void copy(getText(), 'Copied.'),
    'copy-link': () => void copy(getLink(), 'Link copied.'),
    duplicate: () => {
      // The home page takes the copy from session storage.
      const { document: id } = code.closest<HTMLElement>('[data-document]')?.dataset ?? {}
      const duplicate = { id, text: getText(), language: getLanguage() }
      if (store(() => sessionStorage, 'duplicate', JSON.stringify(duplicate))) location.assign('/')
      else announceInToolbar('This text is too long to duplicate. Copy it instead.')
    },
    'copy-picture': () => void copyPicture(),
    qr: () => void showQrCode(),
    print: () => print(),
  }
  // Before a menu is opened. Menus are invisible without their styles.
  for (const type of ['pointerover', 'focusin', 'click'])
    toolbar?.addEventListener(type, () => {
      void loadExtraStyles()
      // Without it, the links lead to the picture in light colours, and to the code for all lines.
      void loadMenuTools()
        .then(({ updateLinks }) => updateLinks())
        .catch(console.error)
    })
  toolbar?.addEventListener('click', ({ target }) => {
    const item = target instanceof Element ? target.closest<HTMLElement>('[data-tool], .menu-item') : null
    if (item?.matches('.menu-item')) item.closest<HTMLElement>('[popover]')?.hidePopover()
    actions[item?.dataset.tool ?? '']?.()
  })
  startDownload(getText)
}

/** Starts the download links of a text that the server can't offer: it is deleted, or stored encrypted. */
function startDownload(getText: () => string): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('.tools a[download]:not([href])')
  for (const link of links) {
    link.href = '#'
    link.addEventListener('click', () => {
      if (link.href.startsWith('blob:')) return
      link.href = URL.createObjectURL(new Blob([getText()], { type: 'text/plain' }))
    })
  }
}
