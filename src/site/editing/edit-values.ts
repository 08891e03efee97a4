import { choiceOf, type Defaults, LIFETIMES, VISIBILITIES } from '../../accounts/profile/defaults.ts'
import type { Edit } from '../../documents/edit-plan.ts'
import { plainText } from '../../documents/model/content.ts'
import type { Document } from '../../documents/model/document.ts'
import { invalidBody, issueAt } from '../../errors.ts'
import { entityTag } from '../../http/conditional-requests.ts'
import { expirationFor, languageFrom } from './settings-form.ts'

/** The settings of a document as the form of its edit has them, right or wrong. */
export interface SettingsValues {
  readonly language: string
  /** `keep`, or a choice of how long it lives from now on. */
  readonly expires: string
  readonly visibility: string
  readonly once: boolean
  readonly image: boolean
}

/** What the form of an edit is filled in with. */
export interface EditValues {
  /** The entity tag of the version that was opened: no other is replaced. */
  readonly version: string
  /** Null where only settings are edited. */
  readonly text: string | null
  /** Of an encrypted document whose text was opened. */
  readonly password: string | null
  /** Null for those who may not use any. */
  readonly settings: SettingsValues | null
}

const visibilityOf = (document: Document): Defaults['visibility'] => (document.public ? 'public' : 'unlisted')

/** The form for somebody who begins. */
export const freshEdit = (
  document: Document,
  { password, confirmed }: { password: string | null; confirmed: boolean },
): Omit<EditValues, 'text'> => ({
  version: entityTag(document, 'json'),
  password,
  settings: confirmed
    ? {
        language: document.language,
        expires: 'keep',
        visibility: visibilityOf(document),
        once: document.burnAfterReading,
        image: document.imageEmbed,
      }
    : null,
})

/** The form as it was sent. */
export const sentEdit = (fields: ReadonlyMap<string, string>): EditValues => ({
  version: fields.get('version') ?? '',
  text: fields.get('content') ?? null,
  password: fields.get('password') || null,
  settings: fields.has('expires')
    ? {
        language: fields.get('language') ?? '',
        expires: fields.get('expires') ?? '',
        visibility: fields.get('visibility') ?? '',
        once: fields.has('once'),
        image: fields.has('image'),
      }
    : null,
})

/** What comes back of a text that goes through a textarea unchanged: it has one kind of line break, and no NUL. */
const throughTextarea = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')

/** The line breaks of a text: all CR LF, all LF, or of several kinds. */
export function lineBreaksOf(text: string): 'crlf' | 'lf' | 'mixed' {
  if (!text.includes('\r')) return 'lf'
  return /(?<!\r)\n|\r(?!\n)/.test(text) ? 'mixed' : 'crlf'
}

/** The text to store, with the line breaks that the present one has; undefined where nothing was changed. */
function changedText(typed: string, present: string): string | undefined {
  const text = throughTextarea(typed)
  if (text === throughTextarea(present)) return undefined
  return lineBreaksOf(present) === 'crlf' ? text.replaceAll('\n', '\r\n') : text
}

const changed = <Value>(value: Value, present: Value): Value | undefined =>
  value === present ? undefined : value

/** The settings that are to change. Throws `bad_request` for what the form did not offer. */
function changedSettings(values: SettingsValues, document: Document, now: number) {
  const visibility = choiceOf(VISIBILITIES, values.visibility)
  if (visibility === undefined) throw invalidBody(issueAt(['visibility'], 'Choose who may find it'))
  const expires = choiceOf(['keep', ...LIFETIMES] as const, values.expires)
  if (expires === undefined) throw invalidBody(issueAt(['expires'], 'Choose when it expires'))
  const language = languageFrom(new Map([['language', values.language]]))
  return {
    language: changed(language, document.language),
    expiresAt: expires === 'keep' ? undefined : expirationFor(expires, now),
    public: changed(visibility === 'public', document.public),
    burnAfterReading: changed(values.once, document.burnAfterReading),
    imageEmbed: changed(values.image, document.imageEmbed),
  }
}

interface EditContext {
  readonly document: Document
  /** The document's present text; null where only settings are edited. */
  readonly present: string | null
  readonly maxContentBytes: number
  readonly now: number
}

interface FormEdit {
  readonly edit: Edit
  readonly usesSettings: boolean
  /** Whether the document is already as the form would have it. */
  readonly nothing: boolean
}

/**
 * What the core is to change, and whether settings are among it.
 *
 * @throws AppError `bad_request` and `content_too_large` for what the form alone shows to be wrong.
 */
export function toEdit(
  { text, password, settings }: EditValues,
  { document, present, maxContentBytes, now }: EditContext,
): FormEdit {
  const replacement = text === null || present === null ? undefined : changedText(text, present)
  const settingsEdit = settings && changedSettings(settings, document, now)
  const usesSettings = Object.values(settingsEdit ?? {}).some((value) => value !== undefined)
  return {
    edit: {
      content: replacement === undefined ? undefined : plainText(replacement, maxContentBytes),
      password: password ?? undefined,
      ...settingsEdit,
      fixedSettings: {},
    },
    usesSettings,
    nothing: replacement === undefined && !usesSettings,
  }
}
