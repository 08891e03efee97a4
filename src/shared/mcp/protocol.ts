import { isToolName, listTools, type Place, parseInput, type ToolInput, type ToolName } from './tools.ts'

/*
 * The Model Context Protocol (modelcontextprotocol.io), as far as a server needs it that has tools alone: by hand, because its
 * library would take more than ten times as much. It keeps nothing from one message to the next.
 */

/** The versions of the protocol, the newest first. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** JSON-RPC 2.0 §5.1. */
const ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

type Id = string | number

interface RpcError {
  readonly code: number
  readonly message: string
}

export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: Id | null } & (
  | { readonly result: object }
  | { readonly error: RpcError }
)

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError?: boolean
}

export const textResult = (...texts: readonly string[]): ToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
})

/** The agent reads it, and may try again. */
export const errorResult = (message: string): ToolResult => ({ ...textResult(message), isError: true })

export type ToolHandlers = {
  readonly [Name in ToolName]: (input: ToolInput<Name>, signal: AbortSignal) => Promise<ToolResult>
}

interface ServerOptions {
  readonly place: Place
  readonly name: string
  readonly version: string
  /** A text that an agent should read before it calls anything. */
  readonly instructions: string
  readonly handlers: ToolHandlers
  /** Returns null for a fault that the agent can do nothing about. */
  readonly describeError: (error: unknown) => string | null
  /** Is called with a fault that `describeError` has no words for. */
  readonly onFault: (error: unknown) => void
}

const failure = (id: Id | null, code: keyof typeof ERRORS, message: string): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: ERRORS[code], message },
})

export const parseFailure = (): RpcResponse => failure(null, 'parse', 'The message isn’t JSON')

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is Id => typeof id === 'string' || Number.isInteger(id)

/** Returns the id of the request that a notification cancels; undefined for every other message. */
export function findCancelled(message: unknown): Id | undefined {
  if (!isRecord(message) || message.method !== 'notifications/cancelled' || !isRecord(message.params)) return
  const { requestId } = message.params
  return isId(requestId) ? requestId : undefined
}

export const findId = (message: unknown): Id | undefined =>
  isRecord(message) && isId(message.id) && typeof message.method === 'string' ? message.id : undefined

export function createMcpServer({
  place,
  name: serverName,
  version,
  instructions,
  handlers,
  describeError,
  onFault,
}: ServerOptions) {
  async function callTool<Name extends ToolName>(name: Name, sent: unknown, signal: AbortSignal) {
    const { input, problem } = parseInput(name, sent, place)
    // In the result, so that the agent sees it and can correct it.
    if (input === null) return errorResult(`Invalid arguments: ${problem}`)
    try {
      return await handlers[name](input, signal)
    } catch (error) {
      const message = describeError(error)
      if (message === null) throw error
      return errorResult(message)
    }
  }

  async function answerRequest(
    id: Id,
    { method, params }: Message,
    signal: AbortSignal,
  ): Promise<RpcResponse> {
    const succeed = (result: object): RpcResponse => ({ jsonrpc: '2.0', id, result })
    const { protocolVersion, name, arguments: sent } = isRecord(params) ? params : {}
    switch (method) {
      case 'initialize': {
        const version_ = PROTOCOL_VERSIONS.find((known) => known === protocolVersion) ?? PROTOCOL_VERSIONS[0]
        return succeed({
          protocolVersion: version_,
          capabilities: { tools: {} },
          serverInfo: { name: serverName, version },
          instructions,
        })
      }
      case 'ping':
        return succeed({})
      case 'tools/list':
        return succeed({ tools: listTools(place) })
      case 'tools/call':
        if (!isToolName(name)) return failure(id, 'invalidParams', `Unknown tool: ${String(name)}`)
        return succeed(await callTool(name, sent, signal))
      default:
        return failure(id, 'methodNotFound', `Unknown method: ${String(method)}`)
    }
  }

  /** Returns null for what needs no answer: notifications, and answers of the client. */
  return async function answer(message: unknown, signal: AbortSignal): Promise<RpcResponse | null> {
    if (Array.isArray(message)) return failure(null, 'invalidRequest', 'Send one message at a time')
    if (!isRecord(message) || message.jsonrpc !== '2.0')
      return failure(null, 'invalidRequest', 'The message isn’t JSON-RPC 2.0')
    if (typeof message.method !== 'string')
      return 'result' in message || 'error' in message
        ? null
        : failure(null, 'invalidRequest', 'The message has no method')
    if (message.id === undefined) return null
    if (!isId(message.id)) return failure(null, 'invalidRequest', 'The id is a string or a whole number')
    try {
      return await answerRequest(message.id, message, signal)
    } catch (error) {
      onFault(error)
      return failure(message.id, 'internal', 'Something went wrong. Try again in a moment')
    }
  }
}
