import { compareTexts } from '../../shared/compare/compare-texts.ts'
import { type Markup, renderResult } from '../../shared/compare/markup.ts'
import { createHiddenWarning, fillText } from '../decrypt/decrypted-text.ts'
import { canEncrypt, decryptInWorker, deriveClaimTokenInWorker } from '../encryption/jwe-client.ts'
import { createPasswordForm } from '../encryption/password-form.ts'
import { highlightComparison } from '../highlight/compared-lines.ts'
import { supportsHighlights } from '../highlight/highlight-support.ts'
import { requireElement } from '../shared/elements.ts'

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

interface EncryptedVersion {
  readonly number: string
  readonly jwe: string
  text: string | null
}

const findVersions = (): EncryptedVersion[] =>
  [...document.querySelectorAll<HTMLTemplateElement>('template.jwe')].map(({ dataset, content }) => ({
    number: dataset.version ?? '',
    jwe: (content.textContent ?? '').trim(),
    text: null,
  }))

/** A document may have had another password earlier. */
function formatFailure(versions: readonly EncryptedVersion[]): string {
  const locked = versions.filter(({ text }) => text === null)
  if (locked.length === versions.length) return 'Wrong password. Try again.'
  return `Version ${locked.map(({ number }) => number).join(' and ')} has another password. Enter that one too.`
}

/** Screen readers read on there. */
function focus(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus()
}

async function showDecrypted(
  shown: DocumentFragment,
  texts: readonly string[],
  password: string,
): Promise<void> {
  const form = requireElement('form#decrypt-versions')
  const restore = shown.querySelector('form.restore')
  const proof = restore?.querySelector<HTMLInputElement>('input[name="claim_token"]')
  if (proof?.dataset.header) proof.value = await deriveClaimTokenInWorker(proof.dataset.header, password)
  if (restore) requireElement('.version-actions').append(restore)
  const differences = shown.querySelector<HTMLElement>('section.differences')
  if (differences) {
    const [old = '', current = ''] = texts
    differences.append(...renderResult(compareTexts(old, current)).map(createMarkup))
    form.replaceWith(shown)
    startDifferences(differences)
    return focus(differences)
  }
  const [text = ''] = texts
  const section = requireElement('section.text', shown)
  section.dataset.decrypted = 'true'
  const warning = createHiddenWarning(text)
  if (warning) shown.prepend(warning)
  await fillText(shown, text)
  form.replaceWith(shown)
  focus(section)
  await import('../viewer/viewer.ts')
}

function startDecryption(template: HTMLTemplateElement): void {
  const versions = findVersions()
  const form = createPasswordForm(requireElement<HTMLFormElement>('form#decrypt-versions'))
  if (!canEncrypt()) form.setHint(NEEDS_HTTPS)
  form.onSubmit(async (password) => {
    if (!canEncrypt()) return form.fail(NEEDS_HTTPS, { passwordWrong: false })
    for (const version of versions) version.text ??= await decryptInWorker(version.jwe, password)
    const texts = versions.flatMap(({ text }) => text ?? [])
    if (texts.length < versions.length) return form.fail(formatFailure(versions), { passwordWrong: true })
    await showDecrypted(template.content.cloneNode(true) as DocumentFragment, texts, password)
  })
}

function startDifferences(differences: HTMLElement): void {
  if (supportsHighlights()) highlightComparison(differences)
}

const STEPS: Readonly<Record<string, string>> = { ArrowLeft: 'prev', ArrowRight: 'next' }

/** Where arrow keys already do something, they keep doing it. */
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
if (template) startDecryption(template)
const differences = document.querySelector<HTMLElement>('section.differences')
if (differences) startDifferences(differences)
if (document.querySelector('section.text')) void import('../viewer/viewer.ts')
