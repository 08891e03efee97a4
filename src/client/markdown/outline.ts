import { createElement } from '../shared/elements.ts'
import { createIcon } from './markdown-part.ts'

const MIN_HEADINGS = 4
/** More headings would take the browser long to lay out. */
const MAX_HEADINGS = 1_000
/** CSS pixels from the top of the window, which the tools may cover. */
const READ_FROM = 120

const HEADINGS = 'h2, h3, h4, h5, h6'
const NAME = 'Outline'

const getLevel = (heading: Element): number => Number(heading.localName.slice(1))

/** Lists the headings of an article in a menu, from four headings on. `goTo` is for a link that is followed already. */
export function createOutline(article: HTMLElement, goTo: (heading: HTMLElement) => void) {
  const menu = createElement('nav', {
    id: 'outline',
    className: 'menu outline',
    ariaLabel: NAME,
    popover: 'auto',
  })
  const tip = createElement('span', { className: 'tip' }, NAME)
  const button = createElement(
    'button',
    { type: 'button', className: 'tool', hidden: true },
    createIcon('outline', 'icon'),
    tip,
  )
  button.popoverTargetElement = menu
  let count = 0
  let waiting = new AbortController()
  const place = () => {
    waiting.abort()
    document.querySelector('#views')?.after(button, menu)
  }

  const fill = () => {
    const headings = [...article.querySelectorAll<HTMLElement>(HEADINGS)]
      .filter((heading) => heading.querySelector('.md-anchor'))
      .slice(0, MAX_HEADINGS)
    const top = headings.reduce((lowest, heading) => Math.min(lowest, getLevel(heading)), 6)
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < READ_FROM).at(-1)
    const links = headings.map((heading) => {
      const link = createElement(
        'a',
        {
          className: 'menu-item',
          href: heading.querySelector<HTMLAnchorElement>('.md-anchor')?.hash ?? '',
          dir: 'auto',
        },
        heading.textContent?.trim() ?? '',
      )
      link.style.paddingInlineStart = `${0.5 + getLevel(heading) - top}rem`
      if (heading === passed) link.ariaCurrent = 'location'
      link.addEventListener('click', () => {
        const isFollowed = link.hash === location.hash
        menu.hidePopover()
        if (isFollowed) goTo(heading)
      })
      return link
    })
    menu.replaceChildren(...links)
    return links.find(({ ariaCurrent }) => ariaCurrent)
  }
  menu.addEventListener('beforetoggle', (event) => {
    if (event.newState !== 'open') return
    const current = fill()
    requestAnimationFrame(() => current?.scrollIntoView({ block: 'nearest' }))
  })
  return {
    addPart: (part: HTMLElement) => {
      count += part.querySelectorAll(HEADINGS).length
      button.hidden = count < MIN_HEADINGS
    },
    /** Comes with the first thing that the reader does, so that no tool moves while the page loads. Frames have no tools. */
    show: () => {
      waiting = new AbortController()
      for (const type of ['scroll', 'pointermove', 'pointerdown', 'keydown'])
        addEventListener(type, place, { signal: waiting.signal })
    },
    hide: () => {
      waiting.abort()
      button.remove()
      menu.remove()
    },
  }
}
