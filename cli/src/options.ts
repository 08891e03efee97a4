import { parseArgs } from 'node:util'
import { CliError } from './exit-codes.ts'

interface OptionDefinition {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  readonly value?: string
  readonly completes?: 'languages' | 'durations' | 'files'
  /** The value of the option if it's written without one. Only `--name=VALUE` gives it another. */
  readonly implied?: string
  readonly help: string
}

/** Parsing, help and completion are derived from this table. */
export const OPTIONS = {
  encrypt: { type: 'boolean', short: 'e', help: 'encrypt here, print a link with the password' },
  'ask-password': { type: 'boolean', help: 'encrypt with a password that you type' },
  'password-file': {
    type: 'string',
    value: 'FILE',
    completes: 'files',
    help: 'read the password from the first line of FILE; - is standard input',
  },
  burn: { type: 'boolean', short: 'b', help: 'delete the document after the first read' },
  expires: {
    type: 'string',
    short: 'x',
    value: 'WHEN',
    completes: 'durations',
    help: 'a duration such as 30m, 12h, 2d or 4w, a date, or never',
  },
  language: {
    type: 'string',
    short: 'l',
    value: 'NAME',
    completes: 'languages',
    help: 'highlight as this language',
  },
  title: { type: 'string', short: 't', value: 'TEXT', help: 'a title or file name; empty for none' },
  name: { type: 'string', value: 'NAME', help: 'an address that stays, /@you/NAME; needs an account' },
  public: { type: 'boolean', short: 'p', help: 'list the document publicly; needs an account' },
  separate: { type: 'boolean', help: 'share each file in a document of its own' },
  output: {
    type: 'string',
    short: 'o',
    value: 'PATH',
    completes: 'files',
    help: 'write the files into the folder PATH, or one text into the file PATH',
  },
  force: { type: 'boolean', help: 'replace files that exist' },
  redact: {
    type: 'string',
    implied: 'secrets',
    help: 'replace secrets by placeholders; =all: addresses and names, too',
  },
  'no-scan': { type: 'boolean', help: 'don’t look for secrets' },
  copy: { type: 'boolean', short: 'c', help: 'copy the link too' },
  limit: { type: 'string', short: 'n', value: 'N', help: 'list at most N documents (default 20)' },
  search: { type: 'string', value: 'TEXT', help: 'list documents with TEXT in their title' },
  browser: { type: 'boolean', help: 'open the page where you create a key' },
  json: { type: 'boolean', short: 'j', help: 'print JSON' },
  server: { type: 'string', short: 's', value: 'URL', help: 'use this server' },
  quiet: { type: 'boolean', short: 'q', help: 'print errors only on standard error' },
  help: { type: 'boolean', short: 'h', help: 'show help' },
  version: { type: 'boolean', short: 'V', help: 'show the version' },
} as const satisfies Readonly<Record<string, OptionDefinition>>

export type OptionName = keyof typeof OPTIONS

export const getOption = (name: OptionName): OptionDefinition => OPTIONS[name]

interface CommandDefinition {
  readonly usage: string
  readonly summary: string
  readonly options?: readonly OptionName[]
  readonly completes?: 'files' | 'shells'
  readonly operands: { readonly min: number; readonly max: number; readonly name: string }
}

export const COMMON_OPTIONS = ['server', 'quiet', 'help', 'version'] as const satisfies readonly OptionName[]

const ONE_DOCUMENT = { min: 1, max: 1, name: 'the id or link of one document' }
const NOTHING = { min: 0, max: 0, name: 'nothing' }
const ANY_NUMBER = Number.POSITIVE_INFINITY

