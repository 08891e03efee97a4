import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type AccountClaims, type Configuration } from 'oidc-provider'
import type { TestProject } from 'vitest/node'
import { CLIENTS, type Person, REDIRECT_URI } from './people.ts'

/**
 * A real provider of OpenID Connect (the package oidc-provider), where whoever signs in is who `login_hint` describes. Some
 * clients get answers that somebody has changed, and below some paths are providers that don't work.
 */

const SECRET = 'the secret of every client'

/** Everybody who has signed in, by subject. */
const people = new Map<string, Person>()

const configuration: Configuration = {
  clients: CLIENTS.map((client_id) => ({
    client_id,
    client_secret: SECRET,
    redirect_uris: [REDIRECT_URI],
  })),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'name'] },
  cookies: { keys: ['a key of the tests'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: async (): Promise<AccountClaims> => ({ ...people.get(id), sub: id }),
  }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  // Nobody has to agree that the site gets to know them.
  loadExistingGrant: async (ctx) => {
    const { client, session } = ctx.oidc
    const grant = new ctx.oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Changes what an ID token says. Its signature is no longer right, which isn't what these answers are about. */
function changeToken(token: string, changes: object): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return [
    header,
    encode({ ...JSON.parse(String(Buffer.from(payload, 'base64url'))), ...changes }),
    signature,
  ].join('.')
}

const HOUR_SECONDS = 3_600

const CHANGES: Readonly<Record<string, () => object>> = {
  'wrong-nonce': () => ({ nonce: 'of another sign-in' }),
  'wrong-issuer': () => ({ iss: 'https://elsewhere.example' }),
  'wrong-audience': () => ({ aud: 'another-client' }),
  expired: () => ({ exp: Math.floor(Date.now() / 1_000) - HOUR_SECONDS }),
}

/** What these clients get in place of the answer with their tokens. */
function changeTokens(client: string, text: string): string {
  if (client === 'nonsense') return '<h1>Welcome</h1>'
  if (client === 'huge') return `{"padding": "${'x'.repeat(9 * 1024 * 1024)}"}`
  const answer = JSON.parse(text) as { id_token?: string }
  if (client === 'no-id-token') return JSON.stringify({ ...answer, id_token: undefined })
  const changes = CHANGES[client]
  if (changes === undefined || answer.id_token === undefined) return text
  return JSON.stringify({ ...answer, id_token: changeToken(answer.id_token, changes()) })
}

function changeAnswer(response: ServerResponse, change: (text: string) => string): void {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    const changed = change(String(body ?? ''))
    response.setHeader('Content-Length', Buffer.byteLength(changed))
    return end(changed)
  }) as typeof response.end
}

/** Below these paths are providers that don't work. */
function answerBroken(path: string, url: string, response: ServerResponse): boolean {
  switch (path.split('/')[1]) {
    case 'slow':
      return true
    case 'trickle':
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
      return true
    case 'nonsense':
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>')
      return true
    case 'broken':
      response.writeHead(500).end()
      return true
    case 'moved':
      response.writeHead(302, { Location: `${url}/.well-known/openid-configuration` }).end()
      return true
    case 'other':
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ issuer: url, authorization_endpoint: `${url}/auth` }))
      return true
    case 'script':
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ issuer: `${url}/script`, authorization_endpoint: 'javascript:alert(1)' }))
      return true
    default:
      return false
  }
}

async function handle(provider: Provider, url: string, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', url)
  if (answerBroken(pathname, url, response)) return
  if (pathname.startsWith('/interaction/')) {
    const { params } = await provider.interactionDetails(request, response)
    const person = JSON.parse(String(params.login_hint)) as Person | 'declines'
    if (person !== 'declines') people.set(person.sub, person)
    const result =
      person === 'declines'
        ? { error: 'access_denied' }
        : { login: { accountId: person.sub, remember: false } }
    return provider.interactionFinished(request, response, result)
  }
  const [, basic = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  // RFC 6749 §2.3.1 encodes it.
  const [client = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  if (pathname === '/token') changeAnswer(response, (text) => changeTokens(client, text))
  return provider.callback()(request, response)
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )

async function start(more: Configuration = {}): Promise<{ url: string; server: Server }> {
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (provider === null) return response.writeHead(503).end()
    return handle(provider, url, request, response).catch((error) =>
      response.writeHead(500).end(String(error)),
    )
  })
  server.keepAliveTimeout = 0
  const url = await listen(server)
  provider = new Provider(url, { ...configuration, ...more })
  return { url, server }
}

/** Starts the providers for all tests of a project, and provides their issuers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const usual = await start()
  const withoutHeaders = await start({
    clientAuthMethods: ['client_secret_post'],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
  })
  project.provide('oidcIssuer', usual.url)
  project.provide('oidcPostIssuer', withoutHeaders.url)
  project.provide('oidcSecret', SECRET)
  return async () => {
    for (const { server } of [usual, withoutHeaders]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
