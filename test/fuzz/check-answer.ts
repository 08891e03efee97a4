import { type Schema, Validator } from '@cfworker/json-schema'
import { type ErrorCode, STATUS_BY_CODE } from '../../src/shared/error-codes.ts'
import { type Schemas, toClosedSchema } from '../api/openapi/schema-walk.ts'
import type { FuzzAnswer, FuzzRequest, World } from './world.ts'

interface DescribedResponse {
  readonly content?: { readonly 'application/json': { readonly schema: object } } | undefined
}

interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

/** What the check needs of an OpenAPI document. */
export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Schemas }
}

interface Operation extends DescribedOperation {
  readonly method: string
  readonly path: RegExp
}

/** Checks answers against an OpenAPI document. */
class Description {
  readonly #operations: readonly Operation[]
  readonly #schemas: Schemas
  readonly #validators = new Map<object, Validator>()

  constructor({ paths, components }: DescribedApi) {
    this.#schemas = components.schemas
    this.#operations = Object.entries(paths)
      // `/users/@me` comes before `/users/{username}`.
      .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, { responses }]) => ({
          method: method.toUpperCase(),
          // After `@` comes a user, whose document may have a name such as `claim`.
          path: new RegExp(
            `^${path.replaceAll('{id}', '(?!@|%40)[^/]+').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`,
          ),
          responses,
        })),
      )
  }

  #findSchemaErrors(schema: object, value: unknown): string[] {
    const validator =
      this.#validators.get(schema) ??
      new Validator(toClosedSchema(schema as Parameters<typeof toClosedSchema>[0], this.#schemas) as Schema)
    this.#validators.set(schema, validator)
    return validator
      .validate(value)
      .errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
  }

  /** Returns how a JSON answer differs from the operation that was requested. */
  findProblems(method: string, pathname: string, status: number, value: unknown): string[] {
    // The pattern of a route isn't an address, and gets a 404.
    if (/\/:[a-z]+(\/|$)/.test(pathname)) return []
    const found = this.#operations.find((one) => one.method === method && one.path.test(pathname))
    if (!found) return []
    const described = found.responses[status]
    if (!described) return ['a status that OpenAPI does not describe']
    const schema = described.content?.['application/json']?.schema
    return schema ? this.#findSchemaErrors(schema, value) : []
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the path as the server sees it, without `..`. */
const getPath = ({ target }: FuzzRequest): string => new URL(`http://regent${target}`).pathname

/** Returns what is wrong with an error of the API. */
function findErrorProblems(status: number, value: unknown): string[] {
  const { success, error } = (value ?? {}) as {
    success?: unknown
    error?: { code?: ErrorCode; message?: unknown }
  }
  if (success !== false || typeof error?.message !== 'string') return ['not the shape of an error']
  return STATUS_BY_CODE[error.code ?? 'internal_error'] === status
    ? []
    : [`the code ${error.code} with status ${status}`]
}

function findJsonProblems(
  description: Description,
  request: FuzzRequest,
  { status, text }: FuzzAnswer,
): string[] {
  const value = parseJson(text)
  if (value === undefined) return ['not JSON']
  const pathname = getPath(request)
  const isApi = /^\/v1(\/|$)/.test(pathname)
  return [
    ...(isApi && status >= 400 ? findErrorProblems(status, value) : []),
    ...description.findProblems(request.method, pathname, status, value),
  ]
}

/** Returns what is wrong with the body, by its type. */
function findBodyProblems(description: Description, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer
  const type = headers.get('Content-Type') ?? ''
  if (request.method === 'HEAD' || [202, 204, 304].includes(status)) return text === '' ? [] : ['a body']
  if (status >= 300 && status < 400) return headers.has('Location') ? [] : ['no Location']
  if (type.startsWith('application/json')) return findJsonProblems(description, request, answer)
  if (/^\/v1(\/|$)/.test(getPath(request))) return ['an answer of the API that is not JSON']
  if (type === 'text/html; charset=utf-8') {
    return /^<!doctype html>/i.test(text) && /<title>[^<]+<\/title>/.test(text) ? [] : ['not a page']
  }
  if (/^application\/(?:atom\+)?xml; charset=utf-8$/.test(type)) {
    // What XML 1.0 forbids, and `&` that begins no entity.
    return /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|&(?!(?:amp|lt|gt|quot);)/u.test(text)
      ? ['not XML']
      : []
  }
  if (type === 'text/markdown; charset=utf-8')
    return status === 200 && /^(?:# |---\n)/.test(text) ? [] : ['not Markdown']
  if (type === 'text/plain; charset=utf-8') {
    return status < 400 || /^[^\n]+\n$/.test(text) ? [] : ['an error that is not one line']
  }
  return /^image\/|^application\/zip$|^application\/manifest\+json$/.test(type) ? [] : [`the type ${type}`]
}

/** Only GitHub may be another site, since people sign in there. */
function findRedirectProblems({ origin }: World, { headers }: FuzzAnswer): string[] {
  const location = headers.get('Location')
  if (location === null) return []
  const target = new URL(location, origin)
  return target.origin === new URL(origin).origin || target.origin === 'https://github.com'
    ? []
    : [`a redirect to ${target.origin}`]
}

const REQUIRED_HEADERS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
  'X-Request-Id',
] as const

/** Returns what an answer repeats of the secrets in the headers and the body of its request. */
function findEchoes(world: World, request: FuzzRequest, { headers, text }: FuzzAnswer): string[] {
  const sent = JSON.stringify([request.headers, request.body])
  const { searchParams } = new URL(`http://regent${request.target}`)
  const isInAddress = (secret: string) =>
    request.target.includes(secret) || [...searchParams.values()].some((value) => value.includes(secret))
  // The edit form keeps the password that was typed into it, so that it can be sent again without scripts.
  const shown = text.replaceAll(/<input type="hidden" name="password" value="[^"]*"\/>/g, '')
  // A renewed cookie contains its token again.
  const headersText = [...headers].flatMap(([name, value]) => (name === 'set-cookie' ? [] : value)).join('\n')
  const sessions = world.cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  return [...world.keys, ...sessions, ...world.passwords].flatMap((secret) =>
    sent.includes(secret) && !isInAddress(secret) && (shown + headersText).includes(secret)
      ? ['a secret of the request']
      : [],
  )
}

/** The health check says 503 as long as cleanup has never run. */
const isHealthReport = ({ target }: FuzzRequest, { status }: FuzzAnswer): boolean =>
  status === 503 && /^\/health\b/.test(target)

/** Returns a function that returns what is wrong with an answer. Without injected faults, no 5xx is right. */
export function createCheck(api: DescribedApi, world: World) {
  const description = new Description(api)
  return (request: FuzzRequest, answer: FuzzAnswer): string[] => [
    ...(answer.status >= 500 && !isHealthReport(request, answer) ? [`status ${answer.status}`] : []),
    ...(answer.status === 405 && !answer.headers.has('Allow') ? ['no Allow'] : []),
    ...REQUIRED_HEADERS.filter((name) => !answer.headers.has(name)).map((name) => `no ${name}`),
    ...(answer.headers.has('X-Injected') ? ['an injected header'] : []),
    ...findBodyProblems(description, request, answer),
    ...findRedirectProblems(world, answer),
    ...findEchoes(world, request, answer),
  ]
}
