import { describeKinds, nameType, nameValue, type Replacement, summarize } from '../../shared/scan/redact.ts'
import { type FindingType, isSecret } from '../../shared/scan/scan-text.ts'
import { closeMenusElsewhere } from '../editor/bar-menus.ts'
import { announceInForm, refusesChange, SaveError } from '../editor/save-form.ts'
import { type CodeEditor, findChange } from '../editor/text-box.ts'
import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { createButton, createElement, requireElement } from '../shared/elements.ts'
import { createWorkerClient, NOT_LOADED } from '../shared/workers.ts'
import type { ShownValue } from './scan-tasks.ts'

const DEBOUNCE_MS = 300
/** Values of a kind in the list. */
const MAX_LISTED = 50

/** The types of findings, in the order of the list. */
const TYPES = [
  'key',
  'password',
  'card',
  'email',
  'phone',
  'user',
  'ip',
  'mac',
] as const satisfies FindingType[]

const STYLES = `
.scan h2 { margin: 0; font-size: var(--small) }
.scan .hint { margin: var(--space-2) 0 }
.scan ul { margin: 0 0 var(--space-2); padding: 0; list-style: none }
.scan :is(.row, li) { display: flex; gap: var(--space-2); align-items: center; min-height: var(--control-small) }
.scan li { margin-top: var(--space-1); font-size: var(--small) }
.scan .scan-place { flex: 1; min-width: 0; margin-left: -0.625rem; justify-content: start; overflow: hidden; border-color: transparent; background: none; text-align: left; font-weight: var(--regular); white-space: nowrap }
.scan .scan-place:hover { background: var(--hover) }
@media (max-width: 90rem) { .bar .scan .bar-text { max-width: 9rem; overflow: hidden; text-overflow: ellipsis } }
@media (min-width: 60rem) { .scan-count { display: none } }
@media (max-width: 60rem) { .bar .scan .bar-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } }
`

const SVG = 'http://www.w3.org/2000/svg'
/** The icon “scan-search” of Lucide. */
const ICON =
  'M3 7V5a2 2 0 0 1 2-2h2M17 3h2a2 2 0 0 1 2 2v2M21 17v2a2 2 0 0 1-2 2h-2M7 21H5a2 2 0 0 1-2-2v-2M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M16 16l-1.9-1.9'

function createIcon(): SVGElement {
  const icon = document.createElementNS(SVG, 'svg')
  const attributes = { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }
  for (const [name, value] of Object.entries(attributes)) icon.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICON)
  icon.append(path)
  return icon
}

/** One text of the form, or the names of its files, each in a line. */
export interface FormText {
  /** An object that tells this text from others. */
  readonly key: object
  /** Has LF for every line break, as the code editor does. */
  readonly shown: () => string
  /** @example "line 3", "a.log, line 3" */
  readonly describe: (line: number) => string
  readonly goTo: (place: Pick<ShownValue, 'line' | 'from' | 'to'>) => void
  readonly change: (replacements: readonly Replacement[]) => void
  readonly canUndo: boolean
}

interface Place {
  readonly text: FormText
  readonly value: ShownValue
}

interface Options {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly listTexts: () => readonly FormText[]
}

/**
 * Looks for secrets and personal details in the text, in a worker, and shows a control in the bar while there are any. The
 * text and what is found never leave the browser.
 */
