import { compareTexts } from '../../shared/compare/compare-texts.ts'
import { type Markup, renderResult } from '../../shared/compare/markup.ts'
import { createHiddenWarning, fillText } from '../decrypt/decrypted-page.ts'
import { canEncrypt, decryptInWorker, deriveClaimTokenInWorker } from '../encryption/jwe-client.ts'
import { createPasswordForm } from '../encryption/password.ts'
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

function decryptVersions(
  show: (texts: readonly string[], form: HTMLFormElement, password: string) => Promise<void>,
): void {
  const versions = findVersions()
  const formElement = requireElement<HTMLFormElement>('form#decrypt-versions')
  const form = createPasswordForm(formElement)
  if (!canEncrypt()) form.setHint(NEEDS_HTTPS)
  form.onSubmit(async (password) => {
    if (!canEncrypt()) return form.fail(NEEDS_HTTPS, { passwordWrong: false })
    for (const version of versions) version.text ??= await decryptInWorker(version.jwe, password)
    const texts = versions.flatMap(({ text }) => text ?? [])
    if (texts.length < versions.length) return form.fail(formatFailure(versions), { passwordWrong: true })
    await show(texts, formElement, password)
  })
}

/** Screen readers read on there. */
function focus(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus()
}

function startComparison(template: HTMLTemplateElement): void {
  decryptVersions(async ([old = '', current = ''], form) => {
    const shown = template.content.cloneNode(true) as DocumentFragment
    const differences = requireElement('section.differences', shown)
    differences.append(...renderResult(compareTexts(old, current)).map(createMarkup))
    form.replaceWith(shown)
    focus(differences)
  })
}

function startVersion(template: HTMLTemplateElement): void {
  decryptVersions(async ([text = ''], form, password) => {
    const shown = template.content.cloneNode(true) as DocumentFragment
    const proof = shown.querySelector<HTMLInputElement>('input[name="claim_token"]')
    if (proof?.dataset.header) proof.value = await deriveClaimTokenInWorker(proof.dataset.header, password)
    const section = requireElement('section.text', shown)
    section.dataset.decrypted = 'true'
    const warning = createHiddenWarning(text)
    if (warning) shown.prepend(warning)
    await fillText(shown, text)
    form.replaceWith(shown)
    focus(section)
    await import('../viewer/viewer.ts')
  })
}

const comparison = document.querySelector<HTMLTemplateElement>('template#decrypted-comparison')
const version = document.querySelector<HTMLTemplateElement>('template#decrypted-version')
if (comparison) startComparison(comparison)
if (version) startVersion(version)
