import { MAX_RENDERED, NARROW } from '../../shared/display.ts'
import {
  areFolded,
  type DescribedFile,
  describeFiles,
  isIntroduction,
  MIN_LISTED_FILES,
} from '../../shared/files.ts'
import { formatCount } from '../../shared/format.ts'
import type { TextFile } from '../../shared/txtar.ts'
import { SAFE_PREFIX } from '../files/file-links.ts'
import { createElement, loadStyles, requireElement } from '../shared/elements.ts'
import { wrapIfNeeded } from '../text/displayed-text.ts'
import { createHiddenWarning, fillText } from './decrypted-text.ts'

export { startFiles } from '../files/files.ts'

/** Fills in what the server has for one file: see src/ui/files.tsx. */
async function fillFile(element: HTMLElement, file: DescribedFile): Promise<void> {
  const { name, slug, language, chunks, chosen, showAll } = file
  const link = `#${SAFE_PREFIX}${slug}`
  element.id = slug
  Object.assign(element.dataset, { name, index: file.index })
  const heading = requireElement('h2', element)
  heading.textContent = heading.title = name
  requireElement('.file-language > span', element).textContent = file.label
  requireElement('.file-facts > :last-child', element).textContent = file.facts
  const section = requireElement('section.text', element)
  section.ariaLabel = name
  delete section.dataset.detect
  const startsRendered =
    language === 'markdown' && isIntroduction(name) && file.content.length <= MAX_RENDERED
  Object.assign(section.dataset, {
    language,
    ...(chosen !== undefined && { chosen }),
    ...(file.isUnknown && { detect: '' }),
    ...(startsRendered && { startsRendered: '' }),
  })
  const button = requireElement('[data-tool="file-all"]', element)
  if (showAll) {
    section.classList.add('clipped')
    button.textContent = showAll
  } else {
    section.classList.remove('clipped')
    button.remove()
  }
  wrapIfNeeded(section, chunks.longestLine)
  const menu = requireElement('.menu', element)
  menu.id = `${slug}-more`
  requireElement('[popovertarget]', element).setAttribute('popovertarget', menu.id)
  for (const item of menu.querySelectorAll('a')) {
    item.href = link
    if (item.download !== '') item.download = name.slice(name.lastIndexOf('/') + 1)
  }
  const warning = await createHiddenWarning(file.content, section.dataset, `${link.slice(1)}-`)
  if (warning) section.before(warning)
  await fillText(section, file.content, chunks, file.hasNumbers)
}

/**
 * Puts the files of an archive in place of its text, in a page that isn't shown yet. Returns what fills in the source, which
 * nobody may ask for.
 */
export async function replaceByFiles(
  page: DocumentFragment,
  source: HTMLElement,
  files: readonly TextFile[],
  text: string,
): Promise<(element: HTMLElement) => Promise<void>> {
  const template = requireElement<HTMLTemplateElement>('template#files-prototype', page)
  await loadStyles(template.dataset.styles ?? '')
  const content = template.content.cloneNode(true) as DocumentFragment
  const root = requireElement('div.files', content)
  const stack = requireElement('.file-stack', root)
  const prototype = requireElement('article', stack)
  requireElement('.numbers', prototype).replaceChildren()
  const described = describeFiles(files)
  const isFolded = innerWidth <= NARROW && areFolded(described)
  Object.assign(root.dataset, source.dataset)

  const sourceElement = prototype.cloneNode(true) as HTMLElement
  sourceElement.classList.add('source')
  sourceElement.hidden = true
  requireElement('[data-tool="file-all"]', sourceElement).remove()
  requireElement('.clipped', sourceElement).classList.remove('clipped')
  const elements = described.map(() => prototype.cloneNode(true) as HTMLElement)
  stack.replaceChildren(...elements, sourceElement)
  for (const [index, file] of described.entries()) {
    const element = elements[index]
    if (!element) continue
    requireElement<HTMLDetailsElement>('details', element).open = index === 0 || !isFolded
    await fillFile(element, file)
  }
  const list = requireElement('nav', root)
  const opener = requireElement('button', content)
  if (described.length < MIN_LISTED_FILES) {
    list.remove()
    opener.remove()
  } else {
    const createLink = ({ name, slug }: DescribedFile) =>
      createElement(
        'a',
        { className: 'menu-item', href: `#${SAFE_PREFIX}${slug}`, title: name },
        createElement('bdi', {}, name),
      )
    list.replaceChildren(...described.map(createLink))
    if (opener.firstChild) opener.firstChild.textContent = `Files ${described.length}`
    requireElement('#views', page).after(opener)
  }
  const status = createElement('p', { id: 'file-status', className: 'banner', role: 'status' })
  requireElement('.bar-strip', page).append(status)
  const fact = page.querySelector('#shown-language')
  if (fact) fact.textContent = formatCount(described.length, 'file')
  source.replaceWith(root)
  template.remove()
  return (element) => fillText(element, text)
}
