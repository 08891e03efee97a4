import { STATUS_BY_CODE } from '../../errors.ts'
import { HEADERS } from './headers.ts'
import type { Credential, Operation } from './operation.ts'
import { refer, toResponses } from './operation-responses.ts'
import { DOCUMENT_OPERATIONS } from './operations/document-operations.ts'
import { PUBLIC_OPERATIONS } from './operations/public-operations.ts'
import { USER_OPERATIONS } from './operations/user-operations.ts'
import { SCHEMAS } from './schemas.ts'
import type {
  JsonSchema,
  Method,
  OpenApiDocument,
  OperationObject,
  PathItem,
  SecurityRequirement,
  SecurityScheme,
} from './types.ts'

export const OPERATIONS: readonly Operation[] = [
  ...DOCUMENT_OPERATIONS,
  ...PUBLIC_OPERATIONS,
  ...USER_OPERATIONS,
]

/** Paths that have an alias, for clients of the original service. */
const ALIASES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^\/v1\/document(?=\/|$)/, '/v1/documents'],
  [/^\/v1\/users\//, '/v1/user/'],
  [/\/recent$/, '/recentDocuments'],
]

/** Returns the aliases of a path. */
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

/** Returns the alternative credentials. An empty object means that no credential is needed. */
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

/** Returns an example body with valid values for its placeholders. */
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

/** Returns an operation for an alias of its path. */
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

const ERROR: JsonSchema = {
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

/** Returns the OpenAPI document. */
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
    schemas: { ...SCHEMAS, Error: ERROR },
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
})
