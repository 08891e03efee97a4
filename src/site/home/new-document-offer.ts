import { getMaxExpiryDays, type User } from '../../accounts/user.ts'
import type { Config } from '../../config.ts'
import { type AppError, accountNotConfirmed, unauthorized } from '../../errors.ts'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import type { Choice, FormSettings } from '../../shared/form-settings.ts'
import { DAY_MS } from '../../shared/instant.ts'
import { invalidField, type NewDocumentSettings } from '../settings/settings-form.ts'

interface NewDocumentOffer {
  readonly expires: readonly Choice<'expires'>[]
  /** From now; null if only the limit for all documents applies. */
  readonly maxExpiryDays: number | null
  readonly previewImage: boolean
  /** Visibility, editors and gists. */
  readonly account: boolean
}

const EVERY_EXPIRY = Object.keys(EXPIRY_CHOICES) as Choice<'expires'>[]

const getChoices = (maxDays: number | null) =>
  EVERY_EXPIRY.filter((choice) => {
    const { days } = EXPIRY_CHOICES[choice]
    return maxDays === null || (days !== null && days <= maxDays)
  })

/** Without a confirmed account, it has what protects the user, even if the API refuses that. */
export function getOffer(
  user: Pick<User, 'confirmed'> | null,
  { anonymousSettings }: Pick<Config, 'anonymousSettings'>,
): NewDocumentOffer {
  const maxExpiryDays = getMaxExpiryDays(user, anonymousSettings)
  const account = user?.confirmed ?? false
  const previewImage = account || anonymousSettings === 'allow'
  return { expires: getChoices(maxExpiryDays), maxExpiryDays, previewImage, account }
}

/** A date is chosen in whole minutes, and sending the form takes a moment. */
const TOLERANCE_MS = 60_000

export function requireOffered(
  settings: NewDocumentSettings,
  { user, offer, now }: { user: User | null; offer: NewDocumentOffer; now: number },
): void {
  const { maxExpiryDays } = offer
  if (maxExpiryDays !== null && settings.expiresAt > now + maxExpiryDays * DAY_MS + TOLERANCE_MS) {
    throw invalidField('expires', `Without an account, choose an expiry of up to ${maxExpiryDays} days`)
  }
  const usesAccount = settings.visibility === 'public' || settings.editors.length > 0 || settings.gist
  if (usesAccount && !offer.account) throw accountNeeded(user)
  if (settings.imageEmbed && !offer.previewImage) throw accountNeeded(user)
}

const accountNeeded = (user: User | null): AppError => (user ? accountNotConfirmed() : unauthorized())

export interface NewDocumentValues {
  readonly text: string
  readonly title: string
  readonly accountId: string | null
  readonly settings: FormSettings
  readonly offer: NewDocumentOffer
  /** Null unless this person has to pass Cloudflare's check. */
  readonly turnstileSiteKey: string | null
  readonly editors: string
  /** Null if the account can't create a gist. */
  readonly gist: boolean | null
  /** Empty if it's no duplicate. A script fills it in. */
  readonly duplicatedFrom: string
}
