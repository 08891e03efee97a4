import { getMaxExpiryDays, type User } from '../../accounts/user.ts'
import type { Config } from '../../config.ts'
import type { IncomingContent } from '../../documents/content.ts'
import { type NewDocument, plainDocument } from '../../documents/create.ts'
import { parseExpiration } from '../../documents/document.ts'
import { type AppError, accountNotConfirmed, invalidBody, issueAt, unauthorized } from '../../errors.ts'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import {
  CHOICES,
  type Choice,
  type ChoiceName,
  type FormSettings,
  isChoice,
  parseUsernames,
  SERVICE_DEFAULTS,
  toFormSettings,
} from '../../shared/form-settings.ts'
import { DAY_MS, type Instant } from '../../shared/instant.ts'
import { isClaimString } from '../../shared/jwe.ts'
import {
  CHECKBOXES,
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  mapFlags,
  SETTINGS,
} from '../../shared/settings.ts'

type Fields = ReadonlyMap<string, string>

export const invalidField = (name: string, message: string): AppError => invalidBody(issueAt([name], message))

export const getExpiry = (choice: Choice<'expires'>, now: Instant): number =>
  parseExpiration(EXPIRY_CHOICES[choice].days, now)

function requireChoice<Name extends ChoiceName>(fields: Fields, name: Name): Choice<Name> {
  const value: unknown = fields.get(name) || CHOICES[name].default
  if (!isChoice(name, value))
    throw invalidField(name, `Choose one of the options for “${CHOICES[name].label}”`)
  return value
}

export function parseLanguage(typed: string | undefined): string {
  const language = typed?.trim().toLowerCase() || SERVICE_DEFAULTS.language
  if (language.length > MAX_LANGUAGE_CHARACTERS) {
    throw invalidField('language', `A language name can have at most ${MAX_LANGUAGE_CHARACTERS} characters`)
  }
  return language
}

/** What the form didn't send is the service's default. @throws AppError `bad_request`. */
export const parseSettings = (fields: Fields): FormSettings => ({
  language: parseLanguage(fields.get('language')),
  expires: requireChoice(fields, 'expires'),
  visibility: requireChoice(fields, 'visibility'),
  link: requireChoice(fields, 'link'),
  encryption: requireChoice(fields, 'encryption'),
  ...mapFlags(CHECKBOXES, (name) => fields.has(name)),
})

/** A value that the form doesn't offer becomes the service's default. */
export const restoreSettings = (fields: Fields): FormSettings =>
  toFormSettings(
    Object.fromEntries([...fields, ...CHECKBOXES.map((name) => [name, fields.has(name)] as const)]),
  )

interface NewDocumentSettings extends FormSettings {
  readonly title: string
  readonly expiresAt: Instant
  readonly password: string
  readonly editors: readonly string[]
  readonly gist: boolean
  readonly clientEncrypted: boolean
  /** Proves the password of a burn-after-reading JWE. */
  readonly claimHash: string | null
}

/** The value of `expires` for a date, which is in `expires_at`. Only a script adds that field. */
const ON_DATE = 'date'

function parseExpiryFields(fields: Fields, now: Instant): Pick<NewDocumentSettings, 'expires' | 'expiresAt'> {
  if (fields.get('expires') !== ON_DATE) {
    const expires = requireChoice(fields, 'expires')
    return { expires, expiresAt: getExpiry(expires, now) }
  }
  return {
    expires: SERVICE_DEFAULTS.expires,
    expiresAt: parseExpiration(fields.get('expires_at') ?? '', now),
  }
}

function parseClaimHash(fields: Fields): string | null {
  const claimHash = fields.get('claim_hash') || null
  if (claimHash !== null && !isClaimString(claimHash))
    throw invalidField('claim_hash', 'Expected the base64url SHA-256 of the claim token')
  return claimHash
}

/** A typed password alone asks for encryption, too. */
function parseEncryption(
  fields: Fields,
  encryption: Choice<'encryption'>,
): Pick<NewDocumentSettings, 'encryption' | 'password'> {
  const password = fields.get('password') ?? ''
  const chosen = encryption === 'none' && password !== '' ? 'own' : encryption
  if (chosen === 'own' && password === '') {
    throw invalidField('password', 'Enter a password to encrypt the document')
  }
  if (chosen !== 'own' && password !== '') {
    const option = CHOICES.encryption.options.own
    throw invalidField('password', `To encrypt with the password you entered, choose “${option}”`)
  }
  if (password.length > MAX_PASSWORD_CHARACTERS) {
    throw invalidField('password', `A password can have at most ${MAX_PASSWORD_CHARACTERS} characters`)
  }
  return { encryption: chosen, password }
}

export function parseNewSettings(fields: Fields, now: Instant): NewDocumentSettings {
  const expiry = parseExpiryFields(fields, now)
  const chosen = parseSettings(new Map([...fields, ['expires', expiry.expires]]))
  const clientEncrypted = fields.has('client_encrypted')
  const encryption = clientEncrypted
    ? { encryption: 'none' as const, password: '' }
    : parseEncryption(fields, chosen.encryption)
  const editors = parseUsernames(fields.get('editors') ?? '')
  if (editors.length > MAX_EDITORS) {
    throw invalidField('editors', `A document can have at most ${MAX_EDITORS} editors`)
  }
  const title = fields.get('title')?.trim() ?? ''
  if (title.length > MAX_TITLE_CHARACTERS) {
    throw invalidField('title', `A title can have at most ${MAX_TITLE_CHARACTERS} characters`)
  }
  const gist = fields.has('create_gist')
  const encrypted = clientEncrypted || encryption.encryption !== 'none'
  if (gist && (encrypted || chosen.burnAfterReading)) {
    throw invalidField(
      'create_gist',
      `To create a gist, turn off encryption and “${SETTINGS.instant_delete.label}”`,
    )
  }
  return {
    ...chosen,
    ...expiry,
    ...encryption,
    title,
    editors,
    gist,
    clientEncrypted,
    claimHash: parseClaimHash(fields),
  }
}

export const toNewDocument = (
  content: IncomingContent,
  settings: NewDocumentSettings,
  now: Instant,
): NewDocument => ({
  ...plainDocument(content, now),
  ...mapFlags(CHECKBOXES, (name) => settings[SETTINGS[name].property]),
  title: settings.title || null,
  language: settings.language,
  expiresAt: settings.expiresAt,
  idLength: settings.link,
  public: settings.visibility === 'public',
  encryption:
    settings.encryption === 'none'
      ? null
      : { password: settings.encryption === 'own' ? settings.password : null },
  claimHash: settings.claimHash,
  editors: settings.editors,
  gist: settings.gist,
})

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
