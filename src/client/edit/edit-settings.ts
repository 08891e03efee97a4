import { readExpiration } from '../document-form/expiry-field.ts'
import type { LanguageField } from '../document-form/language-field.ts'

/** The settings of a document that its form can change, by their names in the API. */
export interface EditableSettings {
  readonly language: string
  readonly public: boolean
  readonly instant_delete: boolean
  readonly image_embed: boolean
}

export type ChangedSettings = Partial<EditableSettings> & { readonly expiration?: number | string | null }

interface Fields {
  readonly language: HTMLInputElement
  readonly visibility: HTMLSelectElement
  readonly once: HTMLInputElement
  readonly image: HTMLInputElement
}

/** Null where whoever edits may change none. */
function fieldsOf(form: HTMLFormElement): Fields | null {
  const field = (name: string) => form.elements.namedItem(name)
  const [language, visibility, once, image] = ['language', 'visibility', 'once', 'image'].map(field)
  return language instanceof HTMLInputElement &&
    visibility instanceof HTMLSelectElement &&
    once instanceof HTMLInputElement &&
    image instanceof HTMLInputElement
    ? { language, visibility, once, image }
    : null
}

const read = ({ language, visibility, once, image }: Fields): EditableSettings => ({
  language: language.value.trim().toLowerCase(),
  public: visibility.value === 'public',
  instant_delete: once.checked,
  image_embed: image.checked,
})

function write({ language, visibility, once, image }: Fields, settings: EditableSettings): void {
  language.value = settings.language
  language.dispatchEvent(new Event('input', { bubbles: true }))
  visibility.value = settings.public ? 'public' : 'unlisted'
  once.checked = settings.instant_delete
  image.checked = settings.image_embed
}

const LABELS = {
  language: 'the language',
  public: 'who may find it',
  instant_delete: 'whether its first reader deletes it',
  image_embed: 'whether a picture is shown',
} as const satisfies Record<keyof EditableSettings, string>

const NAMES = Object.keys(LABELS) as (keyof EditableSettings)[]

const differences = (one: EditableSettings, other: EditableSettings) =>
  NAMES.filter((name) => one[name] !== other[name])

const pick = (settings: EditableSettings, names: readonly (keyof EditableSettings)[]) =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Partial<EditableSettings>

export interface EditSettings {
  /** What the form changes, as the API takes it. Throws a SaveProblem for what it can not mean. */
  readonly changed: () => Promise<ChangedSettings>
  /** Whether anything is changed. */
  readonly areChanged: () => boolean
  /** Whether the document will be deleted by its first reader. */
  readonly once: () => boolean
  /**
   * Takes over what somebody else has set since, but where the form changes the very same.
   *
   * @returns in words, what both have set to something else.
   */
  readonly takeOver: (theirs: EditableSettings) => string[]
}

/** The settings of the form. */
export function editSettings(
  form: HTMLFormElement,
  language: LanguageField,
  { once }: { readonly once: boolean },
): EditSettings {
  const fields = fieldsOf(form)
  if (!fields) {
    return { changed: async () => ({}), areChanged: () => false, once: () => once, takeOver: () => [] }
  }
  let present = read(fields)
  return {
    changed: async () => {
      const wanted = pick(read(fields), differences(read(fields), present))
      const named = wanted.language === undefined ? {} : { language: await language.current() }
      return { ...wanted, ...named, ...readExpiration(form) }
    },
    areChanged: () => differences(read(fields), present).length > 0 || 'expiration' in readExpiration(form),
    once: () => fields.once.checked,
    takeOver: (theirs) => {
      const mine = read(fields)
      const changed = differences(mine, present)
      const contested = changed.filter(
        (name) => theirs[name] !== present[name] && theirs[name] !== mine[name],
      )
      write(fields, { ...theirs, ...pick(mine, changed) })
      present = { ...theirs }
      return contested.map((name) => LABELS[name])
    },
  }
}
