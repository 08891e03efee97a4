/** With a title and the marker, a link of this length stays within what GitHub takes for a description. */
const MOST_LINK_CHARACTERS = 100

/** What every description ends with: how a gist is found that was made, and whose making nobody told us of. */
const markerOf = (documentId: string): string => `Regent document ${documentId}`

/**
 * What a gist says of itself: the title, where the document is, and the marker.
 *
 * @param siteUrl null where nobody knows it.
 */
export function descriptionOf(
  { id, title }: { readonly id: string; readonly title: string | null },
  siteUrl: string | null,
): string {
  const link = `${siteUrl}/${id}`
  return [title, siteUrl !== null && link.length <= MOST_LINK_CHARACTERS ? link : null, markerOf(id)]
    .filter((part) => part !== null)
    .join(' – ')
}

/** Whether a description is one of this document: no title can make it look so, since the marker comes last. */
export const isDescriptionOf = (documentId: string, description: string): boolean =>
  description === markerOf(documentId) || description.endsWith(` – ${markerOf(documentId)}`)
