import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { isAdmin } from '../accounts/user.ts'
import { type Document, hasOpenContent, isCreator, mayEdit, type Original } from '../documents/document.ts'
import type { AppContext } from '../env.ts'
import { askSession, NOTHING } from '../http/identity.ts'
import { getFileName } from '../shared/derive-title.ts'
import { type Display, SOURCE_LABEL } from '../shared/display.ts'
import { MIN_LISTED_FILES } from '../shared/files.ts'
import { formatCount, formatSize } from '../shared/format.ts'
import { DOCUMENT_EXTRA_STYLES } from './assets.generated.ts'
import { Facts, UNTITLED } from './facts.tsx'
import { FilesButton } from './files.tsx'
import { ConfirmationDialog } from './form.tsx'
import { Icon, ToolButton, ToolLink, ToolOpener } from './icons.tsx'
import { ThemeSwitch } from './layout.tsx'
import { usePage } from './page.tsx'

export const DELETE_CONFIRMATION = { title: 'Delete this document?', button: 'Delete document' } as const

export const DeletionText = ({ document: { title } }: { document: Document }) => (
  <>
    {title !== null && (
      <p>
        <strong dir="auto">{title}</strong>
      </p>
    )}
    <p>Its link will stop working. You can’t undo this.</p>
  </>
)

/** Tells a page what its viewer may do with the document. */
export interface ViewerAccess {
  readonly signedIn: boolean
  readonly role: 'creator' | 'editor' | 'reader'
  readonly admin: boolean
}

export async function getViewerAccess(c: AppContext, document: Document): Promise<ViewerAccess> {
  const { user, viewer } = await askSession(c, NOTHING)
  const role = isCreator(document, viewer) ? 'creator' : mayEdit(document, viewer) ? 'editor' : 'reader'
  return { signedIn: user !== null, role, admin: user !== null && isAdmin(user) }
}

/** The browser's script knows by its class whether the page lets it edit. */
const EditLink = ({ document, access: { role } }: DocumentHeaderProps) =>
  role !== 'reader' && (
    <a class="button quiet small manage" href={`/${document.id}/edit`}>
      <Icon name="edit" />
      Edit
    </a>
  )

interface DocumentHeaderProps {
  readonly document: Document
  /** Is null for an untitled document, and before an encrypted one is decrypted. */
  readonly title: string | null
  readonly views: number
  readonly burned: boolean
  readonly access: ViewerAccess
  readonly now: number
  readonly language: string
  readonly languageLabel?: string | undefined
  readonly original?: Original | null
  readonly lineBreaks?: string | null
  /** The text starts with the title, which is then displayed only there. */
  readonly titleInText?: boolean
}

/** It's as high as the bar of the editor, so that the text is where its author wrote it. */
export const DocumentBar = ({ children }: { children: Child }) => (
  <div class="bar document-bar">{children}</div>
)

export const DocumentHeader = (props: DocumentHeaderProps) => {
  const { title, original = null, titleInText, burned } = props
  return (
    <header class="document-header">
      <h1 dir="auto" class={titleInText ? 'visually-hidden' : undefined} title={title ?? undefined}>
        {title ?? UNTITLED}
      </h1>
      {!burned && <EditLink {...props} />}
      <Facts {...props} original={original && { id: original.id, title: original.title ?? UNTITLED }} />
    </header>
  )
}

const FindForm = () => (
  <form class="find" hidden>
    <input
      id="find"
      type="search"
      aria-label="Find in text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
    />
    <ToolButton icon="arrow-up" name="Previous match" />
    <ToolButton icon="arrow-down" name="Next match" />
    <ToolButton icon="close" name="Close" />
  </form>
)

type ViewLink = readonly [label: string, href: string]

