import { EditorView } from '@codemirror/view'
import { MAX_RENDERED } from '../../shared/display.ts'
import type { CodeEditor } from '../code-editor/code-editor.ts'
import { yieldToPage } from '../shared/yield.ts'
import { completeMarkdown } from './complete-markdown.ts'
import { startCopyingCode } from './copy-code.ts'
import { findTarget, goToTarget } from './fragments.ts'
import { createMarkdownRenderer } from './markdown-renderer.ts'
import { loadMarkdownStyles } from './markdown-styles.ts'
import { getReplacedParts } from './replaced-parts.ts'
import { sanitizeMarkdown } from './sanitize-markdown.ts'

/** Roughly how many parts a text is cut into, so that an edit replaces only the parts it changes. */
const PARTS = 250
/** How many of them are shown before the page gets a turn. */
const PARTS_PER_TURN = 10
/** How long to wait after the last key, in milliseconds. A text that takes long to render waits as long again. */
const DEBOUNCE_MS = 120

export interface Preview {
  readonly show: () => void
  readonly hide: () => void
}

interface PreviewOptions {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  /** The address of the highlight worker, which renders Markdown. */
  readonly workerAddress: string
  readonly stylesAddress: string
}

/** A part of the text in the preview. */
interface ShownPart {
  readonly html: string
  readonly line: number
  readonly nodes: readonly ChildNode[]
}

function createPart({ html, line }: Pick<ShownPart, 'html' | 'line'>): ShownPart {
  const fragment = sanitizeMarkdown(html)
  completeMarkdown(fragment, { ids: new Set(), fragmentStart: '#' })
  return { html, line, nodes: [...fragment.childNodes] }
}

/** Creates a preview of Markdown beside the code editor, which follows what is typed and where it is scrolled. */
export async function createPreview(options: PreviewOptions): Promise<Preview> {
  const { form, codeEditor, workerAddress, stylesAddress } = options
  await loadMarkdownStyles(stylesAddress)
  const renderer = createMarkdownRenderer(workerAddress)
  const panes = document.createElement('div')
  const article = document.createElement('article')
  panes.className = 'md-panes'
  article.className = 'rendered'
  article.tabIndex = 0
  article.ariaLabel = 'Preview'
  startCopyingCode(article, () => {})
  let shown: readonly ShownPart[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let rendering = false
  let outdated = false
  let lastDuration = 0

  /** Replaces the parts that have changed, so that the others keep their state. */
  const showParts = async (parts: readonly Pick<ShownPart, 'html' | 'line'>[]) => {
    const { start, end, added } = getReplacedParts(shown, parts)
    const next = shown[end]?.nodes[0] ?? null
    for (const { nodes } of shown.slice(start, end)) for (const node of nodes) node.remove()
    const created: ShownPart[] = []
    for (const part of added) {
      const shownPart = createPart(part)
      for (const node of shownPart.nodes) article.insertBefore(node, next)
      created.push(shownPart)
      if (created.length % PARTS_PER_TURN === 0) await yieldToPage()
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
      const text = codeEditor.text()
      const parts: Pick<ShownPart, 'html' | 'line'>[] = []
      try {
        if (text.length > MAX_RENDERED) throw new Error('This text is too long to preview.')
        await renderer.render(text, (part) => parts.push(part), Math.ceil(text.length / PARTS))
        await showParts(parts.filter(({ html }) => html !== ''))
      } catch (error) {
        shown = []
        article.textContent = error instanceof Error ? error.message : String(error)
      }
      lastDuration = performance.now() - started
    } while (outdated && panes.isConnected)
    rendering = false
    followEditor()
  }
  const getEditor = () => panes.querySelector<HTMLElement>('.cm-editor, textarea')
  /** Scrolls the preview to the line at the top of the code editor. */
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
    const getTop = ({ nodes }: ShownPart) => {
      const element = nodes.find((node) => node instanceof HTMLElement)
      return (
        (element?.getBoundingClientRect().top ?? 0) - article.getBoundingClientRect().top + article.scrollTop
      )
    }
    if (!part || line === 0) article.scrollTop = 0
    else {
      const top = getTop(part)
      const height = (next ? getTop(next) : article.scrollHeight) - top
      const share = (line - part.line) / Math.max(1, (next?.line ?? view.state.doc.lines) - part.line)
      article.scrollTop = top + height * share
    }
  }
  codeEditor.onChange(() => {
    if (!panes.isConnected) return
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS + lastDuration)
  })
  panes.addEventListener('scroll', ({ target }) => target !== article && followEditor(), {
    capture: true,
    passive: true,
  })
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
    show: () => {
      const editor = form.querySelector<HTMLElement>('.cm-editor, textarea#content')
      if (!editor || panes.isConnected) return
      editor.replaceWith(panes)
      panes.append(editor, article)
      void update()
    },
    hide: () => {
      const editor = getEditor()
      if (!panes.isConnected || !editor) return
      panes.replaceWith(editor)
      renderer.stop()
    },
  }
}
