import type { Child } from 'hono/jsx'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { AUTO, type Choice } from '../../shared/form-settings.ts'
import { findLanguage, LANGUAGES } from '../../shared/languages/languages.ts'
import { SETTINGS } from '../../shared/settings.ts'
import { Icon } from '../components/icon.tsx'
import type { IconName } from '../components/icons.ts'

interface BarSelectProps {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly children: Child
}

/** A select in the bar. It shows an icon; its label is for screen readers and the tooltip. */
const BarSelect = ({ id, label, icon, children }: BarSelectProps) => (
  <div class="bar-field" title={label}>
    <Icon name={icon} />
    <label for={id} class="visually-hidden">
      {label}
    </label>
    <select id={id} name={id}>
      {children}
    </select>
  </div>
)

/** A list, because choosing is quicker than typing. Includes the present language if the site doesn't know it. */
export const LanguageSelect = ({ value }: { value: string }) => {
  const known = value === AUTO ? AUTO : findLanguage(value)?.name
  return (
    <BarSelect id="language" label={SETTINGS.language.label} icon="code">
      <option value={AUTO} selected={known === AUTO}>
        Auto
      </option>
      {known === undefined && (
        <option value={value} selected>
          {value}
        </option>
      )}
      {LANGUAGES.map(({ name, label }) => (
        <option value={name} selected={name === known}>
          {label}
        </option>
      ))}
    </BarSelect>
  )
}

interface ExpirySelectProps {
  readonly value: Choice<'expires'>
  readonly offered: readonly Choice<'expires'>[]
}

/** Leaves out “After”, because the clock icon says it. */
export const ExpirySelect = ({ value, offered }: ExpirySelectProps) => (
  <BarSelect id="expires" label={SETTINGS.expiration.label} icon="clock">
    {offered.map((choice) => (
      <option value={choice} selected={choice === value}>
        {EXPIRY_CHOICES[choice].label.replace(/^After /, '')}
      </option>
    ))}
  </BarSelect>
)

/** A checkbox that looks like a button that stays pressed. */
export const BurnToggle = ({ checked }: { checked: boolean }) => (
  <label class="bar-toggle" title={SETTINGS.instant_delete.label}>
    <input type="checkbox" name="instant_delete" value="yes" checked={checked} />
    <Icon name="flame" />
    <span class="bar-text">{SETTINGS.instant_delete.label}</span>
  </label>
)

interface BarMenuProps {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly open: boolean
  /** Whether wide windows show the label, too. */
  readonly labelled?: boolean
  readonly children: Child
}

/** A button that opens a panel below the bar. Panels with the same name close each other. */
export const BarMenu = ({ id, label, icon, open, labelled = false, children }: BarMenuProps) => (
  <details class="bar-menu" name="bar-menu" id={id} open={open}>
    <summary class="bar-toggle" title={label}>
      <Icon name={icon} />
      <span class={labelled ? 'bar-text' : 'visually-hidden'}>{label}</span>
      {/* A script says here whether the settings differ from the defaults. */}
      <span class="visually-hidden" data-part="state" />
    </summary>
    <div class="bar-panel">{children}</div>
  </details>
)
