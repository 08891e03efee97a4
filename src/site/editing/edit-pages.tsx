import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/document.ts'
import { TEXT_CHARACTERS } from '../../shared/escape.ts'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { listLineBreaks } from '../../shared/files.ts'
import { CHOICES } from '../../shared/form-settings.ts'
import { detectLineBreaks, MIXED_LINE_BREAKS } from '../../shared/lines.ts'
import { CHECKBOXES, SETTINGS } from '../../shared/settings.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { Problem } from '../../ui/errors.tsx'
import { getLanguageLabel, Time } from '../../ui/facts.tsx'
import { DocumentPasswordForm, Field, useVisibilityOptions, VisibilityField } from '../../ui/fields.tsx'
import { Icon, ToolLink } from '../../ui/icons.tsx'
import { SlicedText } from '../../ui/page.tsx'
import {
  BarMenu,
  type BarSettings,
  EditorForm,
  EditorPage,
  NameField,
  PreviewImageChoice,
} from './editor-page.tsx'
import { type EditOffer, type EditValues, newEditValues, type SettingsValues } from './form-values.ts'

export { answerEditor } from './editor-page.tsx'

function findLossWarning(text: string): string | null {
  if (text.includes('\0')) {
    return 'This text contains NUL characters. If you edit it here, each one becomes “�”. To keep them, edit the document through the API.'
  }
  const kinds = listLineBreaks(text)?.values() ?? [detectLineBreaks(text)]
  return [...kinds].includes('mixed') ? MIXED_LINE_BREAKS : null
}

export interface EditAccess {
  readonly signedIn: boolean
  /** Is true if a document token lets the browser edit: its script sends the token, too. */
  readonly byToken: boolean
  /** Is null if the viewer may not use settings. */
  readonly offer: EditOffer | null
  /** The present one, such as “In 7 days”. */
  readonly expiry: string
  /** How long a copy of the database may show readers a document as it was; 0 if none is read. */
  readonly lagMinutes: number
}

interface EditFormProps {
  readonly document: Pick<Document, 'id' | 'language'> & Partial<Pick<Document, 'languageChosen'>>
  readonly access: EditAccess
  readonly values: EditValues
  readonly button?: string
  readonly problem?: Child
  readonly wrongPassword?: boolean
  /** The stored text; null if the form contains another, or none. */
  readonly stored?: string | null
  /** The number of the earlier version that the form starts from. */
  readonly earlier?: number | undefined
  readonly aside?: Child
}

interface MorePanelProps {
  readonly id: string
  readonly signedIn: boolean
  readonly values: SettingsValues
  readonly offer: EditOffer
}

const MorePanel = ({ id, signedIn, values, offer }: MorePanelProps) => (
  <div class="stack">
    {offer.visibility && <VisibilityField value={values.visibility} />}
    {values.name !== null && <NameField value={values.name} />}
    {offer.previewImage && <PreviewImageChoice checked={values.imageEmbed} />}
    {!offer.earlierExpiry && (
      <p class="hint">Only the author can choose an earlier expiry or “{SETTINGS.instant_delete.label}”.</p>
    )}
    <nav class="panel-links" aria-label="Document">
      {signedIn && <ToolLink icon="users" name="Editors" href={`/${id}/editors`} inMenu />}
      <ToolLink icon="history" name="History" href={`/${id}/history`} inMenu />
      {offer.earlierExpiry && (
        <ToolLink icon="trash" name="Delete document…" href={`/${id}/delete`} class="danger" inMenu />
      )}
    </nav>
  </div>
)

/** Lists the choices of an expiry. The first keeps it, so “Never” isn't listed again. */
const listExpiries = (expiry: string, { expires }: EditOffer): BarSettings['expiries'] => [
  ['keep', expiry],
  ...expires
    .map((choice) => [choice, EXPIRY_CHOICES[choice].label] as const)
    .filter(([, label]) => label !== expiry),
]

