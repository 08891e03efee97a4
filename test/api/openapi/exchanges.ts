import { Validator } from '@cfworker/json-schema'
import { createOpenApiDocument, type OperationObject } from '../../../src/api/openapi/document.ts'
import { EXAMPLE_BOOKMARK } from '../../../src/api/openapi/parameters-and-headers.ts'
import type { JsonSchema } from '../../../src/api/openapi/schemas.ts'
import { FILE_SECURITY_HEADERS } from '../../../src/platform/security-headers.ts'
import { deriveClaimToken, encryptJwe, parseJwe } from '../../../src/shared/jwe.ts'
import { account } from '../../support/accounts.ts'
import { call, create, createAnonymous, edit, send, withVars } from '../../support/client.ts'
import { listMembers, toClosedSchema } from './schema-walk.ts'

export const DOCUMENT = createOpenApiDocument()
const { schemas, headers: headerDescriptions } = DOCUMENT.components

interface LocatedOperation {
  readonly path: string
  readonly method: string
  readonly operation: OperationObject
}

export const OPERATIONS: ReadonlyMap<string, LocatedOperation> = new Map(
  Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) =>
        [operation.operationId, { path, method: method.toUpperCase(), operation }] as const,
    ),
  ),
)

/** Returns the id of the operation that an alias stands for. */
export const withoutAlias = (id: string): string => id.replace(/Alias\d*$/, '')

/** The operations and features that exchanges used, such as `createDocument 200`. */
export const seen = new Set<string>()
/** The differences between the exchanges and the document. */
export const violations: string[] = []

const { 'X-Content-Type-Options': _, ...otherSecurityHeaders } = FILE_SECURITY_HEADERS

/** Headers that OpenAPI doesn't describe as headers, or that say nothing to a client of the API. */
const HTTP_HEADERS = new Set([
  'content-type',
  ...Object.keys(otherSecurityHeaders).map((name) => name.toLowerCase()),
])

const validators = new Map<JsonSchema, Validator>()

const schemaErrors = (schema: JsonSchema, value: unknown): string[] => {
  const validator = validators.get(schema) ?? new Validator(toClosedSchema(schema, schemas), '2020-12', false)
  validators.set(schema, validator)
  const { valid, errors } = validator.validate(value)
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
}

interface ExchangeRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** An API key. */
  readonly key?: string
  readonly token?: string
  readonly password?: string
  readonly bindings?: Env
}

/** Whether exchanges use the aliases of paths, and whether they send keys after `Bearer`. */
export interface Variant {
  readonly aliases: boolean
  readonly bearer: boolean
}

/** Returns the security scheme that a request uses, or `none`, and its header. */
function getCredential({ key, token, password }: ExchangeRequest, { bearer }: Variant) {
  if (key !== undefined)
    return bearer
      ? { scheme: 'bearerKey', header: { Authorization: `Bearer ${key}` } }
      : { scheme: 'apiKey', header: { Authorization: key } }
  if (token !== undefined) return { scheme: 'documentToken', header: { 'X-Document-Token': token } }
  if (password !== undefined)
    return { scheme: 'documentPassword', header: { 'X-Document-Password': password } }
  return { scheme: 'none', header: {} }
}

/** Checks a request that the API has accepted. */
function checkRequest(id: string, operation: OperationObject, request: ExchangeRequest): string[] {
  const sent = {
    path: request.params ?? {},
    query: request.query ?? {},
    header: Object.fromEntries(
      Object.entries(request.headers ?? {}).filter(([name]) => name !== 'Content-Type'),
    ),
  }
  const problems = Object.entries(sent).flatMap(([place, values]) =>
    Object.entries(values).flatMap(([name, value]) => {
      const parameter = operation.parameters.find((known) => known.in === place && known.name === name)
      if (!parameter) return [`undocumented parameter ${name}`]
      seen.add(`${id} ${place} ${name}`)
      return schemaErrors(parameter.schema, parameter.schema.type === 'integer' ? Number(value) : value)
    }),
  )
  const schema = operation.requestBody?.content['application/json'].schema
  if (request.body === undefined || !schema) return problems
  for (const member of listMembers(schema, schemas, { value: request.body })) seen.add(`request ${member}`)
  return [...problems, ...schemaErrors(schema, request.body)]
}