interface ToolbarProps {
  readonly document: Document
  readonly access: ViewerAccess
  readonly display: Display
  /** Is null where nothing may be said of the document yet. */
  readonly views: number | null
  readonly burned?: boolean
  readonly hasSaveButtons?: boolean
  /** Is true if another button is the main one. */
  readonly hasQuietCopy?: boolean
  /** A script has the password. */
  readonly hasPasswordLink?: boolean
  /** That there is beside the source, and which of both the page starts with. */
  readonly otherView?: { readonly label: string; readonly pressed: string } | null
  /** The other pages with views of the document, and the label of this one. */
  readonly viewLinks?: { readonly links: readonly ViewLink[]; readonly current: string } | null
  /** How many files the page has below each other. */
  readonly files?: number
  /** The text under it is wrapped at first. */
  readonly isWrapped?: boolean
  readonly title: string | null
  /** The settings that the menu can change without the editor. */
  readonly settings?: Child
}

const getTools = ({
  document,
  access: { admin, role },
  display,
  views,
  burned = false,
  hasSaveButtons = false,
  hasPasswordLink = false,
  otherView = null,
  isWrapped,
  title,
}: ToolbarProps) => ({
  id: document.id,
  bytes: document.contentBytes,
  views,
  download: getFileName({ ...document, title }),
  hasText: !burned,
  isEncrypted: document.encrypted,
  hasSaveButtons,
  hasPicture: hasOpenContent(document) && !burned,
  isEmbeddable: hasOpenContent(document),
  isReportable: role !== 'creator' && !burned,
  isModerated: admin && !burned,
  isEditable: role !== 'reader' && !burned,
  // The holder of a document token has no account that could have editors.
  hasEditors: document.creator !== null,
  isDeletable: role === 'creator' && !burned,
  hasPasswordLink,
  isWrapped: isWrapped ?? display.wrapped ?? false,
  otherView,
})

type Tools = ReturnType<typeof getTools>

interface ToolsProps {
  readonly tools: Tools
}

/** Raw text is encrypted where the document is, and gone where it's deleted. */
const hasRaw = ({ hasText, isEncrypted }: Tools): boolean => hasText && !isEncrypted

