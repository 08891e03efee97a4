import type { DisplayedText } from '../../text/displayed-text.ts'
import type { FindTarget } from '../find-bar.ts'
import type { LinkedLines } from '../lines.ts'

interface ViewedDocument {
  /** Chosen, detected, or switched to by the reader. */
  readonly language: string
  readonly text: DisplayedText
}

export interface ViewContext extends ViewedDocument {
  /** The source: the view hides it, or what is in it. */
  readonly section: HTMLElement
  readonly code: HTMLElement
  readonly workerAddress: string
  readonly announce: (message: string) => void
  /** The viewer calls `paint` in the next frame. */
  readonly requestUpdate: () => void
  readonly onTextChange: () => void
}

export interface MountedView {
  /** For Find, which otherwise switches to the source. */
  readonly text?: DisplayedText
  /** If not, links to lines switch to the source. */
  readonly hasSourceLines: boolean
  /** Once per frame while the page scrolls or changes its size. */
  readonly paint?: () => void
  /** Before a link to hidden lines is followed. */
  readonly reveal?: (lines: LinkedLines) => void
  /** Displays hidden text that contains the query, before it is searched. */
  readonly revealMatches?: (query: string) => Promise<void>
  /** If the text isn't laid out in the source's lines. */
  readonly find?: Pick<FindTarget, 'visibleRange' | 'scrollTo'>
  /** The view may keep its elements for the next time. */
  readonly unmount: () => void
}

/** Each time the reader switches to it. @throws Error with a message for the reader. */
export type MountView = (context: ViewContext) => Promise<MountedView>

export interface View {
  /** In the address: `?view=rendered`. */
  readonly name: string
  readonly label: string
  /** If not, a link to lines means the source, unless it names the view. */
  readonly followsLineLinks?: boolean
  readonly appliesTo: (document: ViewedDocument) => boolean
  readonly load: () => Promise<MountView>
}

const SOURCE_VIEW = 'source'

/** The one in the address, else the first that applies, else the source. */
export function chooseView(views: readonly View[], address: URL): View | null {
  const asked = address.searchParams.get('view')
  if (asked === SOURCE_VIEW) return null
  const known = views.find(({ name }) => name === asked)
  if (known) return known
  const [first = null] = views
  return /^#L\d/.test(address.hash) && !first?.followsLineLinks ? null : first
}

/** The view that the document would start in anyway isn't named. */
export function setViewInAddress(views: readonly View[], view: View | null, address: URL): URL {
  const next = new URL(address)
  next.searchParams.delete('view')
  if (chooseView(views, next) !== view) next.searchParams.set('view', view?.name ?? SOURCE_VIEW)
  return next
}
