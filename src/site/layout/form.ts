import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppEnv } from '../../env.ts'
import { contentTooLarge, unreadableForm } from '../../errors.ts'

/** Refuses a form that takes more bytes. */
export const formLimit = (mostBytes: number) =>
  bodyLimit({
    maxSize: mostBytes,
    onError: () => {
      throw contentTooLarge()
    },
  })

/** More than any password takes, however it is encoded. */
export const MOST_PASSWORD_FORM_BYTES = 16 * 1024

/** More than any form of an account takes. */
export const MOST_ACCOUNT_FORM_BYTES = 16 * 1024

/** A form with a document's text in it: it writes each line break in two bytes. */
export const mostTextFormBytes = (c: Context<AppEnv>): number => 2 * c.var.config.maxContentBytes + 64 * 1024

/** Line breaks as a textarea has them: forms write each in two characters. */
export const fromTextarea = (value: string): string => value.replaceAll('\r\n', '\n')

/**
 * The text fields of a form that was sent, whatever its encoding; of a request without one, none.
 *
 * @throws AppError `bad_request` when it can not be read.
 */
export async function formFields(c: Context<AppEnv>): Promise<Map<string, string>> {
  const fields = await c.req.parseBody().catch(() => {
    throw unreadableForm()
  })
  const texts = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return new Map(texts)
}

/** What was written into a textarea, with line breaks as the form around it writes them, and nothing around it. */
export const writtenText = (fields: ReadonlyMap<string, string>, name: string): string =>
  fromTextarea(fields.get(name) ?? '').trim()

/** What to say about a text of too many characters (code points, so that an emoji is one); null when it is not. */
export function lengthProblem(text: string, mostCharacters: number): string | null {
  const over = [...text].length - mostCharacters
  return over > 0 ? `That is ${over} ${over === 1 ? 'character' : 'characters'} too many.` : null
}

/**
 * All values of the text fields of a form that was sent, by their names.
 *
 * @throws AppError `bad_request` when it can not be read.
 */
export async function formValues(c: Context<AppEnv>): Promise<Map<string, readonly string[]>> {
  const fields = await c.req.parseBody({ all: true }).catch(() => {
    throw unreadableForm()
  })
  return new Map(
    Object.entries(fields).map(([name, values]) => [
      name,
      [values].flat().filter((value) => typeof value === 'string'),
    ]),
  )
}
