import { createInterface } from 'node:readline'
import { formatNamedAddress } from '../../../src/shared/document-ids.ts'
import { findLanguageOfFile, PLAIN_TEXT } from '../../../src/shared/languages.ts'
import {
  createMcpServer,
  findCancelled,
  findId,
  parseFailure,
  type RpcResponse,
  type ToolHandlers,
  type ToolResult,
  textResult,
} from '../../../src/shared/mcp/protocol.ts'
import {
  CALL_READ_ONCE,
  explainTakenName,
  formatLanguage,
  formatRead,
  IF_NOT_ALLOWED,
  MCP_INSTRUCTIONS,
  markAsData,
  NAME_NEEDS_ACCOUNT,
  NOT_DELETED_BY_READING,
  type ReadPart,
} from '../../../src/shared/mcp/texts.ts'
import type { ToolInput } from '../../../src/shared/mcp/tools.ts'
import { RegentError } from '../client/errors.ts'
import { PasswordError } from '../client/read-text.ts'
import type { Document } from '../client/types.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import { joinInputs } from '../files.ts'
import { describeSecrets } from '../scan.ts'
import {
  type CommandContext,
  describeRefusal,
  isNameTaken,
  openSession,
  parseTarget,
  readVersion,
  toCliError,
} from '../session.ts'
import { findRememberedDocument } from '../storage.ts'
import { type Input, ReaderGone } from '../terminal.ts'
import { shareInputs } from './create.ts'
import { get, ls, rm } from './documents.ts'
import { editTarget } from './edit.ts'

type Values = CommandContext['values']

interface Call {
  readonly operands?: readonly string[]
  readonly values?: Partial<Values>
}

/** Commands ask for passwords alone. */
function refuseToAsk(): never {
  throw new CliError('refused', 'The document is encrypted. Send its link with the password after the #')
}

/** Runs a command as with `--json`, and returns what it prints. It can ask nobody. */
async function capture<Printed>(
  context: CommandContext,
  { operands = [], values }: Call,
  run: (context: CommandContext) => Promise<unknown>,
): Promise<Printed> {
  let printed = ''
  const print = async (text: string) => {
    printed += text
  }
  await run({
    ...context,
    operands,
    values: { ...context.values, ...values, json: true, quiet: true },
    terminal: { ...context.terminal, openConversation: refuseToAsk },
    output: { print, note: () => {}, error: () => {} },
  })
  return JSON.parse(printed || 'null')
}

function toInput({ content, files }: Pick<ToolInput<'share'>, 'content' | 'files'>): Input {
  if (content !== undefined && files !== undefined)
    throw new CliError('usage', 'Send content or files, not both')
  const sent = files?.map((file) => ({ ...file, language: file.language ?? undefined }))
  const [only, ...others] = sent ?? []
  if (sent && others.length > 0) return joinInputs(sent)
  const text = only?.content ?? content ?? ''
  if (text === '') throw new CliError('usage', 'There’s no text: send content or files')
  const size = new TextEncoder().encode(text).byteLength
  return { fileName: only?.name ?? null, text, size, convertedFrom: null, files: null }
}

/** An agent's output may contain what it has read, such as an environment variable. */
function refuseSecrets({ text }: Input): void {
  const found = describeSecrets(text)
  if (found === null) return
  throw new CliError(
    'secrets',
    `Nothing was sent: found ${found}. Take them out, or ask the user. To send them, call again with allow_secrets: true`,
  )
}

/** Reading such a document deletes it, unless it's the user's own. */
async function burns(context: CommandContext, typed: string): Promise<boolean> {
  const { id, server: linked } = parseTarget(typed)
  const session = await openSession(context, linked)
  const { client, server } = session
  const remembered = await findRememberedDocument(context.terminal, server, id)
  try {
    // Only documents that burn have no entity tag.
    const { etag } = await client.checkDocument(id, {
      token: remembered?.token,
      signal: context.terminal.signal,
    })
    return etag === null
  } catch (error) {
    // An encrypted one asks for its password.
    if (!(error instanceof RegentError)) throw error
    if (error.code === 'bad_request') return true
    throw describeRefusal(error, session)
  }
}

/** @param name of the document, if the agent chose one. */
async function shareForAgent(context: CommandContext, sent: Input, name: string | undefined): Promise<void> {
  const session = await openSession(context)
  if (name && session.key === null)
    throw new CliError('refused', `${NAME_NEEDS_ACCOUNT} to sign in with "regent login"`)
  try {
    await shareInputs(context, session, [sent])
  } catch (error) {
    if (!name || !isNameTaken(error)) throw error
    const { username } = await session.client.getAccount({ signal: context.terminal.signal })
    throw new CliError('conflict', explainTakenName(formatNamedAddress({ username, name })))
  }
}

/** The language of the document, or of the one file that the agent asked for. */
function findLanguage({ files, settings }: Document, typed: string): string {
  const { file } = parseTarget(typed)
  if (file === null) return settings.language
  const shown = files?.find(({ name }) => name === file)
  return shown?.language ?? findLanguageOfFile(file) ?? PLAIN_TEXT
}