const BURN_HINT = 'burn-hint'

/** Copies of the database don't yet know that reading the document deletes it. */
const hasBurnHint = ({ offer, lagMinutes }: EditAccess, values: SettingsValues | null): boolean =>
  offer?.burnAfterReading === true && values?.burnAfterReading === false && lagMinutes > 0

const getBarSettings = (
  id: string,
  access: EditAccess,
  values: SettingsValues | null,
): BarSettings | null => {
  const { signedIn, offer, expiry } = access
  if (!values || !offer) return null
  return {
    title: values.title,
    language: values.language,
    expires: values.expires,
    expiries: listExpiries(expiry, offer),
    burn: offer.burnAfterReading ? values.burnAfterReading : null,
    ...(hasBurnHint(access, values) && { burnDescribedBy: BURN_HINT }),
    menus: (
      <BarMenu id="more-menu" label="More settings" icon="settings" open={false}>
        <MorePanel id={id} signedIn={signedIn} values={values} offer={offer} />
      </BarMenu>
    ),
  }
}

const EditForm = ({
  document: { id, language, languageChosen = true },
  access,
  values: { version, text, files, password, settings },
  button = 'Save',
  problem,
  wrongPassword = false,
  stored = null,
  earlier,
  aside,
}: EditFormProps) => {
  const { byToken, offer } = access
  const lossWarning = stored === null ? null : findLossWarning(stored)
  const ofFiles = stored === null ? null : listLineBreaks(stored)
  // The one that opened the text is no longer right.
  const asksPassword = password !== null && wrongPassword
  return (
    <EditorForm
      id="edit"
      action={`/${id}/edit`}
      data={{
        'data-document': id,
        // Tells the code editor how to highlight where there is no field.
        'data-language': language,
        // Its text may be several files all the same.
        'data-detect': languageChosen ? undefined : '',
        'data-line-breaks': stored === null ? undefined : detectLineBreaks(stored),
        'data-file-line-breaks': ofFiles ? JSON.stringify([...ofFiles]) : undefined,
        'data-any-date': offer?.latestExpiry === null && offer.earlierExpiry,
        'data-by-token': byToken,
        'data-changed': earlier !== undefined,
      }}
      button={button}
      back={`/${id}`}
      settings={getBarSettings(id, access, settings)}
      hidden={
        <>
          <input type="hidden" name="version" value={version} />
          {password !== null && !asksPassword && <input type="hidden" name="password" value={password} />}
        </>
      }
      messages={
        <>
          {problem && !asksPassword && <Problem isConflict={aside !== undefined}>{problem}</Problem>}
          {earlier !== undefined && (
            <p class="hint">This is version {earlier}. Save to make it the current one.</p>
          )}
          {hasBurnHint(access, settings) && (
            <p class="hint" id={BURN_HINT}>
              For up to {access.lagMinutes} minutes after you turn on “{SETTINGS.instant_delete.label}”,
              readers may still open the document without deleting it.
            </p>
          )}
          {lossWarning && (
            <p class="hint" id="loss-warning">
              {lossWarning}
            </p>
          )}
          {asksPassword && (
            <div class="strip">
              <Field label="Password" name="password" type="password" problem={problem} />
            </div>
          )}
        </>
      }
      text={text}
      files={files}
      describedBy={lossWarning ? 'loss-warning' : problem && !asksPassword ? 'problem' : undefined}
      aside={aside}
    />
  )
}

const EditLayout = ({ id, signedIn, children }: { id: string; signedIn: boolean; children: Child }) => (
  <EditorPage
    title={`Edit ${id}`}
    signedIn={signedIn}
    edits
    scripts={[SCRIPTS.form]}
    note={
      <>
        Editing <a href={`/${id}`}>{id}</a>
      </>
    }
  >
    {children}
  </EditorPage>
)

export const EditPage = (form: EditFormProps) => (
  <EditLayout id={form.document.id} signedIn={form.access.signedIn}>
    <EditForm {...form} />
  </EditLayout>
)

