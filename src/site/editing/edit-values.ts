import type { User } from '../../accounts/user.ts'
import type { Config } from '../../config.ts'
import { toPlainText } from '../../documents/content.ts'
import { type Document, holdsToken, isCreator, type Viewer } from '../../documents/document.ts'
import type { Edit } from '../../documents/edit-plan.ts'
import { entityTag } from '../../http/answers.ts'
import { EXPIRY_CHOICES, NEVER } from '../../shared/expiry.ts'
import type { Choice } from '../../shared/form-settings.ts'
import { DAY_MS } from '../../shared/instant.ts'
import { detectLineBreaks, withLineBreaks } from '../../shared/lines.ts'
import { CHECKBOXES, type CheckboxName, type Flags, mapFlags, SETTINGS } from '../../shared/settings.ts'
import {
  getExpiry,
  getOffer,
  invalidField,
  parseLanguage,
  parseTitle,
  requireOption,
} from './settings-form.ts'

export interface EditOffer {
  readonly expires: readonly Choice<'expires'>[]
  /** Null if only the limit for all documents applies. */
  readonly latestExpiry: number | null
  /** Only the creator may make the document expire earlier, and only they may delete it. */
  readonly earlierExpiry: boolean
  /** An editor may only turn it off. */
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

/** Sending the form takes a moment. */
const TOLERANCE_MS = 60_000

/** Counts from the creation of the document. */
function getLatestExpiry(document: Document, maxExpiryDays: number | null): number | null {
  return maxExpiryDays === null ? null : document.createdAt + maxExpiryDays * DAY_MS + TOLERANCE_MS
}

/** Null for accounts that may not use settings. The holder of a document token gets what the form for new ones offers. */
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

function requireOfferedExpiry({ latestExpiry }: EditOffer, expiresAt: number | undefined): void {
  if (latestExpiry !== null && expiresAt !== undefined && expiresAt > latestExpiry) {
    throw invalidField('expires', 'Without an account, a document expires within 7 days of its creation')
  }
}

/** For a form that is shown again, perhaps without its document. */
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

export interface SettingsValues extends Flags<CheckboxName> {
  readonly title: string | null
  readonly language: string
  /** `keep`, or how long from now the document expires. */
  readonly expires: string
  /** `keep` if the form doesn't offer it. */
  readonly visibility: string
}

export interface EditValues {
  /** An entity tag: no other version is replaced. */
  readonly version: string
  readonly text: string | null
  readonly password: string | null
  readonly settings: SettingsValues | null
}

export const newEditValues = (
  document: Document,
  { password, offer }: { password: string | null; offer: EditOffer | null },
): Omit<EditValues, 'text'> => ({
  version: entityTag(document, 'json'),
  password,
  settings: offer
    ? {
        ...mapFlags(CHECKBOXES, (name) => document[SETTINGS[name].property]),
        title: offer.title ? (document.givenTitle ?? '') : null,
        language: document.language,
        expires: 'keep',
        visibility: document.public ? 'public' : 'unlisted',
      }
    : null,
})

export const parseEditValues = (fields: ReadonlyMap<string, string>): EditValues => ({
  version: fields.get('version') ?? '',
  text: fields.get('content') ?? null,
  password: fields.get('password') || null,
  settings: fields.has('expires')
    ? {
        ...mapFlags(CHECKBOXES, (name) => fields.has(name)),
        title: fields.get('title') ?? null,
        language: fields.get('language') ?? '',
        expires: fields.get('expires') ?? '',
        visibility: fields.get('visibility') ?? 'keep',
      }
    : null,
})

/** One kind of line break, and no NUL. */
const asSentByTextarea = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')

/** Keeps the line breaks of the present text. */
function getChangedText(typed: string, present: string): string | undefined {
  const text = asSentByTextarea(typed)
  if (text === asSentByTextarea(present)) return undefined
  return withLineBreaks(text, detectLineBreaks(present))
}

const ifChanged = <Value>(value: Value, present: Value): Value | undefined =>
  value === present ? undefined : value

interface SettingsContext {
  readonly document: Document
  /** What the form offered; null if the viewer may not use settings. */
  readonly offer: EditOffer | null
  readonly now: number
}

function getChangedSettings(values: SettingsValues, { document, offer, now }: SettingsContext) {
  const { title } = values
  const visibility = values.visibility === 'keep' ? null : requireOption('visibility', values.visibility)
  const expires = values.expires === 'keep' ? null : requireOption('expires', values.expires)
  const expiresAt = expires === null ? undefined : getExpiry(expires, now)
  if (offer) requireOfferedExpiry(offer, expiresAt)
  const flags = mapFlags(CHECKBOXES, (name) => {
    const { property } = SETTINGS[name]
    return ifChanged(values[property], document[property])
  })
  return {
    ...flags,
    // A form sends the same without a checkbox as with an unchecked one.
    imageEmbed: offer?.previewImage === false ? undefined : flags.imageEmbed,
    title: title === null ? undefined : ifChanged(parseTitle(title), document.givenTitle ?? ''),
    language: ifChanged(parseLanguage(values.language), document.language),
    expiresAt,
    public: visibility === null ? undefined : ifChanged(visibility === 'public', document.public),
  }
}

interface EditContext extends SettingsContext {
  readonly present: string | null
  readonly maxContentBytes: number
}

interface FormEdit {
  readonly edit: Edit
  readonly usesSettings: boolean
  readonly nothing: boolean
}

export function toEdit(
  { text, password, settings }: EditValues,
  { document, present, maxContentBytes, offer, now }: EditContext,
): FormEdit {
  const replacement = text === null || present === null ? undefined : getChangedText(text, present)
  const changedSettings = settings && getChangedSettings(settings, { document, offer, now })
  const usesSettings = Object.values(changedSettings ?? {}).some((value) => value !== undefined)
  return {
    edit: {
      content: replacement === undefined ? undefined : toPlainText(replacement, maxContentBytes),
      password: password ?? undefined,
      ...changedSettings,
      fixedSettings: {},
    },
    usesSettings,
    nothing: replacement === undefined && !usesSettings,
  }
}
