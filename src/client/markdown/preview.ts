import { EditorView } from '@codemirror/view'
import { MAX_RENDERED } from '../../shared/display.ts'
import type { CodeEditor } from '../editor/text-box.ts'
import { createElement } from '../shared/elements.ts'
import { createTurns } from '../text/chunks.ts'
import { createMarkdownPart, isLongMarkdown, startCopyingCode } from './markdown-part.ts'
import {
  createMarkdownRenderer,
  drawDiagrams,
  findTarget,
  goToTarget,
  loadMarkdownStyles,
  replaceDiagram,
} from './markdown-view.ts'
import type { MarkdownPart } from './parse/render-markdown.ts'

/** An edit replaces only the parts it changes. */
const PARTS = 250
/** UTF-16 units of HTML in a part of a long text, about as high as a part that isn't laid out. */
const MIN_PART = 4_096
const MAX_TURN_MS = 10
/** How long the preview waits after the last key. A text that takes long to render waits as long again. */
const DEBOUNCE_MS = 120

export type Preview = Awaited<ReturnType<typeof createPreview>>

interface PreviewOptions {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  /** The address of the highlight worker, which renders Markdown. */
  readonly workerAddress: string
  readonly stylesAddress: string
}

export function getReplacedParts<Added extends Pick<MarkdownPart, 'html'>>(
  before: readonly Pick<MarkdownPart, 'html'>[],
  after: readonly Added[],
) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.html === after[start]?.html) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same)?.html === after.at(-1 - same)?.html) same += 1
  return { start, end: before.length - same, added: after.slice(start, after.length - same) }
}

/** A diagram is a block of code that no line of it ends. */
function toMarkdown(text: string, language: string): string {
  if (language !== 'mermaid') return text
  const longest = (text.match(/~+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '~'.repeat(longest + 1)
  return `${fence}mermaid\n${text}\n${fence}\n`
}

interface ShownPart extends MarkdownPart {
  readonly element: HTMLElement
}

/** Shows what is typed, and scrolls along with the code editor. */
export async function createPreview(options: PreviewOptions) {
  const { form, codeEditor, workerAddress, stylesAddress } = options
  await loadMarkdownStyles(stylesAddress)
  const renderer = createMarkdownRenderer(workerAddress)
  const article = createElement('article', { className: 'rendered', tabIndex: 0, ariaLabel: 'Preview' })
  startCopyingCode(article, () => {})
  let shown: readonly ShownPart[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let rendering = false
  let outdated = false
  let lastDuration = 0
  let language = ''

  /** The others keep their state. */
  const showParts = async (parts: readonly MarkdownPart[]) => {
    // An error message may be shown.
    if (shown.length === 0) article.replaceChildren()
    const { start, end, added } = getReplacedParts(shown, parts)
    const next = shown[end]?.element ?? null
    const takeTurn = createTurns(MAX_TURN_MS)
    const create = (part: MarkdownPart) => createMarkdownPart(part, { ids: new Set(), fragmentStart: '#' })
    const created: ShownPart[] = []
    const [before, after] = [shown.slice(start, end), [...added]]
    const [one] = before
    const [part] = after
    if (one && part && (await replaceDiagram(one.element, () => create(part)))) {
      created.push({ ...part, element: one.element })
      before.shift()
      after.shift()
    }
    for (const { element } of before) {
      element.remove()
      await takeTurn()
    }
    for (const part of after) {
      const element = create(part)
      article.insertBefore(element, next)
      void drawDiagrams(element)
      created.push({ ...part, element })
      await takeTurn()
    }
    shown = [...shown.slice(0, start), ...created, ...shown.slice(end)].map((part, index) => ({
      ...part,
      line: parts[index]?.line ?? part.line,
    }))
  }
  const update = async () => {
    if (rendering) {
      outdated = true
      return
    }
    rendering = true
    do {
      outdated = false
      const started = performance.now()
      const typed = codeEditor.text()
      const parts: MarkdownPart[] = []
      try {
        if (typed.length > MAX_RENDERED) throw new Error('This text is too long to preview.')
        const text = toMarkdown(typed, language)
        const partLength = Math.max(Math.ceil(text.length / PARTS), isLongMarkdown(text) ? MIN_PART : 0)
        await renderer.render(text, (part) => parts.push(part), partLength)
        const nodes = parts.reduce((sum, part) => sum + part.nodes, 0)
        article.classList.toggle('md-long', isLongMarkdown(text, nodes))
        await showParts(parts.filter(({ html }) => html !== ''))
      } catch (error) {
        shown = []
        article.textContent = error instanceof Error ? error.message : String(error)
      }
      lastDuration = performance.now() - started
    } while (outdated && article.isConnected)
    rendering = false
    followEditor()
  }
  const getEditor = () => form.querySelector<HTMLElement>('.cm-editor, textarea#content')
  const followEditor = () => {
    const editor = getEditor()
    const view = editor && EditorView.findFromDOM(editor)
    if (!view) return
    const { scrollTop, scrollHeight, clientHeight } = view.scrollDOM
    if (scrollTop + clientHeight >= scrollHeight - 1 && scrollTop > 0) {
      article.scrollTop = article.scrollHeight
      return
    }
    const line = view.state.doc.lineAt(view.lineBlockAtHeight(scrollTop).from).number - 1
    const index = shown.findLastIndex((part) => part.line <= line)
    const [part, next] = [shown[index], shown[index + 1]]
    const getTop = ({ element }: ShownPart) =>
      element.getBoundingClientRect().top - article.getBoundingClientRect().top + article.scrollTop
    if (!part || line === 0) article.scrollTop = 0
    else {
      const top = getTop(part)
      const height = (next ? getTop(next) : article.scrollHeight) - top
      const share = (line - part.line) / Math.max(1, (next?.line ?? view.state.doc.lines) - part.line)
      article.scrollTop = top + height * share
    }
  }
  codeEditor.onChange(() => {
    if (!article.isConnected) return
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS + lastDuration)
  })
  form.addEventListener(
    'scroll',
    ({ target }) => target !== article && article.isConnected && followEditor(),
    {
      capture: true,
      passive: true,
    },
  )
  article.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a')
    if (!link) return
    const address = link.getAttribute('href') ?? ''
    // Following a link would leave the text that is being written.
    if (!address.startsWith('#')) link.target = '_blank'
    else {
      event.preventDefault()
      const target = findTarget(article, address)
      if (target) goToTarget(target)
    }
  })
  return {
    show: (shownLanguage: string) => {
      const editor = getEditor()
      if (!editor || (article.isConnected && shownLanguage === language)) return
      language = shownLanguage
      // The editor stays where it is: moving it would take its focus, and the browser would compute all its styles again.
      form.classList.add('previewing')
      editor.after(article)
      void update()
    },
    hide: () => {
      if (!article.isConnected) return
      form.classList.remove('previewing')
      article.remove()
      renderer.stop()
    },
  }
}
