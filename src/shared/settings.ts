import { DEFAULT_EXPIRY_DAYS } from './expiry.ts'
import { PLAIN_TEXT } from './languages.ts'

/** The largest text whose JWE fits into a KV value, which may have 25 MiB. Each server has a lower limit of its own. */
export const MAX_CONTENT_BYTES = 18 * 1024 * 1024
export const MAX_LANGUAGE_CHARACTERS = 100
export const MAX_PASSWORD_CHARACTERS = 1_024
export const MAX_EDITORS = 50
export const MAX_TITLE_CHARACTERS = 200

export interface SettingKinds {
  readonly flag: boolean
  /** The name of a language in lower case; `auto` is detected. */
  readonly language: string
  /** A number of days from now, or an ISO 8601 date-time with offset; null is never. */
  readonly expiration: number | string | null
  readonly password: string
  readonly title: string
  /** The name of a document, which no other document of the account has. Empty removes it. */
  readonly name: string
  /** The base64url SHA-256 of a claim token. */
  readonly claimHash: string
  readonly usernames: readonly string[]
}

interface SettingRules {
  /** Says what becomes of it in a request without a credential under `ANONYMOUS_SETTINGS=ignore-cosmetic`. */
  readonly anonymous: 'keep' | 'ignore' | 'refuse'
  /** An edit that asks for a change is refused where this is `nobody`. */
  readonly changedBy: 'editors' | 'creator' | 'nobody'
  readonly label?: string
}

interface Flag extends SettingRules {
  readonly kind: 'flag'
  readonly default: boolean
  /** A document and its row keep it there. A flag without them affects only the request that sends it. */
  readonly property?: string
  readonly column?: string
}

interface CheckboxFlag extends Required<Flag> {
  readonly changedBy: 'editors'
  readonly default: false
  readonly checkbox: true
}

interface OtherSetting extends SettingRules {
  readonly kind: Exclude<keyof SettingKinds, 'flag'>
  readonly default: string | number | null | readonly string[]
  readonly help?: string
}

/**
 * The settings of a document, by their names on the wire. Schemas, SQL, responses and forms are derived from this
 * table. A new flag needs an entry here, a migration that adds its column, and the code that gives it a meaning.
 */
export const SETTINGS = {
  title: {
    kind: 'title',
    default: null,
    anonymous: 'refuse',
    changedBy: 'editors',
    label: 'Title',
    help: 'A title or file name. Everyone with the link can see it.',
  },
  name: {
    kind: 'name',
    default: null,
    anonymous: 'refuse',
    changedBy: 'creator',
    label: 'Name',
    help: 'An address that stays, such as weekly-report. Anyone who knows it can open the document.',
  },
  language: {
    kind: 'language',
    default: PLAIN_TEXT,
    anonymous: 'keep',
    changedBy: 'editors',
    label: 'Language',
  },
  expiration: {
    kind: 'expiration',
    default: DEFAULT_EXPIRY_DAYS,
    anonymous: 'ignore',
    changedBy: 'editors',
    label: 'Expires',
  },
  image_embed: {
    kind: 'flag',
    default: false,
    property: 'imageEmbed',
    column: 'image_embed',
    anonymous: 'ignore',
    changedBy: 'editors',
    checkbox: true,
    label: 'Show a preview image when shared',
  },
  instant_delete: {
    kind: 'flag',
    default: false,
    property: 'burnAfterReading',
    column: 'instant_delete',
    anonymous: 'refuse',
    changedBy: 'editors',
    checkbox: true,
    label: 'Delete after first read',
  },
  encrypted: {
    kind: 'flag',
    default: false,
    property: 'encrypted',
    column: 'encrypted',
    anonymous: 'refuse',
    changedBy: 'nobody',
    label: 'Encryption',
  },
  client_encrypted: { kind: 'flag', default: false, anonymous: 'refuse', changedBy: 'editors' },
  password: {
    kind: 'password',
    default: null,
    anonymous: 'refuse',
    changedBy: 'nobody',
    label: 'Password',
    help: 'The server encrypts the document but doesn’t store the password. Nobody can read the document without it.',
  },
  claim_hash: { kind: 'claimHash', default: null, anonymous: 'refuse', changedBy: 'editors' },
  public: {
    kind: 'flag',
    default: false,
    property: 'public',
    column: 'public',
    anonymous: 'ignore',
    changedBy: 'editors',
    label: 'Visibility',
  },
  revisions: {
    kind: 'flag',
    default: true,
    property: 'keepRevisions',
    column: 'keep_revisions',
    anonymous: 'refuse',
    changedBy: 'creator',
    label: 'Keep previous versions',
  },
  long_urls: { kind: 'flag', default: false, anonymous: 'ignore', changedBy: 'nobody' },
  short_urls: { kind: 'flag', default: false, anonymous: 'ignore', changedBy: 'nobody' },
  create_gist: {
    kind: 'flag',
    default: false,
    anonymous: 'refuse',
    changedBy: 'nobody',
    label: 'Also create a GitHub gist',
  },
  editors: {
    kind: 'usernames',
    default: [],
    anonymous: 'refuse',
    changedBy: 'creator',
    label: 'Editors',
    help: 'Usernames of people who can also edit the document, separated by spaces.',
  },
} as const satisfies Readonly<Record<string, Flag | CheckboxFlag | OtherSetting>>

type Settings = typeof SETTINGS
export type SettingName = keyof Settings
type NamesOf<Shape> = { [Name in SettingName]: Settings[Name] extends Shape ? Name : never }[SettingName]

export type EditableSetting = NamesOf<{ readonly changedBy: 'editors' | 'creator' }>
export type FixedSetting = Exclude<SettingName, EditableSetting>
type FlagName = NamesOf<{ readonly kind: 'flag' }>
export type StoredFlag = NamesOf<{ readonly property: string }>
/** Leaves out `encrypted`, which follows from the content. */
export type ChosenFlag = Exclude<StoredFlag, 'encrypted'>
export type EditableFlag = ChosenFlag & EditableSetting
export type CheckboxName = NamesOf<{ readonly checkbox: true }>

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]
export const isEditable = (name: SettingName): name is EditableSetting =>
  SETTINGS[name].changedBy !== 'nobody'
export const FIXED_SETTINGS = SETTING_NAMES.filter((name): name is FixedSetting => !isEditable(name))
export const FLAGS = SETTING_NAMES.filter((name): name is FlagName => SETTINGS[name].kind === 'flag')
export const STORED_FLAGS = FLAGS.filter((name): name is StoredFlag => 'property' in SETTINGS[name])
export const CHOSEN_FLAGS = STORED_FLAGS.filter((name): name is ChosenFlag => name !== 'encrypted')
export const EDITABLE_FLAGS = CHOSEN_FLAGS.filter((name): name is EditableFlag => isEditable(name))
export const CHECKBOXES = STORED_FLAGS.filter((name): name is CheckboxName => 'checkbox' in SETTINGS[name])

export type ByProperty<Name extends StoredFlag, Value> = {
  readonly [Flag in Name as Settings[Flag]['property']]: Value
}

export type Flags<Name extends StoredFlag = StoredFlag> = ByProperty<Name, boolean>

export type RequestSettings<Name extends SettingName = SettingName> = {
  readonly [Setting in Name]?: SettingKinds[Settings[Setting]['kind']]
}

export const mapFlags = <Name extends StoredFlag, Value>(
  names: readonly Name[],
  getValue: (name: Name) => Value,
) =>
  Object.fromEntries(names.map((name) => [SETTINGS[name].property, getValue(name)])) as ByProperty<
    Name,
    Value
  >
