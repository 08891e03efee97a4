import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  ALPHABET,
  formatNamedAddress,
  GENERATED_PASSWORD_CHARACTERS,
  isDocumentAddress,
  toAddress,
} from '../../src/shared/document-ids.ts'
import { parseFragmentPassword } from '../../src/shared/password-link.ts'
import { MAX_PASSWORD_CHARACTERS } from '../../src/shared/settings.ts'
import { RegentClient } from './client/client.ts'
import { RegentError } from './client/errors.ts'
import { PasswordError } from './client/read-text.ts'
import type { DocumentInfo } from './client/types.ts'
import { CliError, type Ending, Interrupted } from './exit-codes.ts'
import type { Arguments } from './options.ts'
import { type Config, readConfig } from './storage.ts'
import { askSecret, type Output, readInput, type Terminal } from './terminal.ts'

export interface Target {
  /** Is null if only an id was given. */
  readonly server: string | null
  readonly id: string
  readonly password: string | null
  /** Names one file of several. */
  readonly file: string | null
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/

/**
 * Reads the address of a server. Without a scheme, it's https, or http on this machine.
 *
 * @returns its origin.
 * @throws CliError `usage` if it isn't the address of a server.
 */
export function parseServer(typed: string): string {
  const hasScheme = /^https?:\/\//i.test(typed)
  const address = hasScheme ? typed : `${LOOPBACK.test(typed) ? 'http' : 'https'}://${typed}`
  if (!URL.canParse(address)) throw new CliError('usage', `"${typed}" isn’t the address of a server`)
  const { origin, pathname, search } = new URL(address)
  if (pathname === '/' && search === '') return origin
  throw new CliError('usage', `The address of a server has no path: write ${origin}, not ${typed}`)
}

export const isUnprotected = (server: string): boolean => {
  const { protocol, host } = new URL(server)
  return protocol === 'http:' && !LOOPBACK.test(host)
}

/** Paths of a document besides `/ID`: the raw text, and the links of earlier services. */
const PREFIXES = ['r', 'raw', 'p']

/** Pages of a document. A file that has the name of one opens at `/ID?file=NAME`. */
const PAGES = ['edit', 'editors', 'embed', 'history', 'manage', 'delete', 'report', 'preview.png']

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The address of a document has two segments if it's by name. */
function splitAddress([first = '', ...others]: readonly string[]) {
  if (!first.startsWith('@')) return { address: first, rest: others }
  const [name = '', ...rest] = others
  return { address: `${first}/${name}`, rest }
}

/**
 * @param typed an id, `@username/name`, or a link with or without a password.
 * @throws CliError `usage` if it's neither.
 */
export function parseTarget(typed: string): Target {
  const typedAddress = splitAddress(typed.split('/'))
  if (isDocumentAddress(typedAddress.address))
    return {
      server: null,
      id: typedAddress.address,
      password: null,
      file: typedAddress.rest.join('/') || null,
    }
  const refusal = new CliError('usage', 'Name a document by its id or link')
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) throw refusal
  const { origin, pathname, hash, searchParams } = new URL(typed)
  const segments = pathname.slice(1).split('/')
  const isRaw = PREFIXES.includes(segments[0] ?? '')
  const { address, rest } = splitAddress(isRaw ? segments.slice(1) : segments)
  const id = toAddress(address)
  if (!isDocumentAddress(id)) throw refusal
  const isPage = !isRaw && PAGES.includes(rest[0] ?? '')
  const file = searchParams.get('file') ?? (isPage ? '' : rest.map(decodeSegment).join('/'))
  return { server: origin, id, password: parseFragmentPassword(hash), file: file || null }
}

/** Returns the address that people share: the one with a name, if the document has one. */
export function getLink({ creator, links, settings }: DocumentInfo): string {
  const { name } = settings
  if (!creator || name === undefined) return links.formatted
  return new URL(formatNamedAddress({ username: creator.username, name }), links.formatted).href
}

