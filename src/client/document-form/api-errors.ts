import { MAX_EDITORS } from '../../shared/settings.ts'
import { type FormField, SaveError } from './save-error.ts'

/** An error as the API reports it. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

/** The form's fields by their names in the API, and in the site's own form. */
const FIELDS: Readonly<Record<string, FormField>> = {
  content: 'content',
  title: 'title',
  language: 'language',
  expires: 'expires',
  expiration: 'expires',
  editors: 'editors',
  create_gist: 'gist',
  password: 'password',
}

/** What the form says instead of the API's message, by the path of the issue. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'settings.expiration': 'Choose an expiry between 1 minute and 10 years from now.',
  'settings.editors': `A document can have at most ${MAX_EDITORS} editors.`,
}

/** Returns an API message as a sentence of the page. The API's messages are ASCII without a full stop. */
const toSentence = (message: string, detail = ''): string => `${message.replaceAll("'", '’')}${detail}.`

/**
 * Translates an API error into what the form shows.
 *
 * @param editors the usernames that were sent: the API refers to them by index.
 */
export function toSaveError(
  { code, message, errors = [] }: ApiError,
  editors: readonly string[] = [],
): SaveError {
  const [issue] = errors
  if (issue) {
    const [section, name = section, index] = issue.path
    const username = name === 'editors' && index !== undefined ? `: ${editors[Number(index)] ?? ''}` : ''
    const text = PROBLEMS[issue.path.join('.')] ?? toSentence(issue.message, username)
    return new SaveError(text, FIELDS[String(name)] ?? null, { code })
  }
  switch (code) {
    case 'unauthorized':
      return new SaveError('You’ve been signed out.', null, { code })
    case 'not_found':
      return new SaveError(
        'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.',
        null,
        { code },
      )
    case 'content_too_large':
      return new SaveError('The text is too large. Shorten it, then try again.', 'content', { code })
    case 'rate_limited':
      // The message says when to try again.
      return new SaveError(`Your text is still here. ${toSentence(message)}`, null, { code })
    case 'internal_error':
    case 'unavailable':
      return new SaveError(
        'Something went wrong on our side. Your text is still here. Try again in a moment.',
        null,
        { code },
      )
    default:
      return new SaveError(toSentence(message), null, { code })
  }
}