function checkHeaders(id: string, status: number, expected: readonly string[], headers: Headers): string[] {
  const missing = expected.filter((name) => headerDescriptions[name]?.required && !headers.has(name))
  const names = new Map(expected.map((name) => [name.toLowerCase(), name]))
  const found = [...headers.keys()].filter((name) => !HTTP_HEADERS.has(name))
  for (const name of found) seen.add(`${id} ${status} ${names.get(name)}`)
  return [
    ...missing.map((name) => `no header ${name}`),
    ...found.filter((name) => !names.has(name)).map((name) => `undocumented header ${name}`),
    ...expected.flatMap((name) =>
      headers.has(name) ? schemaErrors(headerDescriptions[name]?.schema ?? {}, headers.get(name)) : [],
    ),
  ]
}

function checkBody(id: string, status: number, schema: JsonSchema | undefined, text: string): string[] {
  if (!schema) return text === '' ? [] : [`undocumented body ${text.slice(0, 80)}`]
  if (text === '') return ['no body']
  const value: unknown = JSON.parse(text)
  for (const member of listMembers(schema, schemas, { value })) seen.add(`response ${member}`)
  const { error } = value as { error?: { message: string } }
  if (error) seen.add(`${id} ${status} “${error.message}”`)
  return schemaErrors(schema, value)
}

async function exchangeWith(id: string, request: ExchangeRequest, variant: Variant): Promise<Response> {
  const located = OPERATIONS.get(id)
  if (!located) throw new Error(`no operation ${id}`)
  const { path, method, operation } = located
  const { params = {}, query, headers, body, bindings } = request
  const credential = getCredential(request, variant)
  const address = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const response = await send(
    address + (query ? `?${new URLSearchParams(query)}` : ''),
    {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...credential.header,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    bindings && { bindings },
  )
  const { status } = response
  const described = operation.responses[status]
  const problems = described
    ? [
        ...(status < 400 ? checkRequest(id, operation, request) : []),
        ...checkHeaders(id, status, Object.keys(described.headers), response.headers),
        ...checkBody(
          id,
          status,
          described.content?.['application/json'].schema,
          await response.clone().text(),
        ),
      ]
    : ['undocumented status']
  seen.add(`${id} ${status}`)
  if (status < 400) seen.add(`${withoutAlias(id)} with ${credential.scheme}`)
  violations.push(...problems.map((problem) => `${id} ${status}: ${problem}`))
  return response
}

const getAliases = (id: string): string[] =>
  [...OPERATIONS.keys()].filter((known) => known !== id && withoutAlias(known) === id)

/** Sends a request and compares it and its response with the document. */
export type Exchange = (id: string, request?: ExchangeRequest) => Promise<Response>

/** Returns a function that sends requests as a variant says, to the paths of each operation. */
export const createExchange =
  (variant: Variant): Exchange =>
  async (id, request = {}) => {
    const [first = id, ...others] = variant.aliases ? getAliases(id) : []
    for (const other of others) await exchangeWith(other, request, variant)
    return exchangeWith(first, request, variant)
  }

interface DocumentPage {
  readonly data: { readonly cursor: string }
}

async function listDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  await create('# One', { title: 'one' }, { key })
  await create('# Two', {}, { key })
  await exchange('listRecentDocuments', { key })
  await exchange('listRecentDocuments')
  const query = { sort: 'title', search: 'o', shared: 'false', limit: '1' }
  const page: DocumentPage = await (await exchange('listDocuments', { key, query })).json()
  await exchange('listDocuments', { key, query: { ...query, cursor: page.data.cursor } })
  await exchange('listDocuments', { key, query: { limit: '0' } })
  await exchange('listDocuments', { key, query: { cursor: 'none' } })
  await exchange('listDocuments')
}

async function listPublicDocuments(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const settings = { language: 'markdown', public: true }
  for (const title of ['public one', 'public two']) await create('# Text', { ...settings, title }, { key })
  const query = { language: 'markdown', search: 'public', limit: '1' }
  const page: DocumentPage = await (await exchange('listPublicDocuments', { query })).json()
  const headers = { 'X-Bookmark': EXAMPLE_BOOKMARK }
  await exchange('listPublicDocuments', { query: { ...query, cursor: page.data.cursor }, headers })
  await exchange('listPublicDocuments', { query: { limit: '0' } })
  await exchange('listPublicDocuments', { query: { cursor: 'none' } })
  await exchange('listPublicDocuments', { bindings: withVars({ EXPLORE: 'off' }) })
}

