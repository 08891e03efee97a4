import { type ComparedVersion, compareFiles, type FileChange } from '../../shared/compare/compare-files.ts'
import { compareTexts } from '../../shared/compare/compare-texts.ts'
import { type Markup, renderFileChange, renderResult, SAME_FILES } from '../../shared/compare/markup.ts'
import { PLAIN_TEXT } from '../../shared/display.ts'
import { createHiddenWarning, fillText } from '../decrypt/decrypted-text.ts'
import {
  canEncrypt,
  createPasswordForm,
  decryptInWorker,
  deriveClaimTokenInWorker,
  findLinkPassword,
} from '../encryption/encryption.ts'
import { CODE_STYLES, type CodeTasks, getTokensBetween, type Tokens } from '../highlight/tokens.ts'
import { createElement, requireElement, supportsHighlights } from '../shared/elements.ts'
import { createWorkerClient } from '../shared/workers.ts'
import { createMarker, highlightCode } from '../viewer/highlighting/highlighting.ts'

function createMarkup(markup: Markup): Node | string {
  if (typeof markup === 'string') return markup
  const { tag, class: className, hidden, children } = markup
  const element = document.createElement(tag)
  if (className !== undefined) element.className = className
  if (hidden) element.ariaHidden = 'true'
  element.append(...children.map(createMarkup))
  return element
}

const NEEDS_HTTPS = 'This page wasn’t loaded over HTTPS, so your browser can’t decrypt the document here.'

interface EncryptedVersion extends Omit<ComparedVersion, 'text'> {
  readonly number: string
  readonly jwe: string
  text: string | null
}

const findVersions = (): EncryptedVersion[] =>
  [...document.querySelectorAll<HTMLTemplateElement>('template.jwe')].map(({ dataset, content }) => ({
    number: dataset.version ?? '',
    language: dataset.language ?? PLAIN_TEXT,
    languageChosen: dataset.chosen === 'true',
    jwe: (content.textContent ?? '').trim(),
    text: null,
  }))

/** A document may have had another password earlier. */
function formatFailure(versions: readonly EncryptedVersion[]): string {
  const locked = versions.filter(({ text }) => text === null)
  if (locked.length === versions.length) return 'Wrong password. Try again.'
  return `Version ${locked.map(({ number }) => number).join(' and ')} has another password. Enter that one too.`
}

/** Moves the focus, so that screen readers read on there. */
function focus(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus()
}

/** Creates the same elements as src/history/history-page.tsx. */
function createFileChange(prototype: HTMLElement, file: FileChange): HTMLElement {
  const section = prototype.cloneNode() as HTMLElement
  section.ariaLabel = `Changes in ${file.name}`
  Object.assign(section.dataset, { oldLanguage: file.oldLanguage, language: file.language })
  section.append(...renderFileChange(file).map(createMarkup))
  return section
}

async function showDecrypted(
  shown: DocumentFragment,
  versions: readonly ComparedVersion[],
  password: string,
): Promise<void> {
  const form = requireElement('form#decrypt-versions')
  const restore = shown.querySelector('form.restore')
  const proof = restore?.querySelector<HTMLInputElement>('input[name="claim_token"]')
  if (proof?.dataset.header) proof.value = await deriveClaimTokenInWorker(proof.dataset.header, password)
  const choices = requireElement('.history-choices > div')
  if (restore) choices.append(restore)
  const tools = shown.querySelector('.tools')
  if (tools) choices.before(tools)
  const differences = shown.querySelector<HTMLElement>('section.differences')
  const [old, current] = versions
  if (differences && old && current) {
    const files = compareFiles({ old, current, title: null })
    if (!files) differences.append(...renderResult(compareTexts(old.text, current.text)).map(createMarkup))
    else if (files.length > 0)
      differences.replaceWith(...files.map((file) => createFileChange(differences, file)))
    else differences.replaceWith(createElement('p', { className: 'strip quiet-text' }, SAME_FILES))
    form.replaceWith(shown)
    startDifferences()
    return focus(document.querySelector<HTMLElement>('section.differences') ?? document.body)
  }
  const text = old?.text ?? ''
  const section = requireElement('section.text', shown)
  section.dataset.decrypted = 'true'
  const warning = await createHiddenWarning(text, section.dataset)
  if (warning) shown.prepend(warning)
  await fillText(shown, text)
  form.replaceWith(shown)
  focus(requireElement('code', section))
  await import('../viewer/viewer.ts')
}

