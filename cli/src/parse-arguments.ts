import { parseArgs } from 'node:util'
import { CliError } from './exit-codes.ts'
import {
  COMMON_OPTIONS,
  type CommandName,
  getCommand,
  isNamedCommand,
  OPTIONS,
  type OptionName,
} from './options.ts'

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true })

export type OptionValues = ReturnType<typeof parse>['values']

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
  const isNamed = isNamedCommand(first) && firstIndex < terminator
  const command = isNamed ? first : 'create'
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
