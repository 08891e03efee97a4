import type { MarkdownAnswer } from '../../highlight/highlight-client.ts'
import { createMarkdownPart, isLongMarkdown, startCopyingCode } from '../../markdown/markdown-part.ts'
import {
  createMarkdownRenderer,
  findTarget,
  getFindTarget,
  goToTarget,
  loadMarkdownStyles,
  RenderedText,
  startFragmentLinks,
} from '../../markdown/rendered-text.ts'
import { createElement } from '../../shared/elements.ts'
import type { MountedView, MountView, ViewContext } from './views.ts'

let rendered: RenderedMarkdown | null = null

/** Grows until all parts are rendered. */
class RenderedMarkdown {
  readonly article = createElement('article', { className: 'rendered' })
  #text: RenderedText | null = null

  get text(): RenderedText {
    this.#text ??= new RenderedText(this.article)
    return this.#text
  }

  append(part: HTMLElement): void {
    this.article.append(part)
    this.#text = null
  }
}

/** Resolves when the first part is in the page. */
async function render({ section, code, workerAddress, announce, requestUpdate }: ViewContext) {
  const markdown = new RenderedMarkdown()
  const { article } = markdown
  const text = code.textContent ?? ''
  let nodes = 0
  // In the address of a decrypted document, any other fragment would be a password.
  const fragmentStart = section.dataset.decrypted === 'true' ? '#user-content-' : '#'
  const ids = new Set<string>()
  let linked = location.hash
  const followAddress = () => {
    const target = article.isConnected && linked ? findTarget(article, linked) : null
    if (!target) return
    linked = ''
    goToTarget(target)
  }
  const first = Promise.withResolvers<void>()
  const renderer = createMarkdownRenderer(workerAddress)
  const onPart = (part: Pick<MarkdownAnswer, 'html' | 'nodes'>) => {
    nodes += part.nodes
    article.classList.toggle('md-long', isLongMarkdown(text, nodes))
    markdown.append(createMarkdownPart(part, { ids, fragmentStart }))
    first.resolve()
    followAddress()
    requestUpdate()
  }
  renderer
    .render(text, onPart)
    .finally(renderer.stop)
    .then(first.resolve, (error: Error) => {
      first.reject(error)
      // The parts that are rendered stay.
      if (article.isConnected) announce(error.message)
    })
  const styles = loadMarkdownStyles(section.dataset.markdownStyles ?? '').catch(console.error)
  await Promise.all([first.promise, styles])
  section.hidden = true
  section.after(article)
  startFragmentLinks(article)
  startCopyingCode(article, announce)
  followAddress()
  return markdown
}

/** A text that starts with its title as a heading needs no other title. Returns what shows it again. */
function hideRepeatedTitle(article: HTMLElement): () => void {
  const title = document.querySelector('.document-header h1')
  const first = article.querySelector('.md-part > :not(.md-scroller)')
  const isRepeated = first?.matches('h2, h3, h4, h5, h6') && first.textContent === title?.textContent
  title?.classList.toggle('visually-hidden', isRepeated || title.matches('.visually-hidden'))
  return () => title?.classList.remove('visually-hidden')
}

export const mountMarkdown: MountView = async (context): Promise<MountedView> => {
  const { section } = context
  rendered ??= await render(context)
  const markdown = rendered
  markdown.article.hidden = false
  section.hidden = true
  const showTitle = hideRepeatedTitle(markdown.article)
  return {
    hasSourceLines: false,
    get text() {
      return markdown.text
    },
    find: getFindTarget(() => markdown.text),
    unmount: () => {
      markdown.article.hidden = true
      section.hidden = false
      showTitle()
    },
  }
}
