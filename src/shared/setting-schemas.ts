import * as z from 'zod/mini'
import { isDocumentName, NAME_RULE } from './document-ids.ts'
import { CLAIM_HASH_RULE, isClaimString } from './jwe.ts'
import {
  MAX_EDITORS,
  MAX_LANGUAGE_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  MAX_TITLE_CHARACTERS,
  type SettingKinds,
} from './settings.ts'
import { findNameProblem, isFileLanguage, MAX_FILES } from './txtar.ts'

/* What the API and the tools of agents take. Zod makes a Worker's start slow, so only what is loaded later imports this. */

/** A lone surrogate, which UTF-8 can't hold, would come back as another character. */
const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'Must be well-formed Unicode: it has a lone surrogate',
})

export const NAME_SCHEMA = z
  .string()
  .check(z.refine<string>((name) => name === '' || isDocumentName(name), { error: NAME_RULE }))

/** One schema for each kind of setting. `null` counts as absent, except for an expiration, where it means never. */
export const SETTING_SCHEMAS = {
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
  // Empty removes it.
  name: z.nullish(NAME_SCHEMA),
  claimHash: z.nullish(z.string().check(z.refine<string>(isClaimString, { error: CLAIM_HASH_RULE }))),
  usernames: z.nullish(z.array(z.string().check(wellFormed)).check(z.maxLength(MAX_EDITORS))),
} satisfies Record<keyof SettingKinds, z.ZodMiniType>

export const crossMemberIssue = (path: (string | number)[], message: string) =>
  ({ code: 'custom', path, message, input: undefined }) as const

const file = z.object({
  name: z.string().check(({ value, issues }) => {
    const problem = findNameProblem(value)
    if (problem !== null) issues.push(crossMemberIssue([], problem))
  }),
  content: z.string().check(wellFormed),
  language: z.nullish(
    z
      .string()
      .check(
        z.maxLength(MAX_LANGUAGE_CHARACTERS),
        z.refine<string>(isFileLanguage, { error: 'Expected the name of a language, without spaces' }),
        z.toLowerCase(),
      ),
  ),
})

export const newFiles = z.array(file).check(z.minLength(1), z.maxLength(MAX_FILES), ({ value, issues }) => {
  const names = new Set<string>()
  for (const [index, { name }] of value.entries()) {
    if (names.has(name)) issues.push(crossMemberIssue([index, 'name'], 'Another file has this name'))
    names.add(name)
  }
})
