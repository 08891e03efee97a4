import mermaid from 'mermaid'
import type { DiagramAnswer, DiagramRequest } from './diagrams.ts'

/**
 * The smallest share of its own size at which a diagram's words can be read. If it had to be smaller, it's scrolled
 * instead.
 */
const MIN_SCALE = { phone: 0.7, wide: 0.55 }
const PHONE = 600

const answer = (message: DiagramAnswer): void => parent.postMessage(message, '*')

/** The number of the last request whose diagram was drawn. */
let number = 0

/** Fits the diagram into the frame, and says how high that is. */
function fitFrame(): void {
  const svg = document.querySelector('svg')
  const { width = 0, height = 0 } = svg?.viewBox.baseVal ?? {}
  if (!svg || width === 0) return
  const room = document.documentElement.clientWidth
  const scale = Math.min(1, Math.max(MIN_SCALE[room < PHONE ? 'phone' : 'wide'], room / width))
  svg.style.maxWidth = 'none'
  svg.style.width = `${width * scale}px`
  svg.style.height = `${height * scale}px`
  answer({ number, height: document.documentElement.scrollHeight })
}

async function draw({ code, isDark, colors, ...request }: DiagramRequest): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    // Removes scripts and links from labels.
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: 'base',
    // The other layout isn't part of the build: scripts/build/diagrams.ts.
    layout: 'dagre',
    fontFamily: 'system-ui, sans-serif',
    themeVariables: {
      darkMode: isDark,
      background: colors.sheet,
      primaryColor: colors.tint,
      primaryTextColor: colors.ink,
      primaryBorderColor: colors.accent,
      secondaryColor: colors.paper,
      tertiaryColor: colors.paper,
      lineColor: colors.muted,
      textColor: colors.ink,
      noteBkgColor: colors.paper,
      noteTextColor: colors.ink,
      noteBorderColor: colors.muted,
    },
  })
  const { svg } = await mermaid.render('diagram', code)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  document.body.innerHTML = svg
  number = request.number
  fitFrame()
}

addEventListener('message', ({ data, source }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return
  draw(data).catch((error: unknown) => answer({ number: data.number, problem: String(error) }))
})
addEventListener('resize', fitFrame)
answer({ ready: true })
