import { parseFileFragment } from '../../shared/files.ts'
import { type DisplayedText, getLineLayout } from '../text/displayed-text.ts'
import {
  createMark,
  formatLinkedLines,
  type LinkedLines,
  parseLinkedLines,
  SCROLL_MARGIN,
  scrollUntilSteady,
} from '../viewer/lines.ts'

/** The properties of a file that links to it need. */
interface LinkedFile {
  readonly slug: string
  readonly element: HTMLElement
}

/** Fragments that begin otherwise are a password in the address of a decrypted document: see password-link.ts. */
export const SAFE_PREFIX = 'user-content-'

interface LinksOptions<File extends LinkedFile> {
  readonly files: readonly File[]
  /** Returns what shows its lines. */
  readonly getText: (file: File) => DisplayedText
  /** The one that a link without a name means. */
  readonly first: File | undefined
  readonly isDecrypted: boolean
  /** Makes the lines of a file visible, or its beginning. */
  readonly reveal: (file: File, lines: LinkedLines | null) => void
  readonly onMissing: (slug: string) => void
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Follows `#main-py-L3-L9`, `#main-py`, and `#L3` in the first file. */
export function startFileLinks<File extends LinkedFile>(options: LinksOptions<File>) {
  const { files, getText, first, isDecrypted, reveal, onMissing } = options
  const marks = [createMark(), createMark()]
  let linked: { readonly file: File; readonly lines: LinkedLines } | null = null

  const format = (file: File, lines: LinkedLines | null = null) =>
    `#${isDecrypted ? SAFE_PREFIX : ''}${file.slug}${lines ? formatLinkedLines(lines).replace('#', '-') : ''}`

  /** Attaches the marks of linked lines again: another view of the file may have replaced the one that had them. */
  const attachMarks = (file: File, lines: LinkedLines | null) => {
    const text = getText(file)
    const places = [file.element.querySelector('.numbers'), text.element.parentElement]
    if (places.every((place, index) => place === marks[index]?.parentElement)) return
    text.forceLayout(lines ? [lines.first, lines.last] : [])
    for (const [index, mark] of marks.entries()) {
      const place = places[index]
      // A file after very many lines has no numbers.
      if (place) place.append(mark)
      else mark.remove()
    }
  }
  const updateMarks = () => {
    if (linked) attachMarks(linked.file, linked.lines)
    const layout = linked && getLineLayout(getText(linked.file))
    for (const mark of marks) {
      mark.hidden = !layout
      if (!linked || !layout) continue
      const top = mark.parentElement?.getBoundingClientRect().top ?? 0
      const start = layout.top(linked.lines.first)
      mark.style.top = `${start - top}px`
      mark.style.height = `${layout.top(linked.lines.last + 1) - start}px`
    }
  }
  const setLinked = (file: File, lines: LinkedLines | null) => {
    const text = getText(file)
    const last = lines && Math.min(lines.last, text.lines)
    linked = lines && last && lines.first <= last ? { file, lines: { ...lines, last } } : null
    text.forceLayout(linked ? [linked.lines.first, linked.lines.last] : [])
    updateMarks()
    return linked
  }
  /** Returns null if the file has no such line. */
  const goTo = (file: File, lines: LinkedLines | null) => {
    reveal(file, lines)
    const found = setLinked(file, lines)
    if (!lines) file.element.scrollIntoView({ behavior: 'instant' })
    if (found) {
      const { first } = found.lines
      void scrollUntilSteady(() => getLineLayout(getText(file)).top(first), innerHeight * SCROLL_MARGIN).then(
        updateMarks,
      )
    }
    return found?.lines ?? null
  }
  const followAddress = () => {
    const fragment = decode(location.hash.slice(1)).replace(SAFE_PREFIX, '')
    const ownLines = parseLinkedLines(fragment)
    if (ownLines && first) return void goTo(first, ownLines)
    const { slug, lines } = parseFileFragment(fragment)
    const file = files.find((candidate) => candidate.slug === slug || candidate.slug === fragment)
    if (file) goTo(file, file.slug === slug && lines !== null ? parseLinkedLines(lines.slice(1)) : null)
    else if (lines !== null) onMissing(slug)
  }

  const findFile = (target: EventTarget | null) =>
    target instanceof Element ? files.find(({ element }) => element.contains(target)) : undefined
  const isNumber = (target: EventTarget | null): target is Element =>
    target instanceof Element && target.closest('.numbers') !== null
  document.addEventListener('mousedown', (event) => {
    // Otherwise, Shift+click would select text.
    if (event.shiftKey && isNumber(event.target)) event.preventDefault()
  })
  document.addEventListener('click', ({ target, shiftKey, clientY }) => {
    const link = target instanceof Element && target.closest('a[href^="#"]')
    // A link to the current fragment doesn't trigger `hashchange`.
    if (link && link.getAttribute('href') === location.hash) followAddress()
    const file = isNumber(target) && findFile(target)
    if (!file) return
    const line = getLineLayout(getText(file)).lineAt(clientY)
    const from = shiftKey && linked?.file === file ? linked.lines.first : line
    const lines = { first: Math.min(from, line), last: Math.max(from, line) }
    setLinked(file, lines)
    history.replaceState(history.state, '', format(file, lines))
  })
  addEventListener('hashchange', followAddress)
  followAddress()
  return { goTo, format, updateMarks, findFile }
}
