import type { Child } from 'hono/jsx'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import type { CHOICES } from '../../shared/form-settings.ts'
import { MAX_PASSWORD_CHARACTERS, SETTINGS } from '../../shared/settings.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { Problem, SignInBeside } from '../../ui/errors.tsx'
import { Checkbox, ChoiceField, Field, VisibilityField } from '../../ui/fields.tsx'
import { Notice } from '../../ui/layout.tsx'
import { HOME_PREVIEW } from '../../ui/link-preview.tsx'
import { usePage } from '../../ui/page.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { BarMenu, EditorForm, EditorPage, NameField, PreviewImageChoice } from '../editing/editor-page.tsx'
import type { NewDocumentValues } from '../editing/form-values.ts'

export { answerEditor } from '../editing/editor-page.tsx'

/** The script finds its element by the class `cf-turnstile`. */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

const HumanCheck = ({ siteKey }: { siteKey: string }) => (
  <>
    <script src={SCRIPT} async defer />
    <div
      class="cf-turnstile"
      data-sitekey={siteKey}
      data-action="create"
      data-appearance="interaction-only"
    />
    <noscript>
      <p class="error">
        To share without an account, turn on JavaScript: this server checks that you’re human. Or{' '}
        <a href="/sign-in?return=/">sign in</a>.
      </p>
    </noscript>
  </>
)

/** It's no sign-in: the password is visible while it's typed, and browsers don't offer to save it. */
const PasswordPanel = ({ encryption }: { encryption: string }) => (
  <div class="stack" data-part="server-encryption">
    <ChoiceField name="encryption" value={encryption} />
    <Field
      label={SETTINGS.password.label}
      name="password"
      required={false}
      maxlength={MAX_PASSWORD_CHARACTERS}
      hint={SETTINGS.password.help}
    />
  </div>
)

const EditorsField = ({ value }: { value: string }) => (
  <Field
    label={SETTINGS.editors.label}
    name="editors"
    value={value}
    required={false}
    list="usernames"
    data-complete
    hint={SETTINGS.editors.help}
  >
    <datalist id="usernames" />
  </Field>
)

/** Says whether the menu has more than the length of the link. If not, wide windows hide it. */
const hasMore = ({ accountId, offer, gist }: NewDocumentValues): boolean =>
  accountId !== null || offer.account || offer.previewImage || gist !== null

const MorePanel = ({ accountId, settings, offer, name, editors, gist }: NewDocumentValues) => (
  <div class="stack">
    {offer.account && <VisibilityField value={settings.visibility} />}
    {offer.account && <NameField value={name} />}
    {offer.account && <EditorsField value={editors} />}
    {offer.previewImage && <PreviewImageChoice checked={settings.imageEmbed} />}
    {gist !== null && (
      <Checkbox name="create_gist" checked={gist}>
        {SETTINGS.create_gist.label}
      </Checkbox>
    )}
    <ChoiceField name="link" value={settings.link} />
    {!offer.account && accountId !== null && (
      <p class="hint">
        To use all settings, confirm your email address in <a href="/account">your account</a>.
      </p>
    )}
  </div>
)

