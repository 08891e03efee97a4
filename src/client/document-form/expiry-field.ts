import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { isChoice } from '../../shared/form-settings.ts'
import type { RequestSettings } from '../../shared/settings.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import { SaveError } from './save-errors.ts'

const ON_DATE = 'date'

export function addExpiryDate(form: HTMLFormElement): void {
  const select = requireElement<HTMLSelectElement>('#expires', form)
  const dateField = cloneTemplate('expiry-date-template')
  const strip = form.querySelector('[data-part="strip"]')
  if (strip) strip.append(dateField)
  else select.closest('.field')?.after(dateField)
  select.add(new Option('On a date…', ON_DATE))
  select.addEventListener('change', () => {
    dateField.hidden = select.value !== ON_DATE
    if (!dateField.hidden) requireElement('input', dateField).focus()
  })
}

export function readExpiration(form: HTMLFormElement): RequestSettings<'expiration'> {
  const choice = form.querySelector<HTMLSelectElement>('#expires')?.value ?? ''
  if (choice !== ON_DATE)
    return isChoice('expires', choice) ? { expiration: EXPIRY_CHOICES[choice].days } : {}
  return { expiration: readExpiryDate(form) }
}

export function readExpiryDate(form: HTMLFormElement): string {
  const date = new Date(requireElement<HTMLInputElement>('#expires-at', form).value)
  if (Number.isNaN(date.getTime())) throw new SaveError('Choose an expiry date and time.', 'expires')
  return date.toISOString()
}
