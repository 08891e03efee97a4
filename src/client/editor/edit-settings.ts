import { CHECKBOXES, type Checkbox, type RequestSettings, SETTINGS } from '../../shared/settings.ts'
import { readExpiration } from './document-form.ts'
import { type LanguageField, setLanguageValue } from './language-field.ts'

type FormFlag = 'public' | Checkbox

const FORM_FLAGS: readonly FormFlag[] = ['public', ...CHECKBOXES]
const NAMES = ['title', 'language', ...FORM_FLAGS] as const

/** What the form can change, by the names in the API. */
export type EditableSettings = Readonly<Record<FormFlag, boolean>> & {
  readonly title: string
  readonly language: string
}

/** The API shows a title only if somebody gave one. */
export type ShownSettings = Omit<EditableSettings, 'title'> & { readonly title?: string }

export type ChangedSettings = RequestSettings<'title' | 'language' | 'expiration' | FormFlag>

export const pickEditable = (settings: ShownSettings): EditableSettings => ({
  ...toFlags((name) => settings[name]),
  title: settings.title ?? '',
  language: settings.language,
})

const toFlags = (isSet: (name: FormFlag) => boolean) =>
  Object.fromEntries(FORM_FLAGS.map((name) => [name, isSet(name)])) as Readonly<Record<FormFlag, boolean>>

interface Fields {
  readonly title: HTMLInputElement | null
  readonly language: HTMLSelectElement
  readonly visibility: HTMLSelectElement | null
  readonly checkboxes: ReadonlyMap<FormFlag, HTMLInputElement>
}

function findFields(form: HTMLFormElement): Fields | null {
  const field = (name: string) => form.elements.namedItem(name)
  const [title, language, visibility] = [field('title'), field('language'), field('visibility')]
  if (!(language instanceof HTMLSelectElement)) return null
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
  language: language.value,
})

function write({ title, language, visibility, checkboxes }: Fields, settings: EditableSettings): void {
  if (title) title.value = settings.title
  setLanguageValue(language, settings.language)
  language.dispatchEvent(new Event('input', { bubbles: true }))
  if (visibility) visibility.value = settings.public ? 'public' : 'unlisted'
  for (const [name, checkbox] of checkboxes) checkbox.checked = settings[name]
}

/** Leaves out what the form doesn't offer. */
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
  readonly base: EditableSettings
  readonly mine: EditableSettings
  readonly theirs: EditableSettings
}

/** Where both changed the same setting, mine stays and is `contested`. */
export function mergeSettings({ base, mine, theirs }: Versions) {
  const changed = differences(mine, base)
  return {
    merged: { ...theirs, ...pick(mine, changed) },
    contested: changed.filter((name) => theirs[name] !== base[name] && theirs[name] !== mine[name]),
  }
}

interface EditSettings {
  readonly changed: () => Promise<ChangedSettings>
  readonly areChanged: () => boolean
  readonly merge: (theirs: EditableSettings) => string[]
}

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
