import { CHECKBOXES, type Checkbox, type RequestSettings, SETTINGS } from '../../shared/settings.ts'
import { readExpiration } from '../document-form/expiry-field.ts'
import type { LanguageField } from '../document-form/language-field.ts'

/** The flags of a document that its form can change. */
type FormFlag = 'public' | Checkbox

const FORM_FLAGS: readonly FormFlag[] = ['public', ...CHECKBOXES]
const NAMES = ['title', 'language', ...FORM_FLAGS] as const

/** The settings of a document that its form can change, by their names in the API. */
export type EditableSettings = Readonly<Record<FormFlag, boolean>> & {
  /** Empty if nobody gave one. */
  readonly title: string
  readonly language: string
}

/** The settings as the API shows them, which has a title only if somebody gave one. */
export type ShownSettings = Omit<EditableSettings, 'title'> & { readonly title?: string }

export type ChangedSettings = RequestSettings<'title' | 'language' | 'expiration' | FormFlag>

/** Returns the settings of a document that its form can change. */
export const pickEditable = (settings: ShownSettings): EditableSettings => ({
  ...toFlags((name) => settings[name]),
  title: settings.title ?? '',
  language: settings.language,
})

const toFlags = (isSet: (name: FormFlag) => boolean) =>
  Object.fromEntries(FORM_FLAGS.map((name) => [name, isSet(name)])) as Readonly<Record<FormFlag, boolean>>

/** The fields of the form. What it doesn't offer is null, or not in the map. */
interface Fields {
  readonly title: HTMLInputElement | null
  readonly language: HTMLInputElement
  readonly visibility: HTMLSelectElement | null
  readonly checkboxes: ReadonlyMap<FormFlag, HTMLInputElement>
}

/** Returns the form's fields for settings; null if the user may not change any. */
function findFields(form: HTMLFormElement): Fields | null {
  const field = (name: string) => form.elements.namedItem(name)
  const [title, language, visibility] = [field('title'), field('language'), field('visibility')]
  if (!(language instanceof HTMLInputElement && language.name !== '')) return null
  const checkboxes = new Map<FormFlag, HTMLInputElement>()
  for (const name of CHECKBOXES) {
    const checkbox = field(name)
    if (checkbox instanceof HTMLInputElement) checkboxes.set(name, checkbox)
  }
  return {
    title: title instanceof HTMLInputElement ? title : null,
    language,
    visibility: visibility instanceof HTMLSelectElement ? visibility : null,
    checkboxes,
  }
}

const read = ({ title, language, visibility, checkboxes }: Fields): EditableSettings => ({
  ...toFlags((name) =>
    name === 'public' ? visibility?.value === 'public' : checkboxes.get(name)?.checked === true,
  ),
  title: title?.value.trim() ?? '',
  language: language.value.trim().toLowerCase(),
})

function write({ title, language, visibility, checkboxes }: Fields, settings: EditableSettings): void {
  if (title) title.value = settings.title
  language.value = settings.language
  language.dispatchEvent(new Event('input', { bubbles: true }))
  if (visibility) visibility.value = settings.public ? 'public' : 'unlisted'
  for (const [name, checkbox] of checkboxes) checkbox.checked = settings[name]
}

/** Returns settings as the form reads them, without those that it doesn't offer. */
const limitToFields = (
  { title, visibility, checkboxes }: Fields,
  settings: EditableSettings,
): EditableSettings => ({
  ...toFlags((name) => (name === 'public' ? visibility !== null : checkboxes.has(name)) && settings[name]),
  title: title ? settings.title : '',
  language: settings.language,
})

const differences = (one: EditableSettings, other: EditableSettings) =>
  NAMES.filter((name) => one[name] !== other[name])

const pick = (settings: EditableSettings, names: readonly (keyof EditableSettings)[]) =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Partial<EditableSettings>

interface Versions {
  /** The settings that the form was opened with. */
  readonly base: EditableSettings
  readonly mine: EditableSettings
  readonly theirs: EditableSettings
}

/** Merges settings that two people changed at the same time. Where both changed the same setting, mine stays. */
export function mergeSettings({ base, mine, theirs }: Versions) {
  const changed = differences(mine, base)
  return {
    merged: { ...theirs, ...pick(mine, changed) },
    /** Settings that both changed to different values. */
    contested: changed.filter((name) => theirs[name] !== base[name] && theirs[name] !== mine[name]),
  }
}

export interface EditSettings {
  /** Returns what the form changes, as the API takes it. Throws a SaveError for an invalid date. */
  readonly changed: () => Promise<ChangedSettings>
  readonly areChanged: () => boolean
  /**
   * Takes over the settings that somebody else has saved since, except those that the form changes as well.
   *
   * @returns the labels of settings that both have changed to different values.
   */
  readonly merge: (theirs: EditableSettings) => string[]
}

/** Returns the settings of the form that edits a document. */
export function editSettings(form: HTMLFormElement, language: LanguageField): EditSettings {
  const fields = findFields(form)
  if (!fields) {
    return {
      changed: async () => ({}),
      areChanged: () => false,
      merge: () => [],
    }
  }
  let present = read(fields)
  return {
    changed: async () => {
      const wanted = pick(read(fields), differences(read(fields), present))
      const named = wanted.language === undefined ? {} : { language: await language.current() }
      return { ...wanted, ...named, ...readExpiration(form) }
    },
    areChanged: () => differences(read(fields), present).length > 0 || 'expiration' in readExpiration(form),
    merge: (saved) => {
      const theirs = limitToFields(fields, saved)
      const { merged, contested } = mergeSettings({ base: present, mine: read(fields), theirs })
      write(fields, merged)
      present = theirs
      return contested.map((name) => `“${SETTINGS[name].label}”`)
    },
  }
}
