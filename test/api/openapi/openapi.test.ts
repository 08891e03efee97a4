import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../../src/api/index.ts'
import type { RequestName } from '../../../src/api/openapi/schemas.ts'
import { claimBody, createBody, editBody, safeParse } from '../../../src/api/schemas.lazy.ts'
import { MAX_EDITORS, MAX_PASSWORD_CHARACTERS, SETTING_NAMES } from '../../../src/shared/settings.ts'
import { account } from '../../support/accounts.ts'
import { BROKEN, exchangeDocuments, THROTTLED, UNREACHABLE } from './document-exchanges.ts'
import {
  createExchange,
  DOCUMENT,
  type Exchange,
  exchangeUsers,
  OPERATIONS,
  seen,
  violations,
  withoutAlias,
} from './exchanges.ts'
import { listMembers, toValidatorSchema } from './schema-walk.ts'

/** Makes every operation fail with each server error. */
async function exchangeFaults(exchange: Exchange): Promise<void> {
  const { key } = await account()
  const params = { id: 'xxxxxxxx', number: '1', username: 'nobody', prefix: 'nob' }
  const bodies: Readonly<Record<string, object>> = {
    createDocument: { content: 'Hello' },
    editDocument: { id: 'xxxxxxxx' },
    claimDocument: { token: 'x'.repeat(43) },
  }
  for (const id of OPERATIONS.keys()) {
    if (id.includes('Alias')) continue
    const body = bodies[id]
    for (const bindings of id === 'greet' ? [BROKEN, THROTTLED] : [BROKEN, UNREACHABLE, THROTTLED]) {
      await exchange(id, { params, key, bindings, ...(body && { body }) })
    }
  }
}

/** They take about four seconds on an idle machine. */
const EXCHANGES_TIMEOUT_MS = 120_000

beforeAll(async () => {
  // The server logs these errors.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  for (const variant of [
    { aliases: false, bearer: false },
    { aliases: true, bearer: true },
  ]) {
    const exchange = createExchange(variant)
    await exchangeDocuments(exchange)
    await exchangeUsers(exchange)
    await exchangeFaults(exchange)
  }
}, EXCHANGES_TIMEOUT_MS)

/** Returns the expected entries that no exchange has used. */
const missing = (expected: Iterable<string>): string[] =>
  [...new Set(expected)].filter((entry) => !seen.has(entry))

const operations = [...OPERATIONS.entries()]

describe('the OpenAPI document', () => {
  it('describes every request that the API accepts and every response', () => {
    expect([...new Set(violations)]).toEqual([])
  })

  it('has exactly the paths and methods of the API', () => {
    // The document doesn't describe itself.
    const found = routes.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/v1/openapi.json')
    const registered = found.map(
      ({ method, path }) => `${method} ${path.replace(/\/$/, '').replace(/:(\w+)/g, '{$1}')}`,
    )
    const documented = operations.filter(([, { method }]) => method !== 'HEAD')
    expect(documented.map(([, { method, path }]) => `${method} ${path}`).sort()).toEqual(
      [...new Set(registered)].sort(),
    )
  })

  it('has no status that the API never returns', () => {
    expect(
      missing(
        operations.flatMap(([id, { operation }]) =>
          Object.keys(operation.responses).map((status) => `${id} ${status}`),
        ),
      ),
    ).toEqual([])
  })

  it('has no error message that the API never sends', () => {
    const messages = operations.flatMap(([id, { operation }]) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.values(content?.['application/json'].examples ?? {}).flatMap(({ value }) => {
          const { error } = value as { error?: { message: string } }
          return error ? [`${id} ${status} “${error.message}”`] : []
        }),
      ),
    )
    expect(messages.length).toBeGreaterThan(100)
    expect(missing(messages)).toEqual([])
  })

  it('has no header that the API never sends', () => {
    expect(
      missing(
        operations.flatMap(([id, { operation }]) =>
          Object.entries(operation.responses).flatMap(([status, { headers }]) =>
            Object.keys(headers).map((name) => `${id} ${status} ${name}`),
          ),
        ),
      ),
    ).toEqual([])
  })

  it('has no parameter and no credential that the API never accepts', () => {
    expect(
      missing(
        operations.flatMap(
          ([
            id,
            {
              operation: { parameters, security },
            },
          ]) => [
            ...parameters.map(({ in: place, name }) => `${id} ${place} ${name}`),
            ...security.map((schemes) => `${withoutAlias(id)} with ${Object.keys(schemes)[0] ?? 'none'}`),
          ],
        ),
      ),
    ).toEqual([])
  })

  it('has no field of a body that the API never accepts or sends', () => {
    const { schemas } = DOCUMENT.components
    const requests = operations.flatMap(([, { operation }]) =>
      operation.requestBody ? [operation.requestBody.content['application/json'].schema] : [],
    )
    const responses = operations.flatMap(([, { operation }]) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        content ? [content['application/json'].schema] : [],
      ),
    )
    expect(
      missing(
        requests.flatMap((schema) => [...listMembers(schema, schemas)].map((member) => `request ${member}`)),
      ),
    ).toEqual([])
    expect(
      missing(
        responses.flatMap((schema) =>
          [...listMembers(schema, schemas)].map((member) => `response ${member}`),
        ),
      ),
    ).toEqual([])
  })
})

const SCHEMAS = { NewDocument: createBody, DocumentChange: editBody, Claim: claimBody } as const

const { schemas } = DOCUMENT.components

const createValidator = (name: RequestName) =>
  new Validator(toValidatorSchema({ $ref: `#/components/schemas/${name}` }, schemas), '2020-12')

/** Validates a body with the document's schema and with the API's. */
function judge(validator: Validator, name: RequestName, body: unknown) {
  const result = safeParse(SCHEMAS[name], body)
  return {
    documented: validator.validate(body).valid,
    accepted: result.success,
    // JSON Schema can't express rules that involve several fields, or that text is well-formed.
    refusedByShape: result.error?.issues.some(({ code }) => code !== 'custom') ?? false,
  }
}

const value = fc.oneof(
  fc.constantFrom(null, true, false, '', 'auto', 'x'.repeat(43), 'x'.repeat(150), 'x'.repeat(250)),
  fc.constant('x'.repeat(MAX_PASSWORD_CHARACTERS + 1)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.constant(Array.from({ length: MAX_EDITORS + 1 }, () => 'ada')),
  fc.constant({}),
)

const settings = fc.dictionary(fc.constantFrom(...SETTING_NAMES, 'infer_settings', 'unknown'), value, {
  maxKeys: 4,
})

const body = fc.record(
  {
    content: value,
    files: fc.oneof(value, fc.array(fc.record({ name: value, content: value }))),
    settings: fc.oneof(settings, value),
    infer_settings: value,
    duplicated_from: value,
    id: value,
    password: value,
    token: value,
  },
  { requiredKeys: [] },
)

describe.each(['NewDocument', 'DocumentChange', 'Claim'] as const)('the schema of %s', (name) => {
  const validator = createValidator(name)

  it('accepts every body that the API accepts', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const { documented, accepted } = judge(validator, name, sent)
        expect(documented || !accepted).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('refuses every body whose shape the API refuses', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const { documented, refusedByShape } = judge(validator, name, sent)
        expect(documented && refusedByShape).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})
