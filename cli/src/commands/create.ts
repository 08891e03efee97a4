import { encryptText } from '../../../src/shared/encrypt-text.ts'
import { buildPasswordLink } from '../../../src/shared/password-link.ts'
import { resolveLanguage } from '../../../src/shared/resolve-language.ts'
import type { CreatedDocument } from '../client/client.ts'
import { RegentError } from '../client/errors.ts'
import type { CreateSettings } from '../client/types.ts'
import { describeRefusal } from '../describe-error.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import { parseExpiry } from '../expiry.ts'
import { type ChosenPassword, choosePassword } from '../passwords.ts'
import { type CommandContext, openSession, type Session } from '../session.ts'
import { rememberDocument } from '../storage/remembered-documents.ts'
import { copyText } from '../terminal/programs.ts'
import { type Input, readInput, STDIN } from '../terminal/read-input.ts'
import { showUploadProgress } from '../terminal/upload-progress.ts'

const AUTO = 'auto'

/** Returns the settings that the user asked for. Throws a CliError for those that contradict each other. */
function parseSettings({ values }: CommandContext, password: ChosenPassword | null): CreateSettings {
  const { burn, expires, language, title } = values
  if (password && title) {
    throw new CliError(
      'usage',
      'An encrypted document can’t have a title: anyone with the link could read it',
    )
  }
  return {
    ...(burn && { instant_delete: true }),
    ...(expires !== undefined && { expiration: parseExpiry(expires) }),
    ...(language !== undefined && { language: language.toLowerCase() }),
    ...(title && { title }),
    ...(values.public && { public: true }),
  }
}

/** Adds what the user didn't ask for, but an account may have: the name of the file, and its language. */
function addAutomatic(
  settings: CreateSettings,
  { fileName }: Input,
  { values }: CommandContext,
): CreateSettings {
  const title = values.title === undefined ? fileName : null
  return { language: AUTO, ...(title !== null && { title: title.slice(0, 200) }), ...settings }
}

interface Content {
  readonly content: string
  readonly settings: CreateSettings
}

interface Sharing {
  readonly context: CommandContext
  readonly session: Session
  readonly settings: CreateSettings
  readonly password: ChosenPassword | null
}

async function encrypt(
  { session, settings }: Sharing,
  { text, fileName }: Input,
  password: ChosenPassword,
): Promise<Content> {
  // An account's defaults may make any document burn, which needs the claim hash.
  const burnAfterReading = settings.instant_delete === true || session.key !== null
  const { jwe, claimHash } = await encryptText({ text, ...password, burnAfterReading })
  // The server can't detect the language of a text that it can't read.
  const language = await resolveLanguage(settings.language ?? AUTO, text, fileName ?? undefined)
  return {
    content: jwe,
    settings: {
      ...settings,
      language,
      encrypted: true,
      client_encrypted: true,
      ...(claimHash !== null && { claim_hash: claimHash }),
    },
  }
}

/** Uploads a document. Says of an upload that fails half-way whether anything was stored. */
async function upload(
  { context, session }: Sharing,
  { content, settings }: Content,
): Promise<CreatedDocument> {
  const { terminal, values } = context
  const progress = showUploadProgress(terminal, { quiet: values.quiet ?? false })
  try {
    return await session.client.createDocument(
      {
        content,
        // As on the site: whoever turned on encryption or an early expiry for new documents gets it here too.
        ...(session.key !== null && { infer_settings: true }),
        ...(Object.keys(settings).length > 0 && { settings }),
      },
      { signal: terminal.signal, onUploadProgress: progress.update },
    )
  } catch (error) {
    progress.end()
    if (error instanceof Interrupted) {
      throw new CliError('interrupted', `Interrupted. ${progress.describeFailure()}`)
    }
    if (error instanceof RegentError && (error.code === 'network' || error.code === 'timeout')) {
      throw new CliError('network', `${error.message}. ${progress.describeFailure()}`)
    }
    throw error
  } finally {
    progress.end()
  }
}

/** Returns true if the server refused settings: an account isn't confirmed yet, or its defaults don't go with a title. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RegentError && (error.code === 'bad_auth' || error.code === 'bad_request')

/** Uploads with the automatic settings, or without them if the server refuses. */
async function uploadPlain(sharing: Sharing, input: Input): Promise<CreatedDocument> {
  const { context, session, settings } = sharing
  const content = input.text
  if (session.key === null) return upload(sharing, { content, settings })
  try {
    return await upload(sharing, { content, settings: addAutomatic(settings, input, context) })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return upload(sharing, { content, settings })
  }
}

async function remember({ context, session }: Sharing, { fileName, size }: Input, created: CreatedDocument) {
  const { document, token } = created
  if (token === null) return
  const { timestamps, settings } = document
  await rememberDocument(context.terminal, {
    server: session.server,
    id: document.id,
    token,
    title: settings.encrypted ? null : (settings.title ?? fileName),
    size,
    createdAt: Date.parse(timestamps.creation),
    expiresAt: Date.parse(timestamps.expiration),
  })
}

/** Shares one text, prints its link, and returns the link. */
async function share(sharing: Sharing, input: Input): Promise<string> {
  const { context, password } = sharing
  const created = await (password
    ? upload(sharing, await encrypt(sharing, input, password))
    : uploadPlain(sharing, input))
  const secret = password?.password ?? created.password
  const { content: _, ...document } = created.document
  const url = document.links.formatted
  const link = secret === null ? url : buildPasswordLink(url, secret)
  // First of all: whatever fails later, the user has the link.
  await context.output.print(
    context.values.json
      ? `${JSON.stringify({
          link,
          ...document,
          size: input.size,
          ...(secret !== null && { password: secret }),
          ...(created.token !== null && { token: created.token }),
        })}\n`
      : `${link}\n`,
  )
  await remember(sharing, input, created)
  return link
}

async function copyLinks({ terminal, output }: CommandContext, links: readonly string[]): Promise<void> {
  const what = links.length === 1 ? 'the link' : `${links.length} links`
  const how = await copyText(terminal, links.join('\n'))
  if (how === null) output.error(`Can’t copy ${what}: there’s no clipboard program and no terminal.`)
  else output.note(`Copied ${what}${how === 'terminal' ? ', if your terminal allows it' : ''}.`)
}

/** Shares files or standard input. */
export async function create(context: CommandContext): Promise<void> {
  const { operands, output, terminal, values } = context
  const paths = operands.length === 0 ? [STDIN] : operands
  if (paths.filter((path) => path === STDIN).length + Number(values['password-file'] === STDIN) > 1) {
    throw new CliError('usage', 'Standard input can be read only once')
  }
  if (values.title && paths.length > 1) throw new CliError('usage', '--title needs exactly one text')
  const session = await openSession(context)
  if (paths.includes(STDIN) && terminal.stdin.isTTY) output.note('Type or paste the text, then press Ctrl+D.')
  // All are read before the first is sent, so that a wrong name shares nothing.
  const inputs: Input[] = []
  for (const path of paths) inputs.push(await readInput(path, terminal))
  const password = await choosePassword(context)
  const settings = parseSettings(context, password)
  const sharing: Sharing = { context, session, settings, password }
  const links: string[] = []
  try {
    for (const input of inputs) links.push(await share(sharing, input))
  } catch (error) {
    const uses = Object.keys(settings).length > 0 || password !== null
    throw error instanceof RegentError ? describeRefusal(error, session, { usesSettings: uses }) : error
  }
  if (values.copy) await copyLinks(context, links)
}
