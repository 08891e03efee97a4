import { type NewDocument, plainDocument } from '../../documents/create.ts'
import type { IncomingContent } from '../../documents/model/content.ts'
import { parseExpiration } from '../../documents/model/parse-expiration.ts'
import { type AppError, invalidBody, issueAt } from '../../errors.ts'
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
import {
  CHECKBOXES,
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  mapFlags,
  SETTINGS,
} from '../../shared/settings.ts'

type Fields = ReadonlyMap<string, string>

/** Returns the error for a field of a form. */
export const invalidField = (name: string, message: string): AppError => invalidBody(issueAt([name], message))

/** Returns when a document expires if this is chosen now. Times are milliseconds since 1970. */
export const getExpiry = (choice: Choice<'expires'>, now: number): number =>
  parseExpiration(EXPIRY_CHOICES[choice].days, now)

/** Returns the choice in a field, or the service's default if it's empty. Throws `bad_request` for any other value. */
function requireChoice<Name extends ChoiceName>(fields: Fields, name: Name): Choice<Name> {
  const value: unknown = fields.get(name) || CHOICES[name].default
  if (!isChoice(name, value))
    throw invalidField(name, `Choose one of the options for “${CHOICES[name].label}”`)
  return value
}

/** Returns the language in a form, or the service's default. Throws `bad_request` for one that's too long. */
export function parseLanguage(typed: string | undefined): string {
  const language = typed?.trim().toLowerCase() || SERVICE_DEFAULTS.language
  if (language.length > MAX_LANGUAGE_CHARACTERS) {
    throw invalidField('language', `A language name can have at most ${MAX_LANGUAGE_CHARACTERS} characters`)
  }
  return language
}

/**
 * Returns the settings of `SettingsFields` that a form sent. What it didn't send is the service's default.
 *
 * @throws AppError `bad_request` for a value that the form doesn't offer.
 */
export const parseSettings = (fields: Fields): FormSettings => ({
  language: parseLanguage(fields.get('language')),
  expires: requireChoice(fields, 'expires'),
  visibility: requireChoice(fields, 'visibility'),
  link: requireChoice(fields, 'link'),
  encryption: requireChoice(fields, 'encryption'),
  ...mapFlags(CHECKBOXES, (name) => fields.has(name)),
})

/** Returns the settings of a form that is shown again. A value that it doesn't offer becomes the service's default. */
export const restoreSettings = (fields: Fields): FormSettings =>
  toFormSettings(
    Object.fromEntries([...fields, ...CHECKBOXES.map((name) => [name, fields.has(name)] as const)]),
  )

interface NewDocumentSettings extends FormSettings {
  /** Empty if none was typed. */
  readonly password: string
  readonly editors: readonly string[]
  /** Whether to create a gist as well. */
  readonly gist: boolean
}

/**
 * Returns the settings of a new document that the home page's form sent.
 *
 * @throws AppError `bad_request` for a value that the form doesn't offer, and for a combination that is impossible.
 */
export function parseNewSettings(fields: Fields): NewDocumentSettings {
  const chosen = parseSettings(fields)
  const password = fields.get('password') ?? ''
  const typedPasswordOnly = chosen.encryption === 'none' && password !== ''
  const settings: FormSettings = typedPasswordOnly ? { ...chosen, encryption: 'own' } : chosen
  const editors = parseUsernames(fields.get('editors') ?? '')
  if (settings.encryption === 'own' && password === '') {
    throw invalidField('password', 'Enter a password to encrypt the document')
  }
  if (settings.encryption !== 'own' && password !== '') {
    const option = CHOICES.encryption.options.own
    throw invalidField('password', `To encrypt with the password you entered, choose “${option}”`)
  }
  if (password.length > MAX_PASSWORD_CHARACTERS) {
    throw invalidField('password', `A password can have at most ${MAX_PASSWORD_CHARACTERS} characters`)
  }
  if (editors.length > MAX_EDITORS) {
    throw invalidField('editors', `A document can have at most ${MAX_EDITORS} editors`)
  }
  const gist = fields.has('create_gist')
  if (gist && (settings.encryption !== 'none' || settings.burnAfterReading)) {
    throw invalidField(
      'create_gist',
      `To create a gist, turn off encryption and “${SETTINGS.instant_delete.label}”`,
    )
  }
  return { ...settings, password, editors, gist }
}

/** Returns true if a form asks for anything but the service's defaults. */
export const usesSettings = ({
  editors,
  gist = false,
  ...settings
}: FormSettings & { readonly editors: readonly string[]; readonly gist?: boolean }): boolean =>
  editors.length > 0 ||
  gist ||
  Object.entries(SERVICE_DEFAULTS).some(([name, value]) => settings[name as keyof FormSettings] !== value)

/** Returns what the core creates. */
export const toNewDocument = (
  content: IncomingContent,
  settings: NewDocumentSettings,
  now: number,
): NewDocument => ({
  ...plainDocument(content, now),
  ...mapFlags(CHECKBOXES, (name) => settings[SETTINGS[name].property]),
  language: settings.language,
  expiresAt: getExpiry(settings.expires, now),
  idLength: settings.link,
  public: settings.visibility === 'public',
  encryption:
    settings.encryption === 'none'
      ? null
      : { password: settings.encryption === 'own' ? settings.password : null },
  editors: settings.editors,
  gist: settings.gist,
})
