import {
  PLAIN_TEXT,
  RENDERED_VIEW,
  SOURCE_LABEL,
  TABLE_VIEW,
  TERMINAL_VIEW,
  TREE_VIEW,
} from '../../shared/display.ts'
import { createButton, requireElement } from '../shared/elements.ts'
import { announceInToolbar } from '../viewer/toolbar.ts'
import { findViews, type MountedView, type View } from '../viewer/views/views.ts'
import { type ShownFile, showAll } from './shown-file.ts'

const TOOL = 'file-view'

/** The others need the page for themselves. */
const OFFERED: ReadonlySet<string> = new Set([
  RENDERED_VIEW.name,
  TABLE_VIEW.name,
  TERMINAL_VIEW.name,
  TREE_VIEW.name,
])

function findView({ section, text }: ShownFile): View | null {
  const { language = '' } = section.dataset
  // The view of logs, which interprets escape sequences, isn't offered.
  const found = findViews({ language: language === 'log' ? PLAIN_TEXT : language, text })
  return found.find(({ name }) => OFFERED.has(name)) ?? null
}

/** The button says what it leads to. */
function nameButton({ element }: ShownFile, label: string): void {
  const button = element.querySelector(`[data-tool="${TOOL}"]`)
  if (button) button.textContent = label
}

/** Switches files between their source and another view, such as rendered Markdown. */
export function createFileViews(root: HTMLElement, requestUpdate: () => void) {
  const opened = new Map<ShownFile, () => MountedView>()
  /** The files whose other view is shown or being loaded, each with a value of its own for each time. */
  const wanted = new Map<ShownFile, symbol>()
  const open = async ({ section, text }: ShownFile, view: View) => {
    const { highlightWorker, markdownStyles, viewWorker, viewStyles, decrypted } = root.dataset
    const addresses = { highlightWorker, markdownStyles, viewWorker, viewStyles }
    Object.assign(section.dataset, { ...addresses, ...(decrypted && { decrypted }) })
    const openView = await view.load()
    return openView({
      section,
      text,
      language: section.dataset.language ?? '',
      announce: announceInToolbar,
      requestUpdate,
      onTextChange: requestUpdate,
      goTo: () => null,
      keepPosition: (change) => change(),
    })
  }
  const showSource = (file: ShownFile) => {
    wanted.delete(file)
    file.mounted?.unmount()
    file.mounted = null
    delete file.section.dataset.startsRendered
    const view = findView(file)
    if (view) nameButton(file, view.label)
    requestUpdate()
  }
  const show = async (file: ShownFile) => {
    const view = findView(file)
    if (!view || wanted.has(file)) return
    const turn = Symbol()
    wanted.set(file, turn)
    nameButton(file, SOURCE_LABEL)
    try {
      const mount = opened.get(file) ?? (await open(file, view))
      opened.set(file, mount)
      if (wanted.get(file) !== turn) return
      if (view.name !== TERMINAL_VIEW.name) showAll(file)
      delete file.section.dataset.startsRendered
      file.mounted = mount()
      requestUpdate()
    } catch (error) {
      if (wanted.get(file) !== turn) return
      showSource(file)
      announceInToolbar(error instanceof Error ? error.message : String(error))
    }
  }
  /** Gives a file with another view a button. A file that introduces the others is rendered at once. */
  const offer = (file: ShownFile) => {
    const view = findView(file)
    if (!view || file.element.querySelector(`[data-tool="${TOOL}"]`)) return
    const button = createButton(view.label, () => {}, 'quiet small')
    button.dataset.tool = TOOL
    requireElement('.file-tools', file.element).prepend(button)
    if (file.section.dataset.startsRendered !== undefined) void show(file)
  }
  /** Interprets the escape sequences in a file. Returns false if it has none. */
  const showTerminal = (file: ShownFile): boolean => {
    const isTerminal = findView(file)?.name === TERMINAL_VIEW.name
    if (isTerminal) void show(file)
    return isTerminal
  }
  const toggle = (file: ShownFile) => {
    file.details.open = true
    if (wanted.has(file)) showSource(file)
    else void show(file)
  }
  return { toggle, showSource, showTerminal, offer }
}
