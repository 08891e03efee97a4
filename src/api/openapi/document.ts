import type { AppError } from '../../errors.ts'
import { failure } from '../responses.ts'
import { DOCUMENT_OPERATIONS } from './document-operations.ts'
import type { Credential, ErrorCase, Operation, Success } from './operation.ts'
import { COMMON_HEADERS, HEADERS, type HeaderName } from './parameters-and-headers.ts'
import { EXAMPLE_CLAIM_TOKEN, getProperties, type JsonSchema, SCHEMAS } from './schemas.ts'
import { USER_OPERATIONS } from './user-operations.ts'

function requireSchema(reference: string): JsonSchema {
  const schema = SCHEMAS[reference.split('/').at(-1) ?? '']
  if (!schema) throw new Error(`no schema ${reference}`)
  return schema
}

function createExample(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.$ref !== undefined) return createExample(requireSchema(schema.$ref))
  if (schema.anyOf?.[0]) return createExample(schema.anyOf[0] as JsonSchema)
  if (schema.type === 'array') return [createExample(schema.items as JsonSchema)]
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(getProperties(schema)).map(([name, property]) => [name, createExample(property)]),
    )
  }
  throw new Error(`no example for ${JSON.stringify(schema)}`)
}

const refer = (kind: 'schemas' | 'headers', name: string) => ({ $ref: `#/components/${kind}/${name}` })

const referToHeaders = (names: readonly HeaderName[]) =>
  Object.fromEntries([...COMMON_HEADERS, ...names].toSorted().map((name) => [name, refer('headers', name)]))

const successSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { success: { const: true }, data },
  required: ['success', 'data'],
})

interface Example {
  readonly summary: string
  readonly value: unknown
}

interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: ReturnType<typeof inJson>['content']
}

const inJson = (schema: JsonSchema, examples: Readonly<Record<string, Example>>) => ({
  content: { 'application/json': { schema, examples } },
})

function toResponse({ description, data, headers }: Success, { id, summary }: Operation): Response {
  const response = { description, headers: referToHeaders(headers) }
  if (data === undefined) return response
  const schema = refer('schemas', data)
  const value = { success: true, data: createExample(schema) }
  return { ...response, ...inJson(successSchema(schema), { [id]: { summary, value } }) }
}

function getErrorHeaders({ code, headers }: AppError): readonly HeaderName[] {
  const names: HeaderName[] = ['Cache-Control']
  for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After'] as const)
    if (name in headers) names.push(name)
  if (code === 'precondition_failed') names.push('ETag')
  return names
}

function toErrorResponse(cases: readonly ErrorCase[], { method }: Operation): Response {
  const [first] = cases
  if (!first) throw new Error('a status needs an error')
  const examples = cases.map(([error, summary], index) => [
    `${error.code}_${index + 1}`,
    { summary, value: failure(error) },
  ])
  return {
    description: cases.map(([, when]) => when).join(' Or: '),
    headers: referToHeaders(getErrorHeaders(first[0])),
    ...(method !== 'head' && inJson(refer('schemas', 'ErrorResponse'), Object.fromEntries(examples))),
  }
}

function toResponses(operation: Operation): Readonly<Record<string, Response>> {
  const errors = Map.groupBy(operation.errors, ([error]) => error.status)
  return Object.fromEntries([
    ...operation.successes.map((success) => [success.status, toResponse(success, operation)] as const),
    ...[...errors].map(([status, cases]) => [status, toErrorResponse(cases, operation)] as const),
  ])
}

export const OPERATIONS: readonly Operation[] = [...DOCUMENT_OPERATIONS, ...USER_OPERATIONS]

/** Clients of the original service use them. */
const ALIASES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^\/v1\/document(?=\/|$)/, '/v1/documents'],
  [/^\/v1\/users\//, '/v1/user/'],
  [/\/recent$/, '/recentDocuments'],
]