export function createScan({ form, codeEditor, listTexts }: Options) {
  const numbers = new Map<FormText['key'], number>()
  const scanned = new Map<FormText['key'], { text: string; values: readonly ShownValue[] }>()
  const ignored = new Set<number>()
  const asked = new Set<number>()
  /** The texts and the ids of their values are known to one worker. The next change has another one scan all. */
  const forget = () => {
    for (const known of [scanned, ignored, asked]) known.clear()
    render()
  }
  const { ask, stop } = createWorkerClient<HighlightTasks>(form.dataset.highlightWorker ?? '', forget)
  const fail = (error: unknown): never => {
    stop()
    throw error
  }

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
  const words = createElement('span', { className: 'bar-text' })
  const count = createElement('span', { className: 'scan-count', ariaHidden: 'true' })
  const summary = createElement('summary', { className: 'tool' }, createIcon(), words, count)
  const panel = createElement('div', { className: 'bar-panel' })
  const menu = createElement('details', { className: 'bar-menu scan', hidden: true }, summary, panel)
  menu.name = 'bar-menu'
  requireElement('.bar-actions', form).prepend(menu)
  closeMenusElsewhere([menu])

  const getNumber = ({ key }: FormText): number => {
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const listPlaces = (): Place[] =>
    listTexts().flatMap((text) =>
      (scanned.get(text.key)?.values ?? [])
        .filter(({ id }) => !ignored.has(id))
        .map((value) => ({ text, value })),
    )

  const scanOne = async (one: FormText): Promise<void> => {
    const text = one.shown()
    const before = scanned.get(one.key)
    if (before?.text === text) return
    const change = findChange(before?.text ?? '', text)
    const values = await ask('scan', { file: getNumber(one), change }).catch(fail)
    scanned.set(one.key, { text, values })
  }
  /** One scan follows another, so that the worker gets every change once. */
  let latest: Promise<unknown> = Promise.resolve()
  const update = (): Promise<void> => {
    const next = latest.then(async () => {
      for (const text of listTexts()) await scanOne(text)
      render()
    })
    // Whoever can't load the worker shares without it.
    latest = next.catch(() => {})
    return next
  }

  const redact = async (values: readonly ShownValue[]) => {
    const ids = values.map(({ id }) => id)
    await update()
    let canUndo = true
    for (const text of listTexts()) {
      const known = scanned.get(text.key)
      if (!known?.values.some(({ id }) => ids.includes(id))) continue
      const replacements = await ask('redact', { file: getNumber(text), values: ids }).catch(fail)
      // Somebody typed meanwhile: the next click works on that.
      if (text.shown() !== known.text) continue
      if (refusesChange(form)) return
      text.change(replacements)
      canUndo &&= text.canUndo
    }
    await update()
    const [one] = values
    announceInForm(
      `Redacted ${values.length === 1 && one ? nameValue(one) : `${values.length} values`}. Undo brings ${values.length === 1 ? 'it' : 'them'} back${canUndo ? '' : ', but not in names of files'}.`,
    )
    if (menu.hidden) codeEditor.focus()
    else summary.focus()
  }
  const redactButton = (label: string, values: readonly ShownValue[], name: string) => {
    const sayNot = () => announceInForm(NOT_LOADED)
    const button = createButton(label, () => void redact(values).catch(sayNot), 'quiet small')
    button.ariaLabel = name
    return button
  }

  const createItem = ({ text, value }: Place): HTMLElement => {
    const { masked, line, count: times } = value
    const name = nameValue(value)
    const jump = () => {
      menu.open = false
      text.goTo(value)
    }
    const place = createButton('', jump, 'quiet small scan-place')
    if (value.detail !== null) place.append(`${name} `)
    place.append(
      createElement('code', { textContent: masked }),
      ` ${text.describe(line)}${times > 1 ? ` (×${times})` : ''}`,
    )
    return createElement(
      'li',
      {},
      place,
      redactButton('Redact', [value], `Redact the ${name} in ${text.describe(line)}`),
    )
  }
  const createGroup = (places: readonly Place[]): Node[] => {
    const values = places.map(({ value }) => value)
    const [first] = values
    if (!first) return []
    const distinct = new Set(values.map(({ id }) => id)).size
    const kind = nameType(first.type, distinct)
    const heading = createElement('h2', { textContent: `${distinct} ${kind}` })
    const all = distinct > 1 ? [redactButton(`Redact ${distinct}`, values, `Redact ${distinct} ${kind}`)] : []
    const rest = places.length - MAX_LISTED
    return [
      createElement('div', { className: 'row apart' }, heading, ...all),
      createElement(
        'ul',
        {},
        ...places.slice(0, MAX_LISTED).map(createItem),
        ...(rest > 0 ? [createElement('li', { textContent: `and ${rest} more` })] : []),
      ),
    ]
  }

  const getEncryption = () => form.querySelector<HTMLInputElement>('#encrypt:enabled:not(:checked)')
  const encryptInstead = () => {
    menu.open = false
    const encryption = form.querySelector<HTMLDetailsElement>('#password-menu')
    // Opening it chooses a password.
    if (encryption) encryption.open = true
  }
  const render = () => {
    const places = listPlaces()
    const values = [...new Map(places.map(({ value }) => [value.id, value])).values()]
    menu.hidden = places.length === 0
    if (places.length === 0) {
      menu.open = false
      return
    }
    words.textContent = summarize(values)
    count.textContent = String(values.length)
    summary.title = `Found in this text: ${summarize(values)}`
    const ignore = () => {
      for (const { id } of values) ignored.add(id)
      render()
      codeEditor.focus()
    }
    panel.replaceChildren(
      createElement(
        'div',
        { className: 'row' },
        redactButton('Redact all', values, 'Redact all'),
        ...(getEncryption() ? [createButton('Encrypt instead', encryptInstead, 'quiet small')] : []),
        createButton('Ignore', ignore, 'quiet small'),
      ),
      createElement('p', {
        className: 'hint',
        textContent: 'Found in your browser. Not every secret can be recognized.',
      }),
      ...TYPES.flatMap((type) => createGroup(places.filter(({ value }) => value.type === type))),
    )
  }
  // What it offers depends on whether the text is encrypted.
  menu.addEventListener('toggle', () => menu.open && render())

  let timer: ReturnType<typeof setTimeout> | undefined
  const updateSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS)
  }
  codeEditor.onChange(updateSoon)
  // Files that are renamed.
  form.addEventListener('input', updateSoon)

  return {
    update,
    /** @throws SaveError the first time that a document with a secret would be public. */
    confirmPublic: async (button: string): Promise<void> => {
      if (form.querySelector('#encrypt:checked')) return
      await update().catch(() => {})
      const secrets = listPlaces()
        .map(({ value }) => value)
        .filter((value) => isSecret(value))
      const isNew = secrets.some(({ id }) => !asked.has(id))
      for (const { id } of secrets) asked.add(id)
      if (isNew)
        throw new SaveError(
          `Everyone will be able to find this document, and it has ${describeKinds(secrets)}. Redact what is secret, or press ${button} again.`,
        )
    },
  }
}

export type Scan = ReturnType<typeof createScan>
