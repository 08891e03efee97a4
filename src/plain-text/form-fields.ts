import { AppError } from '../errors.ts'
import { isOption } from './options.ts'

/** The names that paste services and their clients give the field with the text. */
const TEXT_FIELDS: readonly string[] = [
  'content',
  'text',
  'file',
  'f',
  'f:1',
  'sprunge',
  'paste',
  'data',
  'code',
]

const START = new RegExp(`^(${[...TEXT_FIELDS, 'f%3A1'].join('|')}|[\\w-]{1,20})=`)

/**
 * Returns true if a body may be a form, as far as its first bytes tell. They may be few, but a name and a `=` arrive
 * together from every known client.
 */
export const startsLikeForm = (start: Uint8Array): boolean =>
  START.test(new TextDecoder().decode(start.subarray(0, 64)))

/** What no form has unless somebody wrote it by hand. A file has a line break, at least at its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROLS = /[\x00-\x1F\x7F]/

/** More than there are names of options and text fields. A body has room for millions of pairs. */
const MAX_PAIRS = 100

interface EncodedForm {
  readonly text: string
  readonly fields: ReadonlyMap<string, string>
}

/** Decodes a name or a value. Throws URIError for an invalid escape. */
const decodePart = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '))

/**
 * Parses a URL-encoded form; null if the body is text. It's a form only if it has no control characters (encoding
 * replaces them), it names one known field for the text, and every other field is an option. Otherwise the body is
 * kept as it is, so that a file which only looks a little like a form loses nothing.
 */
export function parseUrlEncoded(body: string): EncodedForm | null {
  if (CONTROLS.test(body)) return null
  const fields = new Map<string, string>()
  try {
    for (const pair of body.split('&', MAX_PAIRS + 1)) {
      if (fields.size === MAX_PAIRS) return null
      const equals = pair.indexOf('=')
      const name = decodePart(equals === -1 ? pair : pair.slice(0, equals))
      if (fields.has(name) || !(TEXT_FIELDS.includes(name) || isOption(name))) return null
      fields.set(name, equals === -1 ? '' : decodePart(pair.slice(equals + 1)))
    }
  } catch {
    return null
  }
  const [name, ...others] = [...fields.keys()].filter((field) => !isOption(field))
  if (name === undefined || others.length > 0) return null
  const text = fields.get(name) ?? ''
  fields.delete(name)
  return { text, fields }
}

/**
 * Returns the name of the field with the text in a multipart form; null if a file has it. A field with any name will do,
 * if it's the only one that isn't an option.
 *
 * @throws AppError `bad_request` for a form with no text, or with several.
 */
export function findTextField(names: readonly string[], files: number): string | null {
  const others = names.filter((name) => !isOption(name))
  if (files + others.length === 1) return others[0] ?? null
  const what = others.length === 0 ? `${files} files` : `the fields ${others.join(', ')}`
  throw new AppError(
    'bad_request',
    files + others.length === 0
      ? "There's no text in the form. Send it as a file or in the field content"
      : `Send one text or file in a request, not ${what}${files > 0 && others.length > 0 ? ' and a file' : ''}`,
  )
}
