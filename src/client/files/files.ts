import { PLAIN_TEXT, SOURCE_LABEL } from '../../shared/display.ts'
import { formatArchive } from '../../shared/txtar.ts'
import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { announce, createButton } from '../shared/elements.ts'
import { startShortcuts } from '../shared/shortcuts.ts'
import { createWorkerClient } from '../shared/workers.ts'
import { DisplayedText, getLineLayout, wrapIfNeeded } from '../text/displayed-text.ts'
import { parseLinkedLines, scrollUntilSteady } from '../viewer/lines.ts'
import {
  announceInToolbar,
  copyAndMark,
  getOriginalText,
  startFind,
  startToolbar,
} from '../viewer/toolbar.ts'
import { createFilesPainter, startColours } from './file-colours.ts'
import { startFileLinks } from './file-links.ts'
import { createFileViews } from './file-views.ts'
import { FilesText } from './files-text.ts'
import {
  copyDisplay,
  findFile,
  getIndex,
  getLineText,
  type ShownFile,
  showAll,
  toTextFile,
} from './shown-file.ts'

/** The table of languages is too long for a script. */
const TXTAR = 'txtar'

const FILES_LABEL = 'Files'

const RENAMED = 'It may have been renamed or removed.'

/** UTF-16 units that are examined to detect a language. */
const MAX_EXAMINED = 64 * 1024
/** CSS pixels from the top of the window, which the tools and the name of a file cover. */
const READ_FROM = 130

/** Says where one is in the list of files, and scrolls it there. */
function markCurrent(list: HTMLElement, href: string): void {
  const known = list.querySelector('[aria-current]')
  if (known?.getAttribute('href') === href) return
  known?.removeAttribute('aria-current')
  const link = [...list.querySelectorAll('a')].find((each) => each.getAttribute('href') === href)
  if (!link) return
  link.ariaCurrent = 'location'
  const { offsetTop, offsetHeight } = link
  if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = offsetTop - list.clientHeight / 2
}

