import * as z from 'zod/mini'
import { isClaimString } from '../../shared/encryption/claim-token.ts'
import {
  type EditableSetting,
  type FixedSetting,
  isEditable,
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  SETTING_NAMES,
  SETTINGS,
  type SettingKinds,
  type SettingName,
} from '../../shared/settings.ts'

/** Accepts text that UTF-8 can hold: a lone surrogate would come back as another character. */
const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'Must be well-formed Unicode: it has a lone surrogate',
})

/** One schema for each kind of setting. `null` counts as absent, except for an expiration, where it means never. */
const SCHEMAS = {
  flag: z.nullish(z.boolean()),
  language: z.nullish(
    z.string().check(z.minLength(1), z.maxLength(MAX_LANGUAGE_CHARACTERS), wellFormed, z.toLowerCase()),
  ),
  expiration: z.optional(
    z.nullable(
      z.union([z.number(), z.string()], {
        error: 'Expected null, a number of days, or an ISO 8601 date-time with offset',
      }),
    ),
  ),
  password: z.nullish(z.string().check(z.maxLength(MAX_PASSWORD_CHARACTERS), wellFormed)),
  title: z.nullish(z.string().check(z.maxLength(MAX_TITLE_CHARACTERS), wellFormed)),
  claimHash: z.nullish(
    z
      .string()
      .check(z.refine<string>(isClaimString, { error: 'Expected the base64url SHA-256 of the claim token' })),
  ),
  usernames: z.nullish(z.array(z.string().check(wellFormed)).check(z.maxLength(MAX_EDITORS))),
} satisfies Record<keyof SettingKinds, z.ZodMiniType>

type SchemaFor<Name extends SettingName> = (typeof SCHEMAS)[(typeof SETTINGS)[Name]['kind']]

const schemaFor = (name: SettingName) => SCHEMAS[SETTINGS[name].kind]

export const password = SCHEMAS.password

/** The settings of a create. */
export const createShape = Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaFor(name)])) as {
  readonly [Name in SettingName]: SchemaFor<Name>
}

/** Accepts anything: only the document can tell whether the value asks for a change. */
const unchecked = z.optional(z.unknown())

/** The settings of an edit. */
export const editShape = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, isEditable(name) ? schemaFor(name) : unchecked]),
) as { readonly [Name in EditableSetting]: SchemaFor<Name> } & {
  readonly [Name in FixedSetting]: typeof unchecked
}
