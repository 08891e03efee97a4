import type { FormSettings } from '../../shared/form-settings.ts'
import type { NewDocumentOffer } from './new-document-offer.ts'

/** The values that fill in the form for a new document. */
export interface NewDocumentValues {
  readonly text: string
  readonly title: string
  /** The account that will be the creator; null for an anonymous document. */
  readonly accountId: string | null
  readonly settings: FormSettings
  readonly offer: NewDocumentOffer
  /** The key of Cloudflare's widget; null unless this person has to pass it. */
  readonly turnstileSiteKey: string | null
  /** As typed. */
  readonly editors: string
  /** Whether to create a gist; null if the account can't. */
  readonly gist: boolean | null
  /** The id of the document that it's a duplicate of; empty if it's none. A script fills it in. */
  readonly duplicatedFrom: string
}
