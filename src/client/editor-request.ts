import { type ProblemPlace, SaveProblem } from './editor-problems.ts'
import type { ApiSettings } from './editor-settings.ts'
import { rest } from './rest.ts'

/** What the API answers for a new document, as far as it is shown. */
export interface Created {
  readonly id: string
  readonly gist_url: string | null
  readonly links: { readonly formatted: string }
  readonly timestamps: { readonly expiration: string }
  readonly settings: { readonly instant_delete: boolean }
}

interface ApiError {
  readonly code: string
  readonly message: string
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
}

const PLACES: Readonly<Record<string, ProblemPlace>> = {
  content: 'content',
  language: 'language',
  expiration: 'expires',
  editors: 'editors',
  create_gist: 'gist',
}

/** What an error of the API means to whoever wrote the document. */
function problemOf({ code, message, errors = [] }: ApiError, { editors = [] }: ApiSettings): SaveProblem {
  const [issue] = errors
  if (issue) {
    const [part, name = part, index] = issue.path
    const whom = name === 'editors' && index !== undefined ? `: ${editors[Number(index)] ?? ''}` : '.'
    return new SaveProblem(issue.message + whom, PLACES[String(name)] ?? null)
  }
  switch (code) {
    case 'unauthorized':
      return new SaveProblem('You are not signed in any more.', null, { signIn: true })
    case 'content_too_large':
      return new SaveProblem('The text is too large.', 'content')
    case 'internal_error':
    case 'unavailable':
      return new SaveProblem('The fault is ours, and nothing that you wrote is lost. Try again in a moment.')
    default:
      return new SaveProblem(`${message}.`)
  }
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: ApiError
}

async function ask<Data>(path: string, options: RequestInit, settings: ApiSettings): Promise<Data> {
  const response = await fetch(path, options).catch(() => {
    throw new SaveProblem(
      'The service can not be reached. Nothing that you wrote is lost: try again when you are online.',
    )
  })
  const answer: Answer<Data> = await response.json().catch(() => ({}))
  if (response.ok && answer.data) return answer.data
  throw problemOf(answer.error ?? { code: 'internal_error', message: '' }, settings)
}

/** Nobody's document is made for somebody else, or for nobody, because a session ended meanwhile. */
export async function checkAccount(account: string | null): Promise<void> {
  if (account === null) return
  const { id } = await ask<{ id: string }>('/v1/users/@me', {}, {})
  if (id !== account)
    throw new SaveProblem(
      'Since you opened this page, you have signed in as somebody else. Copy your text and reload the page.',
    )
}

/** Characters that are made ready in one go: many more would hold up the page. */
const SLICE = 512 * 1024

/** The body of a request in JSON; of a long text in pieces, with a rest before each. */
async function bodyOf(content: string, settings: ApiSettings): Promise<string | Blob> {
  if (content.length <= SLICE) return JSON.stringify({ content, settings })
  const pieces: Blob[] = []
  for (let at = 0; at < content.length; at += SLICE) {
    await rest()
    // A cut inside a pair of surrogates is mended by the parser: JSON escapes each half.
    pieces.push(new Blob([JSON.stringify(content.slice(at, at + SLICE)).slice(1, -1)]))
  }
  return new Blob(['{"content":"', ...pieces, `","settings":${JSON.stringify(settings)}}`])
}

/** Makes a document. Throws a SaveProblem. */
export const createDocument = async (content: string, settings: ApiSettings): Promise<Created> =>
  ask<Created>(
    '/v1/document',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: await bodyOf(content, settings),
    },
    settings,
  )
