/** Where the message for the page of a shared document is, in the tab's storage. */
export const SHARED_KEY = 'regent.shared'

/** Returns true if a document was shared in this tab, and its page hasn't been shown yet. */
export function isJustShared(): boolean {
  try {
    return sessionStorage.getItem(SHARED_KEY) !== null
  } catch {
    return false
  }
}