export function listAliases(path: string): string[] {
  const found = new Set([path])
  for (const [pattern, replacement] of ALIASES) {
    for (const known of [...found]) found.add(known.replace(pattern, replacement))
  }
  found.delete(path)
  return [...found]
}

const SCHEMES: Readonly<Record<Credential, readonly string[]>> = {
  none: [],
  key: ['apiKey', 'bearerKey'],
  documentToken: ['documentToken'],
  documentPassword: ['documentPassword'],
}

/** An empty object means that no credential is needed. */
const toSecurity = (credentials: readonly Credential[]): Readonly<Record<string, readonly string[]>>[] =>
  credentials.flatMap((credential) =>
    credential === 'none' ? [{}] : SCHEMES[credential].map((scheme) => ({ [scheme]: [] })),
  )

const fillIn = (body: object | undefined): unknown =>
  JSON.parse(JSON.stringify(body).replace('YOUR_CLAIM_TOKEN', EXAMPLE_CLAIM_TOKEN))

const toRequestBody = (body: string, examples: Operation['examples']) => ({
  required: true,
  description: 'JSON in UTF-8. Unknown fields are ignored.',
  ...inJson(
    refer('schemas', body),
    Object.fromEntries(
      examples.map(({ name, title, body }) => [name, { summary: title, value: fillIn(body) }]),
    ),
  ),
})

const toOperationObject = (operation: Operation) => ({
  operationId: operation.id,
  summary: operation.summary,
  description: operation.description,
  tags: [operation.tag],
  security: toSecurity(operation.credentials),
  parameters: operation.parameters,
  ...(operation.body && { requestBody: toRequestBody(operation.body, operation.examples) }),
  responses: toResponses(operation),
})

export type OperationObject = ReturnType<typeof toOperationObject>

const toAlias = (operation: Operation, index: number): OperationObject => ({
  ...toOperationObject(operation),
  operationId: `${operation.id}Alias${index === 0 ? '' : index + 1}`,
  summary: `${operation.summary} (alias)`,
  description: `The same as \`${operation.path}\`.`,
})

type PathItem = { readonly [Name in Operation['method']]?: OperationObject }

function toPaths(): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {}
  const add = (path: string, { method }: Operation, object: OperationObject) => {
    paths[path] = { ...paths[path], [method]: object }
  }
  for (const operation of OPERATIONS) add(operation.path, operation, toOperationObject(operation))
  for (const operation of OPERATIONS) {
    for (const [index, alias] of listAliases(operation.path).entries())
      add(alias, operation, toAlias(operation, index))
  }
  return paths
}

interface SecurityScheme {
  readonly type: 'apiKey' | 'http'
  readonly description: string
  readonly name?: string
  readonly in?: 'header'
  readonly scheme?: 'bearer'
}

const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key by itself, without a scheme: `Authorization: imperial_…`.',
  },
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key as a bearer token: `Authorization: Bearer imperial_…`.',
  },
  documentToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Document-Token',
    description:
      'The token of an anonymous document. Anyone who sends it acts as the creator of that document.',
  },
  documentPassword: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Document-Password',
    description: 'The password of an encrypted document, which the server then decrypts.',
  },
}

// The part of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.1) that Regent's document uses.
export const createOpenApiDocument = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Regent',
    version: '1',
    summary: 'Share text by link.',
    description: [
      'Create, read, edit and delete documents. Requests and responses are JSON.',
      '`GET` paths also answer `HEAD`. Pages of any origin may call the API, without cookies.',
      'The server may add fields to responses. Clients should ignore fields that they don’t know.',
      'An unknown path gets a 404 `Route not found`. An unsupported method gets a 405 with `Allow`.',
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  servers: [{ url: '/', description: 'The server that this document comes from.' }],
  tags: [
    { name: 'Documents', description: 'Create, read, edit and delete documents.' },
    { name: 'Accounts', description: 'Your account, your documents, and other people’s profiles.' },
    { name: 'Service', description: 'The server itself.' },
  ],
  security: [],
  paths: toPaths(),
  components: {
    schemas: SCHEMAS,
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
})

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>
