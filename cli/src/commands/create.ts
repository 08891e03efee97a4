import { DURATION_FORMAT, parseDuration } from '../../../src/shared/expiry.ts'
import { encryptText } from '../../../src/shared/jwe.ts'
import { AUTO, TXTAR } from '../../../src/shared/languages.ts'
import { buildPasswordLink } from '../../../src/shared/password-link.ts'
import { resolveLanguage } from '../../../src/shared/resolve-language.ts'
import { MAX_TITLE_CHARACTERS } from '../../../src/shared/settings.ts'
import type { TextFile } from '../../../src/shared/txtar.ts'
import { RegentError } from '../client/errors.ts'
import type { CreateSettings, Document, DocumentInfo } from '../client/types.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import { isFolder, readFiles } from '../files.ts'
import { scanInputs } from '../scan.ts'
import {
  type ChosenPassword,
  type CommandContext,
  choosePassword,
  describeRefusal,
  getLink,
  openSession,
  type Session,
  toCliError,
} from '../session.ts'
import { rememberDocument } from '../storage.ts'
import { copyText, type Input, readInput, STDIN } from '../terminal.ts'
import { upload } from '../upload.ts'

interface Sharing {
  readonly context: CommandContext
  readonly session: Session
  readonly settings: CreateSettings
  readonly password: ChosenPassword | null
}

interface Upload {
  /** The text, or its JWE. */
  readonly content: string
  /** Is null unless the content is an archive of them. */
  readonly files: readonly TextFile[] | null
  readonly settings: CreateSettings
}

interface Shared {
  /** Has no password. */
  readonly url: string
  readonly password: string | null
  readonly token: string | null
  readonly getInfo: () => Promise<DocumentInfo>
  readonly remember: () => Promise<void>
}

const withoutContent = ({ content: _, files: __, ...info }: Document): DocumentInfo => info

async function uploadWithKey(
  { context, session }: Sharing,
  { content, files, settings }: Upload,
): Promise<Shared> {
  const { document, password } = await upload(context, (options) =>
    session.client.createDocument(
      {
        ...(files ? { files } : { content }),
        // As on the site, the account's defaults apply, such as encryption or an early expiry.
        infer_settings: true,
        ...(Object.keys(settings).length > 0 && { settings }),
      },
      options,
    ),
  )
  return {
    url: getLink(document),
    password,
    token: null,
    getInfo: async () => withoutContent(document),
    remember: async () => {},
  }
}

/** Uploads as curl does: servers take settings without an account there, but not in their API. */
async function uploadWithoutKey(
  { context, session, password }: Sharing,
  { fileName, size, files }: Input,
  { content, settings }: Upload,
): Promise<Shared> {
  const { terminal } = context
  const { client, server } = session
  const { id, link, token, expiration } = await upload(context, (options) =>
    client.shareText(content, settings, options),
  )
  return {
    url: link,
    password: null,
    token,
    // An edit that changes nothing. Unlike a read, it counts no view and burns nothing.
    getInfo: async () =>
      withoutContent((await client.editDocument({ id }, { token, signal: terminal.signal })).document),
    remember: async () => {
      if (token === null) return
      await rememberDocument(terminal, {
        server,
        id,
        token,
        title: password ? null : (settings.title ?? fileName ?? files?.[0]?.name ?? null),
        size,
        createdAt: terminal.now(),
        expiresAt: Date.parse(expiration),
      })
    },
  }
}

/** If the server can't be asked, the error contains the link. */
async function requireInfo({ getInfo }: Shared, link: string): Promise<DocumentInfo> {
  try {
    return await getInfo()
  } catch (error) {
    const known =
      error instanceof Interrupted ? new CliError('interrupted', 'Interrupted') : toCliError(error)
    if (!known) throw error
    const shared = `The text is shared at ${link}`
    throw new CliError(known.ending, `${known.message}. ${shared}`, `${known.forAgent}. ${shared}`)
  }
}

const needsAccount = (what: string, option: string) =>
  new CliError(
    'refused',
    `Only documents of accounts can ${what}. Sign in with "regent login", or leave out --${option}`,
  )

function requireAccount({ values }: CommandContext, { key }: Session): void {
  if (key !== null) return
  if (values.public) throw needsAccount('be public', 'public')
  if (values.name) throw needsAccount('have a name', 'name')
}

const DATE = /^\d{4}-\d\d-\d\d$/
/** The server checks it thoroughly. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d(?::?\d\d)?)$/

/**
 * Returns what the API takes as the expiry: days, an ISO 8601 date-time, or null for never.
 *
 * @param typed a duration, a date, which means its end in this time zone, or an ISO 8601 date-time with offset.
 * @throws CliError `usage` for anything else.
 */
export function parseExpiry(typed: string): number | string | null {
  const days = parseDuration(typed)
  if (days !== undefined) return days
  if (DATE_TIME.test(typed)) return typed
  if (DATE.test(typed)) {
    const endOfDay = new Date(`${typed}T23:59:59`)
    if (!Number.isNaN(endOfDay.getTime())) return endOfDay.toISOString()
  }
  throw new CliError('usage', `"${typed}" isn’t ${DURATION_FORMAT}, nor a date such as 2027-01-31`)
}

/** @throws CliError for settings that contradict each other. */
function parseSettings({ values }: CommandContext, password: ChosenPassword | null): CreateSettings {
  const { burn, expires, language, name, title } = values
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
    ...(name && { name }),
    ...(values.public && { public: true }),
  }
}

