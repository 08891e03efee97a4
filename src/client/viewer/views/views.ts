import {
  MAX_RENDERED,
  RENDERED_VIEW,
  SOURCE_LABEL,
  TABLE_VIEW,
  TERMINAL_VIEW,
  TREE_VIEW,
} from '../../../shared/display.ts'
import { hasEscapeSequences } from '../../../shared/escape-sequences.ts'
import type { Tokens } from '../../highlight/tokens.ts'
import { createButton, supportsHighlights } from '../../shared/elements.ts'
import type { DisplayedText } from '../../text/displayed-text.ts'
import type { LineLinks, LinkedLines } from '../lines.ts'

interface ViewedDocument {
  /** The language that somebody chose or that was detected, or to which the reader has switched. */
  readonly language: string
  /** The source: the view hides it, or what is in it. */
  readonly text: DisplayedText
}

export interface ViewContext extends ViewedDocument, Pick<LineLinks, 'goTo' | 'keepPosition'> {
  readonly section: HTMLElement
  readonly announce: (message: string) => void
  /** The viewer calls `paint` in the next frame. */
  readonly requestUpdate: () => void
  readonly onTextChange: () => void
  /** Is true where the page's policy forbids the frames of diagrams. */
  readonly forbidsFrames?: boolean
}

export interface MountedView {
  /** The text that Find searches. If it's missing, Find switches to the source. */
  readonly text?: DisplayedText
  /** Has only the rows near the window. */
  readonly rows?: HTMLElement
  /** Is true if the view has the source's lines. Otherwise links to lines switch to the source. */
  readonly hasSourceLines: boolean
  /** Is true if `paint` places the numbers of lines. */
  readonly numbersLines?: boolean
  /** The colours that `paint` paints. Beside other texts, these are painted together. */
  readonly colours?: { readonly tokens: Tokens; readonly styles: readonly string[] }
  /** Is called once per frame while the page scrolls or changes its size. */
  readonly paint?: () => void
  /** Is called before a link to hidden lines is followed. */
  readonly reveal?: (lines: LinkedLines) => void
  /** Displays hidden text that contains the query, before it is searched. */
  readonly revealMatches?: (query: string) => Promise<void>
  /** The view may keep its elements for the next time. */
  readonly unmount: () => void
}

/**
 * The first time that the reader switches to it. Returns what mounts the view, each time. Rejects with a message for
 * the reader.
 */
export type OpenView = (context: ViewContext) => Promise<() => MountedView>

export interface View {
  /** The address has it: `?view=rendered`. */
  readonly name: string
  readonly label: string
  /** Is true if links to lines lead to this view. Otherwise they lead to the source, unless they name the view. */
  readonly followsLineLinks?: boolean
  readonly appliesTo: (document: ViewedDocument) => boolean
  /** Tells whether a document that it applies to starts in it. If missing, it does. */
  readonly startsIn?: (document: ViewedDocument) => boolean
  readonly load: () => Promise<OpenView>
}

const SOURCE_VIEW = 'source'

/** The one in the address, else the one that the document starts in, else the source. */
export function chooseView(
  views: readonly View[],
  address: URL,
  first: View | null = views[0] ?? null,
): View | null {
  const asked = address.searchParams.get('view')
  if (asked === SOURCE_VIEW) return null
  const known = views.find(({ name }) => name === asked)
  if (known) return known
  return /^#L\d/.test(address.hash) && !first?.followsLineLinks ? null : first
}

/** The view that the document would start in anyway isn't named. */
export function setViewInAddress(
  views: readonly View[],
  view: View | null,
  address: URL,
  first?: View | null,
): URL {
  const next = new URL(address)
  next.searchParams.delete('view')
  if (chooseView(views, next, first) !== view) next.searchParams.set('view', view?.name ?? SOURCE_VIEW)
  return next
}

/** Lines of a log that are parsed. More take too much memory. */
const MAX_LOG_LINES = 1_000_000

