import type { User } from '../../accounts/user.ts'
import { type Document, holdsToken, isCreator, type Viewer } from '../../documents/model/document.ts'
import type { Config } from '../../env.ts'
import { EXPIRY_CHOICES, NEVER } from '../../shared/expiry.ts'
import type { Choice } from '../../shared/form-settings.ts'
import { getOffer } from '../home/new-document-offer.ts'
import { invalidField } from '../settings/settings-form.ts'

/** Which settings the form that edits a document offers. */
export interface EditOffer {
  readonly expires: readonly Choice<'expires'>[]
  /** The latest expiry; null if only the limit for all documents applies. */
  readonly latestExpiry: number | null
  /** Whether the viewer may make the document expire earlier. Only the creator may, and only they may delete it. */
  readonly earlierExpiry: boolean
  /** Whether the viewer may choose if the document burns after reading. An editor may only turn it off. */
  readonly burnAfterReading: boolean
  readonly previewImage: boolean
  /** Documents without an account can't be public. */
  readonly visibility: boolean
  /** A title isn't encrypted, so encrypted documents have none. */
  readonly title: boolean
}

interface OfferContext {
  readonly user: User | null
  readonly viewer: Viewer
  readonly config: Pick<Config, 'anonymousSettings'>
  readonly now: number
}

const DAY_MS = 86_400_000
/** Sending the form takes a moment. */
const TOLERANCE_MS = 60_000

/** Returns the latest expiry that somebody without an account may choose. It counts from the creation of the document. */
function getLatestExpiry(document: Document, maxExpiryDays: number | null): number | null {
  return maxExpiryDays === null ? null : document.createdAt + maxExpiryDays * DAY_MS + TOLERANCE_MS
}

/**
 * Returns what the form offers; null for accounts that may not use settings. The holder of a document token gets the
 * settings that the form for a new document offers without an account.
 */
export function getEditOffer(
  document: Document,
  { user, viewer, config, now }: OfferContext,
): EditOffer | null {
  if (!user?.confirmed && !holdsToken(document, viewer)) return null
  const offer = getOffer(user, config)
  const latestExpiry = getLatestExpiry(document, offer.maxExpiryDays)
  const isByCreator = isCreator(document, viewer)
  const isOffered = (choice: Choice<'expires'>) => {
    const { days } = EXPIRY_CHOICES[choice]
    const expiresAt = days === null ? NEVER : now + days * DAY_MS
    return (isByCreator || expiresAt >= document.expiresAt) && expiresAt <= (latestExpiry ?? NEVER)
  }
  return {
    expires: offer.expires.filter(isOffered),
    latestExpiry,
    earlierExpiry: isByCreator,
    burnAfterReading: isByCreator || document.burnAfterReading,
    previewImage: offer.previewImage,
    visibility: document.creator !== null,
    title: !document.encrypted,
  }
}

/** Throws `bad_request` for an expiry that the form doesn't offer. */
export function requireOfferedExpiry({ latestExpiry }: EditOffer, expiresAt: number | undefined): void {
  if (latestExpiry !== null && expiresAt !== undefined && expiresAt > latestExpiry) {
    throw invalidField('expires', 'Without an account, a document expires within 7 days of its creation')
  }
}

/** Returns the offer of a form that is shown again, perhaps without its document. */
export function restoreOffer(
  { title, visibility }: { title: string | null; visibility: string },
  { signedIn, config }: { signedIn: boolean } & Pick<OfferContext, 'config'>,
): EditOffer {
  const isAccount = signedIn || visibility !== 'keep'
  const { expires, previewImage } = getOffer(isAccount ? { confirmed: true } : null, config)
  return {
    expires,
    latestExpiry: null,
    earlierExpiry: true,
    burnAfterReading: true,
    previewImage,
    visibility: visibility !== 'keep',
    title: title !== null,
  }
}
