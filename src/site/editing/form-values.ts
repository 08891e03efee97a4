import { getMaxExpiryDays, type User } from '../../accounts/user.ts'
import type { Config } from '../../config.ts'
import { toPlainText } from '../../documents/content.ts'
import type { NewDocument } from '../../documents/create.ts'
import {
  type Document,
  holdsToken,
  isCreator,
  parseExpiration,
  type Viewer,
} from '../../documents/document.ts'
import type { Edit } from '../../documents/edit-plan.ts'
import { type AppError, invalidBody, issueAt } from '../../errors.ts'
import { entityTag } from '../../http/answers.ts'
import { authorizeSettings, findAccountOption } from '../../http/permissions.ts'
import { isDocumentName, NAME_RULE } from '../../shared/document-ids.ts'
import { EXPIRY_CHOICES, NEVER } from '../../shared/expiry.ts'
import { listLineBreaks, restoreLineBreaks } from '../../shared/files.ts'
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
import { CLAIM_HASH_RULE, isClaimString } from '../../shared/jwe.ts'
import { AUTO, TXTAR } from '../../shared/languages.ts'
import { detectLineBreaks, joinCrLf, withLineBreaks } from '../../shared/lines.ts'
import { replaceCharacter } from '../../shared/rewrite.ts'
import {
  CHECKBOXES,
  type CheckboxName,
  type Flags,
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  mapFlags,
  SETTINGS,
} from '../../shared/settings.ts'
import type { TextFile } from '../../shared/txtar.ts'

type Fields = ReadonlyMap<string, string>

export const invalidField = (name: string, message: string): AppError => invalidBody(issueAt([name], message))

const getExpiry = (choice: Choice<'expires'>, now: Instant): number =>
  parseExpiration(EXPIRY_CHOICES[choice].days, now)

function requireOption<Name extends ChoiceName>(name: Name, value: unknown): Choice<Name> {
  if (!isChoice(name, value))
    throw invalidField(name, `Choose one of the options for “${CHOICES[name].label}”`)
  return value
}

const parseChoice = <Name extends ChoiceName>(fields: Fields, name: Name): Choice<Name> =>
  requireOption(name, fields.get(name) || CHOICES[name].default)

function parseTitle(typed = ''): string {
  const title = typed.trim()
  if (title.length > MAX_TITLE_CHARACTERS) {
    throw invalidField('title', `A title can have at most ${MAX_TITLE_CHARACTERS} characters`)
  }
  return title
}

/** People type what they think of, and names have no capital letters. */
function parseName(typed = ''): string {
  const name = typed.trim().toLowerCase()
  if (name !== '' && !isDocumentName(name)) throw invalidField('name', NAME_RULE)
  return name
}

function parseLanguage(typed: string | undefined): string {
  const language = typed?.trim().toLowerCase() || SERVICE_DEFAULTS.language
  if (language.length > MAX_LANGUAGE_CHARACTERS) {
    throw invalidField('language', `A language name can have at most ${MAX_LANGUAGE_CHARACTERS} characters`)
  }
  return language
}

/** Parses the settings of a form. A setting that it didn't send has the service's default. @throws AppError `bad_request`. */
export const parseSettings = (fields: Fields): FormSettings => ({
  language: parseLanguage(fields.get('language')),
  expires: parseChoice(fields, 'expires'),
  visibility: parseChoice(fields, 'visibility'),
  link: parseChoice(fields, 'link'),
  encryption: parseChoice(fields, 'encryption'),
  ...mapFlags(CHECKBOXES, (name) => fields.has(name)),
})

/** A value that the form doesn't offer becomes the service's default. */
export const restoreSettings = (fields: Fields): FormSettings =>
  toFormSettings(
    Object.fromEntries([...fields, ...CHECKBOXES.map((name) => [name, fields.has(name)] as const)]),
  )

/** The value of `expires` for a date, which is in `expires_at`. Only a script adds that field. */
const ON_DATE = 'date'

const parseExpiryFields = (fields: Fields, now: Instant): Instant =>
  fields.get('expires') === ON_DATE
    ? parseExpiration(fields.get('expires_at') ?? '', now)
    : getExpiry(parseChoice(fields, 'expires'), now)

function parseClaimHash(fields: Fields): string | null {
  const claimHash = fields.get('claim_hash') || null
  if (claimHash !== null && !isClaimString(claimHash)) throw invalidField('claim_hash', CLAIM_HASH_RULE)
  return claimHash
}

/** A typed password alone asks for encryption, too. */
function parseEncryption(fields: Fields): NewDocument['encryption'] {
  const password = fields.get('password') ?? ''
  const asked = parseChoice(fields, 'encryption')
  const chosen = asked === 'none' && password !== '' ? 'own' : asked
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
  return chosen === 'none' ? null : { password: password || null }
}

export type NewSettings = ReturnType<typeof parseNewSettings>

