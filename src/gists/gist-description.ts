/** A given title may be longer. */
const MAX_TITLE_CHARACTERS = 80

/** With the longest title and the marker, a link this long stays within GitHub's limit for descriptions. */
const MAX_LINK_CHARACTERS = 100

/** Every description ends with this, so that a gist can be found whose creation was never confirmed. */
const getMarker = (documentId: string): string => `Regent document ${documentId}`

/**
 * Returns the description of a gist: the title, a link to the document, and the marker.
 *
 * @param siteUrl null if unknown, as in a scheduled run without `SITE_URL`.
 */
export function formatGistDescription(
  { id, title }: { readonly id: string; readonly title: string | null },
  siteUrl: string | null,
): string {
  const link = `${siteUrl}/${id}`
  const shortTitle = title && [...title].slice(0, MAX_TITLE_CHARACTERS).join('')
  return [shortTitle, siteUrl !== null && link.length <= MAX_LINK_CHARACTERS ? link : null, getMarker(id)]
    .filter((part) => part !== null)
    .join(' – ')
}

/** Returns true if a description belongs to this document. A title can't forge it, because the marker comes last. */
export const isGistDescription = (documentId: string, description: string): boolean =>
  description === getMarker(documentId) || description.endsWith(` – ${getMarker(documentId)}`)