const ViewLinks = ({ links, current }: NonNullable<ToolbarProps['viewLinks']>) => (
  <nav class="segments" id="views" aria-label="View">
    {links.map(([label, href]) => (
      <a href={href} aria-current={label === current ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
)

/** A script fills this in. If it will be there, it has its size from the start: nothing moves then. */
const ViewSwitch = ({ otherView }: Pick<Tools, 'otherView'>) => (
  <fieldset class="segments scripted" id="views" aria-label="View" hidden={!otherView}>
    {otherView &&
      [otherView.label, SOURCE_LABEL].map((label) => (
        <button type="button" aria-pressed={label === otherView.pressed ? 'true' : 'false'}>
          {label}
        </button>
      ))}
  </fieldset>
)

/** The items are in groups. Those that can't be undone are last. */
const MoreMenu = ({ document, tools, files = 0, settings }: ToolbarProps & ToolsProps) => (
  <div class="menu" id="more" popover="auto">
    {hasRaw(tools) && <ToolLink icon="raw" name="Raw" href={`/r/${tools.id}`} inMenu />}
    {/* Without raw text, a script makes a file of the page's text. */}
    {!tools.hasSaveButtons && (
      <ToolLink
        icon="download"
        name="Download"
        href={hasRaw(tools) ? `/r/${tools.id}` : undefined}
        download={tools.download}
        inMenu
      />
    )}
    {tools.hasPasswordLink && (
      <ToolButton icon="key" name="Copy link with password" tool="copy-password-link" inMenu />
    )}
    {tools.hasText && <ToolButton icon="qr-code" name="QR code" tool="qr" inMenu />}
    {files > 0 && <ToolButton icon="copy" name="Copy all as Markdown" tool="copy-all" inMenu />}
    {/* The server draws the picture in the colours of the page, and a script copies it. */}
    {tools.hasPicture && (
      <ToolLink
        icon="image"
        name="Copy as image"
        tool="copy-picture"
        class="scripted"
        href={`/${tools.id}/preview.png`}
        download={`${tools.download}.png`}
        inMenu
      />
    )}
    {tools.isEmbeddable && usePage().openToAll && (
      <ToolLink icon="embed" name="Embed" href={`/${tools.id}/embed/code`} inMenu />
    )}
    <ToolButton icon="print" name="Print" tool="print" inMenu />
    <form class="go-to-line row apart scripted">
      <label for="line">Go to line</label>
      <input id="line" inputmode="numeric" autocomplete="off" aria-keyshortcuts="G" />
    </form>
    {/* A duplicate starts as a draft, which the browser stores, so there is none of decrypted text. */}
    {!tools.isEncrypted && (
      <ToolButton
        icon="duplicate"
        name="Duplicate"
        tool="duplicate"
        data-title={document.givenTitle ?? undefined}
        inMenu
      />
    )}
    {tools.isEditable && (
      <>
        <hr />
        {settings}
        {tools.hasEditors && <ToolLink icon="users" name="Editors" href={`/${tools.id}/editors`} inMenu />}
        <ToolLink icon="history" name="History" href={`/${tools.id}/history`} inMenu />
      </>
    )}
    {(tools.isReportable || tools.isModerated || tools.isDeletable) && <hr />}
    {tools.isReportable && <ToolLink icon="flag" name="Report" href={`/${tools.id}/report`} inMenu />}
    {tools.isModerated && <ToolLink icon="shield" name="Moderate" href={`/moderation/${tools.id}`} inMenu />}
    {tools.isDeletable && (
      <ToolOpener icon="trash" name="Delete document" opens="delete" class="danger" inMenu />
    )}
    {tools.views !== null && (
      <p class="narrow">
        {formatSize(tools.bytes)}
        {tools.views > 0 && ` · ${formatCount(tools.views, 'view')}`}
      </p>
    )}
  </div>
)

export const Toolbar = (props: ToolbarProps) => {
  const tools = getTools(props)
  const { files = 0 } = props
  return (
    <section class="tools" aria-label="Tools" data-styles={DOCUMENT_EXTRA_STYLES}>
      {/* Scripts load these styles when they are needed. */}
      <noscript>{raw(`<link rel="stylesheet" href="${DOCUMENT_EXTRA_STYLES}">`)}</noscript>
      {props.viewLinks ? <ViewLinks {...props.viewLinks} /> : <ViewSwitch otherView={tools.otherView} />}
      {files >= MIN_LISTED_FILES && <FilesButton count={files} />}
      {/* What may be the only copy is saved first. */}
      {tools.hasSaveButtons && (
        <button type="button" class="small scripted" data-tool="save">
          <Icon name="download" />
          Save a copy
        </button>
      )}
      <button
        type="button"
        class={`small scripted${tools.hasSaveButtons || props.hasQuietCopy ? ' quiet' : ''}`}
        data-tool={tools.hasSaveButtons ? 'copy-last' : 'copy'}
      >
        <Icon name="copy" />
        Copy
      </button>
      {tools.hasText && <ToolButton icon="link" name="Copy link" tool="copy-link" />}
      <span class="gap" />
      <ToolButton
        icon="wrap"
        name="Wrap"
        tool="wrap"
        aria-pressed={tools.isWrapped ? 'true' : 'false'}
        shortcut="W"
      />
      <ToolButton icon="search" name="Find" tool="find" shortcut="/" />
      <ToolButton icon="display" name="Display" popovertarget="display" />
      <ToolButton icon="more" name="More" popovertarget="more" />
      <div class="menu" id="display" popover="auto">
        <div class="scripted" id="display-controls" />
        <ThemeSwitch />
      </div>
      <MoreMenu {...props} tools={tools} />
      {tools.isDeletable && (
        <ConfirmationDialog
          id="delete"
          title={DELETE_CONFIRMATION.title}
          button={DELETE_CONFIRMATION.button}
          action={`/${tools.id}/delete`}
        >
          <DeletionText document={props.document} />
        </ConfirmationDialog>
      )}
      <div class="menu qr" id="qr" popover="auto" />
      <FindForm />
      <span id="text-status" class="toast" aria-live="polite" />
    </section>
  )
}