/** package.json is three folders above the compiled file. */
export async function readVersion(): Promise<string> {
  const compiled = import.meta.url.endsWith('.js')
  const path = new URL(compiled ? '../../../package.json' : '../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  return version
}

export interface CommandContext extends Arguments {
  readonly terminal: Terminal
  readonly output: Output
}

export interface Session {
  readonly server: string
  readonly key: string | null
  readonly client: RegentClient
}

export function findServer({ values, terminal: { env } }: CommandContext, config: Config): string | null {
  const chosen = values.server ?? (env.REGENT_URL || null) ?? config.server
  return chosen === null ? null : parseServer(chosen)
}

const NO_SERVER =
  'Which server? Choose one with "regent server URL" or "regent login URL", or set --server or REGENT_URL'

const NO_SERVER_FOR_AGENT =
  'The user hasn’t chosen a server, and you can’t: ask them to run "regent server URL". A document with a link can be read without it'

/** The end of what an agent gets to see. */
export const ASK_TO_SIGN_IN = 'ask the user to sign in with "regent login": you can’t'

/** REGENT_KEY is for the chosen server only, not for another one in a link. */
const findKey = (
  { terminal: { env } }: CommandContext,
  config: Config,
  server: string,
  chosen: string | null,
) => (server === chosen && env.REGENT_KEY) || config.keys[server] || null

/** Tells the user when it waits for a busy server. */
export const createClient = ({ output }: CommandContext, server: string, key: string | null): RegentClient =>
  new RegentClient({
    server,
    key,
    onRetry: ({ seconds, error }) =>
      output.note(
        `${error.code === 'rate_limited' ? 'Too many requests' : 'The server is busy'}. Trying again in ${seconds} s…`,
      ),
  })

/**
 * @param linked the server of a link that the user gave, which comes first.
 * @throws CliError `usage` if no server was chosen.
 */
export async function openSession(context: CommandContext, linked: string | null = null): Promise<Session> {
  const config = await readConfig(context.terminal)
  const chosen = findServer(context, config)
  const server = linked ?? chosen
  if (server === null) throw new CliError('usage', NO_SERVER, NO_SERVER_FOR_AGENT)
  const key = findKey(context, config, server, chosen)
  if (key !== null && isUnprotected(server)) {
    context.output.note(`Warning: ${server} doesn’t use HTTPS. Others on the network can read your API key.`)
  }
  return { server, key, client: createClient(context, server, key) }
}

export interface ChosenPassword {
  readonly password: string
  /** A generated one is too random to need key stretching. */
  readonly generated: boolean
}

const ADVICE = 'Set REGENT_PASSWORD, or use --password-file'

const MAX_ATTEMPTS = 3

function requireLength(password: string): string {
  if (password.length >= 1 && password.length <= MAX_PASSWORD_CHARACTERS) return password
  throw new CliError('usage', `A password has 1 to ${MAX_PASSWORD_CHARACTERS} characters`)
}

const generatePassword = (): string =>
  Array.from({ length: GENERATED_PASSWORD_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns null if the user has to be asked. */
async function findGivenPassword({ values, terminal }: CommandContext): Promise<string | null> {
  const file = values['password-file']
  if (file === undefined) return terminal.env.REGENT_PASSWORD || null
  const { text } = await readInput(file, terminal)
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function askNewPassword({ terminal }: CommandContext): Promise<string> {
  const password = requireLength(await askSecret(terminal, 'Password: ', ADVICE))
  if ((await askSecret(terminal, 'Repeat it: ', ADVICE)) !== password) {
    throw new CliError('usage', 'The passwords differ')
  }
  return password
}

/** A given or typed password, or a new one. Null if nobody asked for encryption. */
export async function choosePassword(context: CommandContext): Promise<ChosenPassword | null> {
  const { values } = context
  const types = values['ask-password'] === true
  if (!values.encrypt && !types && values['password-file'] === undefined) return null
  const own = types ? await askNewPassword(context) : await findGivenPassword(context)
  return own === null
    ? { password: generatePassword(), generated: true }
    : { password: requireLength(own), generated: false }
}

const inArguments =
  'Warning: the password in the link is visible to other users of this machine, and stays in your shell’s history. Set REGENT_PASSWORD, or enter it when asked.'

/**
 * Looks for the password in a file, the link and the environment, and else asks.
 *
 * @param linked the password in the link that the user gave.
 */
export function createPasswordSource(context: CommandContext, linked: string | null) {
  const { terminal, output } = context
  if (linked !== null) output.note(inArguments)
  let asks = false
  return async (attempt: number): Promise<string | null> => {
    if (attempt === 1) {
      const given =
        context.values['password-file'] === undefined && linked !== null
          ? linked
          : await findGivenPassword(context)
      if (given !== null) return given
      asks = true
    }
    if (!asks || attempt > MAX_ATTEMPTS) return null
    if (attempt > 1) output.error('The password is wrong.')
    return askSecret(terminal, 'Password: ', `The document is encrypted. ${ADVICE}`)
  }
}

const ENDINGS: Readonly<Record<RegentError['code'], Ending>> = {
  bad_request: 'refused',
  unauthorized: 'refused',
  bad_auth: 'refused',
  not_found: 'notFound',
  method_not_allowed: 'server',
  conflict: 'conflict',
  precondition_failed: 'conflict',
  content_too_large: 'refused',
  unsupported_media_type: 'refused',
  rate_limited: 'rateLimited',
  internal_error: 'server',
  unavailable: 'server',
  network: 'network',
  timeout: 'network',
  invalid_response: 'server',
}

const describeIssues = ({ issues }: RegentError): string =>
  issues.map(({ path, message }) => [path.at(-1), message].filter(Boolean).join(': ')).join('; ')

export const isNameTaken = (error: unknown): boolean =>
  error instanceof RegentError && error.code === 'conflict' && error.issues[0]?.path.at(-1) === 'name'

function describe(error: RegentError): string {
  if (isNameTaken(error))
    return 'You already have a document with this name. Replace its text with "regent update", or choose another name'
  const { code, message, hint, requestId, retryAfter } = error
  switch (code) {
    case 'not_found':
      return 'There’s no such document. It may have expired or been deleted'
    case 'content_too_large':
      return 'The text is too large for this server'
    case 'rate_limited':
      return `Too many requests. Try again in ${retryAfter ?? 60} seconds`
    case 'internal_error':
    case 'unavailable':
      return `The server has a problem. Try again in a moment${requestId ? ` (request ${requestId})` : ''}`
    default:
      return describeIssues(error) || hint || message
  }
}

/** Says more about a refused create or edit than the API can, which doesn't know this program. */
export function describeRefusal(error: RegentError, { key, server }: Session): RegentError | CliError {
  if (error.code !== 'unauthorized') return error
  if (key !== null) {
    const refusal = `${server} doesn’t accept your API key`
    return new CliError(
      'refused',
      `${refusal}. Sign in with "regent login"`,
      `${refusal}. Now ${ASK_TO_SIGN_IN}`,
    )
  }
  // The API says no more than this. The answer to a shared text says why it needs a key.
  const [reason] =
    error.message === 'Unauthorized'
      ? [`${server} needs an account for this`]
      : error.message.split(/\.? Send an API key/)
  return new CliError(
    'refused',
    `${reason}. For that, sign in with "regent login"`,
    `${reason}. Do without it, or ${ASK_TO_SIGN_IN}`,
  )
}

/** Returns null for a bug. */
export function toCliError(error: unknown): CliError | null {
  if (error instanceof CliError) return error
  if (error instanceof Interrupted) return new CliError('interrupted', 'Interrupted')
  if (error instanceof PasswordError) return new CliError('refused', error.message)
  if (error instanceof RegentError) return new CliError(ENDINGS[error.code], describe(error))
  return null
}
