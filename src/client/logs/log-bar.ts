import { createElement } from '../shared/elements.ts'
import type { LogFilter } from './filter-lines.ts'
import { LEVELS, type LevelCode } from './levels.ts'

const TYPING_MS = 100
const CONTEXT_LINES = 3

const LABELS = ['Error', 'Warning', 'Info', 'Debug'] as const

interface BarOptions {
  readonly counts: readonly number[]
  readonly hasTimes: boolean
  readonly hasTraces: boolean
  readonly onFilter: (filter: LogFilter) => void
  readonly onFoldAll: (isFolded: boolean) => void
  readonly onGoToTime: (query: string) => void
  readonly onCopy: () => void
}

export interface LogBar {
  readonly element: HTMLElement
  /** The button that shows the controls on a phone, where the text comes first. It belongs in the toolbar. */
  readonly toggle: HTMLElement
  readonly setStatus: (status: string, isProblem?: boolean) => void
  readonly setFolded: (areAllFolded: boolean) => void
  readonly setPartial: (isPartial: boolean) => void
  readonly reset: () => void
}

const createButton = (properties: Partial<HTMLButtonElement>, ...children: (Node | string)[]) =>
  createElement('button', { type: 'button', ...properties }, ...children)

function createToggle(
  onChange: () => void,
  properties: Partial<HTMLButtonElement>,
  ...children: (Node | string)[]
) {
  const button = createButton({ ariaPressed: 'false', ...properties }, ...children)
  button.addEventListener('click', () => {
    button.ariaPressed = String(button.ariaPressed !== 'true')
    onChange()
  })
  return button
}

const isPressed = (button: HTMLButtonElement) => button.ariaPressed === 'true'

export function createLogBar(options: BarOptions): LogBar {
  const { counts, hasTimes, hasTraces, onFilter, onFoldAll, onGoToTime, onCopy } = options
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
    button: createToggle(
      report,
      { className: `level level-${name}` },
      `${LABELS[index]} `,
      createElement('span', { className: 'count' }, (counts[index] ?? 0).toLocaleString('en')),
    ),
  })).filter(({ count }) => count > 0)
  const levelGroup = createElement(
    'fieldset',
    { className: 'log-levels', ariaLabel: 'Show only', hidden: levels.length === 0 },
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
  const pattern = createToggle(report, { ariaLabel: 'Regular expression', title: 'Regular expression' }, '.*')
  const context = createToggle(
    report,
    {
      ariaLabel: `±${CONTEXT_LINES} lines of context`,
      title: `Show ${CONTEXT_LINES} lines before and after`,
    },
    `±${CONTEXT_LINES}`,
  )
  const filter = createElement('form', { className: 'log-filter' }, query, pattern, context)
  filter.addEventListener('submit', (event) => {
    event.preventDefault()
    report()
  })

  const time = createElement('input', { id: 'log-time', autocomplete: 'off', placeholder: '14:32:00' })
  const goToTime = createElement(
    'form',
    { className: 'log-time', hidden: !hasTimes },
    createElement('label', { htmlFor: time.id }, 'Go to time'),
    time,
  )
  goToTime.addEventListener('submit', (event) => {
    event.preventDefault()
    onGoToTime(time.value)
  })

  const fold = createToggle(() => onFoldAll(isPressed(fold)), { hidden: !hasTraces }, 'Fold traces')
  const copy = createButton({ hidden: true }, 'Copy shown lines')
  copy.addEventListener('click', onCopy)
  const status = createElement('p', { id: 'log-status', className: 'log-status', role: 'status' })
  const element = createElement(
    'section',
    { id: 'log-bar', className: 'log-bar', ariaLabel: 'Log' },
    createElement('div', { className: 'log-actions' }, levelGroup, fold, copy),
    createElement('div', { className: 'log-fields' }, filter, goToTime),
    status,
  )
  const toggle = createButton({ className: 'log-toggle', ariaExpanded: 'false' }, 'Filter')
  toggle.setAttribute('aria-controls', element.id)
  toggle.addEventListener('click', () => {
    toggle.ariaExpanded = String(element.classList.toggle('open'))
  })
  return {
    element,
    toggle,
    setStatus: (message, isProblem = false) => {
      status.classList.toggle('problem', isProblem)
      query.ariaInvalid = isProblem ? 'true' : null
      // Screen readers don't repeat a message that stays the same.
      if (status.textContent !== message) status.textContent = message
    },
    setFolded: (areAllFolded) => {
      fold.ariaPressed = String(areAllFolded)
    },
    setPartial: (isPartial) => {
      copy.hidden = !isPartial
    },
    reset: () => {
      clearTimeout(timer)
      query.value = ''
      for (const { button } of levels) button.ariaPressed = 'false'
    },
  }
}