const PANEL_FIELDS = {
  password: ['password', 'encryption'],
  more: ['link', 'visibility', 'name', 'editors', 'image_embed', 'create_gist'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof CHOICES | keyof typeof SETTINGS)[]>>

export interface FormProblem {
  readonly message: Child
  readonly field: string | null
}

const isIn = (fields: readonly string[], problem: FormProblem | null): boolean =>
  problem?.field != null && fields.includes(problem.field)

const Menus = ({ values, problem }: { values: NewDocumentValues; problem: FormProblem | null }) => (
  <>
    <BarMenu
      id="password-menu"
      label="Password"
      icon="lock"
      labelled
      open={isIn(PANEL_FIELDS.password, problem)}
    >
      <PasswordPanel encryption={values.settings.encryption} />
    </BarMenu>
    <BarMenu
      id="more-menu"
      label="More settings"
      icon="settings"
      open={isIn(PANEL_FIELDS.more, problem)}
      onPhonesOnly={!hasMore(values)}
    >
      <MorePanel {...values} />
    </BarMenu>
  </>
)

const PLACEHOLDER = 'Paste, type or open a file.'

const VISITOR_PLACEHOLDER = `Paste code, logs or notes, then share the link.
No account needed. Documents expire, and a password encrypts them in your browser.`

interface HomePageProps {
  readonly signedIn: boolean
  readonly values: NewDocumentValues
  readonly problem?: FormProblem | null
}

export const HomePage = ({ signedIn, values, problem = null }: HomePageProps) => {
  const { text, files, title, settings, offer, accountId, duplicatedFrom, turnstileSiteKey } = values
  return (
    <EditorPage
      title="New document"
      signedIn={signedIn}
      preview={HOME_PREVIEW}
      edits={false}
      scripts={offer.account ? [SCRIPTS.form] : []}
    >
      <EditorForm
        id="new-document"
        action="/"
        button="Share"
        settings={{
          title,
          language: settings.language,
          expires: settings.expires,
          // The clock icon says “After”.
          expiries: offer.expires.map((choice) => [
            choice,
            EXPIRY_CHOICES[choice].label.replace(/^After /, ''),
          ]),
          burn: settings.burnAfterReading,
          menus: <Menus values={values} problem={problem} />,
        }}
        hidden={
          <>
            {accountId !== null && <input type="hidden" name="account" value={accountId} />}
            <input type="hidden" name="duplicated_from" value={duplicatedFrom} />
          </>
        }
        messages={
          <>
            {problem && <Problem>{problem.message}</Problem>}
            {turnstileSiteKey !== null && <HumanCheck siteKey={turnstileSiteKey} />}
          </>
        }
        text={text}
        files={files}
        describedBy={problem ? 'problem' : undefined}
        placeholder={accountId === null && !problem ? VISITOR_PLACEHOLDER : PLACEHOLDER}
      />
    </EditorPage>
  )
}

export const signInToShare: FormProblem = {
  message: (
    <>
      On this server, only people with an account can create documents. <SignInBeside />, then share your
      text.
    </>
  ),
  field: null,
}

export const SignInToCreatePage = () => (
  <Notice title="Sign in to create documents" signedIn={false} preview={HOME_PREVIEW}>
    <p>
      {usePage().openToAll
        ? 'On this server, only people with an account can create documents. Anyone with a link can read one.'
        : 'On this server, only people with an account can create and read documents.'}
    </p>
    <p class="row">
      <a class="button" href="/sign-in?return=/">
        Sign in
      </a>
    </p>
  </Notice>
)

interface CreatedPageProps {
  readonly url: string
  /** Is null if none was generated. It isn't stored, so this page can't be shown again. */
  readonly password: string | null
  readonly managementLink: string | null
}

/** Shows the link and the password of a new document. With scripts, the document's page shows them. */
export const CreatedPage = ({ url, password, managementLink }: CreatedPageProps) => (
  <Notice
    icon="check"
    title={password === null ? 'Document created' : 'Save this password'}
    scripts={[SCRIPTS.form]}
  >
    {password !== null && (
      <>
        <p>Your document is encrypted with this password. You won’t see it again, and we can’t recover it.</p>
        <Snippet id="password" title="Password" main>
          {password}
        </Snippet>
      </>
    )}
    <Snippet id="link" title="Link to share">
      <a href={url}>{url}</a>
    </Snippet>
    {managementLink !== null && (
      <>
        <Snippet id="management-link" title="Private management link">
          <a href={managementLink}>{managementLink}</a>
        </Snippet>
        <p>
          Keep the management link, for example as a bookmark. Anyone with it can edit and delete the
          document.
        </p>
      </>
    )}
    <p>
      <a class="button" href={url}>
        Open document
      </a>
    </p>
  </Notice>
)
