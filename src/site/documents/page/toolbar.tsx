import { raw } from 'hono/html'
import { type Document, isEmbeddable } from '../../../documents/model/document.ts'
import { hasOpenContent } from '../../../documents/read-start.ts'
import type { Display } from '../../../shared/display.ts'
import { formatSize, formatViews } from '../../../shared/format.ts'
import { DOCUMENT_EXTRA_STYLES } from '../../assets.generated.ts'
import { ToolButton, ToolLink } from '../../components/tool.tsx'
import { ThemeSwitch } from '../../layout/theme-switch.tsx'
import { getDownloadName } from '../raw/download-name.ts'
import type { PageViewer } from './document-navigation.tsx'
import { FindForm, GoToLineForm } from './find-forms.tsx'

interface ToolbarProps {
  readonly document: Document
  readonly viewer: PageViewer
  readonly display: Display
  /** Null where nothing may be said of the document yet. */
  readonly views: number | null
  /** Whether the text can't be read again, because it's deleted. */
  readonly burned?: boolean
  /** Whether the page has larger buttons to copy and save the text. */
  readonly hasSaveButtons?: boolean
  /** The title that names a download; null if the server doesn't know it. */
  readonly title: string | null
}

/** The tools that a phone has in a menu, and a wider window in the toolbar. */
const MoreTools = ({
  document,
  burned = false,
  hasSaveButtons = false,
  title,
  inMenu,
}: ToolbarProps & { inMenu: boolean }) => {
  const where = { inMenu, class: inMenu ? 'narrow' : 'wide' }
  // Raw text is encrypted where the document is, and gone where it's deleted. A script makes a file of the page's text.
  const hasRaw = !burned && !document.encrypted
  return (
    <>
      {hasRaw && <ToolLink icon="raw" name="Raw" href={`/r/${document.id}`} {...where} />}
      {!hasSaveButtons && (
        <ToolLink
          icon="download"
          name="Download"
          href={hasRaw ? `/r/${document.id}` : undefined}
          download={getDownloadName({ ...document, title })}
          {...where}
        />
      )}
      {/* A duplicate starts as a draft, which the browser stores, so there is none of decrypted text. */}
      {!document.encrypted && <ToolButton icon="duplicate" name="Duplicate" tool="duplicate" {...where} />}
      {!burned && <ToolButton icon="qr-code" name="QR code" tool="qr" {...where} />}
      <ToolButton icon="print" name="Print" tool="print" {...where} />
    </>
  )
}

/** The tools for a picture of the document, which the server draws. A script asks for it in the colours of the page. */
const PictureTools = ({ document, title }: ToolbarProps) => (
  <>
    <ToolButton icon="copy" name="Copy as image" tool="copy-picture" inMenu />
    <ToolLink
      icon="download"
      name="Download as image"
      href={`/${document.id}/preview.png`}
      download={`${getDownloadName({ ...document, title })}.png`}
      inMenu
    />
  </>
)

/** The tools above the text. Those that need scripts aren't displayed without. */
export const Toolbar = (props: ToolbarProps) => {
  const { document, viewer, display, views, burned = false, hasSaveButtons = false } = props
  return (
    <section class="tools" aria-label="Tools" data-styles={DOCUMENT_EXTRA_STYLES}>
      {/* Scripts load these styles when they are needed. */}
      <noscript>{raw(`<link rel="stylesheet" href="${DOCUMENT_EXTRA_STYLES}">`)}</noscript>
      <fieldset class="views" id="views" aria-label="View" hidden />
      {!hasSaveButtons && <ToolButton icon="copy" name="Copy" tool="copy" />}
      {!burned && <ToolButton icon="link" name="Copy link" tool="copy-link" />}
      <MoreTools {...props} inMenu={false} />
      <span class="gap" />
      <ToolButton
        icon="wrap"
        name="Wrap"
        tool="wrap"
        aria-pressed={display.wrapped ? 'true' : 'false'}
        shortcut="W"
      />
      <ToolButton icon="search" name="Find" tool="find" shortcut="/" />
      <ToolButton icon="display" name="Display" popovertarget="display" />
      <ToolButton icon="more" name="More" popovertarget="more" />
      <div class="menu" id="display" popover="auto">
        <div class="scripted" id="display-controls" />
        <ThemeSwitch all />
      </div>
      <div class="menu" id="more" popover="auto">
        <MoreTools {...props} inMenu />
        {hasOpenContent(document) && !burned && <PictureTools {...props} />}
        {isEmbeddable(document) && (
          <ToolLink icon="embed" name="Embed" href={`/${document.id}/embed/code`} inMenu />
        )}
        <GoToLineForm />
        {!burned && (
          <ToolLink icon="flag" name="Report" href={`/${document.id}/report`} class="muted" inMenu />
        )}
        {viewer.admin && !burned && (
          <ToolLink icon="shield" name="Moderate" href={`/moderation/${document.id}`} inMenu />
        )}
        {views !== null && (
          <p class="narrow">
            {formatSize(document.contentBytes)} · {formatViews(views)}
          </p>
        )}
      </div>
      <div class="menu qr" id="qr" popover="auto" />
      <FindForm />
      <span id="text-status" aria-live="polite" />
    </section>
  )
}
