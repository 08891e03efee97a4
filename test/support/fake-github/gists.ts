import type { Account, Gist, GitHubState, Token } from './state.ts'
import { getGistUrl } from './state.ts'

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly bytes?: Uint8Array
}

export const failed = (status: number, message: string): Answer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})

const notFound = () => failed(404, 'Not Found')
const invalid = (field: string) => ({
  status: 422,
  body: { message: 'Validation Failed', errors: [{ resource: 'Gist', field, code: 'missing_field' }] },
})

const toOwner = ({ id, login }: Account) => ({ id, login, type: 'User', site_admin: false })

/** GitHub repeats this much of each file. */
const MAX_REPEATED_BYTES = 1024 * 1024

const repeat = (content: string) => {
  const bytes = Buffer.from(content)
  const truncated = bytes.byteLength > MAX_REPEATED_BYTES
  return { truncated, content: truncated ? bytes.subarray(0, MAX_REPEATED_BYTES).toString() : content }
}

/** Converts a gist to the API's JSON. Lists leave out the content. */
const toJson = (gist: Gist, withContent: boolean) => ({
  url: `https://api.github.com/gists/${gist.id}`,
  id: gist.id,
  html_url: getGistUrl(gist),
  public: gist.public,
  description: gist.description,
  created_at: gist.createdAt.toISOString(),
  updated_at: gist.updatedAt.toISOString(),
  owner: toOwner(gist.owner),
  truncated: false,
  files: Object.fromEntries(
    [...gist.files].map(([filename, content]) => [
      filename,
      {
        filename,
        type: 'text/plain',
        size: Buffer.byteLength(content),
        ...(withContent && repeat(content)),
      },
    ]),
  ),
})

interface GistInput {
  readonly description?: string
  readonly public?: boolean | 'true' | 'false'
  readonly files?: Record<string, { content?: string; filename?: string } | null>
}

/** The routes under `/gists`, as docs.github.com/rest/gists/gists describes them. */
export function gistRoutes(state: GitHubState, request: Request, { account, scopes }: Token): Answer {
  const [, , id] = request.url.pathname.split('/')
  const mayWrite = scopes.includes('gist')
  if (id === undefined) {
    if (request.method === 'GET') return listGists(account, request.url, mayWrite)
    return request.method === 'POST' && mayWrite ? createGist(state, account, request.body) : notFound()
  }
  const gist = state.findGist(id)
  if (!gist) return notFound()
  if (request.method === 'GET') return { status: 200, body: toJson(gist, true) }
  if (!mayWrite || gist.owner !== account) return notFound()
  if (request.method === 'PATCH') return updateGist(gist, request.body)
  if (request.method !== 'DELETE') return notFound()
  account.gists = account.gists.filter((candidate) => candidate !== gist)
  return { status: 204 }
}

function listGists(account: Account, url: URL, withSecret: boolean): Answer {
  const since = Date.parse(url.searchParams.get('since') ?? '1970-01-01T00:00:00Z')
  const perPage = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100)
  const page = Number(url.searchParams.get('page') ?? 1)
  const listed = account.gists.filter(
    (gist) => gist.updatedAt.getTime() >= since && (withSecret || gist.public),
  )
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  return {
    status: 200,
    headers: { ...(listed.length > page * perPage && { Link: `<${next}>; rel="next"` }) },
    body: listed.slice((page - 1) * perPage, page * perPage).map((gist) => toJson(gist, false)),
  }
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

function createGist(state: GitHubState, account: Account, body: string): Answer {
  const { description = '', public: isPublic = false, files = {} } = JSON.parse(body) as GistInput
  const texts = new Map(Object.entries(files).map(([name, file]) => [name, file?.content ?? '']))
  if (texts.size === 0 || [...texts.values()].some(isBlank)) return invalid('files')
  const gist = state.createGist(account, { description, isPublic: String(isPublic) === 'true', files: texts })
  return { status: 201, headers: { Location: toJson(gist, false).url }, body: toJson(gist, true) }
}

/** Updates a gist. Visibility can't be changed. */
function updateGist(gist: Gist, body: string): Answer {
  const { description, files = {} } = JSON.parse(body) as GistInput
  const texts = new Map(gist.files)
  for (const [name, file] of Object.entries(files)) {
    if (file !== null && file.content !== undefined && isBlank(file.content)) return invalid('files')
    const content = file?.content ?? texts.get(name)
    texts.delete(name)
    if (file !== null && content !== undefined) texts.set(file.filename ?? name, content)
  }
  if (texts.size === 0) return invalid('files')
  gist.files = texts
  gist.description = description ?? gist.description
  gist.updatedAt = new Date()
  return { status: 200, body: toJson(gist, true) }
}
