import type { AppError } from '../../errors.ts'
import { STATUS_BY_CODE } from '../../shared/error-codes.ts'
import { failure } from '../responses.ts'
import { DOCUMENT_OPERATIONS } from './document-operations.ts'
import { COMMON_HEADERS, HEADERS } from './headers.ts'
import type { Credential, ErrorCase, HeaderName, Operation, Success } from './operation.ts'
import { getProperties, SCHEMAS } from './schemas.ts'
import type {
  Example,
  JsonSchema,
  Method,
  OpenApiDocument,
  OperationObject,
  PathItem,
  Response,
  SecurityRequirement,
  SecurityScheme,
} from './types.ts'
import { PUBLIC_OPERATIONS, USER_OPERATIONS } from './user-operations.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

function createExample(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return createExample(requireSchema(schemas, name), schemas)
  }
  if (schema.anyOf?.[0]) return createExample(schema.anyOf[0] as JsonSchema, schemas)
  if (schema.type === 'array') return [createExample(schema.items as JsonSchema, schemas)]
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(getProperties(schema)).map(([name, property]) => [
        name,
        createExample(property, schemas),
      ]),
    )
  }
  throw new Error(`no example for ${JSON.stringify(schema)}`)
}

function requireSchema(schemas: Schemas, name: string): JsonSchema {
  const schema = schemas[name]
  if (!schema) throw new Error(`no schema ${name}`)
  return schema
}

const refer = (kind: 'schemas' | 'headers', name: string) => ({ $ref: `#/components/${kind}/${name}` })

const referToHeaders = (names: readonly HeaderName[]): Response['headers'] =>
  Object.fromEntries([...COMMON_HEADERS, ...names].toSorted().map((name) => [name, refer('headers', name)]))

const successSchema = (data: string): JsonSchema => ({
  type: 'object',
  properties: { success: { const: true }, data: refer('schemas', data) },
  required: ['success', 'data'],
})

const toResponse = ({ description, data, headers }: Success, operation: Operation): Response => ({
  description,
  headers: referToHeaders(headers),
  ...(data !== undefined && {
    content: {
      'application/json': {
        schema: successSchema(data),
        examples: {
          [operation.id]: {
            summary: operation.summary,
            value: { success: true, data: createExample(refer('schemas', data), SCHEMAS) },
          },
        },
      },
    },
  }),
})

function getErrorHeaders({ code, headers }: AppError): readonly HeaderName[] {
  const names: HeaderName[] = ['Cache-Control']
  for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After'] as const)
    if (name in headers) names.push(name)
  if (code === 'precondition_failed') names.push('ETag')
  return names
}

const toErrorExample = ([error, when]: ErrorCase): Example => ({ summary: when, value: failure(error) })

function toErrorResponse(cases: readonly ErrorCase[], hasBody: boolean): Response {
  const [first] = cases
  if (!first) throw new Error('a status needs an error')
  return {
    description: cases.map(([, when]) => when).join(' Or: '),
    headers: referToHeaders(getErrorHeaders(first[0])),
    ...(hasBody && {
      content: {
        'application/json': {
          schema: refer('schemas', 'ErrorResponse'),
          examples: Object.fromEntries(
            cases.map((error, index) => [`${error[0].code}_${index + 1}`, toErrorExample(error)]),
          ),
        },
      },
    }),
  }
}

function toResponses(operation: Operation): OperationObject['responses'] {
  const errors = Map.groupBy(operation.errors, ([error]) => error.status)
  return {
    ...Object.fromEntries(
      operation.successes.map((success) => [success.status, toResponse(success, operation)]),
    ),
    ...Object.fromEntries(
      [...errors].map(([status, cases]) => [status, toErrorResponse(cases, operation.method !== 'head')]),
    ),
  }
}

export const OPERATIONS: readonly Operation[] = [
  ...DOCUMENT_OPERATIONS,
  ...PUBLIC_OPERATIONS,
  ...USER_OPERATIONS,
]

/** For clients of the original service. */
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
const toSecurity = (credentials: readonly Credential[]): readonly SecurityRequirement[] =>
  credentials.flatMap((credential) =>
    credential === 'none' ? [{}] : SCHEMES[credential].map((scheme) => ({ [scheme]: [] })),
  )

const toRequestBody = ({ body, examples }: Operation): Pick<OperationObject, 'requestBody'> =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          description: 'JSON in UTF-8. Unknown fields are ignored.',
          content: {
            'application/json': {
              schema: refer('schemas', body),
              examples: Object.fromEntries(
                examples.map(({ name, title }, index) => [
                  name,
                  { summary: title, value: fillIn(examples[index]?.body) },
                ]),
              ),
            },
          },
        },
      }

const fillIn = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replace('YOUR_CLAIM_TOKEN', 'kq3xU0b7r5Xo1cYv9JwZ2mT8nL4hS6dF0gA3eP5iR7w'))

const toOperationObject = (operation: Operation): OperationObject => ({
  operationId: operation.id,
  summary: operation.summary,
  description: operation.description,
  tags: [operation.tag],
  security: toSecurity(operation.credentials),
  parameters: operation.parameters,
  ...toRequestBody(operation),
  responses: toResponses(operation),
})

const toAlias = (operation: Operation, index: number): OperationObject => ({
  ...toOperationObject(operation),
  operationId: `${operation.id}Alias${index === 0 ? '' : index + 1}`,
  summary: `${operation.summary} (alias)`,
  description: `The same as \`${operation.path}\`.`,
})

function toPaths(): OpenApiDocument['paths'] {
  const paths: Record<string, PathItem> = {}
  const add = (path: string, method: Method, object: OperationObject) => {
    paths[path] = { ...paths[path], [method]: object }
  }
  for (const operation of OPERATIONS) add(operation.path, operation.method, toOperationObject(operation))
  for (const operation of OPERATIONS) {
    for (const [index, alias] of listAliases(operation.path).entries()) {
      add(alias, operation.method, toAlias(operation, index))
    }
  }
  return paths
}

/** Not named `Error`, which is a type of its own in most languages that clients are generated for. */
const ERROR_RESPONSE: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(STATUS_BY_CODE),
          description: 'The kind of error. Each has one status.',
        },
        message: { type: 'string', description: 'A message for people that says what happened.' },
        hint: {
          type: 'string',
          description: 'One line that says what is wrong, and where: the first of `errors`. Or what to do.',
        },
        errors: {
          type: 'array',
          description: 'The problems of an invalid body or query.',
          items: {
            type: 'object',
            properties: {
              code: { type: 'string', description: 'The kind of problem, from Zod.' },
              path: {
                type: 'array',
                items: { type: ['string', 'integer'] },
                description: 'The path of the invalid value, such as `["settings", "password"]`.',
              },
              message: { type: 'string', description: 'A message for people that describes the problem.' },
            },
            required: ['code', 'path', 'message'],
            // Zod adds fields that depend on the code, such as `expected` and `minimum`.
            additionalProperties: true,
          },
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['success', 'error'],
} as JsonSchema

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

export const createOpenApiDocument = (): OpenApiDocument => ({
  openapi: '3.1.1',
  info: {
    title: 'Regent',
    version: '1',
    summary: 'Share text by link.',
    description: [
      'Create, read, edit and delete documents. Requests and responses are JSON.',
      '`GET` paths also answer `HEAD`. Pages of any origin may call the API, without cookies.',
      'Regent may add fields to responses. Clients should ignore fields that they don’t know.',
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
    schemas: { ...SCHEMAS, ErrorResponse: ERROR_RESPONSE },
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
})
