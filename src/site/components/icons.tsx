import { raw } from 'hono/html'
import type { IconNode } from 'lucide'
import * as iconSet from './icon-set.ts'

export type IconName = keyof typeof iconSet

const ICONS: Readonly<Record<IconName, IconNode>> = iconSet

const formatAttributes = (attributes: IconNode[number][1]): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

const markup = new Map<IconName, string>()

function getMarkup(name: IconName): string {
  const known = markup.get(name)
  if (known !== undefined) return known
  const shapes = ICONS[name].map(([tag, attributes]) => `<${tag}${formatAttributes(attributes)}/>`).join('')
  const svg = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`
  markup.set(name, svg)
  return svg
}

/** It's decoration, so what it means must also be there as text. */
export const Icon = ({ name }: { name: IconName }) => raw(getMarkup(name))

interface ToolProps {
  readonly icon: IconName
  /** For screen readers and as a tooltip. In a menu it's displayed. */
  readonly name: string
  readonly tool?: string
  readonly class?: string
  readonly inMenu?: boolean
  readonly id?: string
  readonly 'aria-pressed'?: 'true' | 'false'
  readonly shortcut?: string
  /** The id of the popover that it opens, which works without scripts. */
  readonly popovertarget?: string
  readonly command?: 'show-modal'
  readonly commandfor?: string
}

const joinClasses = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

/** Unless it opens a popover, it's hidden where there are no scripts. */
export const ToolButton = ({ icon, name, tool, shortcut, inMenu = false, ...props }: ToolProps) => (
  <button
    {...props}
    type="button"
    class={joinClasses(inMenu ? 'menu-item' : 'tool', props.class, tool && 'scripted')}
    data-tool={tool}
    aria-keyshortcuts={shortcut}
  >
    <Icon name={icon} />
    <span class={inMenu ? undefined : 'tip'}>
      {name}
      {shortcut && (
        <span aria-hidden="true">
          <kbd>{shortcut}</kbd>
        </span>
      )}
    </span>
  </button>
)

interface ToolLinkProps extends Pick<ToolProps, 'icon' | 'name' | 'class' | 'inMenu'> {
  readonly href?: string | undefined
  readonly download?: string
}

export const ToolLink = ({ icon, name, inMenu = false, href, ...props }: ToolLinkProps) => (
  <a
    {...props}
    href={href}
    class={joinClasses(inMenu ? 'menu-item' : 'tool', props.class, href === undefined && 'scripted')}
  >
    <Icon name={icon} />
    <span class={inMenu ? undefined : 'tip'}>{name}</span>
  </a>
)

interface ToolOpenerProps extends Pick<ToolProps, 'icon' | 'name' | 'class' | 'inMenu'> {
  /** The id of a dialog. */
  readonly opens: string
}

/** Opens a dialog, with or without scripts. */
export const ToolOpener = ({ opens, ...props }: ToolOpenerProps) => (
  <ToolButton {...props} command="show-modal" commandfor={opens} popovertarget={opens} />
)