const TERMINAL: View = {
  ...TERMINAL_VIEW,
  followsLineLinks: true,
  // The log view interprets escape sequences, too.
  appliesTo: ({ language, text }) =>
    language !== 'log' && supportsHighlights() && text.segments.some(({ data }) => hasEscapeSequences(data)),
  load: async () => (await import('./terminal-view.ts')).openTerminal,
}

/** A document starts in the first one that applies to it. */
const VIEWS: readonly View[] = [
  {
    ...RENDERED_VIEW,
    appliesTo: ({ language, text }) => /^(markdown|mermaid)$/.test(language) && text.length <= MAX_RENDERED,
    load: async () => (await import('../../markdown/markdown-view.ts')).openMarkdown,
  },
  {
    name: 'log',
    label: 'Log',
    followsLineLinks: true,
    appliesTo: ({ language, text }) => language === 'log' && text.lines <= MAX_LOG_LINES,
    load: async () => (await import('../../logs/log-view.ts')).openLog,
  },
  {
    ...TABLE_VIEW,
    appliesTo: ({ language }) => /^[ct]sv$/.test(language),
    load: async () => (await import('../../data/data-view.ts')).openTable,
  },
  {
    ...TREE_VIEW,
    appliesTo: ({ language }) => /^jsonl?$/.test(language),
    // What nobody formatted can't be read in its source.
    startsIn: ({ text }) => text.lines <= 3 && text.length > 80,
    load: async () => (await import('../../data/data-view.ts')).openJson,
  },
]

/** Other views would show escape sequences as they are. */
export const findViews = (viewed: ViewedDocument): readonly View[] =>
  TERMINAL.appliesTo(viewed) ? [TERMINAL] : VIEWS.filter((view) => view.appliesTo(viewed))

interface SwitchOptions {
  /** The element with the buttons. It's hidden while there is only the source. */
  readonly group: HTMLElement
  readonly getContext: () => ViewContext
  readonly onChange: () => void
}

/** Keeps `?view=` in the address in step. */
export function startViewSwitch({ group, getContext, onChange }: SwitchOptions) {
  let views: readonly View[] = []
  let first: View | null = null
  let current: View | null = null
  let mounted: MountedView | null = null
  let switches = 0
  let language: string | undefined
  const opened = new Map<View, Promise<() => MountedView>>()

  const open = (view: View) => {
    const opening = opened.get(view) ?? view.load().then((openView) => openView(getContext()))
    opened.set(view, opening)
    return opening
  }
  const press = (view: View | null) => {
    for (const button of group.querySelectorAll('button')) {
      button.ariaPressed = String(button.value === (view?.name ?? ''))
    }
  }
  const unmount = () => {
    mounted?.unmount()
    mounted = null
  }
  const show = async (view: View | null) => {
    const number = ++switches
    current = view
    press(view)
    try {
      const mount = view && (await open(view))
      if (number !== switches) return
      unmount()
      mounted = mount?.() ?? null
    } catch (error) {
      if (view) opened.delete(view)
      if (number !== switches) return
      unmount()
      getContext().announce(error instanceof Error ? error.message : String(error))
      current = null
      press(null)
    }
    onChange()
  }
  const switchTo = (view: View | null) => {
    if (view === current) return
    void show(view)
    history.replaceState(history.state, '', setViewInAddress(views, view, new URL(location.href), first))
  }
  const createViewButton = (view: View | null) => {
    const button = createButton(view?.label ?? SOURCE_LABEL, () => switchTo(view))
    button.value = view?.name ?? ''
    return button
  }
  const setViews = (viewed: ViewedDocument) => {
    if (viewed.language === language) return
    language = viewed.language
    opened.clear()
    views = findViews(viewed)
    first = views.find(({ startsIn }) => startsIn?.(viewed) ?? true) ?? null
    group.replaceChildren(...(views.length > 0 ? [...views, null].map(createViewButton) : []))
    group.hidden = views.length === 0
    press(current)
    const initial = chooseView(views, new URL(location.href), first)
    if (initial ?? current) void show(initial)
  }
  return {
    mounted: () => mounted,
    /** Returns true while the source is shown, and false while a view is about to replace it. */
    isSource: () => current === null,
    showSource: () => switchTo(null),
    setViews,
  }
}
