import type { Child } from 'hono/jsx'
import { MAX_TITLE_CHARACTERS } from '../../shared/settings.ts'
import { Icon } from '../components/icon.tsx'
import { type CodeEditorOptions, codeEditorData } from '../editing/code-editor-options.ts'
import { Problem } from '../layout/problem.tsx'
import { MorePanel, PANEL_FIELDS, PasswordPanel } from './bar-panels.tsx'
import { BarMenu, BurnToggle, ExpirySelect, LanguageSelect } from './document-bar.tsx'
import { HumanCheck } from './human-check.tsx'
import type { NewDocumentValues } from './new-document-values.ts'

/** What is wrong with the form that was sent. */
export interface FormProblem {
  readonly message: Child
  /** The name of the field; null if it isn't about any one field. */
  readonly field: string | null
}

const PLACEHOLDER = 'Paste or type. Drop a file to open it.'

/** Tells new users what the site is, without taking up space. */
const VISITOR_PLACEHOLDER = `Paste code, logs or notes, then share the link.
No account needed. Documents expire, and a password encrypts them in your browser.`

interface NewDocumentFormProps {
  readonly values: NewDocumentValues
  readonly problem: FormProblem | null
  readonly codeEditor: CodeEditorOptions
}

const isIn = (fields: readonly string[], problem: FormProblem | null): boolean =>
  problem?.field != null && fields.includes(problem.field)

const Bar = ({ values, problem }: Omit<NewDocumentFormProps, 'codeEditor'>) => {
  const { title, settings, offer } = values
  return (
    <div class="bar">
      <input
        class="bar-title"
        name="title"
        id="title"
        value={title}
        maxlength={MAX_TITLE_CHARACTERS}
        placeholder="Title or file name"
        aria-label="Title or file name"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="done"
      />
      <div class="bar-settings">
        <LanguageSelect value={settings.language} />
        <ExpirySelect value={settings.expires} offered={offer.expires} />
        <BurnToggle checked={settings.burnAfterReading} />
        <BarMenu
          id="password-menu"
          label="Password"
          icon="lock"
          labelled
          open={isIn(PANEL_FIELDS.password, problem)}
        >
          <PasswordPanel encryption={settings.encryption} />
        </BarMenu>
        <BarMenu id="more-menu" label="More settings" icon="settings" open={isIn(PANEL_FIELDS.more, problem)}>
          <MorePanel {...values} />
        </BarMenu>
      </div>
      <div class="bar-actions">
        <button
          type="button"
          class="bar-toggle"
          data-part="preview"
          title="Preview"
          aria-pressed="false"
          hidden
        >
          <Icon name="eye" />
          <span class="visually-hidden">Preview</span>
        </button>
        <button type="button" class="bar-toggle scripted" data-part="open" title="Open file">
          <Icon name="open" />
          <span class="visually-hidden">Open file</span>
        </button>
        <input type="file" hidden aria-label="File to open" data-part="file" />
        <button type="submit" class="share">
          Share
          {/* A script makes it work. It's here from the start, so that nothing moves then. */}
          <span class="scripted" aria-hidden="true">
            <kbd>Ctrl+S</kbd>
          </span>
        </button>
      </div>
    </div>
  )
}

/** The form that creates a document: the text fills the window, below a bar with the settings. */
export const NewDocumentForm = ({ values, problem, codeEditor }: NewDocumentFormProps) => {
  const { text, accountId, duplicatedFrom, turnstileSiteKey } = values
  return (
    <form
      method="post"
      action="/"
      enctype="multipart/form-data"
      autocomplete="off"
      class="document-form"
      id="new-document"
      {...codeEditorData(codeEditor)}
    >
      {accountId !== null && <input type="hidden" name="account" value={accountId} />}
      <input type="hidden" name="duplicated_from" value={duplicatedFrom} />
      <Bar values={values} problem={problem} />
      <div class="bar-strip" data-part="strip">
        {problem && <Problem>{problem.message}</Problem>}
        {turnstileSiteKey !== null && <HumanCheck siteKey={turnstileSiteKey} />}
      </div>
      <label for="content" class="visually-hidden">
        Text
      </label>
      <textarea
        id="content"
        name="content"
        required
        autofocus
        spellcheck={false}
        autocapitalize="off"
        placeholder={accountId === null ? VISITOR_PLACEHOLDER : PLACEHOLDER}
        aria-describedby={problem ? 'problem' : undefined}
      >
        {/* The HTML parser drops a line break at the start. */}
        {`\n${text}`}
      </textarea>
    </form>
  )
}
