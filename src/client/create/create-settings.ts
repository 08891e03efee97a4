import { parseUsernames } from '../../shared/form-settings.ts'
import { FLAGS, type FlagName, type RequestSettings } from '../../shared/settings.ts'
import { readExpiration } from '../document-form/expiry-field.ts'

/** Returns the flags that are checked: checkboxes are named as the API's settings. */
const readCheckboxes = (fields: FormData): Partial<Record<FlagName, true>> =>
  Object.fromEntries(FLAGS.filter((name) => fields.has(name)).map((name) => [name, true]))

/** Returns the settings of a new document as the API takes them. Throws a SaveError for an invalid date. */
export const readSettings = (form: HTMLFormElement): RequestSettings => ({
  ...readExpiration(form),
  ...parseSettings(new FormData(form)),
})

/** Returns the settings in these fields, without the expiration and without those that are at their defaults. */
export function parseSettings(fields: FormData): RequestSettings {
  const value = (name: string) => String(fields.get(name) ?? '')
  const editors = parseUsernames(value('editors'))
  return {
    ...readCheckboxes(fields),
    ...(value('visibility') === 'public' && { public: true }),
    ...(value('link') === 'long' && { long_urls: true }),
    ...(value('link') === 'short' && { short_urls: true }),
    ...(editors.length > 0 && { editors }),
  }
}
