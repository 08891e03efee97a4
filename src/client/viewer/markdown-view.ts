import { renderMarkdown } from '../highlight/highlight-client.ts'
import type { MountedView, MountView } from './views.ts'

let article: HTMLElement | null = null

/** Shows rendered Markdown instead of its source. */
export const mountMarkdown: MountView = async ({ section, code, workerAddress }): Promise<MountedView> => {
  const view: MountedView = {
    hasSourceLines: false,
    unmount: () => {
      if (article) article.hidden = true
      section.hidden = false
    },
  }
  section.hidden = true
  if (article) {
    article.hidden = false
    return view
  }
  const element = document.createElement('article')
  element.className = 'rendered'
  article = element
  section.after(element)
  try {
    const { sanitizeMarkdown } = await import('./sanitize-markdown.ts')
    await renderMarkdown(workerAddress, code.textContent ?? '', (html) =>
      element.append(sanitizeMarkdown(html)),
    )
  } catch (error) {
    console.error(error)
    element.remove()
    article = null
    section.hidden = false
    throw new Error('This text couldn’t be rendered.')
  }
  return view
}
