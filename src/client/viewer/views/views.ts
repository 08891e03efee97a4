import type { DisplayedText } from '../../text/displayed-text.ts'
import type { FindTarget } from '../find/find-bar.ts'
import type { LinkedLines } from '../lines/line-links.ts'

/** What a view may depend on. */
export interface ViewedDocument {
  /** The language that the document is shown in: chosen, detected, or switched to by the reader. */
  readonly language: string
  readonly text: DisplayedText
}

/** What a view is given to show the document. */
export interface ViewContext extends ViewedDocument {
  /** The source: the view hides it, or what is in it, and puts its own elements into or after it. */
  readonly section: HTMLElement
  readonly code: HTMLElement
  /** The address of the highlight worker. */
  readonly workerAddress: string
  readonly announce: (message: string) => void
  /** Asks the viewer to call `paint` in the next frame, as it does when the page scrolls or changes its size. */
  readonly requestUpdate: () => void
  /** Tells the viewer that the mounted view's `text` is another one now. */
  readonly onTextChange: () => void
}

/** A view that is displayed. */
export interface MountedView {
  /** The text that Find searches. Without it, Find switches to the source. */
  readonly text?: DisplayedText
  /** Whether its lines are those of the source, beside the same line numbers. If not, links to lines switch to the source. */
  readonly hasSourceLines: boolean
  /** Paints what is visible now. Called once per frame while the page scrolls or changes its size. */
  readonly paint?: () => void
  /** Displays these lines of the document if they are hidden, before a link to them is followed. */
  readonly reveal?: (lines: LinkedLines) => void
  /** Displays hidden text that contains the query, before it is searched. */
  readonly revealMatches?: (query: string) => Promise<void>
  /** Which text is visible, and how to scroll to a match, if the text isn't laid out in the source's lines. */
  readonly find?: Pick<FindTarget, 'visibleRange' | 'scrollTo'>
  /** Hides the view and shows the source again. The view may keep its elements for the next time. */
  readonly unmount: () => void
}

/**
 * Shows a view. Called each time the reader switches to it.
 *
 * @throws Error with a message for the reader if the document can't be shown in this view.
 */
export type MountView = (context: ViewContext) => Promise<MountedView>

/** A way to show documents other than their source. */
export interface View {
  /** Its name in the address: `?view=rendered`. */
  readonly name: string
  /** Its name in the toolbar. */
  readonly label: string
  /** Whether it can follow links to lines. If not, such a link means the source, unless it names the view. */
  readonly followsLineLinks?: boolean
  readonly appliesTo: (document: ViewedDocument) => boolean
  /** Loads the code of the view. Called when it is first displayed. */
  readonly load: () => Promise<MountView>
}

/** The name of the source in the address. */
export const SOURCE_VIEW = 'source'

/** The view that a document starts in: the one in the address, else the first that applies, else the source. */
export function chooseView(views: readonly View[], address: URL): View | null {
  const asked = address.searchParams.get('view')
  if (asked === SOURCE_VIEW) return null
  const known = views.find(({ name }) => name === asked)
  if (known) return known
  const [first = null] = views
  return /^#L\d/.test(address.hash) && !first?.followsLineLinks ? null : first
}

/** Returns an address with a view in it. The view that the document would start in anyway isn't named. */
export function setViewInAddress(views: readonly View[], view: View | null, address: URL): URL {
  const next = new URL(address)
  next.searchParams.delete('view')
  if (chooseView(views, next) !== view) next.searchParams.set('view', view?.name ?? SOURCE_VIEW)
  return next
}
