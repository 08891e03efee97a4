import type { User } from '../../accounts/user.ts'
import { createDocument } from '../../documents/create/create.ts'
import { decodeText, toContent } from '../../documents/model/content.ts'
import type { Document } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppContext } from '../../env.ts'
import { accountChanged, signInRequired } from '../../errors.ts'
import { requireGistPermission } from '../../gists/gist-permission.ts'
import { publishNewGist } from '../../gists/publish-new-gist.ts'
import { getGistPublisher } from '../../http/gist-publisher.ts'
import { requireHuman, TURNSTILE_FIELD } from '../../http/turnstile.ts'
import { normalizeLineBreaks, readFields } from '../layout/form.ts'
import { invalidField, parseNewSettings, toNewDocument } from '../settings/settings-form.ts'
import { getOffer, requireOffered } from './new-document-offer.ts'

/** The form for a new document as it was sent. */
export interface SentForm {
  readonly fields: ReadonlyMap<string, string>
  /** The text with its own line breaks. */
  readonly text: string
  /** False if a file was sent that isn't UTF-8. */
  readonly isText: boolean
}

/** Reads the form. A script sends the text as a file, because forms replace line breaks and NUL in a field. */
export async function readSentForm(c: AppContext): Promise<SentForm> {
  const fields = await readFields(c)
  const { content } = await c.req.parseBody()
  if (!(content instanceof File))
    return { fields, text: normalizeLineBreaks(fields.get('content') ?? ''), isText: true }
  try {
    return { fields, text: decodeText(await content.arrayBuffer()), isText: true }
  } catch {
    return { fields, text: '', isText: false }
  }
}

/** Throws if the account changed or the session ended after the form was opened. */
function requireSameAccount({ fields }: SentForm, user: User | null): void {
  const account = fields.get('account')
  if (account === undefined || account === user?.id) return
  throw user ? accountChanged() : signInRequired()
}

export interface CreatedFromForm {
  readonly document: Document
  /** The password that the service generated; null if it didn't. */
  readonly password: string | null
  /** The document token; null for a document of an account. */
  readonly token: string | null
}

/** Creates the document that a form asks for. Throws an AppError for anything that is wrong with the form. */
export async function createFromForm(c: AppContext, form: SentForm): Promise<CreatedFromForm> {
  const { config, identity, now, store } = c.var
  const user = await identity.require()
  requireSameAccount(form, user)
  if (!user && config.anonymousDocuments === 'refuse') throw signInRequired()
  const settings = parseNewSettings(form.fields, now)
  if (!form.isText) throw invalidField('content', 'Must be UTF-8')
  const content = toContent(form.text, settings.clientEncrypted, config.maxContentBytes)
  requireOffered(settings, { user, offer: getOffer(user, config), now })
  // Last, because each token works once.
  const { turnstile } = config.abuse
  if (!user && turnstile) await requireHuman(turnstile, form.fields.get(TURNSTILE_FIELD))
  if (settings.gist) await requireGistPermission(store.db, config.authSecret, user?.id ?? null)
  const original = form.fields.get('duplicated_from') ?? ''
  const input = {
    ...toNewDocument(content, settings, now),
    // Nobody could correct a field that isn't displayed.
    duplicatedFrom: isDocumentId(original) ? original : null,
  }
  const { document, password, token } = await createDocument(store, input, { creator: user, now })
  if (settings.gist) await publishNewGist(getGistPublisher(c), document.id, store.defer)
  return { document, password, token }
}
