import { type Document, parseExpiration } from '../../documents/document.ts'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { HOUR_MS } from '../../shared/instant.ts'
import { CHECKBOXES, SETTINGS } from '../../shared/settings.ts'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePage } from '../../ui/page.tsx'
import { type EditOffer, newEditValues } from './form-values.ts'

interface QuickSettingsProps {
  readonly document: Document
  readonly offer: EditOffer | null
  readonly now: number
}

/**
 * The settings that people change most, in the menu of the document's page. Each button sends the form that edits all
 * settings.
 */
export const QuickSettings = ({ document, offer, now }: QuickSettingsProps) => {
  const { version, settings } = newEditValues(document, { password: null, offer })
  if (offer === null || settings === null) return null
  const { title, name, language } = settings
  const later = offer.expires.filter(
    (choice) => parseExpiration(EXPIRY_CHOICES[choice].days, now) > document.expiresAt + HOUR_MS,
  )
  // Neither encrypted documents nor those that burn are listed.
  const isListable =
    offer.visibility && usePage().explore && !document.encrypted && !document.burnAfterReading
  return (
    <Form
      action={`/${document.id}/edit`}
      hidden={{
        version,
        language,
        ...(title !== null && { title }),
        ...(name !== null && { name }),
        ...Object.fromEntries(
          CHECKBOXES.filter((flag) => settings[SETTINGS[flag].property]).map((flag) => [flag, 'yes']),
        ),
        // A button that follows replaces it.
        expires: 'keep',
      }}
    >
      {isListable && (
        <button
          type="submit"
          name="visibility"
          value={document.public ? 'unlisted' : 'public'}
          class="menu-item"
        >
          <Icon name={document.public ? 'eye-off' : 'globe'} />
          {document.public ? 'Make unlisted' : 'Make public'}
        </button>
      )}
      {later.length > 0 && (
        <fieldset class="extend row">
          <legend class="visually-hidden">Extend to</legend>
          <Icon name="clock" />
          <span aria-hidden="true">Extend to</span>
          {later.map((choice) => (
            <button type="submit" name="expires" value={choice} class="quiet small">
              {EXPIRY_CHOICES[choice].label.replace(/^After /, '')}
            </button>
          ))}
        </fieldset>
      )}
      {!document.encrypted && (
        <noscript>
          <button type="submit" name="duplicate" value="yes" class="menu-item">
            <Icon name="duplicate" />
            Duplicate
          </button>
        </noscript>
      )}
    </Form>
  )
}
