import { DEFAULT_EXPIRY, EXPIRY_CHOICES } from './expiry.ts'
import type { Instant } from './instant.ts'
import { AUTO } from './languages.ts'
import { CHECKBOXES, type CheckboxName, type Flags, mapFlags, SETTINGS } from './settings.ts'

type Options = Readonly<Record<string, string>>

const EXPIRY_LABELS = Object.fromEntries(
  Object.entries(EXPIRY_CHOICES).map(([choice, { label }]) => [choice, label]),
) as Readonly<Record<keyof typeof EXPIRY_CHOICES, string>>

/** Maps the name of a field to one or more settings of the API. */
export const CHOICES = {
  expires: { label: SETTINGS.expiration.label, options: EXPIRY_LABELS, default: DEFAULT_EXPIRY },
  visibility: {
    label: SETTINGS.public.label,
    options: { unlisted: 'Anyone with the link', public: 'Public' },
    default: 'unlisted',
  },
  link: {
    label: 'Link length',
    options: {
      standard: '8 characters',
      short: '4 characters (easy to guess)',
      long: '36 characters (impossible to guess)',
    },
    default: 'standard',
  },
  encryption: {
    label: SETTINGS.encrypted.label,
    options: { none: 'None', generated: 'With a generated password', own: 'With your own password' },
    default: 'none',
  },
} as const satisfies Readonly<Record<string, { label: string; options: Options; default: string }>>

/** The labels of `visibility` on a server that only accounts read. */
export const VISIBILITY_FOR_ACCOUNTS = {
  unlisted: 'Accounts with the link',
  public: 'Public: all accounts',
} as const satisfies Readonly<Record<keyof (typeof CHOICES)['visibility']['options'], string>>

export type ChoiceName = keyof typeof CHOICES
export type Choice<Name extends ChoiceName> = keyof (typeof CHOICES)[Name]['options']

type Choices = { readonly [Name in ChoiceName]: Choice<Name> }

export interface FormSettings extends Choices, Flags<CheckboxName> {
  readonly language: string
}

/** The settings of a new document, unless somebody has stored others. Unlike the API, forms detect the language. */
export const SERVICE_DEFAULTS: FormSettings = {
  language: AUTO,
  expires: CHOICES.expires.default,
  visibility: CHOICES.visibility.default,
  link: CHOICES.link.default,
  encryption: CHOICES.encryption.default,
  ...mapFlags(CHECKBOXES, (name) => SETTINGS[name].default),
}

export const isChoice = <Name extends ChoiceName>(name: Name, value: unknown): value is Choice<Name> =>
  typeof value === 'string' && Object.hasOwn(CHOICES[name].options, value)

/** A value that the form doesn't offer becomes the service's default. */
export function toFormSettings(values: Readonly<Record<string, unknown>>): FormSettings {
  const { language, expires, visibility, link, encryption } = values
  return {
    language: typeof language === 'string' && language !== '' ? language : SERVICE_DEFAULTS.language,
    expires: isChoice('expires', expires) ? expires : SERVICE_DEFAULTS.expires,
    visibility: isChoice('visibility', visibility) ? visibility : SERVICE_DEFAULTS.visibility,
    link: isChoice('link', link) ? link : SERVICE_DEFAULTS.link,
    encryption: isChoice('encryption', encryption) ? encryption : SERVICE_DEFAULTS.encryption,
    ...mapFlags(CHECKBOXES, (name) => values[name] === true),
  }
}

export const parseUsernames = (typed: string): string[] => typed.split(/[\s,]+/).filter(Boolean)

/**
 * The names of fields before version 0.2.0. Stored defaults, drafts and pages that were opened before an upgrade may
 * have them.
 */
const FORMER_FIELD_NAMES: Readonly<Record<string, string>> = {
  once: 'instant_delete',
  image: 'image_embed',
  gist: 'create_gist',
}

export const toFieldName = (name: string): string =>
  Object.hasOwn(FORMER_FIELD_NAMES, name) ? (FORMER_FIELD_NAMES[name] ?? name) : name

function parseJson(json: string | null): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** An earlier release may have stored it. A value that doesn't fit becomes the service's default. */
export function parseDefaults(json: string | null): FormSettings {
  const stored = Object.entries(parseJson(json))
  return toFormSettings(Object.fromEntries(stored.map(([name, value]) => [toFieldName(name), value])))
}

/** The site's answer to a script that sent the form for a new document. */
export interface CreateAnswer {
  readonly id: string
  readonly url: string
  /** Is null if it has none, like every encrypted document. */
  readonly title: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Is null for a document of an account. */
  readonly token: string | null
  /** Is null unless the service generated it: nobody could read the document without it. */
  readonly password: string | null
}
