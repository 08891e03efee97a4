import type { TextFile } from '../../shared/txtar.ts'
import { requireElement } from '../shared/elements.ts'
import { DisplayedText } from '../text/displayed-text.ts'
import { getOriginalText } from '../viewer/toolbar.ts'
import type { MountedView } from '../viewer/views/views.ts'
import type { Colours } from './file-colours.ts'

export interface ShownFile {
  readonly name: string
  readonly slug: string
  readonly element: HTMLElement
  readonly details: HTMLDetailsElement
  readonly section: HTMLElement
  readonly code: HTMLElement
  text: DisplayedText
  /** Is null before the file has been near the window. */
  getColours: (() => Colours | null) | null
  /** The view in place of the source; null while the source is shown. */
  mounted: MountedView | null
}

export function findFile(element: HTMLElement): ShownFile {
  const code = requireElement('code', element)
  return {
    name: element.dataset.name ?? '',
    slug: element.id,
    element,
    details: requireElement<HTMLDetailsElement>('details', element),
    section: requireElement('section.text', element),
    code,
    text: new DisplayedText(code),
    getColours: null,
    mounted: null,
  }
}

/** Returns the text whose lines are those of the source: the source, or what a terminal shows. */
export const getLineText = ({ text, mounted }: ShownFile): DisplayedText =>
  (mounted?.hasSourceLines && mounted.text) || text

/** Returns the place in the document. On the page, another file may come first. */
export const getIndex = ({ element }: ShownFile): number => Number(element.dataset.index)

export const toTextFile = ({ name, code, section }: ShownFile): TextFile => ({
  name,
  content: getOriginalText(code),
  language: section.dataset.chosen,
})

/** A long one shows only its first lines until somebody asks for all of it. */
export function showAll({ section, element }: ShownFile): void {
  section.classList.remove('clipped')
  element.querySelector('[data-tool="file-all"]')?.remove()
}

/** Makes one text look like another. */
export function copyDisplay(from: HTMLElement, to: HTMLElement): void {
  const getNames = ({ classList }: HTMLElement) =>
    [...classList].filter((name) => name === 'wrapped' || name.startsWith('size-'))
  const names = getNames(from)
  to.classList.remove(...getNames(to))
  to.classList.add(...names)
}
