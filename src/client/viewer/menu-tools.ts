import { createQrCode } from '../shared/qr-code.ts'
import { store } from '../shared/storage.ts'

/** By the page's theme, or by the system's. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement)
  return (
    colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  )
}

const findLink = (path: string) => document.querySelector<HTMLAnchorElement>(`.tools a[href*="${path}"]`)

/** The picture has the colours of the page, and the code to embed the document has the linked lines. */
export function updateLinks(): void {
  const picture = findLink('/preview.png')
  if (picture) picture.search = isDark() ? '?theme=dark' : ''
  const embed = findLink('/embed/code')
  if (embed) embed.search = /^#L\d/.test(location.hash) ? `lines=${location.hash.slice(1)}` : ''
}

export async function drawQrCode(menu: HTMLElement): Promise<void> {
  const link = location.origin + location.pathname
  const caption = Object.assign(document.createElement('p'), { textContent: link })
  menu.replaceChildren(await createQrCode(link, 'QR code for the link'), caption)
}

async function loadPicture(address: string): Promise<Blob> {
  const response = await fetch(address)
  // The server redirects to the picture of the site if it can't draw this one.
  if (!response.ok || response.redirected) throw new Error(`no picture: ${response.status}`)
  return response.blob()
}

export async function copyPicture(): Promise<string> {
  updateLinks()
  try {
    // The browser waits for the picture, so that it still knows that a click asked for this.
    await navigator.clipboard.write([
      new ClipboardItem({ 'image/png': loadPicture(findLink('/preview.png')?.href ?? '') }),
    ])
    return 'Image copied.'
  } catch {
    return 'Couldn’t copy the image. Try again, or download it.'
  }
}

/** The home page takes the copy from session storage. */
export function duplicate(code: HTMLElement, language: string): string {
  const { document: id } = code.closest<HTMLElement>('[data-document]')?.dataset ?? {}
  const copy = { id, text: code.textContent ?? '', language }
  if (!store(() => sessionStorage, 'duplicate', JSON.stringify(copy)))
    return 'This text is too long to duplicate. Copy it instead.'
  location.assign('/')
  return ''
}