/** `create` is the command without a name. */
export const COMMANDS = {
  create: {
    usage: '[file|folder…]',
    summary: 'Share files, a folder or standard input, and print the link',
    options: [
      'encrypt',
      'ask-password',
      'password-file',
      'burn',
      'expires',
      'language',
      'title',
      'name',
      'public',
      'separate',
      'redact',
      'no-scan',
      'copy',
      'json',
    ],
    completes: 'files',
    operands: { min: 0, max: ANY_NUMBER, name: 'files and folders' },
  },
  get: {
    usage: 'get ID[/FILE]|LINK',
    summary: 'Print the text of a document or of one file, or write its files',
    options: ['output', 'force', 'password-file', 'json'],
    operands: ONE_DOCUMENT,
  },
  edit: {
    usage: 'edit ID|LINK',
    summary: 'Edit the text of a document in $VISUAL or $EDITOR',
    options: ['redact', 'no-scan', 'password-file', 'json'],
    operands: ONE_DOCUMENT,
  },
  update: {
    usage: 'update ID|LINK [file|folder…]',
    summary: 'Replace the text of a document by files, a folder or standard input',
    options: ['redact', 'no-scan', 'password-file', 'json'],
    operands: { min: 1, max: ANY_NUMBER, name: 'the id or link of one document, and files' },
  },
  history: {
    usage: 'history ID|LINK [NUMBER]',
    summary: 'List the versions of a document, or print one',
    options: ['password-file', 'json'],
    operands: { min: 1, max: 2, name: 'the id or link of one document, and the number of a version' },
  },
  restore: {
    usage: 'restore ID|LINK NUMBER',
    summary: 'Restore a version of a document',
    options: ['json'],
    operands: { min: 2, max: 2, name: 'the id or link of one document, and the number of a version' },
  },
  rm: {
    usage: 'rm ID|LINK…',
    summary: 'Delete documents',
    options: ['json'],
    operands: { min: 1, max: ANY_NUMBER, name: 'the ids or links of documents' },
  },
  ls: {
    usage: 'ls',
    summary: 'List your documents, and those created on this machine',
    options: ['limit', 'search', 'json'],
    operands: NOTHING,
  },
  mcp: {
    usage: 'mcp',
    summary: 'Give an agent tools to share, read, change and list documents (MCP)',
    operands: NOTHING,
  },
  login: {
    usage: 'login [URL]',
    summary: 'Save an API key for a server, and use that server from now on',
    options: ['browser', 'json'],
    operands: { min: 0, max: 1, name: 'the address of one server' },
  },
  logout: {
    usage: 'logout',
    summary: 'Delete the saved API key',
    operands: NOTHING,
  },
  server: {
    usage: 'server [URL]',
    summary: 'Show or choose the server to use',
    operands: { min: 0, max: 1, name: 'the address of one server' },
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'Print a script that completes commands in your shell',
    completes: 'shells',
    operands: { min: 1, max: 1, name: 'bash, zsh or fish' },
  },
  help: {
    usage: 'help [command]',
    summary: 'Show help',
    operands: { min: 0, max: 1, name: 'one command' },
  },
} as const satisfies Readonly<Record<string, CommandDefinition>>

export type CommandName = keyof typeof COMMANDS

export const NAMED_COMMANDS = (Object.keys(COMMANDS) as CommandName[]).filter((name) => name !== 'create')

const NO_OPTIONS: readonly OptionName[] = []

export function getCommand(name: CommandName) {
  const definition: CommandDefinition = COMMANDS[name]
  return { options: NO_OPTIONS, completes: 'none' as const, ...definition }
}

/** The names that commands have in other programs. */
const ALIASES: Readonly<Record<string, CommandName>> = {
  cat: 'get',
  show: 'get',
  read: 'get',
  list: 'ls',
  delete: 'rm',
  remove: 'rm',
  log: 'history',
}

export const isNamedCommand = (name: string): name is CommandName =>
  (NAMED_COMMANDS as readonly string[]).includes(name)

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `--redact` alone means `--redact=secrets`. After `--`, every argument is a file. */
function addImplied(args: readonly string[]): string[] {
  const terminator = args.indexOf('--')
  return args.map((arg, index) => {
    const option = Object.entries<OptionDefinition>(OPTIONS).find(([name]) => arg === `--${name}`)?.[1]
    const isOption = terminator < 0 || index < terminator
    return option?.implied !== undefined && isOption ? `${arg}=${option.implied}` : arg
  })
}

const parse = (args: readonly string[]) =>
  parseArgs({ args: addImplied(args), options: OPTIONS, allowPositionals: true, tokens: true })

type OptionValues = ReturnType<typeof parse>['values']

export interface Arguments {
  readonly command: CommandName
  readonly operands: readonly string[]
  readonly values: OptionValues
}

const SEE_HELP = 'See: regent --help'

