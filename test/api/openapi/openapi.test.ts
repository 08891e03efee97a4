import { beforeAll, describe, expect, it, vi } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { account } from '../../support/accounts.ts'
import { BROKEN, exchangeDocuments, THROTTLED, UNREACHABLE } from './document-exchanges.ts'
import {
  createExchange,
  DOCUMENT,
  type Exchange,
  OPERATIONS,
  seen,
  violations,
  withoutAlias,
} from './exchanges.ts'
import { listMembers } from './schema-walk.ts'
import { exchangeUsers } from './user-exchanges.ts'

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
    const routes = api.routes.filter(({ method }) => method !== 'ALL')
    const registered = routes.map(
      ({ method, path }) => `${method} /v1${path.replace(/\/$/, '').replace(/:(\w+)/g, '{$1}')}`,
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
