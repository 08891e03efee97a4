import { titleText } from '../../shared/derive-title.ts'
import { restoreLineBreaks } from '../../shared/files.ts'
import { findFiles } from '../../shared/find-files.ts'
import { AUTO, findLanguage, TXTAR } from '../../shared/languages.ts'
import { detectLineBreaks, isLongField, MIXED_LINE_BREAKS, withLineBreaks } from '../../shared/lines.ts'
import { buildPasswordLink } from '../../shared/password-link.ts'
import { CHECKBOXES, type CheckboxName, type RequestSettings, SETTINGS } from '../../shared/settings.ts'
import { findToken, keepEditedDocument, tokenHeader } from '../device/device-documents.ts'
import {
  canEncrypt,
  createPasswordForm,
  decryptInWorker,
  deriveClaimTokenInWorker,
  encryptInWorker,
  getPasswordHint,
  takePassword,
} from '../encryption/encryption.ts'
import { requireElement } from '../shared/elements.ts'
import { readExpiration, requireContent, type SeveralFiles, startDocumentForm } from './document-form.ts'
import { fillForm, readFormValues } from './drafts.ts'
import type { LanguageField } from './language-field.ts'
import {
  announceInForm,
  requestApi,
  rethrowForUser,
  SaveError,
  saveOnSubmit,
  showError,
  toJsonBody,
} from './save-form.ts'

const NAMES = ['title', 'name', 'language', 'visibility', ...CHECKBOXES] as const

type FieldName = (typeof NAMES)[number]

/**
 * The values that the form can change. They're empty for a checkbox that isn't checked, and for a field that the form
 * lacks.
 */
export type FieldValues = Readonly<Record<FieldName, string>>

/** The API shows a title and a name only if somebody gave one. */
type ShownSettings = Readonly<Record<'public' | CheckboxName, boolean>> & {
  readonly language: string
  readonly title?: string
  readonly name?: string
}

type ChangedSettings = RequestSettings<'title' | 'name' | 'language' | 'expiration' | 'public' | CheckboxName>

const mapFields = (getValue: (name: FieldName) => string) =>
  Object.fromEntries(NAMES.map((name) => [name, getValue(name)])) as FieldValues

export const toFields = ({
  title = '',
  name: givenName = '',
  language,
  ...flags
}: ShownSettings): FieldValues =>
  mapFields((name) => {
    if (name === 'name') return givenName
    if (name === 'title') return title
    if (name === 'language') return findLanguage(language)?.name ?? language
    if (name === 'visibility') return flags.public ? 'public' : 'unlisted'
    return flags[name] ? 'yes' : ''
  })

const findChanged = (fields: FieldValues, base: FieldValues): FieldName[] =>
  NAMES.filter((name) => fields[name] !== base[name])

