import { type ChosenDisplay, FONT_SIZES } from '../../shared/display.ts'
import { findLanguage, LANGUAGES } from '../../shared/languages.ts'
import { MAX_PICTURED_LINES } from '../../shared/lines.ts'
import { isNamedTheme, THEMES } from '../../shared/themes.ts'
import { createQrCode, storeGiven } from '../share/shared-document.ts'
import {
  announceAgain,
  createButton,
  createCloseButton,
  createElement,
  loadStyles,
  markDone,
  NOT_COPIED,
  requireElement,
} from '../shared/elements.ts'
import { areShortcutsOn, SHORTCUTS_KEY } from '../shared/shortcuts.ts'
import { store } from '../shared/storage.ts'
import { CHOICES_KEY, type DocumentLanguage, readChoices } from './document-language.ts'
import { announceInToolbar, getOriginalText, openMenu, type ToolbarOptions, UNOFFERED } from './toolbar.ts'

// The menus of the toolbar, loaded before one of them is opened.

/** Follows the page's theme, or the system's. */
function isDark(): boolean {
  const { content } = requireElement<HTMLMetaElement>('meta[name="color-scheme"]')
  return content === 'dark' || (content !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}

const findLink = (path: string) => document.querySelector<HTMLAnchorElement>(`.tools a[href*="${path}"]`)

const getLines = (): string | null => (/^#L\d/.test(location.hash) ? location.hash.slice(1) : null)

/** The bar of a burned document with several views has no space for all of its tools on phones. */
function listHiddenTools(): void {
  const menu = requireElement('#more')
  if (menu.matches(':popover-open')) return
  for (const item of menu.querySelectorAll('.hidden-tool')) item.remove()
  const items = [
    ...document.querySelectorAll<HTMLElement>('.tools > :is([data-tool="find"], [popovertarget="display"])'),
  ]
    .filter((tool) => !tool.checkVisibility())
    .map((tool) => {
      const open = () => (tool.dataset.tool ? tool.click() : void openMenu('display'))
      const name = tool.querySelector('.tip')?.firstChild?.textContent ?? ''
      const item = createButton(name, open, 'menu-item hidden-tool')
      item.prepend(...[...tool.children].slice(0, 1).map((icon) => icon.cloneNode(true)))
      return item
    })
  menu.prepend(...items)
}

/**
 * Updates the menu before it's opened. The picture has the colours of the page, and as many lines as fit. With linked
 * lines, it shows only these, and so does the code to embed.
 */
export function updateLinks(lastLine: number): void {
  // It's there before its first message, so that screen readers hear that, too.
  getDoneStatus()
  listHiddenTools()
  // The script of the viewer decides it for texts that the server doesn't know.
  const wrapButton = document.querySelector('[data-tool="wrap"]')
  if (wrapButton) wrapButton.ariaPressed = String(document.querySelector('section.wrapped') !== null)
  const line = document.querySelector<HTMLInputElement>('#line')
  if (line) line.placeholder = `1–${lastLine}`
  const lines = getLines()
  const picture = findLink('/preview.png')
  if (picture)
    picture.search = String(
      new URLSearchParams({ ...(isDark() && { theme: 'dark' }), lines: lines ?? `1-${lastLine}` }),
    )
  const embed = findLink('/embed/code')
  if (embed) embed.search = lines === null ? '' : `lines=${lines}`
}

const MAX_CHOICES = 200

export function storeLanguageChoice(id: string, language: string | null): void {
  const others = readChoices().filter(([known]) => known !== id)
  const choices = [...(language === null ? [] : [[id, language]]), ...others].slice(0, MAX_CHOICES)
  store('localStorage', CHOICES_KEY, JSON.stringify(choices))
}

let doneStatus: HTMLElement | null = null

function getDoneStatus(): HTMLElement {
  if (!doneStatus) {
    doneStatus = createElement('span', { className: 'visually-hidden', ariaLive: 'polite' })
    document.body.append(doneStatus)
  }
  return doneStatus
}

/**
 * Says on the button, and to screen readers, whether something was copied. An item of a menu is gone by then, so the
 * toolbar says it.
 */
export function sayCopied(button: HTMLElement, copied: boolean, done = 'Copied.'): void {
  if (!copied || button.matches('.menu-item')) {
    announceInToolbar(copied ? done : NOT_COPIED)
    return
  }
  markDone(button, 'Copied')
  announceAgain(getDoneStatus(), done)
}

type Lines = Pick<ToolbarOptions, 'goTo' | 'getLastLine'>

export function goToLine(form: HTMLFormElement, { goTo, getLastLine }: Lines): void {
  const found = goTo(form.querySelector('input')?.value ?? '')
  if (!found) {
    announceInToolbar(`Enter a line number from 1 to ${getLastLine()}, or a range such as 10-20.`)
    return
  }
  form.closest<HTMLElement>('[popover]')?.hidePopover()
  const { first, last } = found
  announceInToolbar(first === last ? `Line ${first}` : `Lines ${first} to ${last}`)
}

export async function showQrCode(): Promise<void> {
  const link = location.origin + location.pathname
  const code = await createQrCode(link, 'QR code for the link')
  const menu = requireElement('#qr')
  const title = createElement('strong', {}, 'QR code')
  const close = createCloseButton(() => menu.hidePopover())
  menu.replaceChildren(
    createElement('div', { className: 'row apart' }, title, close),
    code,
    createElement('p', {}, link),
  )
  await openMenu('qr')
}

async function loadPicture(address: string): Promise<Blob> {
  const response = await fetch(address)
  // The server redirects to the picture of the site if it can't draw this one.
  if (!response.ok || response.redirected) throw new Error(`no picture: ${response.status}`)
  return response.blob()
}

/** Downloads the picture where the browser can't copy one. */
export async function copyPicture(lastLine: number): Promise<void> {
  const link = findLink('/preview.png')
  if (!link) return
  announceInToolbar('Drawing the image…', { stays: true })
  const picture = loadPicture(link.href)
  try {
    // The browser waits for the picture, so that it still knows that a click asked for this.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
    const isCut = lastLine > MAX_PICTURED_LINES
    const whole = isCut ? `Image of the first ${MAX_PICTURED_LINES} lines copied.` : 'Image copied.'
    announceInToolbar(getLines() === null ? whole : 'Image of the selected lines copied.')
  } catch {
    try {
      const address = URL.createObjectURL(await picture)
      createElement('a', { href: address, download: link.download }).click()
      announceInToolbar('Your browser couldn’t copy the image, so it was downloaded.')
    } catch {
      announceInToolbar('Couldn’t load the image. Try again in a moment.')
    }
  }
}

export function startDownload(code: HTMLElement): void {
  const links = document.querySelectorAll<HTMLAnchorElement>(UNOFFERED)
  for (const link of links) {
    link.href = '#'
    link.addEventListener('click', () => {
      if (link.href.startsWith('blob:')) return
      link.href = URL.createObjectURL(new Blob([getOriginalText(code)], { type: 'text/plain' }))
    })
  }
}

export const duplicate = (code: HTMLElement, language: string): string =>
  duplicateText(getOriginalText(code), language, code.closest<HTMLElement>('[data-document]'))

/** Returns what to tell the reader. @param shown has the id of the document. */
export function duplicateText(text: string, language: string, shown: HTMLElement | null): string {
  const { document: copyOf = '' } = shown?.dataset ?? {}
  const { title = '' } = document.querySelector<HTMLElement>('[data-tool="duplicate"]')?.dataset ?? {}
  if (!storeGiven({ text, fields: { language, title }, password: null, copyOf }))
    return 'This text is too long to duplicate. Copy it instead.'
  location.assign('/')
  return ''
}

interface DisplayMenuOptions {
  /** Is null where there are several. */
  readonly language: DocumentLanguage | null
  readonly getDisplay: () => ChosenDisplay
  readonly setDisplay: (display: ChosenDisplay) => void
}

/** The value of the option for the document's own language. */
const OWN = ''

function createLanguageField(language: DocumentLanguage): HTMLElement {
  const select = createElement('select', { id: 'display-language' })
  const own = new Option(`Default: ${language.ownLabel()}`, OWN)
  select.append(own, ...LANGUAGES.map(({ name, label }) => new Option(label, name)))
  select.value = findLanguage(language.choice() ?? OWN)?.name ?? OWN
  select.addEventListener('change', () => {
    const choice = select.value === OWN ? null : select.value
    language.choose(choice)
    if (language.id !== undefined) storeLanguageChoice(language.id, choice)
  })
  return createElement('label', { className: 'row apart' }, 'Language', select)
}

function createFontSizeField({ getDisplay, setDisplay }: DisplayMenuOptions): HTMLElement {
  const output = createElement('output', {})
  const show = () => {
    output.textContent = `${getDisplay().fontSize} px`
  }
  const createStep = (sign: string, label: string, by: number) => {
    const change = () => {
      const display = getDisplay()
      const fontSize = FONT_SIZES[FONT_SIZES.indexOf(display.fontSize) + by]
      if (fontSize !== undefined) setDisplay({ ...display, fontSize })
      show()
    }
    const button = createButton(sign, change, 'quiet small')
    button.ariaLabel = label
    return button
  }
  show()
  const steps = [createStep('−', 'Smaller', -1), output, createStep('+', 'Larger', 1)]
  return createElement(
    'div',
    { className: 'font-size row apart' },
    createElement('span', {}, 'Text size'),
    ...steps,
  )
}

function createShortcutsField(): HTMLElement {
  const box = createElement('input', { type: 'checkbox', checked: areShortcutsOn() })
  const showList = () => {
    // Gives the focus back to its button, so that it's there again after the list, which closes all menus.
    requireElement('#display').hidePopover()
    // As the key that lists them does.
    document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
  }
  const list = createButton('Show', showList, 'tool for-keyboard')
  list.disabled = !box.checked
  box.addEventListener('change', () => {
    store('localStorage', SHORTCUTS_KEY, box.checked ? 'on' : 'off')
    list.disabled = !box.checked
  })
  const label = createElement('label', { className: 'choice' }, box, 'Keyboard shortcuts')
  return createElement('div', { className: 'row apart' }, label, list)
}

export function fillDisplayMenu(menu: HTMLElement, options: DisplayMenuOptions): void {
  const { language } = options
  menu.replaceChildren(
    ...(language ? [createLanguageField(language)] : []),
    createFontSizeField(options),
    createShortcutsField(),
  )
  // The buttons of named themes have their colours.
  const themes = requireElement('#display .theme')
  if (themes.dataset.styles) void loadStyles(themes.dataset.styles)
  for (const { name } of THEMES.filter(({ name }) => isNamedTheme(name)))
    requireElement(`[value="${name}"]`, themes).dataset.theme = name
}
