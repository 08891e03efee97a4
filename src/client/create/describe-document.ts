import { NEVER } from '../../shared/expiry.ts'
import type { CreatedDocument } from './create-request.ts'

/** Says when a new document expires, and what else happens to it. */
export function describeDocument({
  timestamps: { expiration },
  settings,
  gist_url,
}: CreatedDocument): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
  const expiresAt = Date.parse(expiration)
  const sentences = [
    expiresAt === NEVER ? 'Never expires.' : `Expires on ${date.format(expiresAt)}.`,
    settings.instant_delete && 'Will be deleted after first read.',
    gist_url && 'Also saved as a gist.',
  ]
  return sentences.filter(Boolean).join(' ')
}
