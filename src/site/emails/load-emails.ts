/** Loads the emails when one is sent: reading a document needs none of their text. */
export const loadEmails = () => import('./emails.ts')