/** Starts the tools of a page with several files. A decrypted document has them later than others. */
export function startFiles(root: HTMLElement, fillSource?: (element: HTMLElement) => Promise<void>): void {
  const { highlightWorker = '' } = root.dataset
  const isDecrypted = root.dataset.decrypted === 'true'
  const all = [...root.querySelectorAll<HTMLElement>('article.file')].map(findFile)
  /** The text of the archive, in place of the files. Elsewhere, it's another page. */
  const source = all.find(({ element }) => element.matches('.source'))
  const files = all.filter((file) => file !== source)
  for (const { section, text } of files) wrapIfNeeded(section, text.longestLine)
  let shown = files
  const [top] = files
  if (!top) return
  const inOrder = files.toSorted((one, other) => getIndex(one) - getIndex(other))
  const worker = createWorkerClient<HighlightTasks>(highlightWorker)
  const status = document.querySelector<HTMLElement>('#file-status')
  const list = document.querySelector<HTMLElement>('nav#files')
  let extras: typeof import('../viewer/extras.ts') | null = null
  const paint = createFilesPainter()

  const isNear = ({ section }: ShownFile) => {
    const { top, bottom } = section.getBoundingClientRect()
    return bottom > top && bottom > -innerHeight && top < 2 * innerHeight
  }
  const findCurrent = () =>
    shown.findLast(({ element }) => element.getBoundingClientRect().top < READ_FROM) ?? shown[0] ?? top
  const reveal = (file: ShownFile, lines: { readonly last: number } | null) => {
    void showView(false)
    file.details.open = true
    if (!lines) return
    if (!file.mounted?.hasSourceLines) showSource(file)
    showAll(file)
  }

  const findColours = async (file: ShownFile) => {
    const { section, text, element, name } = file
    file.getColours = () => null
    if (showTerminal(file)) return
    if (section.dataset.detect !== undefined) {
      const asked = { text: text.slice(0, MAX_EXAMINED), fileName: name }
      const detected = await worker.ask('detect', asked).catch(() => null)
      if (!detected?.confident) return
      section.dataset.language = detected.language
      const label = element.querySelector('.file-language > span')
      if (label) label.textContent = detected.label
      offer(file)
    }
    const { language = PLAIN_TEXT } = section.dataset
    if (language !== PLAIN_TEXT)
      file.getColours = startColours(text, { language, root, worker, onColours: requestUpdate })
  }

  let updateRequested = false
  function requestUpdate() {
    if (updateRequested) return
    updateRequested = true
    requestAnimationFrame(() => {
      updateRequested = false
      update()
    })
  }
  function update() {
    links.updateMarks()
    const near = shown.filter(isNear)
    for (const file of near) {
      if (file.getColours === null) void findColours(file)
      const { section } = file
      const text = getLineText(file)
      if (extras?.markVisible(text, file.element.querySelector('.banner') !== null)) requestUpdate()
      if (section.classList.contains('wrapped')) extras?.placeLineNumbers(text)
      else extras?.removePlacedNumbers(section)
    }
    for (const { mounted } of files) if (!mounted?.colours) mounted?.paint?.()
    paint(
      near.flatMap((file) => {
        const { slug, mounted } = file
        const colours = mounted ? mounted.colours : file.getColours?.()
        return colours ? [{ slug, text: getLineText(file), ...colours }] : []
      }),
    )
    if (list) markCurrent(list, links.format(findCurrent()))
    find.findBar()?.highlightVisible()
  }

  let searched: FilesText | null = null
  /** Rendered files are searched as they are shown. */
  const getText = () => {
    const parts = shown.map(({ mounted, text }) => mounted?.text ?? text)
    if (!searched || parts.some((part, index) => part !== searched?.parts[index]))
      searched = new FilesText(root, parts)
    return searched
  }
  const find = startFind({
    text: getText,
    revealMatches: async () => {},
    showText: () => {},
    layOut: (_, line) => {
      const found = getText().findPartOfLine(line)
      const file = shown[found.index]
      if (!file) return
      file.details.open = true
      showAll(file)
      // A table has only the rows near its window.
      if (file.mounted && !file.mounted.text) showSource(file)
      getText().parts[found.index]?.forceLayout([found.line])
    },
    scrollTo: scrollUntilSteady,
  })

  const views = document.querySelector<HTMLElement>('#views')
  async function showView(isSource: boolean) {
    if (!source || isSource === shown.includes(source)) return
    if (source.text.length === 0) {
      await fillSource?.(source.element)
      source.text = new DisplayedText(source.code)
    }
    for (const file of all) file.element.hidden = (file === source) !== isSource
    shown = isSource ? [source] : files
    for (const button of views?.querySelectorAll('button') ?? [])
      button.ariaPressed = String((button.textContent === SOURCE_LABEL) === isSource)
    inMenu.textContent = isSource ? FILES_LABEL : SOURCE_LABEL
    find.findBar()?.searchAgain()
    requestUpdate()
  }
  /** A phone has no room for the other buttons. */
  const inMenu = createButton(SOURCE_LABEL, () => showView(shown === files), 'menu-item narrow')
  if (source && views) {
    document.querySelector('#more')?.prepend(inMenu)
    const [own, other] = [
      createButton(FILES_LABEL, () => showView(false)),
      createButton(SOURCE_LABEL, () => showView(true)),
    ]
    own.ariaPressed = 'true'
    other.ariaPressed = 'false'
    views.replaceChildren(own, other)
    views.hidden = false
  }

  const { toggle, showSource, showTerminal, offer } = createFileViews(root, requestUpdate)
  const links = startFileLinks({
    files,
    getText: getLineText,
    first: inOrder[0],
    isDecrypted,
    reveal,
    onMissing: (slug) => {
      if (status) announce(status, `This document has no file for the link #${slug}. ${RENAMED}`)
    },
  })

  const asked = new URLSearchParams(location.search).get('file')
  if (isDecrypted && asked !== null) {
    const file = files.find(({ name }) => name === asked)
    if (file) links.goTo(file, null)
    else if (status) announce(status, `This document has no file “${asked}”. ${RENAMED}`)
  }

  const loadActions = () => import('./file-actions.ts')
  const listFiles = () => inOrder.map(toTextFile)
  const loadDisplay = async () => {
    const { createDisplay } = await import('../viewer/extras.ts')
    const keepPosition = (change: () => void) => {
      const text = getLineText(findCurrent())
      const line = getLineLayout(text).lineAt(READ_FROM)
      const height = getLineLayout(text).top(line)
      change()
      for (const { section } of all) copyDisplay(top.section, section)
      scrollBy({ top: getLineLayout(text).top(line) - height, behavior: 'instant' })
      links.updateMarks()
    }
    const getText = () => getLineText(findCurrent())
    return createDisplay(top.section, { getText, keepPosition, onChange: requestUpdate })
  }
  const toggleWrap = async () => (await loadDisplay()).toggleWrap()

  const actions: Readonly<Record<string, (file: ShownFile, button: HTMLElement) => void>> = {
    'file-copy': ({ code }, button) => void copyAndMark(button, getOriginalText(code)),
    'file-link': (file, button) => {
      const { origin, pathname } = location
      void copyAndMark(button, origin + pathname + links.format(file), 'Link copied.')
    },
    'file-download': async ({ name, code }) =>
      (await loadActions()).downloadFile(name, getOriginalText(code)),
    'file-all': (file) => {
      showAll(file)
      // The button had the focus, and is gone.
      file.section.focus({ preventScroll: true })
      requestUpdate()
    },
    'file-view': toggle,
  }
  root.addEventListener('click', (event) => {
    const { target } = event
    const item = target instanceof Element ? target.closest<HTMLElement>('[data-tool], .menu-item') : null
    if (!item) return
    item.closest<HTMLElement>('[popover]')?.hidePopover()
    const file = links.findFile(item)
    const action = actions[item.dataset.tool ?? '']
    if (!file || !action) return
    event.preventDefault()
    action(file, item)
  })
  // Links below the first lines of a long file can have the focus, too.
  root.addEventListener('focusin', ({ target }) => {
    const link = target instanceof Element ? target : root
    const lines = link.closest('.clipped > pre')
    const file = links.findFile(lines)
    if (!file || !lines || link.getBoundingClientRect().bottom <= lines.getBoundingClientRect().bottom) return
    showAll(file)
    requestUpdate()
  })
  // A text has a height once its file is opened, and so has the list.
  root.addEventListener('toggle', requestUpdate, { capture: true })

  // One address has the text of all files. A script makes a ZIP file of them.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.tools a[download]:not([data-tool])')) {
    link.dataset.tool = 'download'
    link.href ||= '#'
  }
  const { goToLine } = startToolbar({
    code: top.code,
    receiving: () => null,
    getLanguage: () => TXTAR,
    getLastLine: () => findCurrent().text.lines,
    goTo: (input) => {
      const lines = parseLinkedLines(input)
      const file = findCurrent()
      if (!lines || lines.first > file.text.lines) return null
      history.replaceState(history.state, '', links.format(file, lines))
      return links.goTo(file, lines)
    },
    tools: {
      wrap: () => void toggleWrap(),
      find: find.open,
      copy: (button) => void copyAndMark(button, getOriginalText(findCurrent().code)),
      'copy-link': (button) => {
        const { origin, pathname, hash } = location
        void copyAndMark(button, origin + pathname + hash, 'Link copied.')
      },
      'copy-all': async (button) =>
        void copyAndMark(button, (await loadActions()).formatFiles(listFiles()), 'All files copied.'),
      download: async () => {
        const title = document.querySelector('.document-header h1')?.textContent ?? ''
        await (await loadActions()).downloadZip(listFiles(), title)
      },
      duplicate: async () => {
        const { duplicateText } = await import('../viewer/menus.ts')
        announceInToolbar(duplicateText(formatArchive(listFiles()), TXTAR, root))
      },
    },
  })
  document.querySelector('#display')?.addEventListener('beforetoggle', async (event) => {
    const controls = document.querySelector<HTMLElement>('#display-controls')
    if (!controls || (event as ToggleEvent).newState !== 'open') return
    const [{ fillDisplayMenu }, display] = await Promise.all([import('../viewer/menus.ts'), loadDisplay()])
    fillDisplayMenu(controls, { language: null, ...display })
  })
  startShortcuts({ '/': find.open, g: goToLine, w: toggleWrap })

  for (const file of files) offer(file)
  addEventListener('scroll', requestUpdate, { passive: true, capture: true })
  new ResizeObserver(requestUpdate).observe(root)
  requestUpdate()

  /** Starts the tools that the page can do without until they are loaded. */
  const startExtras = async () => {
    const [loaded, { startSelectAll }, { startDocumentKeys }] = await Promise.all([
      import('../viewer/extras.ts'),
      import('../viewer/select-all.ts'),
      import('../viewer/document-keys.ts'),
    ])
    extras = loaded
    let pointed: ShownFile | undefined
    addEventListener('pointerdown', ({ target }) => {
      pointed = links.findFile(target)
    })
    const getPointed = () => pointed ?? findCurrent()
    extras.selectLineOnTripleClick(() => getLineText(getPointed()))
    for (const file of files) extras.numberLinesForPrint(file.section, () => getLineText(file))
    startSelectAll({
      source: getText(),
      getView: () => {
        const { mounted, text } = getPointed()
        return { text: mounted?.text ?? text, hasSourceLines: true, unmount: () => {} }
      },
      say: announceInToolbar,
    })
    startDocumentKeys()
    extras.startUpdates(root.dataset)
    requestUpdate()
  }
  startExtras().catch(console.error)
}
