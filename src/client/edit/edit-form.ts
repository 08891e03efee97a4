import { hasUniformLineBreaks } from '../code-editor/code-editor.ts'
import { offerDate } from '../create/create-settings.ts'
import { open, seal } from '../decrypt/jwe-client.ts'
import { linkWithPassword } from '../decrypt/link-password.ts'
import { MIXED_LINE_BREAKS, setUpDocumentForm } from '../document-form/document-form.ts'
import { SaveError } from '../document-form/form-errors.ts'
import { requireContent, saveOnSubmit } from '../document-form/save-form.ts'
import { announce } from '../shared/announce.ts'
import { requireElement } from '../shared/elements.ts'
import { mergeConflict } from './conflict.ts'
import { type DocumentChange, fetchVersion, saveVersion } from './edit-request.ts'
import { editSettings } from './edit-settings.ts'

interface Decrypted {
  readonly password: string
  /** As it was opened, with the line breaks that it has. */
  readonly text: string
  /** Of the version that was opened. */
  readonly envelope: string
}

const NOT_ITS_PASSWORD =
  'Somebody saved this document meanwhile under another password, so what stands there now can not be compared ' +
  'with yours. Copy your text, then open the document again.'

/** Waits for the page to be left. */
const forever = (): Promise<never> => new Promise(() => {})

/**
 * Lets a document be edited in this page, and saves it only over the version that was opened.
 *
 * @param secret what the form does not have of an encrypted document; null for others.
 */
export function startEditForm(form: HTMLFormElement, secret: Decrypted | null): void {
  const { document: id = '', lineBreaks, confirmed } = form.dataset
  const mostBytes = Number(form.dataset.maxContentBytes)
  const state = requireElement('#editor-state')
  const { value: written, defaultValue } = requireElement<HTMLTextAreaElement>('#content', form)
  const stored = (field: string) => (lineBreaks === 'crlf' ? field.replaceAll('\n', '\r\n') : field)
  const { editor, language } = setUpDocumentForm(form, {
    state,
    keepsLanguage: true,
    text: secret?.text ?? stored(written),
  })
  if (confirmed === 'true') offerDate(form)
  const settings = editSettings(form, language, { once: form.dataset.once === 'true' })
  let tag = requireElement<HTMLInputElement>('[name="version"]', form).value
  // Somebody may have written before this script came.
  let base = !secret && written !== defaultValue ? stored(defaultValue) : editor.text()
  if (secret && !hasUniformLineBreaks(secret.text)) announce(state, MIXED_LINE_BREAKS)
  let present = secret
  let left = false

  const isWritten = () => editor.text() !== base
  const leave = () => {
    left = true
    location.assign(secret ? linkWithPassword(`/${id}`, secret.password) : `/${id}`)
    return forever()
  }

  async function change(progress: (words: string) => void): Promise<DocumentChange> {
    const content = isWritten() ? await requireContent(editor, mostBytes) : undefined
    const changed = await settings.changed()
    // A document that is to be read once needs the proof of its password.
    if (!present || (content === undefined && !changed.instant_delete)) return { content, settings: changed }
    progress('Encrypting…')
    const sealed = await seal({
      text: content ?? present.text,
      password: present.password,
      generated: { asFor: present.envelope },
      once: settings.once(),
    })
    progress('Saving…')
    const claim = sealed.claimHash === null ? {} : { claim_hash: sealed.claimHash }
    return { content: sealed.envelope, settings: { ...changed, client_encrypted: true, ...claim } }
  }

  /** What somebody else saved is put together with what stands here, to be looked at before it is saved. */
  async function takeOver(): Promise<never> {
    const version = await fetchVersion(id)
    const theirs = present ? await open(version.content, present.password) : version.content
    if (theirs === null) throw new SaveError(NOT_ITS_PASSWORD, 'content')
    const contested = settings.takeOver(version.settings)
    const compared = await mergeConflict(editor, { base, theirs })
    tag = version.tag
    if (present) present = { ...present, text: theirs, envelope: version.content }
    base = compared.present
    if (!isWritten() && !settings.areChanged()) return leave()
    const both = contested.length > 0 ? ` Both of you have changed ${contested.join(', ')}.` : ''
    throw new SaveError(compared.words + both, 'content')
  }

  saveOnSubmit({
    form,
    editor,
    state,
    save: async (progress) => {
      if (!isWritten() && !settings.areChanged()) return leave()
      try {
        await saveVersion(id, tag, await change(progress))
      } catch (error) {
        if (error instanceof SaveError && error.code === 'precondition_failed') return takeOver()
        throw error
      }
      return leave()
    },
  })
  addEventListener('beforeunload', (event) => {
    if (!left && form.isConnected && isWritten()) event.preventDefault()
  })
  // A page that the browser has kept stands where it was left: before what was saved.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && left) location.reload()
  })
  editor.focus()
}
