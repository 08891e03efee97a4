import { raw } from 'hono/html'
import type { IconNode } from 'lucide'
import ArrowDown from 'lucide/dist/esm/icons/arrow-down.mjs'
import ArrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs'
import ArrowRight from 'lucide/dist/esm/icons/arrow-right.mjs'
import ArrowUp from 'lucide/dist/esm/icons/arrow-up.mjs'
import Check from 'lucide/dist/esm/icons/check.mjs'
import ChevronDown from 'lucide/dist/esm/icons/chevron-down.mjs'
import ClipboardPaste from 'lucide/dist/esm/icons/clipboard-paste.mjs'
import Clock from 'lucide/dist/esm/icons/clock.mjs'
import Code from 'lucide/dist/esm/icons/code.mjs'
import CodeXml from 'lucide/dist/esm/icons/code-xml.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import Eye from 'lucide/dist/esm/icons/eye.mjs'
import EyeOff from 'lucide/dist/esm/icons/eye-off.mjs'
import FilePlus from 'lucide/dist/esm/icons/file-plus.mjs'
import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import Flag from 'lucide/dist/esm/icons/flag.mjs'
import Flame from 'lucide/dist/esm/icons/flame.mjs'
import FolderOpen from 'lucide/dist/esm/icons/folder-open.mjs'
import Globe from 'lucide/dist/esm/icons/globe.mjs'
import Image from 'lucide/dist/esm/icons/image.mjs'
import Inbox from 'lucide/dist/esm/icons/inbox.mjs'
import Info from 'lucide/dist/esm/icons/info.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Link from 'lucide/dist/esm/icons/link.mjs'
import Lock from 'lucide/dist/esm/icons/lock.mjs'
import LogOut from 'lucide/dist/esm/icons/log-out.mjs'
import Mail from 'lucide/dist/esm/icons/mail.mjs'
import Monitor from 'lucide/dist/esm/icons/monitor.mjs'
import Moon from 'lucide/dist/esm/icons/moon.mjs'
import Palette from 'lucide/dist/esm/icons/palette.mjs'
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import Printer from 'lucide/dist/esm/icons/printer.mjs'
import QrCode from 'lucide/dist/esm/icons/qr-code.mjs'
import RotateCcwClock from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs'
import ScrollText from 'lucide/dist/esm/icons/scroll-text.mjs'
import Search from 'lucide/dist/esm/icons/search.mjs'
import Settings2 from 'lucide/dist/esm/icons/settings-2.mjs'
import Share2 from 'lucide/dist/esm/icons/share-2.mjs'
import Shield from 'lucide/dist/esm/icons/shield.mjs'
import Sun from 'lucide/dist/esm/icons/sun.mjs'
import TextWrap from 'lucide/dist/esm/icons/text-wrap.mjs'
import Trash from 'lucide/dist/esm/icons/trash.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import Undo2 from 'lucide/dist/esm/icons/undo-2.mjs'
import Upload from 'lucide/dist/esm/icons/upload.mjs'
import User from 'lucide/dist/esm/icons/user.mjs'
import Users from 'lucide/dist/esm/icons/users.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'

/** Lucide (lucide.dev, ISC licence). Importing its main module instead of single files takes tests ten seconds. */
const ICONS = {
  'arrow-down': ArrowDown,
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  check: Check,
  'chevron-down': ChevronDown,
  clock: Clock,
  close: X,
  code: Code,
  copy: Copy,
  display: Palette,
  document: FileText,
  download: Download,
  duplicate: FilePlus,
  edit: Pencil,
  embed: CodeXml,
  eye: Eye,
  'eye-off': EyeOff,
  flag: Flag,
  flame: Flame,
  globe: Globe,
  history: RotateCcwClock,
  image: Image,
  inbox: Inbox,
  info: Info,
  key: KeyRound,
  link: Link,
  lock: Lock,
  mail: Mail,
  monitor: Monitor,
  moon: Moon,
  more: Ellipsis,
  open: FolderOpen,
  paste: ClipboardPaste,
  plus: Plus,
  print: Printer,
  'qr-code': QrCode,
  raw: ScrollText,
  search: Search,
  settings: Settings2,
  share: Share2,
  shield: Shield,
  'sign-out': LogOut,
  sun: Sun,
  trash: Trash,
  undo: Undo2,
  upload: Upload,
  user: User,
  users: Users,
  warning: TriangleAlert,
  wrap: TextWrap,
} as const satisfies Readonly<Record<string, IconNode>>

export type IconName = keyof typeof ICONS

const formatAttributes = (attributes: IconNode[number][1]): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

function getMarkup(name: IconName): string {
  const shapes = ICONS[name].map(([tag, attributes]) => `<${tag}${formatAttributes(attributes)}/>`).join('')
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`
}

/** It's decoration, so what it means must also be there as text. */
export const Icon = ({ name }: { name: IconName }) => raw(getMarkup(name))

interface ToolProps {
  readonly icon: IconName
  /** Screen readers say it, and a tooltip shows it. In a menu it's displayed. */
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
  /** The title that the button's script needs. */
  readonly 'data-title'?: string | undefined
}

const joinClasses = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

/** Draws a button with an icon. Unless it opens a popover, it's hidden where there are no scripts. */
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
  readonly tool?: string | undefined
  readonly href?: string | undefined
  readonly download?: string
}

export const ToolLink = ({ icon, name, tool, inMenu = false, href, ...props }: ToolLinkProps) => (
  <a
    {...props}
    href={href}
    data-tool={tool}
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
