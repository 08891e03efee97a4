import type { User } from '../../accounts/user.ts'
import type { Turnstile } from '../../config.ts'
import { toContent } from '../../documents/content.ts'
import { decodeText } from '../../documents/content-store.ts'
import { createDocument } from '../../documents/create.ts'
import { type Document, isDocumentId } from '../../documents/document.ts'
import type { AppContext } from '../../env.ts'
import {
  type AppError,
  accountChanged,
  humanCheckFailed,
  signInRequired,
  toAppError,
  unavailable,
} from '../../errors.ts'
import { requireGistPermission } from '../../gists/gist-permission.ts'
import { publishNewGist } from '../../gists/publish-gist.ts'
import { type AnswerOptions, answer, errorOptions, logServerFault } from '../../http/answers.ts'
import { checkBeforeAsking, mayUseSession, readSessionToken } from '../../http/identity.ts'
import { getGistPublisher } from '../../http/request.ts'
import type { CreateAnswer } from '../../shared/create-answer.ts'
import { normalizeLineBreaks, readFields } from '../layout/form.ts'
import {
  getOffer,
  invalidField,
  parseNewSettings,
  requireOffered,
  toNewDocument,
} from '../settings/settings-form.ts'

export interface SentForm {
  readonly fields: ReadonlyMap<string, string>
  readonly text: string
  readonly isText: boolean
}

/** A script sends the text as a file, because forms replace line breaks and NUL in a field. */
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

function requireSameAccount({ fields }: SentForm, user: User | null): void {
  const account = fields.get('account')
  if (account === undefined || account === user?.id) return
  throw user ? accountChanged() : signInRequired()
}

const TURNSTILE_TIMEOUT_MS = 10_000

const TURNSTILE_FIELD = 'cf-turnstile-response'

/** Longer ones can't be tokens (developers.cloudflare.com/turnstile). */
const MAX_TOKEN_CHARACTERS = 2048

async function verify({ verifyUrl, secret }: Turnstile, token: string): Promise<boolean> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TURNSTILE_TIMEOUT_MS),
    // Not the client's address: Cloudflare knows it from the widget.
    body: new URLSearchParams({ secret, response: token }),
  })
  if (!response.ok) throw new Error(`Turnstile answered ${response.status}`)
  const answer: unknown = await response.json()
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
}

/** Each token works once. @throws AppError `bad_auth` without a valid one, `unavailable` if Cloudflare doesn't answer. */
async function requireHuman(turnstile: Turnstile, token: string | undefined): Promise<void> {
  if (!token || token.length > MAX_TOKEN_CHARACTERS) throw humanCheckFailed()
  const isHuman = await verify(turnstile, token).catch((error) => {
    throw unavailable(error)
  })
  if (!isHuman) throw humanCheckFailed()
}

export interface CreatedFromForm {
  readonly document: Document
  readonly password: string | null
  /** Null for a document of an account. */
  readonly token: string | null
}

function parseForm({ config, now }: AppContext['var'], form: SentForm) {
  const settings = parseNewSettings(form.fields, now)
  if (!form.isText) throw invalidField('content', 'Must be UTF-8')
  const content = toContent(form.text, settings.clientEncrypted, config.maxContentBytes)
  const original = form.fields.get('duplicated_from') ?? ''
  const input = {
    ...toNewDocument(content, settings, now),
    // Nobody could correct a field that isn't displayed.
    duplicatedFrom: isDocumentId(original) ? original : null,
  }
  return { settings, input }
}

export async function createFromForm(c: AppContext, form: SentForm): Promise<CreatedFromForm> {
  const { config, identity, now, store } = c.var
  const requireAuthor = async () => {
    const user = await identity.require()
    requireSameAccount(form, user)
    if (!user && config.anonymousDocuments === 'refuse') throw signInRequired()
    return user
  }
  const { settings, input } = await checkBeforeAsking(() => parseForm(c.var, form), requireAuthor)
  const findCreator = async () => {
    const user = await requireAuthor()
    requireOffered(settings, { user, offer: getOffer(user, config), now })
    // Last, because each token works once.
    const { turnstile } = config.abuse
    if (!user && turnstile) await requireHuman(turnstile, form.fields.get(TURNSTILE_FIELD))
    if (settings.gist) await requireGistPermission(store.db, config.authSecret, user?.id ?? null)
    return user
  }
  // Without a session cookie that this service signed, there's nobody to look up. A person may have to be told from a
  // program, and limits apply, before anything is stored.
  const hasSession = mayUseSession(c) && (await readSessionToken(c)) !== null
  const creator = hasSession ? findCreator : await findCreator()
  const { document, password, token } = await createDocument(store, input, { creator, now })
  if (settings.gist) await publishNewGist(getGistPublisher(c), document.id, store.defer)
  return { document, password, token }
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/** The page's script shows the outcome itself. */
export const wantsJson = (c: AppContext): boolean => c.req.header('Accept') === 'application/json'

export function answerCreated(
  c: AppContext,
  { document, password, token }: CreatedFromForm,
  cookies: readonly string[],
): Response {
  const { id, title, createdAt, expiresAt } = document
  const data: CreateAnswer = {
    id,
    url: `${c.var.siteUrl}/${id}`,
    title,
    createdAt,
    expiresAt,
    ...(password !== null && { password }),
    ...(token !== null && { token }),
  }
  const response = answer(c, JSON.stringify({ data }), { headers: JSON_HEADERS })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export function answerJsonError(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  return answerCreateError(c, error, errorOptions(error))
}

export function answerCreateError(
  c: AppContext,
  { code, message, pageMessage = message, issues }: AppError,
  { status, headers }: Required<AnswerOptions>,
): Response {
  const error = { code, message: pageMessage, ...(issues && { errors: issues }) }
  return answer(c, JSON.stringify({ error }), { status, headers: { ...headers, ...JSON_HEADERS } })
}
