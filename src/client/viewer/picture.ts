/** Returns true if the page is dark, by its theme or by the system's. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement)
  return (
    colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  )
}

/** Makes the link to the document's picture ask for the colours of the page, and returns its address. */
export function updatePictureLink(): string {
  const link = document.querySelector<HTMLAnchorElement>('.tools a[href*="/preview.png"]')
  if (link) link.search = isDark() ? '?theme=dark' : ''
  return link?.href ?? ''
}

async function loadPicture(address: string): Promise<Blob> {
  const response = await fetch(address)
  // The server redirects to the picture of the site if it can't draw this one.
  if (!response.ok || response.redirected) throw new Error(`no picture: ${response.status}`)
  return response.blob()
}

/** Copies the picture of the document, and returns what to tell the reader. */
export async function copyPicture(): Promise<string> {
  try {
    // The browser waits for the picture, so that it still knows that a click asked for this.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': loadPicture(updatePictureLink()) })])
    return 'Image copied.'
  } catch {
    return 'Couldn’t copy the image. Try again, or download it.'
  }
}
