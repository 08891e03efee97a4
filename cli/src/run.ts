import { CliError, EXIT_CODES } from './exit-codes.ts'
import {
  type Arguments,
  type CommandName,
  formatCommandHelp,
  formatHelp,
  isNamedCommand,
  parseArguments,
  suggestCommand,
} from './options.ts'
import type { CommandContext } from './session.ts'
import { readVersion, toCliError } from './session.ts'
import type { Terminal } from './terminal.ts'
import { createOutput, ReaderGone } from './terminal.ts'

type Command = (context: CommandContext) => Promise<void>

async function help({ operands, output }: CommandContext): Promise<void> {
  const [name] = operands
  if (name !== undefined && !isNamedCommand(name)) throw new CliError('usage', `There’s no command "${name}"`)
  await output.print(name === undefined ? formatHelp() : formatCommandHelp(name))
}

/** Loads commands when they are called, so that each starts fast. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  create: async () => (await import('./commands/create.ts')).create,
  get: async () => (await import('./commands/documents.ts')).get,
  edit: async () => (await import('./commands/edit.ts')).edit,
  update: async () => (await import('./commands/edit.ts')).update,
  history: async () => (await import('./commands/documents.ts')).history,
  restore: async () => (await import('./commands/documents.ts')).restore,
  rm: async () => (await import('./commands/documents.ts')).rm,
  ls: async () => (await import('./commands/documents.ts')).ls,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  login: async () => (await import('./commands/sign-in.ts')).login,
  logout: async () => (await import('./commands/sign-in.ts')).logout,
  server: async () => (await import('./commands/sign-in.ts')).chooseServer,
  completion: async () => (await import('./commands/completion.ts')).completion,
  help: async () => help,
}

async function runCommand(args: Arguments, context: CommandContext): Promise<void> {
  const { command, values } = args
  if (values.version) return context.output.print(`${await readVersion()}\n`)
  if (values.help)
    return context.output.print(command === 'create' ? formatHelp() : formatCommandHelp(command))
  const run = await COMMANDS[command]()
  await run(context)
}

/**
 * @returns the exit code.
 * @throws unexpected errors.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let output = createOutput(terminal, { quiet: false })
  let suggestion: string | null = null
  try {
    const parsed = parseArguments(args)
    output = createOutput(terminal, { quiet: parsed.values.quiet ?? false })
    if (parsed.command === 'create') suggestion = suggestCommand(parsed.operands[0] ?? '')
    await runCommand(parsed, { ...parsed, terminal, output })
    return EXIT_CODES.success
  } catch (error) {
    if (error instanceof ReaderGone) return EXIT_CODES.success
    const known = toCliError(error)
    if (!known) throw error
    output.error(/[.!?]$/.test(known.message) ? known.message : `${known.message}.`)
    if (known.ending === 'input' && suggestion !== null) output.error(`Did you mean "regent ${suggestion}"?`)
    return EXIT_CODES[known.ending]
  }
}
