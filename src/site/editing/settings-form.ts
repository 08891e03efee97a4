import {
  choiceOf,
  type Defaults,
  ENCRYPTIONS,
  LIFETIMES,
  LINKS,
  parseDefaults,
  SERVICE_DEFAULTS,
  VISIBILITIES,
} from '../../accounts/profile/defaults.ts'
import { type NewDocument, plainDocument } from '../../documents/create.ts'
import type { IncomingContent } from '../../documents/model/content.ts'
import {
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
} from '../../documents/model/document.ts'
import { parseExpiration } from '../../documents/model/expiry.ts'
import { invalidBody, issueAt } from '../../errors.ts'
import { EXPIRY_DAYS, parseUsernames } from '../../shared/form-values.ts'

type Fields = ReadonlyMap<string, string>

/** When a document expires for which this was chosen now. Times are milliseconds since 1970. */
export const expirationFor = (choice: Defaults['expires'], now: number): number =>
  parseExpiration(EXPIRY_DAYS[choice], now)

/** The field's choice; without a value the service's default. Throws `bad_request` for any other. */
function requireChoice<Name extends 'expires' | 'visibility' | 'link' | 'encryption'>(
  fields: Fields,
  name: Name,
  choices: readonly Defaults[Name][],
): Defaults[Name] {
  const value = fields.get(name) || SERVICE_DEFAULTS[name]
  const choice = choiceOf<Defaults[Name]>(choices, value)
  if (choice === undefined) throw invalidBody(issueAt([name], `This can not be chosen for "${name}"`))
  return choice
}

/** A language as a form names it; without one the service's default. Throws `bad_request` for one too long. */
export function languageFrom(fields: Fields): string {
  const language = fields.get('language')?.trim().toLowerCase() || SERVICE_DEFAULTS.language
  if (language.length > MAX_LANGUAGE_CHARACTERS) {
    const words = `The name of a language has at most ${MAX_LANGUAGE_CHARACTERS} characters`
    throw invalidBody(issueAt(['language'], words))
  }
  return language
}

/**
 * The settings that `SettingsFields` offers, as a form sent them; what it did not send is the service's default.
 *
 * @throws AppError `bad_request` for what the form did not offer.
 */
export const settingsFrom = (fields: Fields): Defaults => ({
  language: languageFrom(fields),
  expires: requireChoice(fields, 'expires', LIFETIMES),
  visibility: requireChoice(fields, 'visibility', VISIBILITIES),
  link: requireChoice(fields, 'link', LINKS),
  encryption: requireChoice(fields, 'encryption', ENCRYPTIONS),
  once: fields.has('once'),
  image: fields.has('image'),
})

/** The same for a form that is shown again: what was never offered is the service's default. */
export const shownSettings = (fields: Fields): Defaults =>
  parseDefaults(
    JSON.stringify({ ...Object.fromEntries(fields), once: fields.has('once'), image: fields.has('image') }),
  )

interface SentSettings extends Defaults {
  /** Empty where none was typed. */
  readonly password: string
  readonly editors: readonly string[]
  /** Whether a gist is made of it, too. */
  readonly gist: boolean
}

/**
 * The settings of a new document, as the home page's form sent them.
 *
 * @throws AppError `bad_request` for what the form did not offer, and for a password beside one that is to be made.
 */
export function sentSettings(fields: Fields): SentSettings {
  const chosen = settingsFrom(fields)
  const password = fields.get('password') ?? ''
  // Whoever types a password means it.
  const own = chosen.encryption === 'none' && password !== ''
  const settings: Defaults = own ? { ...chosen, encryption: 'own' } : chosen
  const editors = parseUsernames(fields.get('editors') ?? '')
  const refuse = (name: string, words: string) => {
    throw invalidBody(issueAt([name], words))
  }
  if (settings.encryption === 'own' && password === '')
    refuse('password', 'Type the password to encrypt with')
  if (settings.encryption !== 'own' && password !== '') {
    const choice = 'With a password of your own'
    refuse('password', `There is a password that would not be used: to encrypt with it, choose “${choice}”`)
  }
  if (password.length > MAX_PASSWORD_CHARACTERS) {
    refuse('password', `A password has at most ${MAX_PASSWORD_CHARACTERS} characters`)
  }
  if (editors.length > MAX_EDITORS) refuse('editors', `A document has at most ${MAX_EDITORS} editors`)
  const gist = fields.has('gist')
  if (gist && (settings.encryption !== 'none' || settings.once)) {
    refuse('gist', 'A gist can be neither encrypted nor deleted by its first reader')
  }
  return { ...settings, password, editors, gist }
}

/** Whether a form asks for anything but what everyone gets. */
export const usesSettings = ({
  editors,
  gist = false,
  ...settings
}: Defaults & { readonly editors: readonly string[]; readonly gist?: boolean }): boolean =>
  editors.length > 0 ||
  gist ||
  Object.entries(SERVICE_DEFAULTS).some(([name, value]) => settings[name as keyof Defaults] !== value)

/** What the core is to create. */
export const newDocument = (content: IncomingContent, settings: SentSettings, now: number): NewDocument => ({
  ...plainDocument(content, now),
  language: settings.language,
  expiresAt: expirationFor(settings.expires, now),
  idLength: settings.link,
  imageEmbed: settings.image,
  burnAfterReading: settings.once,
  public: settings.visibility === 'public',
  encryption:
    settings.encryption === 'none'
      ? null
      : { password: settings.encryption === 'own' ? settings.password : null },
  editors: settings.editors,
  gist: settings.gist,
})
