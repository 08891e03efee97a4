import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type Control, DROPPED, GITHUB_APP } from './control.ts'
import { type Answer, failed, gistRoutes, type Request } from './gists.ts'
import { deriveChallenge, GitHubState, type Token } from './state.ts'

export interface FakeGitHub {
  /** Base URL of both the site and the API, without a trailing slash. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a fake GitHub on a free port. Tests control it by `/_control`. */
export async function startFakeGitHub(): Promise<FakeGitHub> {
  const state = new GitHubState()
  const server = createServer((message, response) => {
    handle(state, message, response).catch((error) => {
      response.writeHead(500).end(String(error))
    })
  })
  // A connection that ends just when the next request takes it would be a fault that no test asked for.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Global setup for Vitest: starts one fake GitHub for all tests of a project, and provides its URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startFakeGitHub()
  project.provide('gitHubUrl', url)
  return stop
}

async function handle(state: GitHubState, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const origin = `http://${message.headers.host}`
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const { method = 'GET', headers } = message
  const request = {
    method,
    url: new URL(message.url ?? '/', origin),
    headers: {
      authorization: headers.authorization,
      'content-type': headers['content-type'],
      cookie: headers.cookie,
    },
    body: Buffer.concat(chunks).toString(),
  }
  if (request.url.pathname === '/_control') {
    return write(response, { status: 200, body: state.control(JSON.parse(request.body) as Control) })
  }
  const signedIn = signInRoutes(state, request)
  if (signedIn) return write(response, signedIn)
  // GitHub refuses requests without a user agent.
  if (!headers['user-agent'])
    return write(response, failed(403, 'Request forbidden by administrative rules.'))
  const token = state.tokens.get(request.headers.authorization?.replace(/^(Bearer|token) /, '') ?? '')
  if (!token) return write(response, failed(401, 'Bad credentials'))
  const failing = withFailures(state, request, token, () => api(state, origin, request, token))
  if (failing === 'drop') response.writeHead(200, { [DROPPED]: '' }).end()
  else if (failing !== 'hang') write(response, failing)
}

const api = (state: GitHubState, origin: string, request: Request, token: Token): Answer =>
  request.url.pathname.split('/')[1] === 'gists'
    ? gistRoutes(state, request, token)
    : (userRoutes(origin, request, token) ?? failed(404, 'Not Found'))

function withFailures(
  state: GitHubState,
  { method, url }: Request,
  { account }: Token,
  run: () => Answer,
): Answer | 'drop' | 'hang' {
  const called = `${method} ${url.pathname}`
  account.requests.push(called)
  const failure = state.takeFailure(account, called)
  if (!failure) return run()
  if (failure.takesEffect) run()
  if (typeof failure.answer === 'string') return failure.answer
  const { status, headers, message = 'Failing as the test requested' } = failure.answer
  return { ...failed(status, message), ...(headers && { headers: { ...headers } }) }
}

function write(response: ServerResponse, { status, headers, body, bytes }: Answer): void {
  response.writeHead(status, {
    ...(body !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
    ...headers,
  })
  response.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)))
}

/** One dark pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Answers the routes for signing in, as described in
 * docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. Returns null for other routes.
 */
export function signInRoutes(state: GitHubState, { method, url, headers, body }: Request): Answer | null {
  if (url.pathname === '/login/oauth/authorize') return authorize(state, url.searchParams, headers.cookie)
  if (url.pathname === '/login/oauth/access_token' && method === 'POST') {
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
    return { status: 200, body: exchange(state, fields) }
  }
  if (url.pathname.startsWith('/avatars/')) {
    return { status: 200, headers: { 'Content-Type': 'image/png' }, bytes: PICTURE }
  }
  return null
}

/**
 * Authorizes the app at once, or declines, as the test requested. Test files that run side by side share this server,
 * so the cookie `login` says who is signed in. Without it, the user is the last one who signed in.
 */
function authorize(state: GitHubState, query: URLSearchParams, cookie = ''): Answer {
  const [, login = ''] = /(?:^|; )login=([^;]+)/.exec(cookie) ?? []
  const signingIn = state.signIns.get(login) ?? state.signingIn
  const redirectUri = query.get('redirect_uri')
  if (!signingIn || !redirectUri || query.get('client_id') !== GITHUB_APP.clientId) {
    return failed(404, 'Nobody is signed in, or the app is unknown')
  }
  const target = new URL(redirectUri)
  target.searchParams.set('state', query.get('state') ?? '')
  if (!signingIn.agrees) {
    target.searchParams.set('error', 'access_denied')
    target.searchParams.set('error_description', 'The user has denied your application access.')
    return { status: 302, headers: { Location: target.href } }
  }
  const isPlain = query.has('code_challenge') && query.get('code_challenge_method') !== 'S256'
  if (isPlain) return failed(400, 'GitHub supports S256 only')
  const code = randomBytes(10).toString('hex')
  const scopes = (query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean)
  const challenge = query.get('code_challenge')
  state.codes.set(code, { account: signingIn.account, redirectUri, scopes, challenge })
  target.searchParams.set('code', code)
  return { status: 302, headers: { Location: target.href } }
}

/** Exchanges a code for a token. Errors have status 200, as GitHub's do. */
function exchange(state: GitHubState, fields: Record<string, string | undefined>): object {
  const code = state.codes.get(fields.code ?? '')
  if (fields.client_id !== GITHUB_APP.clientId || fields.client_secret !== GITHUB_APP.clientSecret) {
    return { error: 'incorrect_client_credentials', error_description: 'The client_id is not valid.' }
  }
  const isProven =
    code && (code.challenge === null || deriveChallenge(fields.code_verifier ?? '') === code.challenge)
  if (!isProven) return { error: 'bad_verification_code', error_description: 'The code is not valid.' }
  if (fields.redirect_uri !== undefined && fields.redirect_uri !== code.redirectUri) {
    return { error: 'redirect_uri_mismatch', error_description: 'The redirect_uri does not match.' }
  }
  state.codes.delete(fields.code ?? '')
  const accessToken = state.issueToken(code.account, code.scopes)
  return { access_token: accessToken, scope: code.scopes.join(','), token_type: 'bearer' }
}

/** Answers the routes under `/user`. Returns null for other routes. */
export function userRoutes(origin: string, { url }: Request, { account, scopes }: Token): Answer | null {
  const { id, login, email, emailVerified } = account
  switch (url.pathname) {
    case '/user':
      return { status: 200, body: { id, login, name: login, avatar_url: `${origin}/avatars/${id}` } }
    case '/user/emails':
      if (!scopes.some((scope) => scope === 'user' || scope === 'user:email')) return failed(404, 'Not Found')
      return {
        status: 200,
        body: [
          { email: `${id}+${login}@users.noreply.github.com`, primary: false, verified: true },
          { email, primary: true, verified: emailVerified, visibility: 'private' },
        ],
      }
    default:
      return null
  }
}
