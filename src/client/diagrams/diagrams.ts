import { createElement } from '../shared/elements.ts'

/** The build replaces this by the address of the page that draws. */
declare const DIAGRAM_FRAME: string

const COLORS = ['sheet', 'paper', 'ink', 'muted', 'tint', 'accent'] as const

export interface DiagramRequest {
  /** The number of the request, which its answers have, too. */
  readonly number: number
  readonly code: string
  readonly isDark: boolean
  readonly colors: Readonly<Record<(typeof COLORS)[number], string>>
}

export type DiagramAnswer =
  | { readonly ready: true }
  | { readonly number: number; readonly height: number }
  | { readonly number: number; readonly problem: string }

/** Counts from when the frame could start. Until then, and if it takes longer, the source is shown. */
const MAX_DRAWING_SECONDS = 3
/** Each diagram has a page of its own. Beyond this number, they are shown as source. */
const MAX_DIAGRAMS = 30
const MAX_CODE = 20_000
const MAX_HEIGHT = 4_000

/** Returns the colours of the page as `#rrggbb`, which the library needs. */
function readColors(): DiagramRequest['colors'] {
  const probe = document.body.appendChild(createElement('span', { hidden: true }))
  const context = createElement('canvas').getContext('2d', { willReadFrequently: true })
  const toHex = (name: string): string => {
    probe.style.color = `var(--${name})`
    if (!context) return '#888888'
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
  const colors = Object.fromEntries(COLORS.map((name) => [name, toHex(name)]))
  probe.remove()
  return colors as DiagramRequest['colors']
}

/** Light or dark is the page's choice, or the system's. */
function isDarkPage(): boolean {
  const probe = document.body.appendChild(createElement('span', { hidden: true }))
  probe.style.color = 'light-dark(white, black)'
  const isDark = getComputedStyle(probe).color === 'rgb(0, 0, 0)'
  probe.remove()
  return isDark
}

/** Says what is wrong in the words of the page: Mermaid's own are several lines with a list of tokens. */
function describeProblem(problem: string): string {
  if (/No diagram type detected|UnknownDiagramError/.test(problem))
    return 'Mermaid has no such kind of diagram'
  const [, line] = /\bline:?\s*(\d+)/i.exec(problem) ?? []
  if (line !== undefined) return `Mermaid found a mistake near line ${line}`
  return 'Mermaid can’t read it'
}

/** The line isn't on paper, which has the source of every diagram. */
const explain = (wrapper: HTMLElement, reason: string): void =>
  wrapper.before(
    createElement('p', { className: 'md-not-drawn', textContent: `Diagram not drawn: ${reason}.` }),
  )

interface Diagram {
  /** Draws the diagram again. Its source may have changed. */
  readonly send: (code?: string) => void
  readonly showSource: () => void
}

const drawn = new Map<HTMLIFrameElement, Diagram>()

/** The preview of the editor replaces the parts that change. */
function forgetRemoved(): void {
  for (const [frame, { showSource }] of drawn) if (!frame.isConnected) showSource()
}

/** Draws all diagrams again in new colours when the theme changes. */
function redraw(): void {
  for (const { send } of drawn.values()) send()
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
const colorScheme = document.querySelector('meta[name="color-scheme"]')
for (const element of [document.documentElement, colorScheme])
  if (element) new MutationObserver(redraw).observe(element, { attributes: true })

/**
 * Draws the Mermaid source of a block above it, in a sandboxed page with an origin and a policy of its own. The source is
 * hidden once the diagram is there, and is shown with the reason if it can't be drawn.
 */
function drawDiagram(block: HTMLElement): void {
  const code = block.textContent ?? ''
  const wrapper = block.closest<HTMLElement>('.md-code')
  forgetRemoved()
  if (!wrapper || code.trim() === '') return
  const limit =
    code.length > MAX_CODE
      ? `it has more than ${MAX_CODE.toLocaleString('en')} characters`
      : drawn.size >= MAX_DIAGRAMS && `a page has at most ${MAX_DIAGRAMS} diagrams`
  if (limit) {
    explain(wrapper, limit)
    return
  }
  const frame = createElement('iframe', { className: 'md-diagram', title: 'Diagram', src: DIAGRAM_FRAME })
  frame.sandbox.add('allow-scripts')
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReady = false
  let [number, sentCode] = [0, code]
  const send = (next = sentCode) => {
    number += 1
    sentCode = next
    wait(`it takes more than ${MAX_DRAWING_SECONDS} seconds`)
    const request: DiagramRequest = { number, code: next, isDark: isDarkPage(), colors: readColors() }
    // Its origin has no name.
    frame.contentWindow?.postMessage(request, '*')
  }
  const showSource = () => {
    clearTimeout(timer)
    removeEventListener('message', onMessage)
    drawn.delete(frame)
    frame.remove()
    wrapper.classList.remove('md-drawn')
  }
  const fail = (reason: string) => {
    showSource()
    explain(wrapper, reason)
  }
  const wait = (reason: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => fail(reason), MAX_DRAWING_SECONDS * 1_000)
  }
  const onMessage = ({ source, data }: MessageEvent<DiagramAnswer>) => {
    if (source !== frame.contentWindow || source === null) return
    if ('ready' in data) {
      isReady = true
      send()
    } else if (data.number !== number) {
      // What it was asked for last comes later.
    } else if ('height' in data) {
      clearTimeout(timer)
      frame.style.height = `${Math.min(MAX_HEIGHT, Math.ceil(Number(data.height)))}px`
      wrapper.classList.add('md-drawn')
    } else fail(describeProblem(data.problem))
  }
  drawn.set(frame, { send, showSource })
  addEventListener('message', onMessage)
  // Also after an error of the network.
  frame.addEventListener('load', () => {
    if (!isReady) wait('what draws it couldn’t be loaded')
  })
  wrapper.prepend(frame)
}

const SEEN = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      SEEN.unobserve(target)
      drawDiagram(target as HTMLElement)
    }
  },
  { rootMargin: '200px' },
)

/**
 * Draws a part again that is only a diagram, which stays until the next one is there. Returns false if it isn't drawn, or the
 * next part isn't a diagram.
 */
export function redrawPart(part: HTMLElement, next: HTMLElement): boolean {
  const frame = part.querySelector<HTMLIFrameElement>(':scope > .md-drawn:only-child > .md-diagram')
  const source = next.querySelector(':scope > .md-code:only-child > .md-mermaid')
  const code = source?.textContent ?? ''
  const diagram = frame && drawn.get(frame)
  if (!diagram || !source || code.trim() === '' || code.length > MAX_CODE) return false
  frame.nextElementSibling?.replaceWith(source)
  diagram.send(code)
  return true
}

/** Draws the diagrams in a part of rendered Markdown once they come into view. */
export function drawWhenSeen(part: HTMLElement): void {
  for (const block of part.querySelectorAll('.md-mermaid')) SEEN.observe(block)
}
