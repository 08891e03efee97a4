import type { CHOICES } from '../../shared/form-settings.ts'
import { MAX_PASSWORD_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { useFrame } from '../layout/page-frame.ts'
import { CheckboxField, ChoiceField, VisibilityField } from '../settings/settings-fields.tsx'
import type { NewDocumentValues } from './new-document-values.ts'

/**
 * The choice of encryption on the server. Scripts replace it: with them, the browser encrypts. A document's password
 * isn't a sign-in: it's visible while it's typed, and browsers don't offer to save it.
 */
export const PasswordPanel = ({ encryption }: { encryption: string }) => (
  <div class="fields" data-part="server-encryption">
    <ChoiceField name="encryption" value={encryption} />
    <p class="field">
      <label for="password">{SETTINGS.password.label}</label>
      <input
        id="password"
        name="password"
        maxlength={MAX_PASSWORD_CHARACTERS}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="password-hint"
      />
      <span class="hint" id="password-hint">
        {SETTINGS.password.help}
      </span>
    </p>
  </div>
)

const EditorsField = ({ value }: { value: string }) => (
  <p class="field">
    <label for="editors">{SETTINGS.editors.label}</label>
    <input
      id="editors"
      name="editors"
      value={value}
      list="usernames"
      data-complete
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-describedby="editors-hint"
    />
    <span class="hint" id="editors-hint">
      {SETTINGS.editors.help}
    </span>
    <datalist id="usernames" />
  </p>
)

/** Returns words as a list, such as `a, b or c`. */
const formatAlternatives = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')

/** Says how to get the settings that need an account. */
const AccountHint = ({ accountId, offer }: Pick<NewDocumentValues, 'accountId' | 'offer'>) => {
  const reasons = [
    'add editors',
    ...(useFrame().explore ? ['make documents public'] : []),
    ...(offer.maxExpiryDays === null
      ? []
      : [useFrame().explore ? 'keep them longer' : 'keep documents longer']),
  ]
  return accountId === null ? (
    <p class="hint">
      <a href="/sign-in?return=/">Sign in</a> to {formatAlternatives(reasons)}
      <span id="draft-notice" hidden>
        . Your text will still be here
      </span>
      .
    </p>
  ) : (
    <p class="hint">
      To use all settings, confirm your email address in <a href="/account">your account</a>.
    </p>
  )
}

/** The settings that few people use. */
export const MorePanel = ({ accountId, settings, offer, editors, gist }: NewDocumentValues) => (
  <div class="fields">
    <ChoiceField name="link" value={settings.link} />
    {offer.account && <VisibilityField value={settings.visibility} />}
    {offer.account && <EditorsField value={editors} />}
    {offer.previewImage && (
      <CheckboxField name="image_embed" checked={settings.imageEmbed}>
        {SETTINGS.image_embed.label}
      </CheckboxField>
    )}
    {gist !== null && (
      <CheckboxField name="create_gist" checked={gist}>
        {SETTINGS.create_gist.label}
      </CheckboxField>
    )}
    {!offer.account && <AccountHint accountId={accountId} offer={offer} />}
    <p class="hint" id="keyboard-help">
      In the text, <kbd>Tab</kbd> indents. To move on, press <kbd>Escape</kbd> first.
    </p>
  </div>
)

/** The fields in each panel: a panel with a problem is open. */
export const PANEL_FIELDS = {
  password: ['password', 'encryption'],
  more: ['link', 'visibility', 'editors', 'image_embed', 'create_gist'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof CHOICES | keyof typeof SETTINGS)[]>>
