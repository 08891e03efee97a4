import { raw } from 'hono/html'
import type { IconNode } from 'lucide'
import { ICONS, type IconName } from './icons.ts'

const formatAttributes = (attributes: IconNode[number][1]): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

/** The markup of each icon that has been used: the icons never change. */
const markup = new Map<IconName, string>()

function getMarkup(name: IconName): string {
  const known = markup.get(name)
  if (known !== undefined) return known
  const shapes = ICONS[name].map(([tag, attributes]) => `<${tag}${formatAttributes(attributes)}/>`).join('')
  const svg = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`
  markup.set(name, svg)
  return svg
}

/**
 * An icon, inlined as SVG. It's decoration, so what it means must also be there as text. To add an icon, list
 * it in icons.ts. The class `icon` in icon.css sets its size and stroke.
 *
 * @example <button type="button" aria-label="Copy"><Icon name="copy" /></button>
 */
export const Icon = ({ name }: { name: IconName }) => raw(getMarkup(name))
