import type { IconNode } from 'lucide'
import Check from 'lucide/dist/esm/icons/check.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Info from 'lucide/dist/esm/icons/info.mjs'
import Lightbulb from 'lucide/dist/esm/icons/lightbulb.mjs'
import MessageSquareWarning from 'lucide/dist/esm/icons/message-square-warning.mjs'
import OctagonAlert from 'lucide/dist/esm/icons/octagon-alert.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'

const ICONS = {
  check: Check,
  copy: Copy,
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
} as const satisfies Readonly<Record<string, IconNode>>

const SVG = 'http://www.w3.org/2000/svg'

function setAttributes(
  element: Element,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}

/** Creates one of the icons of rendered Markdown. It is decoration: a word says the same. */
export function createIcon(name: keyof typeof ICONS): SVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  setAttributes(icon, { viewBox: '0 0 24 24', class: 'md-icon', 'aria-hidden': 'true' })
  for (const [tag, attributes] of ICONS[name]) {
    const shape = document.createElementNS(SVG, tag)
    setAttributes(shape, attributes)
    icon.append(shape)
  }
  return icon
}
