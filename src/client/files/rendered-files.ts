import { MAX_RENDERED, RENDERED_VIEW, SOURCE_LABEL } from '../../shared/display.ts'
import { createButton, requireElement } from '../shared/elements.ts'
import { announceInToolbar } from '../viewer/toolbar.ts'
import type { MountedView } from '../viewer/views/views.ts'
import { type ShownFile, showAll } from './shown-file.ts'

const TOOL = 'file-render'

/** Gives each Markdown file a button. A file that introduces the others is rendered at once. */
export function offerRendered({ element, section, text }: ShownFile, render: () => void): void {
  if (section.dataset.language !== 'markdown' || text.length > MAX_RENDERED) return
  const button = createButton(RENDERED_VIEW.label, () => {}, 'quiet small')
  button.dataset.tool = TOOL
  requireElement('.file-tools', element).prepend(button)
  if (section.dataset.startsRendered !== undefined) render()
}

/** The button says what it leads to. */
function nameButton({ element }: ShownFile, label: string): void {
  const button = element.querySelector(`[data-tool="${TOOL}"]`)
  if (button) button.textContent = label
}

/** Switches Markdown files between their source and what it is rendered to. */
export function createRendering(root: HTMLElement, requestUpdate: () => void) {
  const opened = new Map<ShownFile, () => MountedView>()
  const open = async ({ section, text }: ShownFile) => {
    const { openMarkdown } = await import('../markdown/markdown-view.ts')
    const { highlightWorker, markdownStyles, decrypted } = root.dataset
    Object.assign(section.dataset, { highlightWorker, markdownStyles, ...(decrypted && { decrypted }) })
    return openMarkdown({
      section,
      text,
      language: 'markdown',
      announce: announceInToolbar,
      requestUpdate,
      onTextChange: requestUpdate,
      goTo: () => null,
      keepPosition: (change) => change(),
    })
  }
  const showSource = (file: ShownFile) => {
    file.rendered?.unmount()
    file.rendered = null
    delete file.section.dataset.startsRendered
    nameButton(file, RENDERED_VIEW.label)
    requestUpdate()
  }
  const render = async (file: ShownFile) => {
    nameButton(file, SOURCE_LABEL)
    try {
      const mount = opened.get(file) ?? (await open(file))
      opened.set(file, mount)
      showAll(file)
      delete file.section.dataset.startsRendered
      file.rendered = mount()
      requestUpdate()
    } catch (error) {
      showSource(file)
      announceInToolbar(error instanceof Error ? error.message : String(error))
    }
  }
  return { render, showSource }
}
