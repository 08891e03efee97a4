import { MAX_KEY_NAME_CHARACTERS } from '../../accounts/api-keys.ts'
import { isKeyScope, type KeyScope, SUGGESTED_SCOPE } from '../../accounts/key-format.ts'
import { DAY_MS, type Instant } from '../../shared/instant.ts'
import { invalidForm } from '../layout/errors.tsx'

export const KEY_LIFETIMES = {
  week: { days: 7, label: 'After 7 days' },
  month: { days: 30, label: 'After 30 days' },
  quarter: { days: 90, label: 'After 90 days' },
  year: { days: 365, label: 'After 1 year' },
  never: { days: null, label: 'Never' },
} as const

type KeyLifetime = keyof typeof KEY_LIFETIMES

const SUGGESTED_LIFETIME = 'never' satisfies KeyLifetime

const isKeyLifetime = (candidate: string): candidate is KeyLifetime => Object.hasOwn(KEY_LIFETIMES, candidate)

/** Valid or not. */
export interface KeyValues {
  readonly name: string
  readonly scope: string
  readonly expires: string
}

export const NEW_KEY_VALUES: KeyValues = { name: '', scope: SUGGESTED_SCOPE, expires: SUGGESTED_LIFETIME }

export const readKeyValues = (fields: ReadonlyMap<string, string>): KeyValues => ({
  name: (fields.get('name') ?? '').trim(),
  scope: fields.get('scope') ?? SUGGESTED_SCOPE,
  expires: fields.get('expires') ?? SUGGESTED_LIFETIME,
})

interface KeyRequest {
  readonly name: string
  readonly scope: KeyScope
  readonly expiresAt: Instant | null
}

export function parseKeyValues({ name, scope, expires }: KeyValues, now: Instant): KeyRequest {
  if (name === '' || name.length > MAX_KEY_NAME_CHARACTERS) {
    throw invalidForm({ name: `Enter a name of 1 to ${MAX_KEY_NAME_CHARACTERS} characters.` })
  }
  if (!isKeyScope(scope)) throw invalidForm({ name: 'Choose one of the options for “Access”.' })
  if (!isKeyLifetime(expires)) throw invalidForm({ name: 'Choose one of the options for “Expires”.' })
  const { days } = KEY_LIFETIMES[expires]
  return { name, scope, expiresAt: days === null ? null : now + days * DAY_MS }
}