/** Parses all of a new document but its content. */
export function parseNewSettings(fields: Fields, now: Instant) {
  const expiresAt = parseExpiryFields(fields, now)
  const flags = mapFlags(CHECKBOXES, (name) => fields.has(name))
  const clientEncrypted = fields.has('client_encrypted')
  const settings = {
    ...flags,
    language: parseLanguage(fields.get('language')),
    // Where a script has detected it, as the field says.
    languageDetected: fields.has('language_detected') || undefined,
    expiresAt,
    public: parseChoice(fields, 'visibility') === 'public',
    idLength: parseChoice(fields, 'link'),
    encryption: clientEncrypted ? null : parseEncryption(fields),
    editors: parseUsernames(fields.get('editors') ?? ''),
    title: parseTitle(fields.get('title')) || null,
    name: parseName(fields.get('name')) || null,
    gist: fields.has('create_gist'),
    claimHash: parseClaimHash(fields),
  }
  if (clientEncrypted && flags.burnAfterReading && settings.claimHash === null)
    throw invalidField('claim_hash', `Required with “${SETTINGS.instant_delete.label}”`)
  if (settings.editors.length > MAX_EDITORS) {
    throw invalidField('editors', `A document can have at most ${MAX_EDITORS} editors`)
  }
  const isEncrypted = clientEncrypted || settings.encryption !== null
  if (settings.gist && (isEncrypted || flags.burnAfterReading)) {
    throw invalidField(
      'create_gist',
      `To create a gist, turn off encryption and “${SETTINGS.instant_delete.label}”`,
    )
  }
  return settings
}

interface NewDocumentOffer {
  readonly expires: readonly Choice<'expires'>[]
  /** Counts from now; null if only the limit for all documents applies. */
  readonly maxExpiryDays: number | null
  readonly previewImage: boolean
  /** Is true if the form offers visibility, editors and gists. */
  readonly account: boolean
}

const getChoices = (maxDays: number | null) =>
  (Object.keys(EXPIRY_CHOICES) as Choice<'expires'>[]).filter((choice) => {
    const { days } = EXPIRY_CHOICES[choice]
    return maxDays === null || (days !== null && days <= maxDays)
  })

/**
 * Returns the settings that the form offers. Without a confirmed account, it has those that protect the user, even if
 * the API refuses them.
 */
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

const getLatestOfferedExpiry = (from: Instant, { maxExpiryDays }: NewDocumentOffer): Instant | null =>
  maxExpiryDays === null ? null : from + maxExpiryDays * DAY_MS + TOLERANCE_MS

export function requireOffered(
  settings: NewSettings,
  { user, config, now }: { user: User | null; config: Pick<Config, 'anonymousSettings'>; now: Instant },
): void {
  const { maxExpiryDays, previewImage } = getOffer(user, config)
  const option = findAccountOption(user, settings, { config, now: now + TOLERANCE_MS })
  if (option === 'expiresAt')
    throw invalidField('expires', `Without an account, choose an expiry of up to ${maxExpiryDays} days`)
  authorizeSettings(user, option !== null || (settings.imageEmbed && !previewImage))
}

export interface NewDocumentValues {
  readonly text: string
  /** A form without scripts has a box for each. */
  readonly files?: readonly TextFile[] | null
  readonly title: string
  readonly accountId: string | null
  readonly settings: FormSettings
  readonly offer: NewDocumentOffer
  /** Is null unless this person has to pass Cloudflare's check. */
  readonly turnstileSiteKey: string | null
  readonly name: string
  readonly editors: string
  /** Is null if the account can't create a gist. */
  readonly gist: boolean | null
  /** The id of the original, which a script fills in; empty if the document is no duplicate. */
  readonly duplicatedFrom: string
}

// Edits

export interface EditOffer {
  readonly expires: readonly Choice<'expires'>[]
  /** Is null if only the limit for all documents applies. */
  readonly latestExpiry: number | null
  /** Only the creator may make the document expire earlier, and only they may delete it. */
  readonly earlierExpiry: boolean
  /** An editor may only turn it off. */
  readonly burnAfterReading: boolean
  readonly previewImage: boolean
  /** Documents without an account can't be public. */
  readonly visibility: boolean
  /** Only the creator may change it, and only documents of accounts have one. */
  readonly name: boolean
}

interface OfferContext {
  readonly user: User | null
  readonly viewer: Viewer
  readonly config: Pick<Config, 'anonymousSettings'>
  readonly now: number
}

/** Returns null for accounts that may not use settings. The holder of a document token gets what the form for new ones offers. */
export function getEditOffer(
  document: Document,
  { user, viewer, config, now }: OfferContext,
): EditOffer | null {
  if (!user?.confirmed && !holdsToken(document, viewer)) return null
  const offer = getOffer(user, config)
  const { createdAt, expiresAt } = document
  const latestExpiry = getLatestOfferedExpiry(createdAt, offer)
  const isByCreator = isCreator(document, viewer)
  const isOffered = (choice: Choice<'expires'>) => {
    const chosen = getExpiry(choice, now)
    return (isByCreator || chosen >= expiresAt) && chosen <= (latestExpiry ?? NEVER)
  }
  return {
    expires: offer.expires.filter(isOffered),
    latestExpiry,
    earlierExpiry: isByCreator,
    burnAfterReading: isByCreator || document.burnAfterReading,
    previewImage: offer.previewImage,
    visibility: document.creator !== null,
    name: document.creator !== null && isByCreator,
  }
}

