/** Only addresses of other sites are linked: a request to this site could delete a document. */
const LINKABLE = /^https?:\/\//i

/** Returns the text that replaces an image: images aren't loaded, not even from this site. */
function describeImage(description: string, address: string): string {
  const host = LINKABLE.test(address) ? URL.parse(address)?.host : undefined
  if (description) return host ? `${description} (image on ${host})` : description
  return host ? `Image on ${host}` : 'Image'
}

/**
 * Creates a placeholder for an image, with its description. It links to the image, which opens on its own page when the
 * reader clicks the link.
 *
 * @param image an element of a document that loads nothing.
 */
export function createImagePlaceholder(image: Element): HTMLElement {
  const address = image.getAttribute('src')?.trim() ?? ''
  const description = image.getAttribute('alt')?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const { ownerDocument } = image
  const isLink = LINKABLE.test(address) && URL.canParse(address) && !image.closest('a')
  const placeholder = ownerDocument.createElement(isLink ? 'a' : 'span')
  placeholder.className = 'md-image'
  placeholder.textContent = describeImage(description, address)
  placeholder.title = address
  if (isLink) placeholder.setAttribute('href', address)
  return placeholder
}
