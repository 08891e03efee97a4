import type { AppError } from '../../errors.ts'
import { createExample } from './examples.ts'
import { COMMON_HEADERS } from './headers.ts'
import type { ErrorCase, HeaderName, Operation, Success } from './operation.ts'
import { SCHEMAS } from './schemas.ts'
import type { Example, JsonSchema, OperationObject, Response } from './types.ts'

/** Returns a reference to a component. */
export const refer = (kind: 'schemas' | 'headers', name: string) => ({ $ref: `#/components/${kind}/${name}` })

const referToHeaders = (names: readonly HeaderName[]): Response['headers'] =>
  Object.fromEntries([...COMMON_HEADERS, ...names].toSorted().map((name) => [name, refer('headers', name)]))

/** Returns the schema of a successful response with this data. */
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

/** Returns the headers of an error, except the common ones. */
function getErrorHeaders({ code, headers }: AppError): readonly HeaderName[] {
  const names: HeaderName[] = ['Cache-Control']
  for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After'] as const)
    if (name in headers) names.push(name)
  if (code === 'precondition_failed') names.push('ETag')
  return names
}

const toErrorExample = ([{ code, message, issues }, when]: ErrorCase): Example => ({
  summary: when,
  value: { success: false, error: { code, message, ...(issues && { errors: issues }) } },
})

/** Returns the response for all errors of an operation that have the same status. */
function toErrorResponse(cases: readonly ErrorCase[], hasBody: boolean): Response {
  const [first] = cases
  if (!first) throw new Error('a status needs an error')
  return {
    description: cases.map(([, when]) => when).join(' Or: '),
    headers: referToHeaders(getErrorHeaders(first[0])),
    ...(hasBody && {
      content: {
        'application/json': {
          schema: refer('schemas', 'Error'),
          examples: Object.fromEntries(
            cases.map((error, index) => [`${error[0].code}_${index + 1}`, toErrorExample(error)]),
          ),
        },
      },
    }),
  }
}

export function toResponses(operation: Operation): OperationObject['responses'] {
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
