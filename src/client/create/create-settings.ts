import { parseUsernames } from '../../shared/form-settings.ts'
import { FLAGS, type FlagName, type RequestSettings } from '../../shared/settings.ts'
import { readExpiration } from '../document-form/expiry-field.ts'

/** Returns the flags that are checked: checkboxes are named as the API's settings. */
const readCheckboxes = (fields: FormData): Partial<Record<FlagName, true>> =>
  Object.fromEntries(FLAGS.filter((name) => fields.has(name)).map((name) => [name, true]))

/** Returns the settings of a new document, without those at their defaults. Throws a SaveError for an invalid date. */
export function readSettings(form: HTMLFormElement): RequestSettings {
  const fields = new FormData(form)
  const value = (name: string) => String(fields.get(name) ?? '')
  const editors = parseUsernames(value('editors'))
  return {
    ...readExpiration(form),
    ...readCheckboxes(fields),
    ...(value('visibility') === 'public' && { public: true }),
    ...(value('link') === 'long' && { long_urls: true }),
    ...(value('link') === 'short' && { short_urls: true }),
    ...(editors.length > 0 && { editors }),
  }
}
