import { EXPIRY_DAYS, parseUsernames } from '../../shared/form-values.ts'
import { SaveError } from '../document-form/form-errors.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'

/** The settings of the API, as far as the form offers them. */
export interface ApiSettings {
  language?: string
  expiration?: number | string | null
  image_embed?: true
  instant_delete?: true
  public?: true
  long_urls?: true
  short_urls?: true
  create_gist?: true
  editors?: readonly string[]
  encrypted?: true
  client_encrypted?: true
  claim_hash?: string
}

const AT_DATE = 'date'

const isLifetime = (choice: string): choice is keyof typeof EXPIRY_DAYS => choice in EXPIRY_DAYS

/** Lets an expiration be a date, too. */
export function offerDate(form: HTMLFormElement): void {
  const choice = requireElement<HTMLSelectElement>('#expires', form)
  const field = cloneTemplate('editor-date')
  choice.closest('.field')?.after(field)
  choice.add(new Option('At a date…', AT_DATE))
  choice.addEventListener('change', () => {
    field.hidden = choice.value !== AT_DATE
    if (!field.hidden) requireElement('input', field).focus()
  })
}

/** What the form says of the expiration: nothing where it is to stay as it is. Throws a SaveProblem. */
export function expirationOf(form: HTMLFormElement): Pick<ApiSettings, 'expiration'> {
  const choice = form.querySelector<HTMLSelectElement>('#expires')?.value ?? ''
  if (choice !== AT_DATE) return isLifetime(choice) ? { expiration: EXPIRY_DAYS[choice] } : {}
  const at = new Date(requireElement<HTMLInputElement>('#expires-at', form).value)
  if (Number.isNaN(at.getTime())) throw new SaveError('Choose the date at which it expires.', 'expires')
  return { expiration: at.toISOString() }
}

/** What the form asks of the API. Throws a SaveProblem for what it can not mean. */
export function settingsOf(form: HTMLFormElement): ApiSettings {
  const fields = new FormData(form)
  const value = (name: string) => String(fields.get(name) ?? '')
  const editors = parseUsernames(value('editors'))
  return {
    ...expirationOf(form),
    ...(value('visibility') === 'public' && { public: true }),
    ...(value('link') === 'long' && { long_urls: true }),
    ...(value('link') === 'short' && { short_urls: true }),
    ...(fields.has('once') && { instant_delete: true }),
    ...(fields.has('image') && { image_embed: true }),
    ...(fields.has('gist') && { create_gist: true }),
    ...(editors.length > 0 && { editors }),
  }
}
