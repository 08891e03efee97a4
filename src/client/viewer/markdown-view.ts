import { renderMarkdown } from '../highlight/highlight-client.ts'
import type { DisplayedText } from '../text/displayed-text.ts'
import { announceInToolbar, startToggle } from './toolbar.ts'

/** UTF-16 units of Markdown that can be rendered. More would make the page slow. */
const MAX_RENDERED = 1024 * 1024

/** Starts the button that switches between rendered Markdown and its source. Returns null if there is none. */
export function startMarkdownView(section: HTMLElement, source: DisplayedText) {
  if (source.length > MAX_RENDERED) return null
  let article: HTMLElement | undefined
  const render = async () => {
    const element = document.createElement('article')
    element.className = 'rendered'
    article = element
    section.after(element)
    try {
      const { sanitizeMarkdown } = await import('./sanitize-markdown.ts')
      const text = source.element.textContent ?? ''
      await renderMarkdown(section.dataset.highlightWorker ?? '', text, (html) =>
        element.append(sanitizeMarkdown(html)),
      )
    } catch (error) {
      console.error(error)
      announceInToolbar('This text couldn’t be rendered.')
      element.remove()
      article = undefined
      toggle?.set(false)
    }
  }
  const toggle = startToggle('#rendered', false, (rendered) => {
    section.hidden = rendered
    if (rendered && !article) void render()
    if (article) article.hidden = !rendered
  })
  return toggle
}