/** Is for a form that is shown again, perhaps without its document. */
export function restoreOffer(
  { name, visibility }: SettingsValues,
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
    name: name !== null,
  }
}

export interface SettingsValues extends Flags<CheckboxName> {
  readonly title: string | null
  /** Is null if the form doesn't offer it. */
  readonly name: string | null
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
  /** A form without scripts has a box for each. */
  readonly files?: readonly TextFile[] | null
  readonly password: string | null
  readonly settings: SettingsValues | null
}

/**
 * Returns the language that the form starts with. Several files are edited as such, and only a browser detects the
 * language of encrypted text.
 */
const getOfferedLanguage = ({ encrypted, language, languageDetected }: Document): string =>
  languageDetected && !encrypted && language !== TXTAR ? AUTO : language

export const newEditValues = (
  document: Document,
  { password, offer }: { password: string | null; offer: EditOffer | null },
): Omit<EditValues, 'text'> => ({
  version: entityTag(document, 'json'),
  password,
  settings: offer
    ? {
        ...mapFlags(CHECKBOXES, (name) => document[SETTINGS[name].property]),
        // A title isn't encrypted, so encrypted documents have none.
        title: document.encrypted ? null : (document.givenTitle ?? ''),
        name: offer.name ? (document.name ?? '') : null,
        language: getOfferedLanguage(document),
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
        name: fields.get('name') ?? null,
        language: fields.get('language') ?? '',
        expires: fields.get('expires') ?? '',
        visibility: fields.get('visibility') ?? 'keep',
      }
    : null,
})

/** One kind of line break, and no NUL. */
const asSentByTextarea = (text: string): string =>
  replaceCharacter(replaceCharacter(joinCrLf(text), '\r', '\n'), '\0', '\uFFFD')

/** Keeps the line breaks of the present text. */
function getChangedText(typed: string, present: string): string | undefined {
  const text = asSentByTextarea(typed)
  if (text === asSentByTextarea(present)) return undefined
  const ofFiles = listLineBreaks(present)
  return ofFiles ? restoreLineBreaks(text, ofFiles) : withLineBreaks(text, detectLineBreaks(present))
}

const ifChanged = <Value>(value: Value, present: Value): Value | undefined =>
  value === present ? undefined : value

interface SettingsContext {
  readonly document: Document
  /** The settings that the form offered; null if the viewer may not use settings. */
  readonly offer: EditOffer | null
  readonly now: number
}

function getChangedSettings(values: SettingsValues, { document, offer, now }: SettingsContext) {
  const { name, title } = values
  const visibility = values.visibility === 'keep' ? null : requireOption('visibility', values.visibility)
  const expires = values.expires === 'keep' ? null : requireOption('expires', values.expires)
  const expiresAt = expires === null ? undefined : getExpiry(expires, now)
  if (expiresAt !== undefined && expiresAt > (offer?.latestExpiry ?? NEVER))
    throw invalidField('expires', 'Without an account, a document expires within 7 days of its creation')
  const flags = mapFlags(CHECKBOXES, (name) => {
    const { property } = SETTINGS[name]
    return ifChanged(values[property], document[property])
  })
  return {
    ...flags,
    // A form sends the same without a checkbox as with an unchecked one.
    imageEmbed: offer?.previewImage === false ? undefined : flags.imageEmbed,
    title: title === null ? undefined : ifChanged(parseTitle(title), document.givenTitle ?? ''),
    name: name === null ? undefined : ifChanged(parseName(name), document.name ?? ''),
    language: ifChanged(parseLanguage(values.language), getOfferedLanguage(document)),
    expiresAt,
    public: visibility === null ? undefined : ifChanged(visibility === 'public', document.public),
  }
}

interface ChangesContext extends SettingsContext {
  readonly present: string | null
  readonly maxContentBytes: number
}

export function getChanges(
  { text, password, settings }: EditValues,
  { document, present, maxContentBytes, offer, now }: ChangesContext,
) {
  const replacement = text === null || present === null ? undefined : getChangedText(text, present)
  const changedSettings = settings && getChangedSettings(settings, { document, offer, now })
  const usesSettings = Object.values(changedSettings ?? {}).some((value) => value !== undefined)
  const edit: Edit = {
    content: replacement === undefined ? undefined : toPlainText(replacement, maxContentBytes),
    password: password ?? undefined,
    ...changedSettings,
    fixedSettings: {},
  }
  return {
    edit,
    usesSettings,
    nothing: replacement === undefined && !usesSettings,
  }
}
