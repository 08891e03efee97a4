import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import type { Control } from './control.ts'
import { type Answer, failed, gistRoutes, type Request } from './gists.ts'
import { signInRoutes, userRoutes } from './sign-in.ts'
import { GitHubState, type Token } from './state.ts'

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
  if (failing === 'drop') response.destroy()
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
