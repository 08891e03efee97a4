/** Paths that several parts of the site link or redirect to. */
export const YOUR_DOCUMENTS_PATH = '/account/documents'
export const SHARED_DOCUMENTS_PATH = `${YOUR_DOCUMENTS_PATH}?view=shared`
export const EXPLORE_PATH = '/explore'
export const getProfilePath = (username: string): string => `/@${username}`
/** The documents that this browser created without an account. */
export const DEVICE_PATH = '/device'