function parseOrRefuse(args: readonly string[]) {
  try {
    return parse(args)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (!String(code).startsWith('ERR_PARSE_ARGS')) throw error
    // The rest explains how to pass operands that start with a dash.
    const [sentence = ''] = String(message).split(/\. /)
    throw new CliError('usage', `${sentence.replace(/\.$/, '')}. ${SEE_HELP}`)
  }
}

/**
 * The command is the first operand, if it names one. After `--`, every operand is a file.
 *
 * @throws CliError `usage` for options and operands that the command doesn't take.
 */
export function parseArguments(args: readonly string[]): Arguments {
  const { positionals, tokens, values } = parseOrRefuse(args)
  const [first = ''] = positionals
  const terminator =
    tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY
  const firstIndex = tokens.find(({ kind }) => kind === 'positional')?.index ?? 0
  const isFirst = firstIndex < terminator
  if (isFirst && first === 'version' && positionals.length === 1)
    return { command: 'create', operands: [], values: { ...values, version: true } }
  const named = isNamedCommand(first) ? first : Object.hasOwn(ALIASES, first) ? ALIASES[first] : undefined
  const isNamed = isFirst && named !== undefined
  const command = isNamed ? named : 'create'
  const operands = isNamed ? positionals.slice(1) : positionals
  if (values.help || values.version) return { command, operands, values }
  const definition = getCommand(command)
  const allowed: readonly OptionName[] = [...definition.options, ...COMMON_OPTIONS]
  for (const name of Object.keys(values) as OptionName[]) {
    if (allowed.includes(name)) continue
    const subject = isNamed ? `"regent ${command}"` : 'Creating a document'
    throw new CliError('usage', `${subject} doesn’t take --${name}. ${SEE_HELP}`)
  }
  const { min, max, name } = definition.operands
  if (operands.length < min || operands.length > max) {
    throw new CliError('usage', `"regent ${command}" takes ${name}. See: regent ${command} --help`)
  }
  return { command, operands, values }
}

/** Tells whether a word is a name but for a missing, additional or wrong letter, or two in the wrong order. */
function isAlmost(typed: string, name: string): boolean {
  if (Math.abs(typed.length - name.length) > 1) return false
  let start = 0
  while (start < name.length && typed[start] === name[start]) start++
  const [one, other] = [typed.slice(start), name.slice(start)]
  return (
    one.slice(1) === other.slice(1) ||
    one.slice(1) === other ||
    one === other.slice(1) ||
    (one.slice(2) === other.slice(2) && one[0] === other[1] && one[1] === other[0])
  )
}

/** The command that somebody meant who typed the name of a file that isn't there; null if none is like it. */
export const suggestCommand = (typed: string): string | null =>
  typed.length < 2
    ? null
    : ([...NAMED_COMMANDS, ...Object.keys(ALIASES)].find((name) => isAlmost(typed, name)) ?? null)

function describeOption(name: OptionName): string {
  const { short, value, implied, help } = getOption(name)
  const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}${implied ? '[=WHAT]' : ''}`
  return `  ${names.padEnd(28)}${help}`
}

const describeOptions = (names: readonly OptionName[]): string => names.map(describeOption).join('\n')

const describeCommand = (name: CommandName): string => {
  const { usage, summary } = getCommand(name)
  return `  ${`regent ${usage}`.padEnd(38)}${summary}`
}

export const formatHelp = (): string => `Share text by link.

Usage:
${(['create', ...NAMED_COMMANDS] as const).map(describeCommand).join('\n')}

Without a file, or with -, regent reads standard input. It prints links on standard output, and everything
else on standard error. "regent COMMAND --help" describes one command.

Options for sharing:
${describeOptions(getCommand('create').options)}

Options of every command:
${describeOptions(COMMON_OPTIONS)}

Environment: REGENT_URL, REGENT_KEY, REGENT_PASSWORD, REGENT_SCAN, VISUAL, EDITOR, NO_COLOR. See "man regent".
`

export function formatCommandHelp(command: CommandName): string {
  const { usage, summary, options } = getCommand(command)
  return `${summary}.

Usage: regent ${usage}

Options:
${describeOptions([...options, ...COMMON_OPTIONS])}
`
}