async function startDecryption(template: HTMLTemplateElement): Promise<void> {
  const versions = findVersions()
  const element = requireElement<HTMLFormElement>('form#decrypt-versions')
  const form = createPasswordForm(element)
  if (!canEncrypt()) form.setHint(NEEDS_HTTPS)
  const [, id = ''] = location.pathname.split('/')
  /** Returns false if other passwords are needed. */
  const open = async (password: string): Promise<boolean> => {
    for (const version of versions) {
      if (version.text !== null) continue
      version.text = await decryptInWorker(version.jwe, password)
    }
    const opened = versions.flatMap(({ text, ...version }) => (text === null ? [] : { ...version, text }))
    if (opened.length < versions.length) return false
    await showDecrypted(template.content.cloneNode(true) as DocumentFragment, opened, password)
    return true
  }
  form.onSubmit(async (password) => {
    if (!canEncrypt()) return form.fail(NEEDS_HTTPS, { passwordWrong: false })
    if (!(await open(password))) form.fail(formatFailure(versions), { passwordWrong: true })
  })
  const known = canEncrypt() ? findLinkPassword(id) : null
  if (known === null) return
  element.hidden = true
  const isOpen = await open(known).finally(() => {
    element.hidden = false
  })
  const opensSome = !isOpen && versions.some(({ text }) => text !== null)
  if (opensSome) form.fail(formatFailure(versions), { passwordWrong: true })
}

/** The lines of one version. Only these are known, so colours may be wrong after lines that aren't on the page. */
interface Side {
  readonly starts: ReadonlyMap<Element, number>
  tokens: Tokens
}

const readText = (line: Element) => line.querySelector('.line-text')?.textContent ?? ''

function* findRanges(line: Element, start: number, tokens: Tokens): Generator<[number, StaticRange]> {
  const content = line.querySelector('.line-text')
  if (!content) return
  let at = start
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const end = at + node.length
    for (const { from, to, style } of getTokensBetween(tokens, at, end)) {
      const [startOffset, endOffset] = [Math.max(from, at) - at, Math.min(to, end) - at]
      yield [style, new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset })]
    }
    at = end
  }
}

/** Colours the lines of all comparisons that are near the window. */
function startDifferences(): void {
  const all = [...document.querySelectorAll<HTMLElement>('section.differences')]
  const [
    {
      dataset: { highlightWorker = '' },
    } = document.body,
  ] = all
  if (all.length === 0 || !supportsHighlights()) return
  const worker = createWorkerClient<CodeTasks>(highlightWorker)
  const near = new Set<Element>()
  const sides: Side[] = []
  const markPainted = createMarker('painted')
  let requested = false
  const paint = () => {
    requested = false
    const ranges = CODE_STYLES.map(() => new Highlight())
    const painted: StaticRange[] = []
    for (const line of near) {
      const side = sides.find(({ starts }) => starts.has(line))
      for (const [style, range] of side ? findRanges(line, side.starts.get(line) ?? 0, side.tokens) : []) {
        ranges[style]?.add(range)
        painted.push(range)
      }
    }
    markPainted(painted)
    for (const [index, name] of CODE_STYLES.entries())
      CSS.highlights.set(name, ranges[index] ?? new Highlight())
  }
  const requestPaint = () => {
    if (!requested) requestAnimationFrame(paint)
    requested = true
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target)
        else near.delete(target)
      }
      requestPaint()
    },
    { rootMargin: '100%' },
  )
  const colour = async (lines: Iterable<Element>, language: string) => {
    let text = ''
    const starts = new Map<Element, number>()
    for (const line of lines) {
      starts.set(line, text.length)
      text += `${readText(line)}\n`
    }
    const side: Side = { starts, tokens: new Uint32Array() }
    sides.push(side)
    await new Promise<void>((done) => {
      const client = { ask: worker.ask, stop: done }
      highlightCode(client, language, text, ({ tokens }) => {
        side.tokens = tokens
        requestPaint()
      })
    })
  }
  // A line that both versions have takes its colours from the new one. In two columns, it's there twice.
  const colourings = all.flatMap((differences) => {
    for (const line of differences.querySelectorAll('.line')) observer.observe(line)
    const { language = '', oldLanguage = language } = differences.dataset
    return [
      colour(differences.querySelectorAll('.line:is(.both, .added)'), language),
      colour(differences.querySelectorAll('.line:is(.again, .removed)'), oldLanguage),
    ]
  })
  void Promise.all(colourings).then(worker.stop)
}

const STEPS: Readonly<Record<string, string>> = { ArrowLeft: 'prev', ArrowRight: 'next' }

/** Arrow keys that already do something keep doing it. */
const usesArrows = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, select, textarea, section.text, dialog *')

addEventListener('keydown', ({ key, altKey, ctrlKey, metaKey, shiftKey, target }) => {
  if (altKey || ctrlKey || metaKey || shiftKey || usesArrows(target)) return
  document.querySelector<HTMLAnchorElement>(`.steps a[rel="${STEPS[key]}"]`)?.click()
})

const timeline = document.querySelector<HTMLElement>('.timeline')
const current = timeline?.querySelector<HTMLElement>('[aria-current]')
const showCurrent = () => {
  if (timeline && current) timeline.scrollTop = current.offsetTop - timeline.clientHeight / 2
}
showCurrent()
timeline?.addEventListener('toggle', showCurrent)

const template = document.querySelector<HTMLTemplateElement>('template#decrypted')
if (template) void startDecryption(template)
startDifferences()
if (document.querySelector('section.text')) void import('../viewer/viewer.ts')
