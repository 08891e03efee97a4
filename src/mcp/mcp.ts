import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { decodeText } from '../documents/content-store.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { AppError, toAppError, unsupportedMediaType } from '../errors.ts'
import {
  answer,
  answerErrorText,
  formatErrorLine,
  logServerFault,
  rejectOtherMethods,
} from '../http/answers.ts'
import { readBody } from '../http/bodies.ts'
import { askAccount, hasCredential, isFromThisSite, NOTHING } from '../http/identity.ts'
import { createMcpServer, PROTOCOL_VERSIONS, parseFailure, type RpcResponse } from '../shared/mcp/protocol.ts'
import { IF_NOT_ALLOWED, MCP_INSTRUCTIONS } from '../shared/mcp/texts.ts'
import { createHandlers } from './handlers.ts'

/** The size of the longest message. Whatever is in it, parsing it takes little of an isolate's memory. */
const MAX_MESSAGE_BYTES = 1024 * 1024

const answerRpc = (c: AppContext, response: RpcResponse, status = 200): Response =>
  answer(c, JSON.stringify(response), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  })

/** An agent can't change what its program sends: only the user can. */
function describeRefusal(c: AppContext, error: AppError): string {
  const [problem = ''] = error.message.split(/\.? Send an API key/)
  switch (error.code) {
    case 'unauthorized': {
      const invalid = hasCredential(c) ? 'The API key isn’t valid' : 'This takes an API key'
      const what = problem === 'Unauthorized' ? invalid : problem
      return `${what}. Do without it, or ask the user to put a key into the settings of this server, as the header Authorization: you can’t`
    }
    case 'bad_auth':
      return `${problem}. ${IF_NOT_ALLOWED}`
    default:
      return formatErrorLine(error)
  }
}

function createServer(c: AppContext) {
  const { name } = c.var.config.site
  return createMcpServer({
    place: 'server',
    name,
    version: '1',
    instructions: `${MCP_INSTRUCTIONS} Encrypted documents can be read and shared with "regent mcp" only.`,
    handlers: createHandlers(c),
    describeError: (thrown) => {
      const error = toAppError(thrown)
      logServerFault(c, error)
      return error.code === 'internal_error' ? null : describeRefusal(c, error)
    },
    onFault: () => {},
  })
}

async function readMessage(c: AppContext): Promise<{ readonly message: unknown } | null> {
  const bytes = await readBody(c.req.raw, {
    getMaxBytes: () => MAX_MESSAGE_BYTES,
    maxDiscardedBytes: 8 * MAX_MESSAGE_BYTES,
    memory: c.var.memory,
  })
  try {
    return { message: JSON.parse(decodeText(bytes)) }
  } catch {
    return null
  }
}

/** A page of another site must not use a server that only the reader's network can reach. */
const refusePagesOfOtherSites = createMiddleware<AppEnv>(async (c, next) => {
  if (isFromThisSite(c) === false)
    throw new AppError('bad_auth', 'This request was sent from another site', {
      nextStep: 'Send it from a program, without the header Origin',
    })
  await next()
})

const VERSION_HEADER = 'MCP-Protocol-Version'

function requireProtocolVersion(c: AppContext): void {
  const version = c.req.header(VERSION_HEADER)
  if (version === undefined || PROTOCOL_VERSIONS.some((known) => known === version)) return
  throw new AppError(
    'bad_request',
    `${VERSION_HEADER}: this server knows the versions ${PROTOCOL_VERSIONS.join(', ')}`,
  )
}

/** Streamable HTTP without sessions: each message is a request of its own, and its answer is JSON. */
const mcp = new Hono<AppEnv>().onError(answerErrorText).post('/mcp', refusePagesOfOtherSites, async (c) => {
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) throw unsupportedMediaType()
  requireProtocolVersion(c)
  const read = await readMessage(c)
  if (read === null) return answerRpc(c, parseFailure(), 400)
  const { message } = read
  // Tools check a key together with what they read. Before, a wrong one should already be refused.
  const isInitialize = (message as { method?: unknown } | null)?.method === 'initialize'
  if (isInitialize && hasCredential(c)) await askAccount(c, NOTHING, 'read')
  const response = await createServer(c)(message, c.req.raw.signal)
  if (response === null) return answer(c, null, { status: 202 })
  return answerRpc(c, response, response.id === null ? 400 : 200)
})

export const routes = new Hono<AppEnv>().route('/', rejectOtherMethods(mcp))
