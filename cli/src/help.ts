import {
  COMMON_OPTIONS,
  type CommandName,
  getCommand,
  getOption,
  NAMED_COMMANDS,
  type OptionName,
} from './options.ts'

function describeOption(name: OptionName): string {
  const { short, value, help } = getOption(name)
  const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
  return `  ${names.padEnd(28)}${help}`
}

const describeOptions = (names: readonly OptionName[]): string => names.map(describeOption).join('\n')

const describeCommand = (name: CommandName): string => {
  const { usage, summary } = getCommand(name)
  return `  ${`regent ${usage}`.padEnd(34)}${summary}`
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

Environment: REGENT_URL, REGENT_KEY, REGENT_PASSWORD, VISUAL, EDITOR, NO_COLOR. See "man regent".
`

export function formatCommandHelp(command: CommandName): string {
  const { usage, summary, options } = getCommand(command)
  return `${summary}.

Usage: regent ${usage}

Options:
${describeOptions([...options, ...COMMON_OPTIONS])}
`
}