/** Adds what the user didn't ask for: the name of the file as the title, and its language. */
function addAutomatic(
  settings: CreateSettings,
  { fileName, files }: Input,
  { values }: CommandContext,
): CreateSettings {
  const title = values.title === undefined ? fileName : null
  return {
    language: files ? TXTAR : AUTO,
    ...(title !== null && { title: title.slice(0, MAX_TITLE_CHARACTERS) }),
    ...settings,
  }
}

async function encrypt(
  { settings }: Sharing,
  { text, fileName, files }: Input,
  password: ChosenPassword,
): Promise<Upload> {
  const { jwe, claimHash } = await encryptText({ text, ...password })
  // The server can't detect the language of a text that it can't read.
  const language = await resolveLanguage(
    settings.language ?? (files ? TXTAR : AUTO),
    text,
    fileName ?? undefined,
  )
  return {
    content: jwe,
    files: null,
    settings: {
      ...settings,
      language,
      encrypted: true,
      client_encrypted: true,
      claim_hash: claimHash,
    },
  }
}

/** Returns true if the server refused settings: an account isn't confirmed yet, or its defaults don't go with a title. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RegentError && (error.code === 'bad_auth' || error.code === 'bad_request')

async function uploadText(sharing: Sharing, input: Input): Promise<Shared> {
  const { context, session, settings, password } = sharing
  if (password) {
    const encrypted = await encrypt(sharing, input, password)
    return session.key === null
      ? uploadWithoutKey(sharing, input, encrypted)
      : uploadWithKey(sharing, encrypted)
  }
  const { text: content, files } = input
  const automatic = { content, files, settings: addAutomatic(settings, input, context) }
  if (session.key === null) return uploadWithoutKey(sharing, input, automatic)
  try {
    return await uploadWithKey(sharing, automatic)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return uploadWithKey(sharing, { content, files, settings })
  }
}

async function share(sharing: Sharing, input: Input): Promise<string> {
  const { context, password } = sharing
  const shared = await uploadText(sharing, input)
  const { token, url } = shared
  const secret = password?.password ?? shared.password
  const link = secret === null ? url : buildPasswordLink(url, secret)
  // Printing the link may fail, and the token must be kept even then.
  const problem = await shared.remember().then(
    () => null,
    (error) => {
      if (!(error instanceof CliError)) throw error
      return error.message
    },
  )
  await context.output.print(
    context.values.json
      ? `${JSON.stringify({
          link,
          ...(await requireInfo(shared, link)),
          size: input.size,
          ...(secret !== null && { password: secret }),
          ...(token !== null && { token }),
        })}\n`
      : `${link}\n`,
  )
  if (problem !== null)
    context.output.error(`It’s shared, but can’t be changed from this machine: ${problem}.`)
  return link
}

/** @returns the links, which it has also printed. */
export async function shareInputs(
  context: CommandContext,
  session: Session,
  read: readonly Input[],
): Promise<string[]> {
  requireAccount(context, session)
  if (context.values.language !== undefined && read.some(({ files }) => files))
    throw new CliError('usage', '--language needs exactly one text: each file has the language of its name')
  const password = await choosePassword(context)
  const inputs = scanInputs(context, read, { isEncrypted: password !== null })
  const settings = parseSettings(context, password)
  const sharing: Sharing = { context, session, settings, password }
  const links: string[] = []
  try {
    for (const input of inputs) links.push(await share(sharing, input))
  } catch (error) {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
  return links
}

async function copyLinks({ terminal, output }: CommandContext, links: readonly string[]): Promise<void> {
  const what = links.length === 1 ? 'the link' : `${links.length} links`
  const how = await copyText(terminal, links.join('\n'))
  if (how === null) output.error(`Can’t copy ${what}: there’s no clipboard program and no terminal.`)
  else output.note(`Copied ${what}${how === 'terminal' ? ', if your terminal allows it' : ''}.`)
}

async function readInputs(
  { terminal, output }: CommandContext,
  paths: readonly string[],
  { separate }: { readonly separate: boolean },
): Promise<readonly Input[]> {
  const folders = await Promise.all(paths.map(isFolder))
  if (!separate && (paths.length > 1 || folders.includes(true)))
    return [await readFiles(paths, terminal, output)]
  const inputs: Input[] = []
  for (const [index, path] of paths.entries()) {
    const input = folders[index] ? await readFiles([path], terminal, output) : await readInput(path, terminal)
    if (input.convertedFrom !== null)
      output.note(`Converted ${path === STDIN ? 'the text' : path} from ${input.convertedFrom} to UTF-8.`)
    inputs.push(input)
  }
  return inputs
}

export async function create(context: CommandContext): Promise<void> {
  const { operands, output, terminal, values } = context
  const paths = operands.length === 0 ? [STDIN] : operands
  if (paths.filter((path) => path === STDIN).length + Number(values['password-file'] === STDIN) > 1) {
    throw new CliError('usage', 'Standard input can be read only once')
  }
  const separate = values.separate ?? false
  for (const option of ['title', 'name'] as const) {
    if (values[option] && separate && paths.length > 1)
      throw new CliError('usage', `--${option} needs exactly one text`)
  }
  const session = await openSession(context)
  requireAccount(context, session)
  if (paths.includes(STDIN) && terminal.stdin.isTTY) output.note('Type or paste the text, then press Ctrl+D.')
  // All are read before the first is sent, so that a wrong name shares nothing.
  const read = await readInputs(context, paths, { separate })
  const links = await shareInputs(context, session, read)
  if (values.copy) await copyLinks(context, links)
}