async function readDocument(context: CommandContext, typed: string, part: ReadPart): Promise<ToolResult> {
  const found = await capture<Document>(context, { operands: [typed] }, get)
  return formatRead({
    text: found.content,
    isLast: found.settings.instant_delete,
    part,
    facts: `${typed.split('#', 1)[0]} (${formatLanguage(findLanguage(found, typed))})`,
  })
}

/** The password of `REGENT_PASSWORD` is the user's, too. */
const WRONG_PASSWORD =
  'The password is wrong. Send the link with the right one after the #, which only the user may know'

function describeError(error: unknown): string | null {
  if (error instanceof PasswordError) return WRONG_PASSWORD
  const known = toCliError(error)
  if (error instanceof RegentError && error.code === 'bad_auth') return `${known?.message}. ${IF_NOT_ALLOWED}`
  return known?.forAgent ?? null
}

interface SharedDocument {
  readonly link: string
  readonly timestamps: Document['timestamps']
}

const formatExpires = ({ expiration }: Document['timestamps']): string =>
  expiration.startsWith('9999-') ? 'It never expires.' : `It expires ${expiration}.`

const createHandlers = (base: CommandContext): ToolHandlers => {
  /** Ctrl+C ends everything, a cancellation this call. */
  const open = (signal: AbortSignal): CommandContext => ({
    ...base,
    terminal: { ...base.terminal, signal: AbortSignal.any([base.terminal.signal, signal]) },
  })
  return {
    share: async (input, signal) => {
      const { burn, encrypt, expires, language, name, title } = input
      const sent = toInput(input)
      if (!encrypt && !input.allow_secrets) refuseSecrets(sent)
      const values = {
        'no-scan': true,
        ...(burn && { burn }),
        ...(encrypt && { encrypt }),
        ...(expires !== undefined && { expires }),
        ...(language && { language }),
        ...(name && { name }),
        ...(title && { title }),
      }
      const { link, timestamps } = await capture<SharedDocument>(open(signal), { values }, (context) =>
        shareForAgent(context, sent, name),
      )
      return textResult(`${link}\n${formatExpires(timestamps)}`)
    },
    read: async ({ document, ...part }, signal) => {
      const context = open(signal)
      if (await burns(context, document))
        throw new CliError(
          'refused',
          `Reading this document deletes it, unless it’s yours. ${CALL_READ_ONCE}`,
        )
      return readDocument(context, document, part)
    },
    read_once: async ({ document }, signal) => {
      const context = open(signal)
      if (!(await burns(context, document))) throw new CliError('refused', NOT_DELETED_BY_READING)
      if (parseTarget(document).file !== null)
        throw new CliError(
          'refused',
          'Reading one file of this document deletes all of them. Read the document: leave out the name of the file',
        )
      return readDocument(context, document, {})
    },
    update: async ({ document, allow_secrets, ...input }, signal) => {
      const sent = toInput(input)
      // A password in the link doesn't say that the document is encrypted.
      if (!allow_secrets) refuseSecrets(sent)
      const { link } = await capture<SharedDocument>(open(signal), { operands: [document] }, (context) =>
        editTarget(context, sent, false),
      )
      return textResult(`Replaced the text of ${link}`)
    },
    delete: async ({ document }, signal) => {
      await capture(open(signal), { operands: [document] }, rm)
      return textResult('Deleted.')
    },
    list: async ({ limit, search }, signal) => {
      const values = { ...(limit !== undefined && { limit: String(limit) }), ...(search && { search }) }
      const entries = await capture<object[]>(open(signal), { values }, ls)
      if (entries.length === 0) return textResult('No documents.')
      return textResult(markAsData('The list', entries.map((entry) => JSON.stringify(entry)).join('\n')))
    },
  }
}

/** Answers a message on each line of standard input, until it ends. */
export async function mcp(context: CommandContext): Promise<void> {
  const { output, terminal } = context
  const answer = createMcpServer({
    place: 'local',
    name: 'regent',
    version: await readVersion(),
    instructions: MCP_INSTRUCTIONS,
    handlers: createHandlers(context),
    describeError,
    onFault: (error) => output.error(`This is a bug. ${error instanceof Error ? error.stack : error}`),
  })
  const lines = createInterface({ input: terminal.stdin, signal: terminal.signal })
  const print = async (response: RpcResponse) => {
    try {
      await output.print(`${JSON.stringify(response)}\n`)
    } catch (error) {
      if (!(error instanceof ReaderGone)) throw error
      lines.close()
    }
  }
  const running = new Map<string | number, AbortController>()

  const handle = async (line: string): Promise<void> => {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return print(parseFailure())
    }
    const cancelled = findCancelled(message)
    if (cancelled !== undefined) return running.get(cancelled)?.abort(new Interrupted())
    const cancellation = new AbortController()
    const id = findId(message)
    if (id !== undefined) running.set(id, cancellation)
    const response = await answer(message, cancellation.signal)
    if (id !== undefined) running.delete(id)
    // Nobody waits for the answer to a request that was cancelled.
    if (response !== null && !cancellation.signal.aborted) await print(response)
  }

  const pending = new Set<Promise<void>>()
  for await (const line of lines) {
    if (line.trim() === '') continue
    const handling = handle(line)
    pending.add(handling)
    void handling.finally(() => pending.delete(handling))
  }
  await Promise.all(pending)
}
