import { announce, createButton, createElement } from '../shared/elements.ts'
import { ERROR, LEVELS, type LevelCode, WARNING } from './levels.ts'
import type { LogFilter } from './shown-lines.ts'

const TYPING_MS = 100
const CONTEXT_LINES = 3

const LABELS = ['Error', 'Warning', 'Info', 'Debug'] as const

interface BarOptions {
  readonly counts: readonly number[]
  readonly hasTimes: boolean
  /** The kinds of lines that can be folded; null if there are none. */
  readonly folds: 'traces' | 'groups' | 'all' | null
  readonly onFilter: (filter: LogFilter) => void
  readonly onFoldAll: (isFolded: boolean) => void
  /** Returns false if there is no such line. */
  readonly onJump: (query: string) => boolean
  readonly onStep: (isBackwards: boolean) => void
  readonly onCopy: () => void
}

function createToggle(label: string, onChange: () => void, properties: Partial<HTMLButtonElement> = {}) {
  const toggle = () => {
    button.ariaPressed = String(button.ariaPressed !== 'true')
    onChange()
  }
  const button = createButton(label, toggle, `quiet small ${properties.className ?? ''}`.trim())
  return Object.assign(button, { ariaPressed: 'false', title: properties.title ?? '' })
}

const isPressed = (button: HTMLButtonElement) => button.ariaPressed === 'true'

export function createLogBar(options: BarOptions) {
  const { counts, hasTimes, folds, onFilter, onFoldAll, onJump, onStep, onCopy } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  const report = () => {
    clearTimeout(timer)
    onFilter({
      levels: levels.filter(({ button }) => isPressed(button)).map(({ level }) => level),
      query: query.value,
      isPattern: isPressed(pattern),
      contextLines: isPressed(context) ? CONTEXT_LINES : 0,
    })
  }

  const levels = LEVELS.map((name, index) => ({
    level: (index + 1) as LevelCode,
    count: counts[index] ?? 0,
    button: createToggle(`${LABELS[index]} `, report, { className: `level level-${name}` }),
  })).filter(({ count }) => count > 0)
  for (const { button, count } of levels)
    button.append(createElement('span', { className: 'count' }, count.toLocaleString('en')))
  const levelGroup = createElement(
    'fieldset',
    { className: 'log-levels row', ariaLabel: 'Show only', hidden: levels.length === 0 },
    ...levels.map(({ button }) => button),
  )

  const query = createElement('input', {
    id: 'log-filter',
    type: 'search',
    autocomplete: 'off',
    spellcheck: false,
  })
  query.ariaLabel = 'Filter'
  query.placeholder = 'Filter'
  query.setAttribute('aria-describedby', 'log-status')
  query.autocapitalize = 'off'
  query.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(report, TYPING_MS)
  })
  const pattern = createToggle('Regex', report, { title: 'Filter by a regular expression' })
  const context = createToggle('Context', report, {
    title: `Show ${CONTEXT_LINES} lines before and after each`,
  })
  const filter = createElement('form', { className: 'log-filter row' }, query)
  filter.addEventListener('submit', (event) => {
    event.preventDefault()
    report()
  })

  const target = createElement('input', {
    id: 'log-jump',
    autocomplete: 'off',
    placeholder: hasTimes ? 'Time or line' : 'Line',
  })
  const jump = createElement(
    'form',
    { className: 'log-jump row' },
    createElement('label', { className: 'quiet-text', htmlFor: target.id }, 'Jump to'),
    target,
  )
  jump.addEventListener('submit', (event) => {
    event.preventDefault()
    if (onJump(target.value)) menu.hidePopover()
  })

  const createStep = (isBackwards: boolean) => {
    const name = isBackwards ? 'Previous error' : 'Next error'
    const key = isBackwards ? 'Shift+N' : 'N'
    const button = createButton(name, () => onStep(isBackwards), 'quiet small')
    button.setAttribute('aria-keyshortcuts', key)
    return Object.assign(button, { title: key })
  }
  const hasErrors = levels.some(({ level }) => level === ERROR || level === WARNING)
  const steps = hasErrors ? [createStep(true), createStep(false)] : []

  const fold = createToggle(`Fold ${folds}`, () => onFoldAll(isPressed(fold)))
  fold.hidden = folds === null
  const copy = createButton('Copy shown lines', onCopy, 'quiet small')
  copy.hidden = true
  const status = createElement('p', { id: 'log-status', className: 'log-status quiet-text', role: 'status' })
  const menu = createElement(
    'div',
    { id: 'log-options', className: 'menu log-options', popover: 'auto' },
    createElement('div', { className: 'row' }, pattern, context),
    createElement('div', { className: 'row' }, ...steps),
    createElement('div', { className: 'row' }, fold, copy),
    jump,
  )
  const opener = createElement('button', { type: 'button', className: 'quiet small' }, 'Options')
  opener.popoverTargetElement = menu
  const element = createElement(
    'section',
    { id: 'log-bar', className: 'view-bar row strip log-bar', ariaLabel: 'Log' },
    levelGroup,
    filter,
    status,
    opener,
    menu,
  )
  const reset = () => {
    clearTimeout(timer)
    query.value = ''
    for (const { button } of levels) button.ariaPressed = 'false'
  }
  const clear = () => {
    reset()
    report()
    query.focus()
  }
  const empty = createElement(
    'div',
    { className: 'log-empty row quiet-text', hidden: true },
    createElement('span', {}, 'No line matches the filter.'),
    createButton('Clear filter', clear, 'quiet small'),
  )
  const expand = () => {
    toggle.ariaExpanded = String(element.classList.toggle('open'))
  }
  const toggle = createButton('Filter', expand, 'quiet small log-toggle')
  toggle.ariaExpanded = 'false'
  toggle.setAttribute('aria-controls', element.id)
  return {
    element,
    /** Is in the place of the text while no line is shown. */
    empty,
    /** The button that shows the controls on a phone, where the text comes first. It belongs in the toolbar. */
    toggle,
    setStatus: (message: string, isProblem = false) => {
      status.classList.toggle('problem', isProblem)
      query.ariaInvalid = isProblem ? 'true' : null
      // The bar keeps its height, so a long message may be cut.
      status.title = message
      announce(status, message)
    },
    setFolded: (areAllFolded: boolean) => {
      fold.ariaPressed = String(areAllFolded)
    },
    setShown: (shown: number, all: number) => {
      empty.hidden = shown > 0
      copy.hidden = shown === 0 || shown === all
    },
    reset,
  }
}
