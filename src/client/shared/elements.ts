export function cloneTemplate(id: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template#${id}`)
  const element = template?.content.firstElementChild
  if (!(element instanceof HTMLElement)) throw new Error(`the page has no template #${id}`)
  return element.cloneNode(true) as HTMLElement
}

/** If there is none, it's a bug in the page. */
export function requireElement<Kind extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Kind {
  const element = within.querySelector<Kind>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

export function createButton(
  textContent: string,
  onClick: (event: MouseEvent) => void,
  className = '',
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', className, textContent })
  button.addEventListener('click', onClick)
  return button
}

/** Creates the button at the upper right of a message or a dialog. */
export function createCloseButton(onClick: () => void): HTMLButtonElement {
  const button = createButton('×', onClick, 'tool')
  button.ariaLabel = 'Close'
  return button
}

/** Returns false if they can't be loaded. */
export function loadStyles(href: string): Promise<boolean> {
  const known = document.querySelector<HTMLLinkElement>(`link[rel="stylesheet"][href="${href}"]`)
  if (known?.sheet) return Promise.resolve(true)
  const link = known ?? createElement('link', { rel: 'stylesheet', href })
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve(true), { once: true })
    link.addEventListener('error', () => {
      // So that the next call tries again, rather than waiting for events that were fired before.
      link.remove()
      resolve(false)
    })
    // Last of all: for layers in a sheet before another one, the browser would lay out all text again.
    if (!known) document.body.append(link)
  })
}

/** A click that opens a link in the same tab. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(ctrlKey || metaKey || shiftKey || altKey)

/** Puts scripts into the browser's cache. */
export function preloadScripts(addresses: readonly string[]): void {
  for (const href of addresses) document.head.append(createElement('link', { rel: 'modulepreload', href }))
}

/** Returns false if the browser refuses, or has no clipboard on an insecure page. */
export const copyToClipboard = async (text: string): Promise<boolean> =>
  (await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )) ?? false

/** Says whether it worked, and returns that. */
export const NOT_COPIED = 'Couldn’t copy. Select the text and copy it.'

const DONE_MS = 2_000

/** Replaces the button's own words for a moment. A button with an icon alone gets a check mark. */
export function markDone(button: HTMLElement, done: string): void {
  const words = button.lastChild
  if (button.matches('.tool') || !(words instanceof Text)) {
    button.dataset.done = '✓'
    setTimeout(() => delete button.dataset.done, DONE_MS)
    return
  }
  const { data } = words
  if (data === done) return
  // Nothing beside it moves.
  button.style.minWidth = `${button.offsetWidth}px`
  words.data = done
  setTimeout(() => {
    words.data = data
  }, DONE_MS)
}

export async function copyAndSay(
  text: string,
  say: (message: string) => void,
  done = 'Copied.',
): Promise<boolean> {
  const copied = await copyToClipboard(text)
  say(copied ? done : NOT_COPIED)
  return copied
}

/** A live region is shown and read out. */
export function announce(region: HTMLElement, message: string): void {
  if (region.textContent !== message) region.textContent = message
}

/** Screen readers don't repeat a message that stays the same. */
export function announceAgain(region: HTMLElement, message: string): void {
  announce(region, '')
  requestAnimationFrame(() => announce(region, message))
}

/** The CSS Custom Highlight API styles text without changing the page. */
export const supportsHighlights = (): boolean => typeof CSS === 'object' && 'highlights' in CSS