interface LockedPageProps extends Pick<EditFormProps, 'access'> {
  readonly document: Document
  readonly wrong?: boolean
  /** Is null if the server was to decrypt it. */
  readonly jwe?: string | null
  /** Is true if the server has to decrypt it, because it couldn't tell whether an editor knows the password. */
  readonly onServer?: boolean
}

export const LockedPage = ({ wrong = false, jwe = null, onServer, ...form }: LockedPageProps) => {
  const { document, access } = form
  const values = newEditValues(document, { password: null, offer: access.offer })
  return (
    <EditLayout id={document.id} signedIn={access.signedIn}>
      <div id="locked">
        {values.settings && <EditForm {...form} values={{ ...values, text: null }} button="Save settings" />}
        <div class="unlock">
          <div class="notice">
            <Icon name="lock" />
            <h2>This document is encrypted</h2>
            <p>To edit its text, enter the password.</p>
            {onServer && (
              <p>
                Only the author can edit the text of this document without sending the password to the server.
                After the next save, editors can too.
              </p>
            )}
            <DocumentPasswordForm action={`/${document.id}/edit`} button="Edit text" wrong={wrong} />
          </div>
        </div>
      </div>
      {jwe !== null && (
        <>
          <template id="decrypted-form">
            <EditForm {...form} values={{ ...values, text: '' }} />
          </template>
          <template id="jwe">
            <SlicedText text={jwe} />
          </template>
        </>
      )}
    </EditLayout>
  )
}

const ConflictMessage = ({ document: { lastEditedBy, updatedAt } }: { document: Document }) => (
  <>
    {lastEditedBy ? (
      <>
        {lastEditedBy.username} saved another version on <Time at={updatedAt} />
      </>
    ) : (
      'Someone else saved another version after you opened this one'
    )}
    : copy what you need from it into your text, then save.
  </>
)

const SavedText = ({ text }: { text: string }) => (
  <>
    <label for="saved-text" class="visually-hidden">
      Saved text
    </label>
    <textarea id="saved-text" readonly spellcheck={false}>
      {'\n'}
      <SlicedText text={text} characters={TEXT_CHARACTERS} />
    </textarea>
  </>
)

const SavedVersion = ({ document, children }: { document: Document; children: Child }) => {
  const title = document.encrypted ? [] : [[SETTINGS.title.label, document.givenTitle ?? 'None'] as const]
  const name = document.name === null ? [] : [[SETTINGS.name.label, document.name] as const]
  const facts = [
    ...title,
    ...name,
    [SETTINGS.language.label, getLanguageLabel(document)],
    [CHOICES.visibility.label, useVisibilityOptions()[document.public ? 'public' : 'unlisted']],
    ...CHECKBOXES.map((name) => [SETTINGS[name].label, document[SETTINGS[name].property] ? 'Yes' : 'No']),
  ]
  return (
    <section class="saved-version" aria-labelledby="saved-version">
      <h2 id="saved-version">Saved version</h2>
      {children}
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div class="row apart">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface ConflictPageProps extends Pick<EditFormProps, 'access' | 'values'> {
  readonly document: Document
  /** The text that is saved now; null if it isn't edited, or if the password that was sent doesn't open it. */
  readonly savedText: string | null
}

export const ConflictPage = ({ savedText, ...form }: ConflictPageProps) => {
  const { document, values } = form
  const passwordChanged = values.text !== null && savedText === null
  const aside = (
    <SavedVersion document={document}>
      {savedText !== null && <SavedText text={savedText} />}
      {passwordChanged && (
        <p>
          We can’t show the saved text, because the document has a new password. To save your version, enter
          the new password.
        </p>
      )}
    </SavedVersion>
  )
  return (
    <EditPage
      {...form}
      button="Save anyway"
      problem={<ConflictMessage document={document} />}
      wrongPassword={passwordChanged}
      aside={aside}
    />
  )
}
