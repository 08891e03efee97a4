import { createMiddleware } from 'hono/factory'
import type { User } from '../accounts/user.ts'
import type { AppContext, AppEnv, UserEnv } from '../env.ts'
import { type AppError, accountChanged, signInRequired, toAppError, unreadableForm } from '../errors.ts'
import { type AnswerOptions, errorOptions, logServerFault } from '../http/answers.ts'
import { limitContentForm } from '../http/content-form.ts'
import { toFieldName } from '../shared/form-settings.ts'
import { joinCrLf } from '../shared/lines.ts'

/** The size of a form with a password. None takes as much, in any encoding. */
export const MAX_PASSWORD_FORM_BYTES = 16 * 1024

export const MAX_ACCOUNT_FORM_BYTES = 16 * 1024

/** Room for the fields beside a document's content. */
const SETTINGS_BYTES = 64 * 1024

/** Forms send a line break as two bytes, so content may double. */
export const limitDocumentForm = createMiddleware<AppEnv>(async (c, next) => {
  await limitContentForm(c, {
    maxBytes: 2 * c.var.config.maxContentBytes + SETTINGS_BYTES,
  })
  await next()
})

const parseForm = <All extends boolean>(c: AppContext, all: All) =>
  c.req.parseBody({ all }).catch(() => {
    throw unreadableForm()
  })

/** A request without a form has no fields. @throws AppError `bad_request` when the form can't be read. */
export async function readFields(c: AppContext): Promise<Map<string, string>> {
  const fields = Object.entries(await parseForm(c, false))
  return new Map(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[toFieldName(name), value]] : [])),
  )
}

/** These have a text of a document, or a part of it. */
const TEXT_FIELD = /^(?:content|file_content_\d+)$/

/** More than any other field of a document's form has. After an error, the form is shown again with all of them. */
const MAX_FIELD_CHARACTERS = 4_096

/** Returns the fields of a document's form. @throws AppError `bad_request` if one of them is longer than any can be. */
export async function readDocumentFields(c: AppContext): Promise<Map<string, string>> {
  const fields = await readFields(c)
  for (const [name, value] of fields)
    if (value.length > MAX_FIELD_CHARACTERS && !TEXT_FIELD.test(name)) throw unreadableForm()
  return fields
}

export async function readFieldLists(c: AppContext): Promise<Map<string, readonly string[]>> {
  const fields = Object.entries(await parseForm(c, true))
  return new Map(
    fields.map(([name, values]) => [name, [values].flat().filter((value) => typeof value === 'string')]),
  )
}

/**
 * Refuses the form of a page that another account opened, before the browser signed in to this one.
 *
 * @throws AppError `conflict`, or SignInRequired if nobody is signed in any more.
 */
export function requireSameAccount(fields: ReadonlyMap<string, string>, user: User | null): void {
  const account = fields.get('account')
  if (account === undefined || account === user?.id) return
  throw user ? accountChanged() : signInRequired()
}

/** Stands behind `requireSession` and a limit on the body. */
export const refuseOtherAccounts = createMiddleware<UserEnv>(async (c, next) => {
  if (c.req.method === 'POST') requireSameAccount(await readFields(c), c.var.user)
  await next()
})

export const getTrimmedText = (fields: ReadonlyMap<string, string>, name: string): string =>
  joinCrLf(fields.get(name) ?? '').trim()

/** Counts code points, so an emoji is one character. Makes no list of them, since a form has room for millions. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

export function findLengthProblem(text: string, maxCharacters: number): string | null {
  const excess = countCharacters(text) - maxCharacters
  return excess > 0
    ? `That’s ${excess} ${excess === 1 ? 'character' : 'characters'} too long. Shorten it.`
    : null
}

interface Submission {
  readonly submit: () => Promise<Response>
  /** Tells which errors belong beside the form. By default every error does. */
  readonly handles?: (error: AppError) => boolean
  readonly showAgain: (error: AppError, options: Required<AnswerOptions>) => Response | Promise<Response>
}

/** The user gets the form back with the problem, and loses nothing that they typed. */
export async function submitForm(
  c: AppContext,
  { submit, handles = () => true, showAgain }: Submission,
): Promise<Response> {
  try {
    return await submit()
  } catch (thrown) {
    const error = toAppError(thrown)
    if (!handles(error)) throw error
    logServerFault(c, error)
    return showAgain(error, errorOptions(error))
  }
}