/** A field that both changed stays mine and is `contested`. */
export function mergeFields({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', FieldValues>) {
  const changed = findChanged(mine, base)
  const theirsChanged = findChanged(theirs, base)
  return {
    merged: mapFields((name) => (changed.includes(name) ? mine : theirs)[name]),
    contested: changed.filter((name) => theirsChanged.includes(name) && theirs[name] !== mine[name]),
  }
}

function editSettings(
  form: HTMLFormElement,
  { language, files, encrypted }: { language: LanguageField; files: SeveralFiles; encrypted: boolean },
) {
  const read = (): FieldValues => {
    const fields = readFormValues(form)
    return mapFields((name) => fields[name]?.trim() ?? '')
  }
  let present = read()
  const toSetting = async (name: FieldName, value: string): Promise<ChangedSettings> => {
    if (name === 'title' || name === 'name') return { [name]: value }
    if (name === 'language') {
      // The server detects the language, of this text and of the next, unless it can't read them.
      const isFinal = value === TXTAR || (value === AUTO && !encrypted)
      return { language: isFinal ? value : await language.current() }
    }
    if (name === 'visibility') return { public: value === 'public' }
    return { [name]: value !== '' }
  }
  return {
    changed: async (): Promise<ChangedSettings> => {
      const fields = read()
      const changed = findChanged(fields, present).map((name) => toSetting(name, fields[name]))
      return Object.assign(readExpiration(form), ...(await Promise.all(changed)))
    },
    areChanged: () => findChanged(read(), present).length > 0 || 'expiration' in readExpiration(form),
    /** Returns the labels of settings that both changed. */
    merge: (saved: ShownSettings): string[] => {
      const fields = toFields(saved)
      // What was detected since counts as no choice.
      const isDetected = present.language === AUTO && fields.language !== TXTAR
      const theirs = mapFields((name) => {
        if (name === 'language' && isDetected) return AUTO
        return form.elements.namedItem(name) ? fields[name] : ''
      })
      const { merged, contested } = mergeFields({ base: present, mine: read(), theirs })
      // With several files, the field means the one in sight.
      const shown = files.isOpen() && { language: language.choice() }
      fillForm(form, { ...readFormValues(form), ...merged, ...shown })
      present = theirs
      return contested.map((name) => `“${SETTINGS[name === 'visibility' ? 'public' : name].label}”`)
    },
  }
}

interface ApiDocument {
  readonly content: string
  readonly timestamps: { readonly expiration: string }
  readonly settings: ShownSettings
}

interface Decrypted {
  readonly password: string
  /**
   * Is true if the password is in the link: then the page after saving needn't ask for it. A password that was typed
   * doesn't become part of an address.
   */
  readonly isInLink: boolean
  /** The text with its own line breaks, which a form can't hold. */
  readonly text: string
  readonly jwe: string
}

const PASSWORD_CHANGED =
  'Someone changed this document’s password after you opened it, so we can’t compare it with your text. Copy ' +
  'your text, then open the document again.'

const NOT_COMPARED =
  'Someone else saved first, and the tool that compares both versions couldn’t be loaded. Your text is still here. Save ' +
  'again when you’re online.'

const WATCH_AFTER_MS = 2_000

const SETTINGS_LIST = new Intl.ListFormat('en-GB')

const mergedFirst = (message: string) => new SaveError(message, 'content', 'precondition_failed')

function readStoredText(form: HTMLFormElement, decrypted: Decrypted | null): string {
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const ofFiles = form.dataset.fileLineBreaks
  if (!decrypted && ofFiles) return restoreLineBreaks(textarea.defaultValue, new Map(JSON.parse(ofFiles)))
  if (!decrypted) return withLineBreaks(textarea.defaultValue, form.dataset.lineBreaks)
  textarea.toggleAttribute('data-long', isLongField(decrypted.text))
  textarea.defaultValue = decrypted.text
  return decrypted.text
}

/** Saves only if nobody else has saved since the document was opened. */
function startEditForm(form: HTMLFormElement, decrypted: Decrypted | null, token: string | null): void {
  const { document: id = '' } = form.dataset
  const version = requireElement<HTMLInputElement>('[name="version"]', form)
  const text = readStoredText(form, decrypted)
  // An earlier version differs from the stored text.
  let base = form.dataset.changed === 'true' ? null : text
  const { codeEditor, confirmPublic, files, language, maxContentBytes } = startDocumentForm(form, { text })
  const settings = editSettings(form, { language, files, encrypted: decrypted !== null })
  if (decrypted && detectLineBreaks(decrypted.text) === 'mixed') announceInForm(MIXED_LINE_BREAKS)
  /** The base is written as files are. */
  let isArchive = form.dataset.language === TXTAR
  let latest = decrypted
  let onMerged = () => {}

  const ask = <Data>(path: string, { headers, ...request }: RequestInit = {}) =>
    requestApi<Data>(path, { ...request, headers: { ...tokenHeader(token), ...headers } })
  const findAuthor = async () => {
    const { data } = await ask<{ revisions: readonly { author: string | null }[] }>(
      `/v1/document/${id}/revisions`,
    )
    return data.revisions[0]?.author ?? null
  }
  const isTextChanged = () => codeEditor.text() !== base
  // The same files may have been written in another way.
  void files.openArchive(text).then((stored) => {
    if (stored === null) return
    isArchive = true
    if (base === text) base = stored
  })
  const hasChanges = () => isTextChanged() || settings.areChanged()
  const address = decrypted?.isInLink ? buildPasswordLink(`/${id}`, decrypted.password) : `/${id}`

  async function buildBody(onProgress: (step: string) => void): Promise<string | Blob> {
    const content = isTextChanged() ? await requireContent(codeEditor.text(), maxContentBytes) : undefined
    const changed = await settings.changed()
    // Burn after reading needs a claim hash, which comes with a new JWE.
    if (!latest || (content === undefined && !changed.instant_delete))
      return toJsonBody({ id, settings: changed }, content)
    onProgress('Encrypting…')
    const { text, password, jwe } = latest
    const encrypted = await encryptInWorker({
      text: content ?? text,
      password,
      generated: { asIn: jwe },
    }).catch(rethrowForUser)
    const [header = ''] = jwe.split('.', 1)
    // Proves the password to the server, which lets only those replace the document who can read it.
    const claimToken = await deriveClaimTokenInWorker(header, password).catch(rethrowForUser)
    onProgress('Saving…')
    const secrets: RequestSettings = { client_encrypted: true, claim_hash: encrypted.claimHash }
    return toJsonBody({ id, claim_token: claimToken, settings: { ...changed, ...secrets } }, encrypted.jwe)
  }

  async function mergeSavedVersion() {
    // First: to somebody who may no longer edit, reading it could be the only delivery of a document that burns.
    const author = await findAuthor().catch((error: unknown) => {
      if (error instanceof SaveError && error.code === 'not_found') throw error
      return null
    })
    const [{ data: saved, etag }, { mergeConflict, mergeSeveral }] = await Promise.all([
      ask<ApiDocument>(`/v1/document/${id}`),
      import('./conflict.ts').catch(() => {
        throw new SaveError(NOT_COMPARED)
      }),
    ])
    const theirs = latest
      ? await decryptInWorker(saved.content, latest.password).catch(rethrowForUser)
      : saved.content
    if (theirs === null) throw new SaveError(PASSWORD_CHANGED, 'content')
    const languageChosen = form.dataset.detect === undefined
    const isTheirs = findFiles({ language: saved.settings.language, languageChosen }, theirs) !== null
    const texts = { base: { text: base ?? '', isArchive }, theirs: { text: theirs, isArchive: isTheirs } }
    const hasFiles = files.maySplit && (isArchive || isTheirs)
    if (hasFiles && !(await files.load())) throw new SaveError(NOT_COMPARED)
    const contested = settings.merge(saved.settings)
    const several = mergeSeveral(files, codeEditor, texts)
    const merged = several ?? mergeConflict(codeEditor, { base: base ?? '', theirs })
    isArchive = isTheirs
    version.value = etag
    if (latest) latest = { ...latest, text: theirs, jwe: saved.content }
    base = merged.saved
    onMerged()
    const message = `${author ?? 'Someone else'} ${merged.message}`
    return {
      message:
        contested.length === 0
          ? message
          : `${message} You both changed ${SETTINGS_LIST.format(contested)}, and your choice is selected.`,
      hasNotes: several?.hasNotes ?? false,
    }
  }

  async function resolveConflict(): Promise<string> {
    const { message, hasNotes } = await mergeSavedVersion()
    if (!hasChanges() && !hasNotes) return address
    throw mergedFirst(message)
  }

  const watchChanges = async () => {
    const { watchEditedDocument } = await import('../shared/newer-versions.ts')
    onMerged = watchEditedDocument({
      id,
      etag: () => version.value,
      hasChanges,
      findAuthor,
      mergeSavedVersion: async () => (await mergeSavedVersion()).message,
      onConflict: (message) => showError(form, codeEditor, mergedFirst(message)),
    })
  }
  // Without it, saving still finds out.
  setTimeout(() => void watchChanges().catch(console.error), WATCH_AFTER_MS)

  saveOnSubmit({
    form,
    codeEditor,
    maySendPlain: () => decrypted === null,
    losesText: isTextChanged,
    save: async ({ onProgress, onSend }) => {
      if (!hasChanges()) return address
      if (!latest) await confirmPublic()
      // Another version may be merged into the text while this one is encrypted.
      const ifMatch = version.value
      try {
        const body = await buildBody(onProgress)
        onSend()
        const { data: saved } = await ask<ApiDocument>('/v1/document', {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', 'If-Match': ifMatch },
          body,
        })
        if (token !== null) {
          const expiresAt = Date.parse(saved.timestamps.expiration)
          const { title: given, language } = saved.settings
          const title = given ?? (latest ? null : titleText(saved.content, language))
          await keepEditedDocument({ id, token, title, expiresAt })
        }
      } catch (error) {
        if (error instanceof SaveError && error.code === 'precondition_failed') return resolveConflict()
        throw error
      }
      return address
    },
  })
  if (matchMedia('(pointer: fine)').matches) codeEditor.focus()
}

function decryptToEdit(jwe: string, locked: HTMLElement, open: (decrypted: Decrypted) => void): void {
  const form = createPasswordForm(requireElement<HTMLFormElement>('.unlock form', locked))
  const linkPassword = takePassword()
  form.setHint(getPasswordHint(canEncrypt()))
  if (linkPassword !== null) form.fill(linkPassword)
  if (!canEncrypt()) return
  form.onSubmit(async (password) => {
    const text = await decryptInWorker(jwe, password)
    if (text === null) return form.fail('Wrong password. Try again.', { passwordWrong: true })
    open({ password, isInLink: password === linkPassword, text, jwe })
  })
  if (linkPassword !== null) form.submit(linkPassword)
}

/** Shows the text area of a long text, which would wait for a code editor to take its place, although none will. */
const showPlainText = (): void => document.querySelector('#content')?.removeAttribute('data-long')

export function startEditing(): void {
  const locked = document.querySelector<HTMLElement>('#locked')
  const template = document.querySelector<HTMLTemplateElement>('template#decrypted-form')
  const jwe = document.querySelector<HTMLTemplateElement>('template#jwe')?.content.textContent
  // A form that holds a password was decrypted on the server, which saves it too.
  const form = document.querySelector<HTMLFormElement>(
    'form#edit[data-line-breaks]:not(:has([name="password"]))',
  )
  const dataset = (form ?? template?.content.querySelector<HTMLFormElement>('form#edit'))?.dataset
  const token = dataset?.byToken === 'true' ? findToken(dataset.document ?? '') : null
  // After a management link, only the cookie has the token: scripts can't read it, and the plain form needs no more.
  const usesPlainForm = dataset?.byToken === 'true' && token === null
  if (usesPlainForm || !form) showPlainText()
  if (usesPlainForm) return
  if (form) startEditForm(form, null, token)
  if (locked && template && jwe)
    decryptToEdit(jwe.trim(), locked, (decrypted) => {
      locked.replaceWith(template.content.cloneNode(true))
      startEditForm(requireElement<HTMLFormElement>('form#edit'), decrypted, token)
    })
}
