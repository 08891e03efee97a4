import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface ToolProps {
  readonly icon: IconName
  /** Its name, for screen readers and as a tooltip. In a menu it's displayed. */
  readonly name: string
  /** What a script does when the tool is used. */
  readonly tool?: string
  readonly class?: string
  readonly inMenu?: boolean
  readonly id?: string
  readonly 'aria-pressed'?: 'true' | 'false'
  /** The key that does the same. */
  readonly shortcut?: string
  /** The id of the popover that it opens, which works without scripts. */
  readonly popovertarget?: string
}

const getClasses = ({ inMenu, ...props }: Pick<ToolProps, 'class' | 'inMenu'>): string =>
  [inMenu ? 'menu-item' : 'tool', props.class].filter(Boolean).join(' ')

/** A button of a toolbar, or an item of a menu. Unless it opens a popover, it's hidden where there are no scripts. */
export const ToolButton = ({ icon, name, tool, shortcut, inMenu = false, ...props }: ToolProps) => (
  <button
    {...props}
    type="button"
    class={getClasses({ inMenu, class: [props.class, tool && 'scripted'].filter(Boolean).join(' ') })}
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
  /** The file name of a download. */
  readonly download?: string
}

/** A link that looks like a tool. Without an address, a script gives it one. */
export const ToolLink = ({ icon, name, inMenu = false, href, ...props }: ToolLinkProps) => (
  <a
    {...props}
    href={href}
    class={getClasses({
      inMenu,
      class: [props.class, href === undefined && 'scripted'].filter(Boolean).join(' '),
    })}
  >
    <Icon name={icon} />
    <span class={inMenu ? undefined : 'tip'}>{name}</span>
  </a>
)