/** Makes every operation on accounts return each of its possible responses. */
export async function exchangeUsers(exchange: Exchange): Promise<void> {
  const { key, username } = await account()
  await exchange('greet')
  await exchange('readOwnAccount', { key })
  await exchange('readOwnAccount')
  await exchange('searchUsers', { key, params: { prefix: username.slice(0, 4) } })
  await exchange('searchUsers', { params: { prefix: username } })
  await exchange('readUser', { params: { username } })
  await exchange('readUser', { params: { username: 'nobody' } })
  await listDocuments(exchange)
  await listPublicDocuments(exchange)
  await exchange('replaceKey', { key: (await account({ scope: 'write' })).key })
  await exchange('replaceKey', { key })
  await exchange('replaceKey')
}

const PASSWORD = 'correct horse battery staple'

/** Makes every operation on revisions return each of its possible responses. */
export async function exchangeRevisions(exchange: Exchange): Promise<void> {
  const [creator, editor, stranger] = await Promise.all([account(), account(), account()])
  const readOnly = await account({ scope: 'read' })
  const { key } = creator
  const { id } = await create('Hello', { editors: [editor.username] }, { key })
  await edit({ id, content: 'x' }, { key })
  const revision = { params: { id, number: '1' } }
  const document = { params: { id } }
  await exchange('listRevisions', { ...document, key })
  await exchange('listRevisions', document)
  await exchange('readRevision', { ...revision, key })
  await exchange('readRevision', { ...revision, key: stranger.key })
  for (const name of ['ACCOUNT_MAX_BYTES', 'SERVER_MAX_BYTES']) {
    await exchange('restoreRevision', { ...revision, key, bindings: withVars({ [name]: '1' }) })
  }
  await exchange('restoreRevision', { ...revision, key, headers: { 'If-Match': '*' } })
  await exchange('restoreRevision', { ...revision, key, headers: { 'If-Match': '"json-old"' } })
  await exchange('restoreRevision', { params: { id, number: '9' }, key })
  await exchange('restoreRevision', revision)
  await exchange('restoreRevision', { ...revision, key: readOnly.key })
  await exchange('deleteRevisions', document)
  await exchange('deleteRevisions', { ...document, key: readOnly.key })
  await exchange('deleteRevisions', { ...document, key: editor.key })
  await exchange('deleteRevisions', { ...document, key: stranger.key })
  await exchange('deleteRevisions', { ...document, key })

  const anonymous = await createAnonymous('Hello')
  const { token } = anonymous
  await edit({ id: anonymous.id, content: 'x' }, { headers: anonymous.headers })
  const first = { params: { id: anonymous.id, number: '1' }, token }
  await exchange('listRevisions', { params: { id: anonymous.id }, token })
  await exchange('readRevision', first)
  await exchange('restoreRevision', first)
  await exchange('deleteRevisions', { params: { id: anonymous.id }, token })

  const settings = { encrypted: true, password: PASSWORD, editors: [editor.username] }
  const encrypted = await create('Hello', settings, { key })
  await edit({ id: encrypted.id, content: 'x', password: PASSWORD }, { key })
  const secret = { params: { id: encrypted.id, number: '1' } }
  const withPassword = (password: string) => ({ headers: { 'X-Document-Password': password } })
  await exchange('readRevision', { ...secret, key, ...withPassword(PASSWORD) })
  await exchange('readRevision', { ...secret, key, query: { password: PASSWORD } })
  await exchange('readRevision', { ...secret, key, ...withPassword('wrong') })
  await exchange('restoreRevision', { ...secret, key: editor.key })
  await exchange('restoreRevision', { ...secret, key: editor.key, ...withPassword('wrong') })
  await exchange('restoreRevision', { ...secret, key: editor.key, ...withPassword(PASSWORD) })
  // The restored document has the password and the header of its first version.
  const { content } = (await call('GET', `/v1/document/${encrypted.id}/revisions/1`, undefined, { key })).body
    .data
  const claimToken = await deriveClaimToken(PASSWORD, parseJwe(content).header)
  await exchange('restoreRevision', {
    params: { id: encrypted.id, number: '2' },
    key: editor.key,
    headers: { 'X-Claim-Token': claimToken },
  })
  const binary = await create(
    await encryptJwe(new Uint8Array([0xff, 0xfe]), PASSWORD, 1_000),
    { encrypted: true, client_encrypted: true },
    { key },
  )
  const unreadable = { params: { id: binary.id, number: '1' }, key }
  await exchange('readRevision', { ...unreadable, ...withPassword(PASSWORD) })
}
